package loop

import "unsafe"

// Op is an operation of the program that combines two values into one. It is associative and
// commutative: in which order a loop combines values is not specified, only that it is always the
// same.
type Op struct {
	Meaning  string // what it computes, as for a kernel
	Identity []byte // a value that changes none that it is combined with
	// Apply leaves in the first value the combination of both, on the host.
	Apply func(into, from unsafe.Pointer)
}

// Size returns the size of a value in bytes.
func (o *Op) Size() int { return len(o.Identity) }

// Begin sets n values to the identity.
func (o *Op) Begin(values unsafe.Pointer, n int) {
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(values, i*o.Size())), o.Size()), o.Identity)
	}
}

// Combine combines each of n values with another.
func (o *Op) Combine(into, from unsafe.Pointer, n int) {
	for i := range n {
		o.Apply(unsafe.Add(into, i*o.Size()), unsafe.Add(from, i*o.Size()))
	}
}
