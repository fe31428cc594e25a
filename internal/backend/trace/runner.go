package trace

import (
	"bytes"
	"errors"
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/translate/recording"
)

// runner is a loop whose calls are recorded.
type runner struct {
	backend.Runner
	engine  *engine
	spec    backend.Spec
	memory  backend.Memory // with the plan
	runs    []backend.Run  // without
	listed  []int32        // elements on a device; nil for those of runs
	listing []int32        // the first of them of each color; nil without colors
	number  int            // in the recording; -1 before the first call
	uses    []*array       // that may have changed before a call
	changes []*array       // by a call
}

// Run runs the loop, and records that.
func (r *runner) Run() error {
	if r.number < 0 {
		r.describe()
	}
	e := r.engine
	for _, a := range r.uses {
		if !bytes.Equal(a.last, a.values()) {
			e.change(a)
			copy(a.last, a.values())
		}
	}
	e.run.Events = append(e.run.Events, recording.Event{Loop: r.number})
	err := r.Runner.Run()
	for _, a := range r.changes {
		copy(a.last, a.values())
	}
	e.note(err)
	return err
}

// Begin is for calls in parts, which are not recorded.
func (r *runner) Begin(consts []unsafe.Pointer) error {
	r.engine.note(errors.New("loops run in parts"))
	return r.Runner.Begin(consts)
}

// describe adds the loop and what it uses.
func (r *runner) describe() {
	e, s, m := r.engine, r.spec, &r.memory
	l := recording.Loop{Code: e.code(s, m.Consts), Set: m.Names.Set, Size: m.SetSize}
	for i, d := range s.Loop.Data {
		x := recording.Array{Name: m.Names.Data[i], Kind: d.Kind.String(), Type: d.Type.String(), Dim: d.Dim * max(1, d.ColDim), Elements: m.Elements[i]}
		x.Bytes = x.Elements * x.Dim * d.Type.Size()
		if d.Record() != nil {
			x.Type = "bytes"
		}
		a := e.add(m.Data[i], x)
		r.uses = append(r.uses, a)
		if s.Loop.DataAccess(i) != loop.Read {
			r.changes = append(r.changes, a)
			e.run.Arrays[a.number].Sum = sumOf(x.Type, a.last)
		}
		l.Data = append(l.Data, a.number)
	}
	for i, f := range s.Loop.Maps {
		if !s.Loop.Reads(i) { // a table of nonzeros replaces it
			l.Maps = append(l.Maps, -1)
			continue
		}
		a := e.add(m.Maps[i], recording.Array{Name: m.Names.Maps[i], Kind: "map", Type: "int32", Dim: f.Arity, Elements: m.SetSize, Bytes: 4 * f.Arity * m.SetSize})
		r.uses, l.Maps = append(r.uses, a), append(l.Maps, a.number)
	}
	for i, c := range s.Kernel.Consts {
		x := recording.Array{Name: c.Name, Kind: "const", Type: "bytes", Dim: 1, Elements: 1}
		layout := kernel.LayoutOf(c.Type)
		x.Bytes = layout.Size
		if scalar, n := layout.Uniform(); scalar != loop.Invalid {
			x.Type, x.Dim = scalar.String(), n
		}
		a := e.add(m.Consts[i], x)
		r.uses, l.Consts = append(r.uses, a), append(l.Consts, a.number)
	}
	for i, n := range m.Nonzeros {
		l.Nonzeros = append(l.Nonzeros, [3]int{r.list("table", "nonzeros", n.Table, s.Loop.Positions(s.Loop.Nonzeros[i])), r.list("table", "rows", n.RowPtr, 1), r.list("table", "columns", n.ColIdx, 1)})
	}
	for _, a := range s.Loop.Args {
		if a.Data >= 0 {
			l.Args = append(l.Args, recording.Arg{Access: a.Access.String(), Data: a.Data, Map: a.Map, Component: a.Component})
		}
	}
	part := func(name string, values []int32) int { return r.list("plan", e.run.Codes[l.Code].Name+name, values, 1) }
	blocks, offsets := m.Runs()
	l.Runs, l.BlockRuns, l.Blocks = part("_elements", pairs(r.runs)), part("_runs", pairs(blocks)), part("_blocks", offsets)
	l.Order, l.Colors = part("_order", m.Plan.BlocksByColor), part("_colors", m.Plan.ColorOffsets)
	l.Listed, l.Listing = part("_listed", r.listed), part("_listing", r.listing)
	r.number = len(e.run.Loops)
	e.run.Loops = append(e.run.Loops, l)
}

// list adds integers, dim for each element, unless there is a list of the same, and returns their number; -1 for none.
func (r *runner) list(kind, name string, values []int32, dim int) int {
	if values == nil {
		return -1
	}
	e := r.engine
	at := unsafe.Pointer(unsafe.SliceData(values))
	key := kind + string(unsafe.Slice((*byte)(at), 4*len(values)))
	n, known := e.lists[key]
	if !known {
		n = e.add(at, recording.Array{Name: name, Kind: kind, Type: "int32", Dim: dim, Elements: len(values) / dim, Bytes: 4 * len(values)}).number
		e.lists[key] = n
	}
	return n
}

func pairs(runs []backend.Run) []int32 {
	list := make([]int32, 0, 2*len(runs))
	for _, r := range runs {
		list = append(list, r[0], r[1])
	}
	return list
}

// sumOf returns the sum of floating-point values; nil for others.
func sumOf(scalar string, values []byte) *recording.Sum {
	s := &recording.Sum{}
	add := func(v float64) {
		s.Values += v
		s.Sizes += math.Abs(v)
	}
	at := unsafe.Pointer(unsafe.SliceData(values))
	switch scalar {
	case "float64":
		for _, v := range unsafe.Slice((*float64)(at), len(values)/8) {
			add(v)
		}
	case "float32":
		for _, v := range unsafe.Slice((*float32)(at), len(values)/4) {
			add(float64(v))
		}
	default:
		return nil
	}
	return s
}
