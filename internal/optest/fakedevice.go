package optest

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/devicetest"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// FakeDriver is the backend "test", which keeps data on a device whose memory is Go's: loops run on
// the backend sequential, with the device's addresses.
var FakeDriver = backend.Driver{
	Name: "test", Summary: "a device for tests", Probe: host.Sequential.Probe,
	Open: func(c backend.Config) (backend.Backend, error) {
		b, err := host.Sequential.Open(c)
		if err != nil {
			return nil, err
		}
		k := &FakeDevice{Multiplier: b.(backend.Multiplier)}
		if !c.Static {
			k.Memory = &devicetest.Device{}
		}
		return k, nil
	},
}

// FakeDevice is a backend that FakeDriver has opened.
type FakeDevice struct {
	backend.Multiplier
	Memory  *devicetest.Device // nil for a static runtime
	garbage device.Garbage
	pending []func(time.Duration)
	Given   backend.Memory // to the last loop that was prepared
}

func (k *FakeDevice) Device() device.Device    { return k.Memory }
func (k *FakeDevice) Garbage() *device.Garbage { return &k.garbage }
func (k *FakeDevice) AutoSoA(dim int) bool     { return dim == 4 }

// Settle reports a time of one microsecond for every call.
func (k *FakeDevice) Settle() error {
	for _, took := range k.pending {
		took(time.Microsecond)
	}
	k.pending = k.pending[:0]
	return k.Memory.Finish()
}

func (k *FakeDevice) Close() error {
	if k.Memory != nil {
		k.Memory.Close()
	}
	return k.Multiplier.Close()
}

// kept is a loop on the device.
type kept struct {
	fake   *FakeDevice
	spec   backend.Spec
	memory backend.Memory
	inner  backend.Runner // with the addresses in memory
	report func(how, code string)
	turned [][]byte // a loop's view of data that is stored component by component
}

func (k *FakeDevice) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	k.Given = m
	report := m.ReportHow
	m.ReportHow = func(string, string) {} // the inner loop's own report
	r := &kept{fake: k, spec: s, memory: m, report: report, turned: make([][]byte, len(m.Data))}
	for i, d := range s.Loop.Data {
		if d.SoA {
			r.turned[i] = make([]byte, m.Elements[i]*d.Dim*d.Type.Size()+1)
		}
	}
	var err error
	r.inner, err = k.Multiplier.Prepare(s, m)
	return r, err
}

func (r *kept) Ready() error {
	r.report("pretended", "")
	return r.inner.Ready()
}

func (r *kept) Run() error { return r.onDevice(false, backend.Runner.Run) }

func (r *kept) Begin(consts []unsafe.Pointer) error {
	return r.onDevice(true, func(inner backend.Runner) error { return inner.Begin(consts) })
}

func (r *kept) RunPart(p backend.Part) error {
	return r.onDevice(true, func(inner backend.Runner) error { return inner.RunPart(p) })
}

func (r *kept) Combine() ([]unsafe.Pointer, error) { return r.inner.Combine() }

func (r *kept) Finish() error { return r.onDevice(true, backend.Runner.Finish) }

// onDevice runs something on the device, which needs existing values even where it overwrites them all
// if it is a part of a call.
func (r *kept) onDevice(part bool, run func(backend.Runner) error) error {
	moved := false
	for i, d := range r.spec.Loop.Data {
		access := r.spec.Loop.DataAccess(i)
		layout := tune.AoS
		if d.SoA {
			layout = tune.SoA
		}
		b, err := r.memory.Mirrors[i].Use(part || access != loop.Write || !r.all(i), access != loop.Read, layout)
		if err != nil {
			return err
		}
		at := r.fake.Memory.Memory(b)
		if d.SoA {
			r.turn(i, at, false)
			at = unsafe.Pointer(&r.turned[i][0])
		}
		moved = moved || r.memory.Data[i] != at
		r.memory.Data[i] = at
	}
	if moved {
		var err error
		if r.inner, err = r.fake.Multiplier.Prepare(r.spec, r.memory); err != nil {
			return err
		}
		if err := r.inner.Ready(); err != nil {
			return err
		}
	}
	err := run(r.inner)
	for i, d := range r.spec.Loop.Data {
		if d.SoA && r.spec.Loop.DataAccess(i) != loop.Read {
			b, _ := r.memory.Mirrors[i].Use(true, true, tune.SoA)
			r.turn(i, r.fake.Memory.Memory(b), true)
		}
	}
	if len(r.fake.pending) > 2 { // each holds a loop
		if err := r.fake.Settle(); err != nil {
			return err
		}
	}
	r.fake.pending = append(r.fake.pending, r.memory.ReportTime)
	return err
}

// all reports whether the loop writes all values of data that it writes.
func (r *kept) all(data int) bool {
	for _, a := range r.spec.Loop.Args {
		if a.Data == data && (a.Indirect() || r.memory.Subset != nil) {
			return false
		}
	}
	return true
}

// turn copies data to the memory that stores the values element by element, or back.
func (r *kept) turn(data int, there unsafe.Pointer, back bool) {
	d, elements := r.spec.Loop.Data[data], r.memory.Elements[data]
	size := d.Type.Size()
	components, turned := unsafe.Slice((*byte)(there), elements*d.Dim*size), r.turned[data]
	for e := range elements {
		for c := range d.Dim {
			x, y := components[(c*elements+e)*size:][:size], turned[(e*d.Dim+c)*size:][:size]
			if back {
				copy(x, y)
			} else {
				copy(y, x)
			}
		}
	}
}

// fakeRows are rows whose values are copied at once.
type fakeRows struct {
	backend.Rows
	memory *devicetest.Device
}

func (k *FakeDevice) PrepareRows(r backend.Rows) (backend.RowCopies, error) {
	return &fakeRows{r, k.Memory}, nil
}

func (r *fakeRows) Gather(to device.Buffer) error {
	r.each(to, func(value, buffer []byte) { copy(buffer, value) })
	return nil
}

func (r *fakeRows) Scatter(from device.Buffer) error {
	r.each(from, func(value, buffer []byte) { copy(value, buffer) })
	return nil
}

// each calls f for each value and its place in the buffer.
func (r *fakeRows) each(buffer device.Buffer, f func(value, buffer []byte)) {
	b, along, apart := r.Mirror.Values()
	shape := r.Mirror.Shape()
	at := func(b device.Buffer, i int) []byte {
		return unsafe.Slice((*byte)(unsafe.Add(r.memory.Memory(b), i*shape.Size)), shape.Size)
	}
	for i, e := range r.Elements {
		for c := range shape.Dim {
			f(at(b, along*int(e)+apart*c), at(buffer, int(r.Places[i])+c))
		}
	}
}

// keptProduct is a product on the device.
type keptProduct struct {
	fake   *FakeDevice
	matrix backend.Matrix
	inner  backend.Product
}

func (k *FakeDevice) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	inner, err := k.Multiplier.PrepareProduct(m)
	return &keptProduct{k, m, inner}, err
}

func (p *keptProduct) Ready() error { return p.inner.Ready() }

func (p *keptProduct) Run(y, x backend.Vector) error {
	var at [3]unsafe.Pointer
	for i, m := range []*device.Mirror{p.matrix.Mirror, y.Mirror, x.Mirror} {
		b, err := m.Use(i != 1, i == 1, tune.AoS)
		if err != nil {
			return err
		}
		at[i] = p.fake.Memory.Memory(b)
	}
	p.matrix.Values = at[0]
	inner, err := p.fake.Multiplier.PrepareProduct(p.matrix)
	if err != nil {
		return err
	}
	if err := inner.Ready(); err != nil {
		return err
	}
	p.fake.pending = append(p.fake.pending, p.matrix.ReportTime)
	return inner.Run(backend.Vector{Host: at[1]}, backend.Vector{Host: at[2]})
}
