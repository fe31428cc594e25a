package backend

import "unsafe"

// Parts are the methods of a Runner that call a loop in parts, so that something else can happen in
// between: the elements that need no halo run while it is exchanged, say, and the others later.
// Everything about a call that its parts share, the values of consts and the partial results of
// reductions, begins with Begin and ends with Finish.
//
// A call in parts has the effects of Run on elements that run in the order of the parts and, within
// a part, in the order that Run has. As with Run, they do not depend on threads. In floating point
// they are bitwise those of Run for
//
//   - values that only one element changes, minima and maxima;
//   - sums in globals, where partial results are those of the blocks of a plan, whatever the order
//     of the parts: on the host's backends except sequential, and with the strategies staged and
//     blocks. Elsewhere each part has its own partial result, so that sums depend on the parts;
//   - increments of values that elements of one part only reach. What several parts add is added in
//     the order of the parts; on sequential it is also the order of Run if the parts ascend.
//
// After an error the call has ended; its output is partly written, and globals are unchanged.
type Parts interface {
	// Begin begins a call. Its consts have the values at these addresses, by kernel.Consts, or if
	// that is nil their current ones. They are copied.
	Begin(consts []unsafe.Pointer) error
	// RunPart runs a part. The parts of a call do not overlap. On a device, Combine or Finish may be the
	// first to return that an element has failed.
	RunPart(Part) error
	// Combine combines the partial results of the parts, in the order of blocks, and returns the
	// address on the host of each argument's total, for all that reduce, in their order. The
	// caller may combine the totals with those of other processes before it calls Finish. Without
	// parts that reduce, a total is what changes no global. A caller that needs no totals saves the
	// time by not calling it.
	Combine() ([]unsafe.Pointer, error)
	// Finish combines the totals with the globals, and ends the call.
	Finish() error
}

// Part is a part of a loop: the elements [First, Last), or the indices into its subset. They are
// among Memory's First, Last and Boundaries.
type Part struct {
	First, Last int
	// Reduce says that globals count what the elements contribute to them. It is not set for
	// elements of a halo, which another process counts.
	Reduce bool
}

// Empty reports whether a part has no elements.
func (p Part) Empty() bool { return p.First == p.Last }
