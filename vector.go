package op2

import (
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

// partsOf returns the parts of a vector; nil for nil.
func partsOf[T any](v Vector[T]) (list []algebra.Vector) {
	if v == nil {
		return nil
	}
	for _, d := range v.parts() {
		list = append(list, algebra.Vector{Data: d.data()})
	}
	return list
}

// fit returns the parts of a vector, if they are those that an operation needs.
func fit[T any](v Vector[T], what, operation string, needed []algebra.Part) ([]algebra.Vector, error) {
	return algebra.FitParts(partsOf(v), v, what, operation, needed)
}

// setsOf returns the sets and the dims of parts.
func setsOf(parts []algebra.Part) (sets []*Set, dims []int) {
	for _, p := range parts {
		sets, dims = append(sets, (*Set)(p.Set)), append(dims, p.Dim)
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
