package run

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/userkernel"
)

// ParLoop runs the kernel for every element of the range. The prepared loop is cached, and found
// again by kernel, range and arguments as long as these are reachable.
func ParLoop(rt *entity.Runtime, k *userkernel.Kernel, over entity.Range, args ...entity.Arg) error {
	e := engineOf(rt)
	args = entity.Expand(args)
	l, err := e.cached(k, over, args)
	if err != nil {
		return err
	}
	if err := e.queue.Before(Operation{Loop: l}); err != nil {
		return err
	}
	return l.compute(over, args)
}

// Call is ParLoop for the program's own calls, which wait in a queue with lazy evaluation.
func Call(rt *entity.Runtime, k *userkernel.Kernel, over entity.Range, args ...entity.Arg) error {
	e := engineOf(rt)
	args = entity.Expand(args)
	l, err := e.cached(k, over, args)
	if err != nil {
		return err
	}
	if waits, err := e.queue.Add(Operation{Loop: l}); waits || err != nil {
		return err
	}
	return l.compute(over, args)
}

// CallWith is Call with a global among the arguments that has the values with these bytes for the call alone.
func CallWith(rt *entity.Runtime, g *entity.Data, values []byte, k *userkernel.Kernel, over entity.Range, args ...entity.Arg) error {
	e := engineOf(rt)
	args = entity.Expand(args)
	l, err := e.cached(k, over, args)
	if err != nil {
		return err
	}
	if rt.Lazy() {
		if waits, err := e.queue.Add(Operation{l, newAssignment(g, values), nil}); waits || err != nil {
			return err
		}
	}
	copy(entity.Overwriting[byte](g), values)
	return l.compute(over, args)
}

// cached returns a loop that is ready, or of its own for a list of operations.
func (e *Engine) cached(k *userkernel.Kernel, over entity.Range, args []entity.Arg) (*Loop, error) {
	e.rt.DropUnreachable()
	if l := e.loops.find(k, over, args); l != nil && !e.rt.Recording() {
		return l, nil
	}
	l, err := NewLoop(k, over, slices.Clone(args)...)
	if err != nil || e.rt.Recording() {
		return l, err
	}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	l.keep, l.over = nil, entity.Range{}
	e.loops.add(k, over, args, l)
	return l, nil
}
