package core

import (
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Rank returns the number of this rank; 0 on one process.
func (rt *Runtime) Rank() int {
	if rt.config.Comm == nil {
		return 0
	}
	return rt.config.Comm.Rank()
}

// Ranks returns the number of ranks; 1 on one process.
func (rt *Runtime) Ranks() int {
	if rt.config.Comm == nil {
		return 1
	}
	return rt.config.Comm.Size()
}

// Comm returns the connection with the other ranks; nil if there are none.
func (rt *Runtime) Comm() comm.Comm {
	if !rt.several() {
		return nil
	}
	return rt.config.Comm
}

// several reports whether there are several ranks, on which meshes are distributed.
func (rt *Runtime) several() bool { return rt.Ranks() > 1 && !rt.config.Static }

// agree returns an error on all ranks if there is one on any: its own, or a *comm.Failure with that
// of the lowest rank that has one. It is collective, and does nothing on one process.
func (rt *Runtime) agree(own error) error {
	c := rt.Comm()
	if c == nil {
		return own
	}
	lowest := []int64{int64(c.Size())}
	if own != nil {
		lowest[0] = int64(c.Rank())
	}
	if err := Reduce(c, loop.Min, lowest); err != nil {
		return rt.broken(err)
	}
	root := int(lowest[0])
	if root == c.Size() {
		return nil
	}
	var why []byte
	if own != nil {
		why = []byte(own.Error())
	}
	length := []int64{int64(len(why))}
	if root != c.Rank() {
		length[0] = 0
	}
	if err := Reduce(c, loop.Max, length); err != nil {
		return rt.broken(err)
	}
	text := make([]byte, length[0])
	copy(text, why)
	if err := c.Broadcast(root, text); err != nil {
		return rt.broken(err)
	}
	if root != c.Rank() {
		comm.Yield(c)
	}
	if own != nil {
		return own
	}
	return rt.broken(&comm.Failure{Rank: root, Why: string(text)})
}

// AnyRank reports whether yes is true on any rank. It is collective.
func (rt *Runtime) AnyRank(yes bool) (bool, error) {
	c := rt.Comm()
	if c == nil {
		return yes, nil
	}
	count := []int64{0}
	if yes {
		count[0] = 1
	}
	if err := Reduce(c, loop.Max, count); err != nil {
		return yes, rt.broken(err)
	}
	return count[0] > 0, nil
}

// broken returns the error for a failure of other ranks, or of the communication.
func (rt *Runtime) broken(err error) error { return problem.Errorf("op2: %w", err) }

// fail tells the other ranks about an error that they cannot have noticed, and returns the one to
// report.
func (rt *Runtime) fail(err error) error {
	if c := rt.Comm(); c != nil && err != nil {
		return rt.broken(c.Fail(err))
	}
	return err
}

// Reduce combines values with those of all ranks, which get the results.
func Reduce[T loop.Number](c comm.Comm, access loop.Access, values []T) error {
	r := loop.Reduction{Access: access, Type: loop.Of[T](), Dim: len(values)}
	request, err := c.Reduce(r, unsafe.Pointer(unsafe.SliceData(values)))
	if err != nil {
		return err
	}
	return request.Wait()
}
