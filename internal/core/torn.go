package core

// Torn says which loops an error concerns that ends a sequence of loops: those from First up to Last
// may have run in part, and one of them has failed. Earlier ones have run, later ones have not.
type Torn struct{ First, Last, At int }

// places returns the same among the places of a chain, given loops, the first of which has that place.
func (t Torn) places(first int, loops []*Loop) Torn {
	before := first + width(loops[:t.First])
	return Torn{before, first + width(loops[:t.Last]), first + width(loops[:t.At]) + loops[t.At].failing}
}
