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
	// InTurn says that elements of a block that change the same values of these copies run one after another, and see what the
	// others left. With InPlace, they work on the copies themselves, where their layout is the one that the kernel takes.
	InTurn, InPlace bool
	// Once says that an element adds to a value of a dat once for each time it reaches it: increments
	// arrive as zeros in any case, even where the kernel could add in place several times.
	Once bool
	// Poison fills what a kernel should write with a value that shows if it does not.
	Poison bool
}
