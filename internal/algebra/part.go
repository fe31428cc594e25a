package algebra

import (
	"fmt"
	"reflect"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
)

// Part is one part of the rows or columns of a matrix of blocks: the values on a set.
type Part struct {
	Set *entity.Set // flat, where the program knows an extruded one
	Dim int
}

// PartOn returns the part of dats that the program declares on a set with dim values for each element.
func PartOn(set *entity.Set, dim int) Part { return Part{Set: set.Flat(), Dim: dim} }

// Here returns the number of values that belong to this rank.
func (p Part) Here() int { return p.Set.Size() * p.Dim }

// Declared returns the declared number of a row of values here.
func (p Part) Declared(row int) int {
	return int(p.Set.NumberHere(row/p.Dim))*p.Dim + row%p.Dim
}

// Where describes the place of a value, by its declared number.
func (p Part) Where(row int) string {
	if p.Dim > 1 {
		return fmt.Sprintf("value %d of element %d of %s", row%p.Dim, row/p.Dim, p.Set.Name())
	}
	return fmt.Sprintf("element %d of %s", row, p.Set.Name())
}

// Total returns the number of values here, with those of the halo.
func (p Part) Total() int { return p.Set.Total() * p.Dim }

var datType, mixedDatType = reflect.TypeFor[*entity.Data](), reflect.TypeFor[*entity.MixedData]()

// PartsOf returns the parts, layer by layer, of a vector, a dat or a mixed dat of the public package, whose types are those of this
// module's inside by other names; nil for nil.
func PartsOf(vector any) (list []Vector) {
	switch v := reflect.ValueOf(vector); {
	case vector == nil:
	case v.CanConvert(datType):
		return []Vector{{Data: v.Convert(datType).Interface().(*entity.Data).Flat()}}
	case v.CanConvert(mixedDatType) && !v.IsNil():
		for _, d := range v.Convert(mixedDatType).Interface().(*entity.MixedData).Parts() {
			list = append(list, Vector{Data: d.Flat()})
		}
	}
	return list
}

// on returns the vector as one on a set, if that is the base set of its columns; otherwise itself, layer by layer.
func (d Vector) on(set *entity.Set) Vector {
	if columns := d.Columns(); columns.Set() == set {
		return Vector{Data: columns}
	}
	return d
}

// FitParts returns the parts of a vector, if they are those that an operation needs.
func FitParts(vector interface{ Name() string }, what, operation string, needed []Part) ([]Vector, error) {
	parts := PartsOf(vector)
	if len(parts) == 0 || !parts[0].Made() {
		return nil, fmt.Errorf("op2: %s: %s: the dat is nil", what, operation)
	}
	if err := entity.CheckDeclared(what+": "+operation, parts[0].Runtime()); err != nil {
		return nil, err
	}
	if len(parts) != len(needed) {
		takes := "a dat"
		if len(needed) > 1 {
			takes = fmt.Sprintf("a mixed dat of %d parts", len(needed))
		}
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes %s, %s has %s", operation, takes, vector.Name(), problem.Count(len(parts), "part"))}
	}
	for i, p := range needed {
		parts[i] = parts[i].on(p.Set)
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
