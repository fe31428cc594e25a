package cuda

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// Launches are recorded with the values that their arguments have then, run when the recording is
// queued, and only then.
func TestRecord(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	p := d.Build(device.Source{Name: "loop", Text: "text"})
	check(t, p.Wait())
	k := must[device.Kernel](t)(p.Kernel("fill"))
	b := must[device.Buffer](t)(d.Alloc(32))
	value, n := 10.0, int32(2)
	args := []device.Arg{arg(b), {Value: unsafe.Pointer(&value), Size: 8}, {Value: unsafe.Pointer(&n), Size: 4}}
	two := func() error {
		value, n = 10, 4
		err := k.Launch(1, 1, 0, args)
		value, n = 100, 2
		return errors.Join(err, k.Launch(1, 1, 0, args))
	}
	expect := func(want ...float64) {
		t.Helper()
		got := make([]float64, 4)
		check(t, d.Download(unsafe.Pointer(&got[0]), b, 0, 32))
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	counts := func(captures, replays, launches int64) {
		t.Helper()
		for name, want := range map[string]int64{"fake_captures": captures, "fake_replays": replays, "fake_launches": launches} {
			if got := *f.variable(name); got != want {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	}
	check(t, d.Clear(b, 0, 32))
	r := must[device.Recording](t)(d.Record(two))
	expect(0, 0, 0, 0)
	value = 7
	check(t, r.Queue())
	expect(100, 101, 12, 13)
	check(t, d.Clear(b, 0, 32))
	check(t, r.Queue())
	expect(100, 101, 12, 13)
	counts(1, 2, 0)
	check(t, k.Launch(1, 1, 0, args))
	counts(1, 2, 1)
	r.Free()
	r.Free()
	var failed *device.Error
	if err := r.Queue(); !errors.As(err, &failed) || failed.Call != "cuGraphLaunch" {
		t.Errorf("a freed graph: %v", err)
	}
	must[device.Recording](t)(d.Record(two)) // freed with the device
	check(t, d.Close())
	f.empty()
}

// Where the driver refuses, the stream does not remain capturing, nothing is left, and launches go on.
func TestRecordFails(t *testing.T) {
	errQueue := errors.New("queue")
	for _, test := range []struct {
		call string
		code int64
		is   error
		lost bool
	}{
		{"cuStreamBeginCapture", 1, device.ErrNotRecorded, false},
		{"cuStreamEndCapture", 1, device.ErrNotRecorded, false},
		{"cuGraphInstantiate", 1, device.ErrNotRecorded, false},
		{"cuGraphInstantiate", 700, nil, true},
		{"", 0, errQueue, false},
	} {
		f := newFake(t)
		d := f.open(device.Config{})
		p := d.Build(device.Source{Name: "loop", Text: "text"})
		check(t, p.Wait())
		k := must[device.Kernel](t)(p.Kernel("other"))
		f.fail(test.call, test.code)
		_, err := d.Record(func() error {
			if test.call == "" {
				return errQueue
			}
			return k.Launch(1, 1, 0, nil)
		})
		var failed *device.Error
		if test.is != nil && !errors.Is(err, test.is) || test.lost != (errors.As(err, &failed) && failed.Lost) || test.lost && errors.Is(err, device.ErrNotRecorded) {
			t.Errorf("%s: %v", test.call, err)
		}
		if test.lost {
			_ = d.Close()
			continue
		}
		check(t, k.Launch(1, 1, 0, nil))
		if n := *f.variable("fake_launches"); n != 1 {
			t.Errorf("%s: %d launches afterwards, want 1", test.call, n)
		}
		check(t, d.Close())
		f.empty()
	}
}

// Drivers without graphs refuse at once.
func TestNoGraphs(t *testing.T) {
	d := newFake(t).open(device.Config{})
	d.driver.graphsExist = false
	if _, err := d.Record(func() error { t.Error("called"); return nil }); !errors.Is(err, device.ErrNotRecorded) {
		t.Errorf("err = %v", err)
	}
}
