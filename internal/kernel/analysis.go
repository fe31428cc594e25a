package kernel

// analysis is the abstract execution of one kernel.
type analysis struct {
	k      *Kernel
	c      bool // the current function is in C
	params []param
	uses   []Use

	vars   map[*Var]*variable
	consts map[*Const]*variable
	ranges []interval // every value of each slot

	states
	s       *state // the current state; nil where execution never arrives
	frame   *frame
	targets []*target

	jumps     int                 // executed so far
	address   *Index              // only its address is taken
	there     map[*Index]interval // the valid subscripts, in C
	steps     int
	limit     int // of steps while loops are executed iteration by iteration
	gaveUp    bool
	failed    map[*Index]bool // seen out of range
	wrapped   map[*bool]bool  // Fits of what was seen to wrap
	somewhere Pos             // for what has no position of its own
}

// param is a parameter of the kernel.
type param struct {
	bits  int // first bit in state.written
	total int // number of values
	cols  int // values per row
	room  int // number of bits: total, or more if its type promises more
}

// variable is a local variable or a parameter of some function, or a const.
type variable struct {
	slot    int // first slot in state.values; -1 if its value is not tracked
	count   int // number of scalars
	pointer bool
	moves   bool     // a pointer that is assigned to
	target  location // what a pointer points to
	of      *Const   // that it stands for, if any
}

// frame is a function being executed.
type frame struct {
	entry   bool // the kernel's own function
	targets int  // number of the analysis' targets outside the function
	exits   []exit
	results []interval // of its scalar results, over the returns so far
}

// exit is a place where a function returns, and the state there.
type exit struct {
	pos Pos
	*state
}

// target is a statement that a Branch may leave or continue, and the state where that happens.
type target struct {
	stmt      Stmt
	breaks    *state
	continues *state
	left      bool // some path leaves it
}

// location is what an lvalue denotes: size scalars that start at one of lo..hi within a parameter
// of the kernel, a local variable, or something else. The location of a pointer is what it points
// to.
type location struct {
	root  int       // a parameter's number, or local or nowhere
	local *variable // if root is local
	lo    int
	hi    int
	size  int
	vague bool // it may also be anywhere else
	via   *Pos // where the kernel passes it to a callee; nil in its own function
	field *span
}

// span is the scalars of a field of a C struct, an array, that a location is in: from first up to
// end. A pointer into the field may go further, as far as the compiler knows.
type span struct{ first, end int }
