package ckernel

// Target describes a language, its compilers, and the memory of its processors. Printers use these
// fields, and never check which target it is.
type Target struct {
	Function   string          // qualifiers of a function that kernels call
	Unused     string          // precedes them if it may not be called
	Global     string          // qualifiers of data in the loop's memory, with a trailing space
	Context    string          // type of the context of functions that may fail or read consts
	Consts     string          // what leads to consts, within such functions
	FarConsts  int             // size in bytes from which arrays among them are behind pointers; 0: never
	Unroll     string          // precedes a short loop, with a trailing space
	Overloaded bool            // float functions have the same names as those for double
	Own        map[string]bool // functions of <math.h> that the language's own are not relied on for
	Forms      bool            // packs, and single elements beside them, call op2's own functions of mathematics
	Signbit    bool            // op2's own form of signbit is vectorized, the language's is not
	Foreign    bool            // some names of C have a meaning of their own
	Layouts    Layouts

	Wraps    bool // overflow of signed integers wraps
	Assembly bool // compilers take inline assembly, which barriers need
	Memory   bool // and operands of it in memory
	Literals bool // C's literals of arrays and structs
	Jumps    bool // a goto may pass declarations
	Leaves   bool // a fault leaves the loop; otherwise the kernel continues with harmless values
	Places   bool // pointers cannot lead to consts, which are in a kind of memory of their own
	Apart    bool // the loop's memory is not that of kernels, which get copies, and memcpy is of neither
}

// C is C on the host.
var C = Target{
	Function: "static inline",
	Context:  "const op2_context ",
	Consts:   "op2.consts->",
	// A loop reads either kind as fast; beyond a cache line, pointers save the copy for each block.
	FarConsts: 65,
	Forms:     true,
	Signbit:   true,
	Layouts:   Layouts{Assert: "_Static_assert(%[2]s, \"layout %[1]d\");", Offset: "__builtin_offsetof(%s, %s)"},
	Wraps:     true, // by a flag
	Assembly:  true,
	Memory:    true,
	Literals:  true,
	Jumps:     true,
	Leaves:    true,
}

// Layouts are the texts of assertions in a language.
type Layouts struct {
	Assert string // the format of an assertion, of a number and a condition
	Offset string // the format of an offset, of a struct and a field
	Define string // what comes before, if anything
}
