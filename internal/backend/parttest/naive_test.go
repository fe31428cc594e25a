package parttest

import (
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tiling"
)

// naive runs a loop element by element, calling the kernel by reflection.
type naive struct {
	spec   *backend.Spec
	kernel reflect.Value
	data   []unsafe.Pointer // by loop.Data
	maps   [][]int32        // by loop.Maps
	subset []int32
	consts func()           // sets the variables that the kernel reads
	totals []unsafe.Pointer // by argument: the partial result of globals that the loop changes
}

func address(values any) unsafe.Pointer { return reflect.ValueOf(values).UnsafePointer() }

// begin starts partial results.
func (n *naive) begin() {
	n.consts()
	n.totals = make([]unsafe.Pointer, len(n.spec.Loop.Args))
	for i, a := range n.spec.Loop.Args {
		if a.Reduces() {
			r := loop.ReductionOf(n.spec.Loop, a)
			n.totals[i] = r.New()
			r.Begin(n.totals[i], n.data[a.Data])
		}
	}
}

// combine combines partial results with others, or if these are nil with the globals.
func (n *naive) combine(into []unsafe.Pointer) {
	for i, a := range n.spec.Loop.Args {
		if a.Reduces() && into == nil {
			loop.ReductionOf(n.spec.Loop, a).Combine(n.data[a.Data], n.totals[i])
		} else if a.Reduces() {
			loop.ReductionOf(n.spec.Loop, a).Combine(into[i], n.totals[i])
		}
	}
}

// rows returns the places of the rows that an element reaches through an argument.
func (n *naive) rows(i, e int) []unsafe.Pointer {
	a, l := n.spec.Loop.Args[i], n.spec.Loop
	size := l.Dim(a) * l.Type(a).Size()
	at := func(row int32) unsafe.Pointer { return unsafe.Add(n.data[a.Data], int(row)*size) }
	switch {
	case a.Reduces():
		return []unsafe.Pointer{n.totals[i]}
	case a.Kind == loop.Global:
		return []unsafe.Pointer{at(0)}
	case a.Map == loop.Direct:
		return []unsafe.Pointer{at(int32(e))}
	}
	arity := l.Maps[a.Map].Arity
	targets := n.maps[a.Map][e*arity : (e+1)*arity]
	if a.Component != loop.All {
		return []unsafe.Pointer{at(targets[a.Component])}
	}
	var rows []unsafe.Pointer
	for _, t := range targets {
		rows = append(rows, at(t))
	}
	return rows
}

// element calls the kernel for an element.
func (n *naive) element(e int) {
	if n.subset != nil {
		e = int(n.subset[e])
	}
	var params []reflect.Value
	var after []func()
	for i, a := range n.spec.Loop.Args {
		of := n.kernel.Type().In(i).Elem()
		if a.Kind == loop.Index {
			params = append(params, reflect.ValueOf(&e))
			continue
		}
		rows := n.rows(i, e)
		changes := a.Access == loop.Inc || a.Access == loop.Min || a.Access == loop.Max || a.Access == loop.Reduce
		if !changes && len(rows) == 1 {
			params = append(params, reflect.NewAt(of, rows[0]))
			continue
		}
		local := reflect.New(of)
		for k, row := range rows {
			r := loop.ReductionOf(n.spec.Loop, a)
			own := unsafe.Add(local.UnsafePointer(), k*r.Bytes())
			if !changes {
				copy(unsafe.Slice((*byte)(own), r.Bytes()), unsafe.Slice((*byte)(row), r.Bytes()))
				continue
			}
			r.Begin(own, row)
			after = append(after, func() { r.Combine(row, own) })
		}
		params = append(params, local)
	}
	n.kernel.Call(params)
	for _, f := range after {
		f()
	}
}

// runTiles runs loops in the order of a schedule, tile after tile.
func runTiles(loops []*naive, reduce []bool, s *tiling.Schedule) {
	totals := make([][]unsafe.Pointer, len(loops))
	for l, n := range loops {
		n.begin()
		totals[l] = n.totals
	}
	for tile := range s.Tiles() {
		for l, n := range loops {
			n.begin()
			for _, run := range s.Of(l, tile) {
				for e := run[0]; e < run[1]; e++ {
					n.element(int(e))
				}
			}
			if reduce[l] {
				n.combine(totals[l])
			}
		}
	}
	for l, n := range loops {
		n.totals = totals[l]
		n.combine(nil)
	}
}

// runLoops runs loops one after another.
func runLoops(loops []*naive, reduce []bool, in *tiling.Input) {
	for l, n := range loops {
		n.begin()
		for e := in.Loops[l].First; e < in.Loops[l].Last; e++ {
			n.element(e)
		}
		if reduce[l] {
			n.combine(nil)
		}
	}
}
