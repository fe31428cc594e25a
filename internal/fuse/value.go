package fuse

import (
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// fuser is the state of fusing loops.
type fuser struct {
	parts     []Part
	temporary func(data int) bool
	fused     *Fused
	values    []*value
	passed    [][]*value     // what each parameter of each part's kernel gets
	shapes    []kernel.Shape // of what the fused kernel gets
}

// value is the memory that one or several parameters of kernels lead to.
type value struct {
	part    int // the first
	args    []int
	param   *kernel.Var
	access  loop.Access
	last    int  // the last part that uses it
	written bool // by some part
	t       kernel.Type
	shape   kernel.Shape

	of  *kernel.Var // the fused kernel's parameter; nil for a temporary
	own *kernel.Var // the variable that the kernels share; nil if they get the parameter
}

// takes reports whether a kernel that takes a pointer to t can take one to v's type; v's type may
// become an array of the one element that it was.
func (v *value) takes(t kernel.Type) bool {
	only := func(t kernel.Type) kernel.Type {
		if a, ok := t.(*kernel.Array); ok && a.Len == 1 {
			return a.Elem
		}
		return nil
	}
	switch {
	case kernel.Same(v.t, t), only(v.t) != nil && kernel.Same(only(v.t), t):
		return true
	case only(t) != nil && kernel.Same(only(t), v.t):
		v.t = t
		return true
	}
	return false
}

// join adds the access of another part.
func (v *value) join(a loop.Access, part int) {
	if v.access == loop.Read && a != loop.Read {
		v.access = loop.RW // the later one finds what the earlier one leaves, and so may this loop
	}
	v.last = part
	v.written = v.written || a != loop.Read
}
