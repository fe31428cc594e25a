package lower

import "github.com/go-op2/op2/internal/kernel"

// Target is what the code that a loop becomes can do. The zero Target can do nothing but copy.
type Target struct {
	// Pointers says that a kernel's pointers may lead to dats where they are.
	Pointers bool
	// Apart says that a kernel's pointers lead to copies, and what leads to the loop's data is a pointer of
	// another type: a global is read in place only where the kernel hands it to nothing else.
	Apart bool
	// Strips says that values of several elements are moved before the kernel is called for
	// the first of them: what one argument changes in place no other changes in copies.
	Strips bool
	// AddsFrom is how many values a global has at least for a kernel that only adds to do so in
	// the partial result itself. With fewer, each element would wait for the one before.
	AddsFrom int
	// Alone says that there is one partial result at a time, which has begun with the global:
	// it takes its place.
	Alone bool
	// Lanes reports whether a parameter has a value for each element of a pack; nil where
	// the kernel runs for one element at a time.
	Lanes func(*kernel.Var) bool
	// Collisions says what becomes of elements that change the same values.
	Collisions Collisions
	// Staged says that the elements of a block share a copy of what they reach through maps.
	Staged bool
	// Poison fills what a kernel is to write with something that shows if it does not.
	Poison bool
}

// Collisions says how elements that change the same values are kept apart.
type Collisions uint8

// The ways.
const (
	// Elsewhere: such elements do not run at the same time. What they leave is put away in
	// the order of the parameters.
	Elsewhere Collisions = iota
	// Last: what may collide is put away after all else, when the element's turn comes.
	Last
	// Atomically: so, but at any time, by atomic operations.
	Atomically
	// Gathers: each target runs the elements that change it, and takes what is its own.
	Gathers
)
