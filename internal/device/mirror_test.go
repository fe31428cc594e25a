package device_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/tune"
)

// mirrored is a mirror with its device and its host memory.
type mirrored struct {
	*device.Mirror
	t         testing.TB
	device    *pretend.Device
	shape     device.Shape
	values    []float64 // nil until allocated
	transfers *device.Transfers
}

func newMirrored(t testing.TB, d *pretend.Device, elements, dim int, allocated bool) *mirrored {
	m := &mirrored{t: t, device: d, shape: device.Shape{Elements: elements, Dim: dim, Size: 8}, transfers: &device.Transfers{}}
	if allocated {
		m.allocate()
	}
	m.Mirror = device.NewMirror(d, m.shape, m.allocate, allocated, m.transfers)
	m.What = "dat q on cells"
	return m
}

func (m *mirrored) allocate() unsafe.Pointer {
	if m.values == nil {
		m.values = make([]float64, m.shape.Elements*m.shape.Dim)
	}
	return unsafe.Pointer(unsafe.SliceData(m.values))
}

// loop runs a loop that expects values on the device, if it reads, and leaves others, if it writes.
func (m *mirrored) loop(reads, writes bool, layout tune.Layout, expected, leaves []float64) {
	m.t.Helper()
	b, err := m.Use(reads, writes, layout)
	if err != nil {
		m.t.Fatal(err)
	}
	there := unsafe.Slice((*float64)(m.device.Memory(b)), len(expected))
	for i := range expected {
		at := &there[i]
		if e, c := i/m.shape.Dim, i%m.shape.Dim; layout == tune.SoA {
			at = &there[c*m.shape.Elements+e]
		}
		if reads && *at != expected[i] {
			m.t.Fatalf("value %d is %v on the device, want %v", i, *at, expected[i])
		}
		if writes {
			*at = leaves[i]
		}
	}
}

// look reads the host's values, and sets them to others, if it writes.
func (m *mirrored) look(write bool, expected, leaves []float64) {
	m.t.Helper()
	if err := m.Host(write); err != nil {
		m.t.Fatal(err)
	}
	if !slices.Equal(m.values, expected) {
		m.t.Fatalf("the host's values are %v, want %v", m.values, expected)
	}
	if write {
		copy(m.values, leaves)
	}
}

func (m *mirrored) expect(what string, state device.State, toDevice, toHost int64) {
	m.t.Helper()
	n := int64(8 * m.shape.Elements * m.shape.Dim)
	want := device.Transfers{ToDevice: toDevice, ToHost: toHost, BytesToDevice: n * toDevice, BytesToHost: n * toHost}
	if m.State() != state || *m.transfers != want {
		m.t.Errorf("%s: the state is %v after %+v, want %v after %+v", what, m.State(), *m.transfers, state, want)
	}
}

const elements, dim = 5, 3

func numbers(from int) []float64 {
	values := make([]float64, elements*dim)
	for i := range values {
		values[i] = float64(from + i)
	}
	return values
}

// in returns a mirror in a state, with its values in a layout if the device has them, and resets
// its transfers.
func in(t *testing.T, s device.State, layout tune.Layout) (*mirrored, []float64) {
	m := newMirrored(t, &pretend.Device{}, elements, dim, s != device.HostUnallocated)
	values := make([]float64, elements*dim)
	if s != device.HostUnallocated {
		copy(m.values, numbers(100))
		values = numbers(100)
	}
	switch s {
	case device.OnBoth:
		m.loop(true, false, layout, values, nil)
	case device.OnDevice:
		m.loop(true, true, layout, values, numbers(200))
		values = numbers(200)
	case device.OnHost:
		m.loop(true, false, layout, values, nil)
		m.look(true, values, numbers(300))
		values = numbers(300)
	}
	*m.transfers, m.device.Clears = device.Transfers{}, 0
	if m.State() != s {
		t.Fatalf("the state is %v, want %v", m.State(), s)
	}
	return m, values
}

// The table of the states, entry by entry.
func TestTransitions(t *testing.T) {
	const (
		du, hu, dev, host, both = device.DeviceUnallocated, device.HostUnallocated, device.OnDevice, device.OnHost, device.OnBoth
	)
	type row struct {
		from, to         device.State
		toDevice, toHost int64
	}
	for _, test := range []struct {
		access        string
		reads, writes bool
		host          bool
		rows          []row
	}{
		{"read", true, false, false, []row{{du, both, 1, 0}, {hu, dev, 0, 0}, {dev, dev, 0, 0}, {host, both, 1, 0}, {both, both, 0, 0}}},
		{"write", false, true, false, []row{{du, dev, 0, 0}, {hu, dev, 0, 0}, {dev, dev, 0, 0}, {host, dev, 0, 0}, {both, dev, 0, 0}}},
		{"rw, inc, min, max", true, true, false, []row{{du, dev, 1, 0}, {hu, dev, 0, 0}, {dev, dev, 0, 0}, {host, dev, 1, 0}, {both, dev, 0, 0}}},
		{"Data", true, true, true, []row{{du, du, 0, 0}, {hu, du, 0, 0}, {dev, host, 0, 1}, {host, host, 0, 0}, {both, host, 0, 0}}},
		{"DataRO", true, false, true, []row{{du, du, 0, 0}, {hu, du, 0, 0}, {dev, both, 0, 1}, {host, host, 0, 0}, {both, both, 0, 0}}},
	} {
		for _, layout := range []tune.Layout{tune.AoS, tune.SoA} {
			for _, r := range test.rows {
				t.Run(fmt.Sprint(test.access, " in ", r.from, " layout ", layout), func(t *testing.T) {
					m, values := in(t, r.from, layout)
					if test.host {
						m.look(test.writes, values, numbers(400))
					} else {
						m.loop(test.reads, test.writes, layout, values, numbers(400))
					}
					m.expect(test.access, r.to, r.toDevice, r.toHost)
					if test.writes {
						values = numbers(400)
					}
					m.look(false, values, nil)
				})
			}
		}
	}
}

// Changing the layout transfers valid values through the host.
func TestAnotherLayout(t *testing.T) {
	for _, test := range []struct {
		from, to         device.State
		reads, writes    bool
		toDevice, toHost int64
	}{
		{device.OnDevice, device.OnBoth, true, false, 1, 1},
		{device.OnBoth, device.OnBoth, true, false, 1, 0},
		{device.OnHost, device.OnBoth, true, false, 1, 0},
		{device.OnDevice, device.OnDevice, true, true, 1, 1},
		{device.OnDevice, device.OnDevice, false, true, 0, 0},
		{device.OnBoth, device.OnDevice, false, true, 0, 0},
	} {
		for _, layout := range []tune.Layout{tune.AoS, tune.SoA} {
			m, values := in(t, test.from, layout)
			other := map[tune.Layout]tune.Layout{tune.AoS: tune.SoA, tune.SoA: tune.AoS}
			m.loop(test.reads, test.writes, other[layout], values, numbers(500))
			m.expect(fmt.Sprint(test), test.to, test.toDevice, test.toHost)
			if test.writes {
				values = numbers(500)
			}
			m.look(false, values, nil)
		}
	}
	one := newMirrored(t, &pretend.Device{}, 4, 1, true)
	one.loop(true, true, tune.SoA, one.values, []float64{1, 2, 3, 4})
	one.loop(true, false, tune.AoS, []float64{1, 2, 3, 4}, nil)
	one.expect("one value for each element", device.OnDevice, 1, 0)
}

// Values are not lost if Bring is not followed by Wrote.
func TestBring(t *testing.T) {
	for _, from := range []device.State{device.DeviceUnallocated, device.HostUnallocated, device.OnDevice, device.OnHost, device.OnBoth} {
		for _, reads := range []bool{true, false} {
			m, values := in(t, from, tune.AoS)
			if _, err := m.Bring(reads, tune.SoA); err != nil {
				t.Fatal(err)
			}
			m.look(false, values, nil)
			m.loop(true, false, tune.AoS, values, nil)
		}
	}
}

func TestZero(t *testing.T) {
	for _, test := range []struct {
		from, to device.State
		clears   int
	}{
		{device.HostUnallocated, device.HostUnallocated, 0}, {device.DeviceUnallocated, device.DeviceUnallocated, 0},
		{device.OnDevice, device.OnDevice, 1}, {device.OnHost, device.OnBoth, 1}, {device.OnBoth, device.OnDevice, 1},
	} {
		m, _ := in(t, test.from, tune.SoA)
		if err := m.Zero(); err != nil {
			t.Fatal(err)
		}
		m.expect("Zero", test.to, 0, 0)
		if m.device.Clears != test.clears {
			t.Errorf("%v: cleared %d times, want %d", test.from, m.device.Clears, test.clears)
		}
		m.look(false, make([]float64, elements*dim), nil)
	}
}

func TestCopy(t *testing.T) {
	for _, from := range []device.State{device.OnDevice, device.OnBoth} {
		for _, to := range []device.State{device.DeviceUnallocated, device.HostUnallocated, device.OnDevice, device.OnHost, device.OnBoth} {
			a, _ := in(t, to, tune.AoS)
			b, values := in(t, from, tune.SoA)
			b = a.of(b, values)
			if err := a.Copy(b.Mirror); err != nil {
				t.Fatal(err)
			}
			a.expect("Copy", device.OnDevice, 0, 0)
			a.loop(true, false, tune.SoA, values, nil)
			a.look(false, values, nil)
		}
	}
	m, values := in(t, device.OnDevice, tune.AoS)
	if err := m.Copy(m.Mirror); err != nil {
		t.Fatal(err)
	}
	m.look(false, values, nil)
}

// of returns a mirror on a's device in the state of b.
func (a *mirrored) of(b *mirrored, values []float64) *mirrored {
	c := newMirrored(a.t, a.device, elements, dim, true)
	copy(c.values, values)
	c.loop(true, b.State() == device.OnDevice, tune.SoA, values, values)
	return c
}

// A failure leaves values intact, and the error names the data.
func TestFailures(t *testing.T) {
	failure := errors.New("the cable is out")
	only := func(call string) func(string) error {
		return func(c string) error {
			if c == call {
				return failure
			}
			return nil
		}
	}
	for _, from := range []device.State{device.DeviceUnallocated, device.OnDevice, device.OnHost, device.OnBoth} {
		for _, call := range []string{"Upload", "Download"} {
			m, values := in(t, from, tune.AoS)
			m.device.Fail = only(call)
			_, err := m.Use(true, false, tune.SoA)
			if call == "Download" && from != device.OnDevice {
				if err != nil {
					t.Error(err)
				}
			} else if err == nil || !errors.Is(err, failure) || err.Error() != "dat q on cells: the cable is out" {
				t.Errorf("%v, %s: got %v", from, call, err)
			}
			m.device.Fail = nil
			m.loop(true, false, tune.SoA, values, nil)
			m.look(true, values, values)
		}
	}
	m, values := in(t, device.OnDevice, tune.AoS)
	m.device.Fail = only("Download")
	if err := m.Host(true); !errors.Is(err, failure) || m.State() != device.OnDevice {
		t.Errorf("got %v, in state %v", err, m.State())
	}
	m.device.Fail = only("Clear")
	if err := m.Zero(); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	m.device.Fail = nil
	m.look(false, values, nil)

	small := newMirrored(t, &pretend.Device{Limit: 100}, elements, dim, true)
	_, err := small.Use(true, true, tune.AoS)
	const want = "dat q on cells: out of memory on test: 120 bytes requested, 0 already allocated, the device has 100"
	if err == nil || err.Error() != want || small.State() != device.DeviceUnallocated {
		t.Errorf("got %v in state %v, want %s", err, small.State(), want)
	}
}

// An empty mirror gets a buffer, and transfers nothing.
func TestNoValues(t *testing.T) {
	m := newMirrored(t, &pretend.Device{}, 0, 3, true)
	for _, layout := range []tune.Layout{tune.AoS, tune.SoA} {
		if b, err := m.Use(true, true, layout); err != nil || b == 0 {
			t.Errorf("got %v, %v", b, err)
		}
		m.look(true, []float64{}, nil)
		if err := m.Zero(); err != nil {
			t.Error(err)
		}
	}
	if *m.transfers != (device.Transfers{}) {
		t.Errorf("%+v", *m.transfers)
	}
}

// After work that failed, only the host's values are valid.
func TestSpoiled(t *testing.T) {
	for _, state := range []device.State{device.DeviceUnallocated, device.HostUnallocated, device.OnDevice, device.OnHost, device.OnBoth} {
		m, _ := in(t, state, tune.AoS)
		m.Spoiled()
		want := state
		if state == device.OnBoth {
			want = device.OnHost
		}
		if m.State() != want {
			t.Errorf("%v became %v, want %v", state, m.State(), want)
		}
	}
}

func TestFree(t *testing.T) {
	m, values := in(t, device.OnBoth, tune.AoS)
	m.Free()
	m.Free()
	if m.State() != device.DeviceUnallocated || m.device.Allocated != 0 {
		t.Errorf("%v, %d bytes are allocated", m.State(), m.device.Allocated)
	}
	m.loop(true, false, tune.AoS, values, nil)
}

// The memory of an unreachable mirror is freed.
func TestGarbage(t *testing.T) {
	d, g := &pretend.Device{}, &device.Garbage{}
	kept := newMirrored(t, d, elements, dim, true)
	kept.LeaveTo(g)
	kept.loop(true, false, tune.AoS, kept.values, nil)
	before := d.Allocated
	func() {
		m := newMirrored(t, d, 100, dim, false)
		m.LeaveTo(g)
		m.loop(true, false, tune.AoS, make([]float64, 100*dim), nil)
		newMirrored(t, d, 100, dim, false).LeaveTo(g) // of which the device has nothing
	}()
	for range 10_000 {
		runtime.GC()
		if g.Sweep(d); d.Allocated == before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if d.Allocated != before {
		t.Errorf("%d bytes are allocated, want %d", d.Allocated, before)
	}
	runtime.KeepAlive(kept)
}

// A full device first frees the memory of unreachable mirrors.
func TestGarbageOfFullDevice(t *testing.T) {
	d, g := &pretend.Device{Limit: 200}, &device.Garbage{}
	for range 10 {
		m := newMirrored(t, d, elements, dim, false)
		m.LeaveTo(g)
		m.loop(true, true, tune.AoS, make([]float64, elements*dim), numbers(1))
	}
	if d.Allocs != 10 {
		t.Errorf("%d buffers were allocated, want 10", d.Allocs)
	}
}

// A long random walk, after each step of which the values equal those of plain slices.
func TestRandomWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	layout := func() tune.Layout { return []tune.Layout{tune.AoS, tune.SoA}[random.IntN(2)] }
	for walk := range 200 {
		shape := [][2]int{{0, 2}, {1, 4}, {7, 1}, {5, 3}, {130, 2}}[walk%5]
		d := &pretend.Device{}
		mirrors, model := make([]*mirrored, 2), make([][]float64, 2)
		for i := range mirrors {
			mirrors[i] = newMirrored(t, d, shape[0], shape[1], random.IntN(2) == 0)
			mirrors[i].Guard() // finds nothing here
			model[i] = make([]float64, shape[0]*shape[1])
		}
		for range 60 {
			i := random.IntN(2)
			m, next := mirrors[i], make([]float64, len(model[i]))
			for j := range next {
				next[j] = random.Float64()
			}
			written := false
			switch random.IntN(7) {
			case 0, 1:
				reads, writes := random.IntN(2) == 0, random.IntN(2) == 0
				m.loop(reads || !writes, writes, layout(), model[i], next)
				written = writes
			case 2:
				written = random.IntN(2) == 0
				m.look(written, model[i], next)
			case 3:
				if err := m.Zero(); err != nil {
					t.Fatal(err)
				}
				clear(next)
				written = true
			case 4:
				if mirrors[1-i].State().Valid() {
					if err := m.Copy(mirrors[1-i].Mirror); err != nil {
						t.Fatal(err)
					}
					copy(next, model[1-i])
					written = true
				}
			case 5:
				m.look(false, model[i], nil)
				m.Free()
			case 6:
				m.patch(random, model[i], next)
			}
			if written {
				model[i] = next
			}
		}
	}
}

// patch sets the values of an element wherever they are valid, as the exchange of halos does.
func (m *mirrored) patch(random *rand.Rand, model, next []float64) {
	m.t.Helper()
	if m.shape.Elements == 0 || m.State() == device.HostUnallocated {
		return
	}
	e := random.IntN(m.shape.Elements)
	state, moved := m.State(), *m.transfers
	from, to := e*m.shape.Dim, (e+1)*m.shape.Dim
	if state.Valid() {
		b, along, apart := m.Values()
		there := unsafe.Slice((*float64)(m.device.Memory(b)), len(model))
		for c := range m.shape.Dim {
			at := &there[along*e+apart*c]
			if *at != model[from+c] {
				m.t.Fatalf("component %d of element %d is %v on the device, want %v", c, e, *at, model[from+c])
			}
			*at = next[from+c]
		}
	}
	if state != device.OnDevice {
		copy(m.values[from:to], next[from:to])
		m.Patched()
	}
	copy(model[from:to], next[from:to])
	if m.State() != state || *m.transfers != moved {
		m.t.Errorf("an element that changed made the state %v, it was %v, and moved %+v after %+v", m.State(), state, *m.transfers, moved)
	}
}

// Writes to the host's memory that come too late are reported once, if they make a difference.
func TestGuard(t *testing.T) {
	reads := func(m *mirrored) error { _, err := m.Use(true, false, tune.SoA); return err }
	writes := func(m *mirrored) error { _, err := m.Use(false, true, tune.SoA); return err }
	host := func(m *mirrored) error { return m.Host(false) }
	own := func(m *mirrored) error { return m.Host(true) }
	scribble := func(m *mirrored) error { m.values[3] = 7; return nil }
	type step = func(*mirrored) error
	for name, test := range map[string]struct {
		steps []step
		stale bool // expected after the last step
	}{
		"written before use":            {[]step{own, scribble, reads}, false},
		"written before it is replaced": {[]step{own, scribble, writes, host}, false},
		"written after a loop read it":  {[]step{own, reads, scribble, reads}, true},
		"reported once":                 {[]step{own, reads, scribble, reads, reads}, false},
		"written after a loop wrote it": {[]step{own, writes, scribble, host}, true},
		"before another is to write":    {[]step{own, writes, scribble, own}, true},
		"read-only slice written":       {[]step{own, writes, host, scribble, host}, true},
		"and used":                      {[]step{own, writes, host, scribble, writes}, true},
		"returned again":                {[]step{own, reads, own, scribble, reads}, false},
		"replaced by the program":       {[]step{own, writes, scribble, func(m *mirrored) error { m.Overwrite(); return nil }, reads}, false},
	} {
		m := newMirrored(t, &pretend.Device{}, elements, dim, true)
		m.Guard()
		var err error
		for i, step := range test.steps {
			if err != nil && (name != "reported once" || i != 4) {
				t.Errorf("%s: step %d: %v", name, i, err)
			}
			err = step(m)
		}
		if test.stale != (err != nil) || err != nil && !strings.Contains(err.Error(), "dat q on cells: a slice of its values was written after") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func BenchmarkUploadSoA(b *testing.B) {
	m := newMirrored(b, &pretend.Device{}, 1<<20, 4, true)
	b.SetBytes(8 << 22)
	for b.Loop() {
		if err := m.Host(true); err != nil {
			b.Fatal(err)
		}
		if _, err := m.Use(true, false, tune.SoA); err != nil {
			b.Fatal(err)
		}
	}
}
