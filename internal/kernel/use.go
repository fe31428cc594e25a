package kernel

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
