package gofunc

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// interpreted is a C kernel, which the interpreter runs on the values that its parameters lead to.
// Apart from globals that it only reads, these are copies, whose rows are contiguous.
type interpreted struct {
	kernel *kernel.Kernel
	params []behind
	consts []loop.Leaves
	from   []P // the consts' variables
}

// behind holds the values that a parameter leads to.
type behind struct {
	slot    int
	leaves  loop.Leaves
	row     int // scalars in a row, for an array of pointers
	changed bool
}

// interpret returns a function that runs a C kernel like one of calls.
func (e *engine) interpret(k *kernel.Kernel, p *lower.Program, b *body, m backend.Memory) func(fn, table P, n int) {
	if !e.warned && e.rank == 0 { // one rank speaks for all
		e.warned = true
		e.warn(fmt.Sprintf("the backend go interprets kernel %s and others in C, which takes some thousand times as long as to compile them", k.Name))
	}
	x := &interpreted{kernel: k, from: m.Consts}
	for _, c := range k.Consts {
		x.consts = append(x.consts, kernel.LayoutOf(c.Type).Leaves())
	}
	for i := range p.Params {
		x.params = append(x.params, behindOf(b.loop, p, i, b.slots[i]))
	}
	return x.callRows
}

// behindOf returns the values that parameter i leads to.
func behindOf(l *loop.Loop, p *lower.Program, i, slot int) behind {
	param := &p.Params[i]
	first, n, changed := param.Parts[0], 0, false
	for _, part := range param.Parts {
		n += part.Values
		a := l.Args[part.Arg]
		changed = changed || a.Kind != loop.Index && a.Access != loop.Read
	}
	unit := &loop.Layout{Scalar: first.Type, Size: first.Type.Size()}
	switch {
	case l.Args[first.Arg].Kind == loop.Index:
		unit = &loop.Layout{Scalar: numberType, Size: numberType.Size()}
	case first.Value != nil:
		_, words := first.Value.Carrier()
		unit, n = first.Value, n/words
	}
	x := behind{slot: slot, leaves: (&loop.Layout{Len: n, Elem: unit}).Leaves(), changed: changed}
	if param.Pass.Rows() {
		x.row = len(x.leaves) / p.Locals[param.Local].Rows
	}
	return x
}

// numberType is the type of an element's number in memory, a Go int.
var numberType = map[uintptr]loop.Scalar{4: loop.Int32, 8: loop.Int64}[unsafe.Sizeof(0)]

// callRows runs the kernel on the first n rows of a table.
func (x *interpreted) callRows(_, table P, n int) {
	consts := make([][]uint64, len(x.consts))
	for i, c := range x.consts {
		consts[i] = c.Load(x.from[i])
	}
	m := interp.New(x.kernel, consts)
	for i, p := range x.params {
		if p.row > 0 {
			m.SetRow(i, p.row)
		}
	}
	values := make([][]uint64, len(x.params))
	for e := range n {
		mark(table, e)
		for i, p := range x.params {
			values[i] = p.leaves.Load(at(table, e, p.slot))
		}
		if err := m.Run(values, math.MaxInt); err != nil {
			panic(&backend.Fault{Pos: m.At(), Msg: err.Error()})
		}
		for i, p := range x.params {
			if p.changed {
				p.leaves.Store(at(table, e, p.slot), values[i])
			}
		}
	}
}
