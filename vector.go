package op2

import (
	"cmp"

	"github.com/go-op2/op2/internal/algebra"
)

// Vector is what matrices are multiplied with and solvers solve for: a *Dat, or a *MixedDat with one part for each
// part of a matrix's rows or columns.
type Vector[T any] interface {
	// Name returns the name the dat was declared with.
	Name() string
	// Err returns why the dat could not be declared; nil if it was.
	Err() error

	parts() []*Dat[T]
}

//lint:ignore U1000 of Vector
func (d *Dat[T]) parts() []*Dat[T] { return []*Dat[T]{d} }

//lint:ignore U1000 of Vector
func (d *MixedDat[T]) parts() []*Dat[T] { return d.Parts() }

// nameOf returns the name of a vector, or other if it is nil.
func nameOf[T any](v Vector[T], other string) string {
	if v == nil {
		return other
	}
	return cmp.Or(v.Name(), other)
}

// setsOf returns the sets and the dims of parts.
func setsOf(parts []algebra.Part) (sets []*Set, dims []int) {
	for _, p := range parts {
		sets, dims = append(sets, (*Set)(p.Set.Columns())), append(dims, p.Dim)
	}
	return sets, dims
}

// dimsOf returns the dims of parts, given as a list, or as a number for one part.
func dimsOf[D int | []int](dims D) []int {
	if dim, one := any(dims).(int); one {
		return []int{dim}
	}
	return any(dims).([]int)
}
