package lower

import "github.com/go-op2/op2/internal/kernel"

// Target describes the capabilities of generated code. The zero Target can only copy.
type Target struct {
	// Pointers says that a kernel's pointers may lead to dats in place.
	Pointers bool
	// Apart says that a kernel's pointers lead to copies, and that pointers to the loop's data have
	// another type: a global is read in place only if the kernel does not pass it on.
	Apart bool
	// Strips says that values of several elements are moved before the kernel is called for the
	// first of them: data that one argument changes in place must not be changed in copies by
	// others.
	Strips bool
	// AddsFrom is the smallest number of values of a global for which a kernel that only adds does
	// so in the partial result itself. With fewer values, each element would wait for the previous
	// one.
	AddsFrom int
	// Alone says that there is only one partial result at a time, which is initialized with the
	// global and replaces it.
	Alone bool
	// Lanes reports whether a parameter has a value for each element of a pack; nil if the kernel
	// runs on single elements.
	Lanes func(*kernel.Var) bool
	// Collisions says what happens to elements that change the same values.
	Collisions Collisions
	// Staged says that the elements of a block share copies of their indirect data.
	Staged bool
	// Poison fills what a kernel should write with a value that shows if it does not.
	Poison bool
}

// Collisions says how elements that change the same values are kept apart.
type Collisions uint8

// The ways.
const (
	// Elsewhere: such elements do not run at the same time. Their results are stored in the order
	// of the parameters.
	Elsewhere Collisions = iota
	// Last: results that may collide are stored after everything else, when the element's turn
	// comes.
	Last
	// Atomically: likewise, but at any time, by atomic operations.
	Atomically
	// Gathers: each target runs the elements that change it, and keeps its own share.
	Gathers
)
