package gofunc

import (
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// place is where an argument's values are. Those of element e are at base, e rows of size bytes
// further, or as many rows as its targets say.
type place struct {
	base P
	size uintptr // of a row, in bytes

	targets P       // the map's first value, of the component if it is a single one; nil if direct
	arity   uintptr // bytes from one element's targets to the next element's
	step    uintptr // bytes from the target of one row to that of the next
	rows    int     // per element
	varying bool    // rows end where targets are negative
	some    bool    // of the values of a row, some alone
	length  int     // of the slice that shows them

	level, rise uintptr // bytes from a column's values to those of layer 0, and from there to those of the next layer
}

// at returns the address for element e.
func (p *place) at(e uintptr) P {
	if p.targets != nil {
		e = uintptr(*(*int32)(add(p.targets, e*p.arity)))
	}
	return add(p.base, e*p.size)
}

// row returns the address of a row for element e.
func (p *place) row(e uintptr, row int) P {
	if p.targets != nil {
		e = uintptr(*(*int32)(add(p.targets, e*p.arity+uintptr(row)*p.step)))
	}
	return add(p.base, e*p.size)
}

// gap reports whether a row leads nowhere, as at the end of shorter ones.
func (p *place) gap(e uintptr, row int) bool {
	return p.varying && *(*int32)(add(p.targets, e*p.arity+uintptr(row)*p.step)) < 0
}

// header is a slice as functions take it.
type header struct {
	values   P
	len, cap int
}

// slice returns the slice of the values for element e.
func (p *place) slice(e uintptr) header { return header{p.at(e), p.length, p.length} }

// step moves values between their places and the copies that the kernel gets.
type step struct {
	move  mover
	place place
	dim   int
	local uintptr // offset of the first element's copy into the worker's scratch memory
	size  uintptr // of an element's copy
	row   uintptr // of a row in it
	apart bool    // between the copies of one element and the next there are those of other parts

	// With layers, each row has the targets of all levels: the rows of several moves. They are computed for each strip.
	of      part
	levels  []lower.Level
	targets uintptr // offset into scratch memory

	// partial says that the place is in the block's partial results, at offset.
	partial bool
	offset  uintptr
}

// part is what one argument passes of a parameter: one dat.
type part struct{ param, data int }

// do moves the values of n elements from e on, whose copies start at first.
func (s *step) do(scratch, partials P, e, n, first int) {
	local := add(scratch, s.local+uintptr(first)*s.size)
	p := &s.place
	switch {
	case s.partial:
		s.move(add(partials, s.offset), local, P(&origin), 0, n, s.dim)
	case p.some:
		for i := range n * p.rows {
			if at, row := uintptr(e+i/p.rows), i%p.rows; !p.gap(at, row) {
				s.one(p.row(at, row), local, i, p.rows)
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

// one moves the values at a place, some of a longer row, to or from row i of copies with so many rows for each element.
func (s *step) one(at, copies P, i, rows int) {
	s.move(at, add(copies, uintptr(i/rows)*s.size+uintptr(i%rows)*s.row), P(&origin), 0, 1, s.dim)
}

// reduction is a global that the loop changes, and where its partial result is among those of a block.
type reduction struct {
	loop.Reduction
	global P
	offset uintptr
}
