package rehearse

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// runner is a loop on the device.
type runner struct {
	backend *Backend
	spec    backend.Spec
	memory  backend.Memory
	inner   backend.Runner // with the addresses in memory
	report  func(how, code string)
	turned  [][]byte // a loop's view of data that is stored component by component
}

// Prepare prepares a loop.
func (k *Backend) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := k.Watch.Loop(s, m); err != nil {
		return nil, err
	}
	report := m.ReportHow
	m.ReportHow = func(string, string) {} // the inner loop's own report
	r := &runner{backend: k, spec: s, memory: m, report: report, turned: make([][]byte, len(m.Data))}
	for i, d := range s.Loop.Data {
		if d.SoA {
			r.turned[i] = make([]byte, m.Elements[i]*d.Dim*d.Type.Size()+1)
		}
	}
	var err error
	r.inner, err = k.Multiplier.Prepare(s, m)
	return r, err
}

func (r *runner) Ready() error {
	r.report("pretended", "")
	return r.inner.Ready()
}

func (r *runner) Run() error { return r.onDevice(false, backend.Runner.Run) }

func (r *runner) Begin(consts []unsafe.Pointer) error {
	return r.onDevice(true, func(inner backend.Runner) error { return inner.Begin(consts) })
}

func (r *runner) RunPart(p backend.Part) error {
	return r.onDevice(true, func(inner backend.Runner) error { return inner.RunPart(p) })
}

func (r *runner) Combine() ([]unsafe.Pointer, error) { return r.inner.Combine() }

func (r *runner) Finish() error { return r.onDevice(true, backend.Runner.Finish) }

// onDevice runs something on the device, which needs existing values even where it overwrites them all
// if it is a part of a call.
func (r *runner) onDevice(part bool, run func(backend.Runner) error) error {
	moved := false
	for i, d := range r.spec.Loop.Data {
		access := r.spec.Loop.DataAccess(i)
		b, err := r.memory.Mirrors[i].Use(part || access != loop.Write || !r.memory.WritesAll(r.spec.Loop, i), access != loop.Read, tune.LayoutOf(d.SoA))
		if err != nil {
			return err
		}
		at := r.backend.Memory.Memory(b)
		if d.SoA {
			r.turn(i, at, false)
			at = unsafe.Pointer(&r.turned[i][0])
		}
		moved = moved || r.memory.Data[i] != at
		r.memory.Data[i] = at
	}
	if moved {
		var err error
		if r.inner, err = r.backend.Multiplier.Prepare(r.spec, r.memory); err != nil {
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
			r.turn(i, r.backend.Memory.Memory(b), true)
		}
	}
	if len(r.backend.pending) > 2 { // each holds a loop
		if err := r.backend.Settle(); err != nil {
			return err
		}
	}
	r.backend.pending = append(r.backend.pending, r.memory.ReportTime)
	return err
}

// turn copies data to the memory that stores the values element by element, or back.
func (r *runner) turn(data int, there unsafe.Pointer, back bool) {
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
