package kernel

import "fmt"

// Use describes the accesses of a kernel to one parameter. Every Pos is the first place of that
// access, or the zero Pos if there is none.
type Use struct {
	Read   Pos // reads a value
	Write  Pos // changes a value, in any way
	NotAdd Pos // changes a value except by += or -=, or reads one for another purpose

	// Unset is a component (its offset in scalars) that some path through the kernel leaves
	// unwritten, and the position where that path ends. Both are zero if none is known.
	Unset    int
	UnsetPos Pos
	// Early is a read of a component that was not written before, and EarlyAt the component; -1 if
	// it is one of several.
	Early   Pos
	EarlyAt int

	// Opaque is a position where the parameter escapes the analysis (C pointers): nothing is known
	// about what is written.
	Opaque Pos
}

// OnlyAdds reports whether the kernel is proven to do nothing with the parameter except += and -=,
// so that it can work in place.
func (u Use) OnlyAdds() bool { return !u.NotAdd.Known() && !u.Opaque.Known() }

// Stray is a subscript in a C kernel that leaves, or may leave, an argument, a const or a local array: C
// accesses memory there anyway. Or one in a Go kernel that certainly leaves a slice or an array.
type Stray struct {
	Pos    Pos
	Param  int // the argument; -1 for a const or a local array
	Var    *Var
	lo, hi int64 // of the subscripts
	first  int64 // the valid ones
	last   int64
	// Leaves reports that all the subscripts are outside, and Certain that every call of the kernel
	// gets there.
	Leaves, Certain bool
	isConst         bool // of a const
}

// String describes the subscript and the array.
func (s Stray) String() string {
	there := fmt.Sprintf("%d to %d", s.first, s.last)
	if s.first == s.last {
		there = fmt.Sprintf("%d alone", s.first)
	}
	switch {
	case !s.Leaves:
		return fmt.Sprintf("a subscript of %s may be another than %s", s.Var.Name, there)
	case s.lo == s.hi:
		return fmt.Sprintf("subscript %d of %s is out of range: there is %s", s.lo, s.Var.Name, there)
	}
	return fmt.Sprintf("a subscript of %s, from %d to %d, is out of range: there is %s", s.Var.Name, s.lo, s.hi, there)
}

// LeftOut is a parameter of the source that a call gives nothing to.
type LeftOut struct {
	At  int // its place among the source's parameters
	Var *Var
}
