package comm

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Combine starts to combine results of all ranks, as Reduce of a Comm does, also those of operations
// of the program and of records, which MPI knows nothing of: each rank gets those of all, and
// combines them in the order of ranks.
func Combine(c Comm, r loop.Reduction, values unsafe.Pointer) (Request, error) {
	if r.Access != loop.Reduce && r.Record == nil {
		return c.Reduce(r, values)
	}
	words := (r.Bytes() + 7) / 8
	all := make([]int64, words*c.Size())
	own := all[words*c.Rank():]
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(own))), r.Bytes()), unsafe.Slice((*byte)(values), r.Bytes()))
	// The sum of what one rank has and the zeros of the others is what the one has.
	q, err := c.Reduce(loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: len(all)}, unsafe.Pointer(unsafe.SliceData(all)))
	return &combined{q, r, all, words, values, err}, err
}

// combined is a call of Combine.
type combined struct {
	Request
	reduction loop.Reduction
	all       []int64 // what the ranks have; nil once combined
	words     int     // of one rank
	values    unsafe.Pointer
	err       error
}

// Wait waits for the other ranks, and combines.
func (c *combined) Wait() error {
	if c.all == nil {
		return c.err
	}
	c.err = c.Request.Wait()
	if c.err == nil {
		r, rank := c.reduction, func(i int) unsafe.Pointer { return unsafe.Pointer(&c.all[i]) }
		copy(unsafe.Slice((*byte)(c.values), r.Bytes()), unsafe.Slice((*byte)(rank(0)), r.Bytes()))
		for i := c.words; i < len(c.all); i += c.words {
			r.Combine(c.values, rank(i))
		}
	}
	c.all = nil
	return c.err
}
