package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
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

// runtimeOf returns the runtime of a vector; nil if there is none.
func runtimeOf[T any](v Vector[T]) *core.Runtime {
	if parts := partsOf(v); len(parts) > 0 && parts[0].Made() {
		return parts[0].Runtime()
	}
	return nil
}

// fit returns the parts of a vector, if they are those that an operation needs.
func fit[T any](v Vector[T], what, operation string, needed []algebra.Part) ([]algebra.Vector, error) {
	parts := partsOf(v)
	if len(parts) == 0 || !parts[0].Made() {
		return nil, fmt.Errorf("op2: %s: %s: the dat is nil", what, operation)
	}
	if err := core.CheckDeclared(what+": "+operation, parts[0].Runtime()); err != nil {
		return nil, err
	}
	if len(parts) != len(needed) {
		of := "a dat"
		if len(needed) > 1 {
			of = fmt.Sprintf("a mixed dat of %d parts", len(needed))
		}
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes %s, %s has %s", operation, of, v.Name(), problem.Count(len(parts), "part"))}
	}
	for i, p := range needed {
		which := operation
		if len(needed) > 1 {
			which = fmt.Sprintf("%s: part %d", operation, i)
		}
		if err := parts[i].Fits(what, which, p.Set, p.Dim); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// vectorOf returns the dat of one part, or the mixed dat of several.
func vectorOf(parts []algebra.Vector) Vector[float64] {
	if len(parts) == 1 {
		return (*Dat[float64])(parts[0].Data)
	}
	return mixedOf(parts)
}

// mixedOf returns the mixed dat of parts, which are different dats of one runtime.
func mixedOf(parts []algebra.Vector) *MixedDat[float64] {
	list := make([]*core.Data, len(parts))
	for i, p := range parts {
		list[i] = p.Data
	}
	d, _ := core.NewMixedData(list, "solver") // cannot fail
	return (*MixedDat[float64])(d)
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
