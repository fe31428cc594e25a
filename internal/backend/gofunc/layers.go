package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// A column runs its layers in order, in strips like those of elements. From one layer to the next, each place is a fixed number of
// bytes further, whether a map leads to it or not.

// index is the numbers of a strip's elements.
type index struct {
	offset uintptr // into scratch memory
	table  P       // of the columns' numbers; nil: their places
	of     loop.Scalar
}

// column returns the number of an element, or of a column.
func (x *index) column(e int) int {
	switch {
	case x.table == nil:
		return e
	case x.of == loop.Int32:
		return int(*(*int32)(add(x.table, 4*uintptr(e))))
	}
	return int(*(*int64)(add(x.table, 8*uintptr(e))))
}

// layers runs the layers of column e.
func (b *body) layers(w *worker, partials P, e int) {
	bottom, top := 0, b.loop.Layers.Of
	if b.bounds != nil {
		of := (*[2]int32)(add(b.bounds, 8*uintptr(e)))
		bottom, top = int(of[0]), int(of[1])
	}
	first, last := b.loop.Layers.Region.Of(bottom, top)
	for layer := first; layer < last; layer += b.strip {
		b.someLayers(w, partials, e, layer, min(b.strip, last-layer))
	}
}

// someLayers runs a strip of n layers of column e, as elements runs elements.
func (b *body) someLayers(w *worker, partials P, e, layer, n int) {
	w.first = e
	for i := range b.indices {
		x := &b.indices[i]
		first := x.column(e)*b.loop.Layers.Of + layer
		for at := range unsafe.Slice((*int)(add(w.scratch, x.offset)), n) {
			*(*int)(add(w.scratch, x.offset+uintptr(at)*unsafe.Sizeof(first))) = first + at
		}
	}
	b.clear(w, n)
	for i := range b.before {
		b.before[i].layers(w.scratch, partials, e, layer, n, 0)
	}
	for i := range b.columns {
		c := &b.columns[i]
		if first := uintptr(c.place.atLayer(uintptr(e), uintptr(layer))); b.walk != nil {
			w.strides[c.slot] = stride{first, c.place.rise}
		} else {
			fillEven(w.table, c.slot, uint64(first), uint64(c.place.rise), n)
		}
	}
	if b.walk != nil {
		b.walk(b.fn, w.strides, w.table, n)
	} else {
		b.call(b.fn, w.table, n)
	}
	each := n
	if b.interleaved {
		each = 1
	}
	for i := 0; i < n; i += each {
		for s := range b.after {
			b.after[s].layers(w.scratch, partials, e, layer+i, each, i)
		}
	}
	b.putMats(w, e*b.loop.Layers.Of+layer, n)
}

// atLayer returns the address of a column's values for a layer.
func (p *place) atLayer(e, layer uintptr) P {
	return add(p.at(e), p.level+layer*p.rise)
}

// reserveTargets makes room for the targets of each step's rows.
func (b *body) reserveTargets() {
	for _, list := range [][]step{b.before, b.after} {
		for i := range list {
			s := &list[i]
			s.targets = b.newScratch(uintptr(4 * len(s.levels) * s.place.rows))
		}
	}
}

// layers moves the values of n layers of column e, from layer on, whose copies start at first.
func (s *step) layers(scratch, partials P, e, layer, n, first int) {
	local, p := add(scratch, s.local+uintptr(first)*s.size), &s.place
	if s.partial {
		s.move(add(partials, s.offset), local, P(&origin), 0, n, s.dim)
		return
	}
	if p.rows == 0 { // the copies alone, one long row
		s.move(p.base, local, P(&origin), 0, 1, n*s.dim)
		return
	}
	rows := len(s.levels) * p.rows
	targets := unsafe.Slice((*int32)(add(scratch, s.targets)), n*rows)
	columns, lone := p.columns(e), int32(e)
	if columns == nil {
		columns = unsafe.Slice(&lone, 1)
	}
	for at := 0; at < len(targets); layer++ {
		for _, l := range s.levels {
			level := int32(l.First + layer*l.Step)
			for _, c := range columns {
				targets[at] = c*int32(max(1, l.Of)) + level
				at++
			}
		}
	}
	if p.some {
		for i, t := range targets {
			s.one(add(p.base, uintptr(t)*p.size/uintptr(max(1, s.levels[0].Of))), local, i, rows)
		}
		return
	}
	if own := uintptr(rows) * s.row; own < s.size { // there are those of other parts between
		for i := range n {
			s.move(p.base, add(local, uintptr(i)*s.size), P(&targets[i*rows]), 4, rows, s.dim)
		}
		return
	}
	s.move(p.base, local, P(unsafe.SliceData(targets)), 4, n*rows, s.dim)
}

// columns returns the columns that a map leads column e to; nil if the place is in its own.
func (p *place) columns(e int) []int32 {
	if p.targets == nil {
		return nil
	}
	return unsafe.Slice((*int32)(add(p.targets, uintptr(e)*p.arity)), p.rows)
}
