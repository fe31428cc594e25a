package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/lower"
)

// transfer moves values between their places and the copies that the kernel gets.
type transfer struct {
	move  mover
	place place
	dim   int
	local uintptr // offset of the first element's copy into the worker's scratch memory
	size  uintptr // of an element's copy
	row   uintptr // of a row in it
	apart bool    // between the copies of one element and the next there are those of other parts

	// With layers, each row has the targets of all levels: the rows of several moves. They are computed for each strip.
	of      passedDat
	levels  []lower.Level
	targets uintptr // offset into scratch memory

	// partial says that the place is in the block's partial results, at offset.
	partial bool
	offset  uintptr
}

// passedDat is what one argument passes of a parameter: one dat.
type passedDat struct{ param, data int }

// do moves the values of n elements from e on, whose copies start at first.
func (s *transfer) do(scratch, partials P, e, n, first int) {
	local := add(scratch, s.local+uintptr(first)*s.size)
	p := &s.place
	switch {
	case s.partial:
		s.move(add(partials, s.offset), local, P(&origin), 0, n, s.dim)
	case p.some:
		for i := range n * p.rows {
			if at, row := uintptr(e+i/p.rows), i%p.rows; !p.gap(at, row) {
				s.moveOne(p.row(at, row), local, i, p.rows)
			}
		}
	case p.targets == nil: // all one long row
		s.move(add(p.base, uintptr(e)*p.size), local, P(&origin), 0, 1, n*s.dim)
	case p.varying:
		for i := range n {
			targets := add(p.targets, uintptr(e+i)*p.arity)
			rows := 0
			for rows < p.rows && *(*int32)(add(targets, uintptr(rows)*p.step)) >= 0 {
				rows++
			}
			s.move(p.base, add(local, uintptr(i)*s.size), targets, p.step, rows, s.dim)
		}
	case s.apart:
		for i := range n {
			s.move(p.base, add(local, uintptr(i)*s.size), add(p.targets, uintptr(e+i)*p.arity), p.step, p.rows, s.dim)
		}
	default:
		s.move(p.base, local, add(p.targets, uintptr(e)*p.arity), p.step, n*p.rows, s.dim)
	}
}

// moveOne moves the values at a place, some of a longer row, to or from row i of copies with so many rows for each element.
func (s *transfer) moveOne(at, copies P, i, rows int) {
	s.move(at, add(copies, uintptr(i/rows)*s.size+uintptr(i%rows)*s.row), P(&origin), 0, 1, s.dim)
}

// doLayers moves the values of n layers of column e, from layer on, whose copies start at first.
func (s *transfer) doLayers(scratch, partials P, e, layer, n, first int) {
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
			s.moveOne(add(p.base, uintptr(t)*p.size/uintptr(max(1, s.levels[0].Of))), local, i, rows)
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
