package kernel

// Use says what a kernel does with one parameter. Every Pos is the first place
// where it does so, or the zero Pos if it nowhere does.
type Use struct {
	Read   Pos // reads a value
	Write  Pos // changes a value, in whatever way
	NotAdd Pos // changes a value but by += or -=, or reads one for something else

	// Unset is a component (its offset in scalars) that some path through the
	// kernel leaves unwritten, and the place where that path ends.
	// Both are zero if none is known.
	Unset    int
	UnsetPos Pos
	// Early is a read of a component that is not written before it, and EarlyAt the
	// component; -1 if it is one of several.
	Early   Pos
	EarlyAt int

	// Opaque is a place where the parameter goes out of sight of the analysis
	// (C pointers): nothing can be said about what is written.
	Opaque Pos
}

// OnlyAdds reports whether the kernel is proven to do nothing with the parameter
// but += and -=, so that it may do so in the very place of the data.
func (u Use) OnlyAdds() bool { return !u.NotAdd.Known() && !u.Opaque.Known() }
