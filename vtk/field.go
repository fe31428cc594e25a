package vtk

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Field is a named quantity with values on the nodes or on the cells of a mesh.
type Field struct {
	name    string
	onNodes bool
	points  bool // the values are where the nodes are
	sources []source
	unnamed bool     // by the program: the name is the dat's
	part    string   // of each value; "" for all of it
	names   []string // of the components
	tensor  bool
	invalid error // of a dat
}

// source is the source of a field's values.
type source struct {
	what string   // "dat u on nodes"
	set  *op2.Set // nil: not a dat
	// values returns a copy of a part of the values of rows elements, in declared order, and the names of its components,
	// if they have any. With a piece they are those of its rows.
	values func(part string, rows int, of *rows) (tuples, []string, error)
}

// Nodes returns the field of a dat on the nodes of a mesh. The name "" stands for that of the dat.
//
// Dats of dim 1 become scalars, of dim 2 and 3 vectors, which in the plane get a third component of zero. Values of
// another dim, and of dim 2 where [Field.Components] names them, stay as they are, unless they are those of a
// [Field.Tensor].
//
// Values that are structs or arrays become tuples of their numbers, which have one type, named by their fields unless these
// are X, Y and Z; [Field.Of] chooses a part. Complex numbers become re and im, bools 0 and 1.
func Nodes[T any](name string, d *op2.Dat[T]) Field {
	return newField(name, true, d)
}

// Points returns the field of the coordinates of the nodes at this step, which a program moves, such as
// [mesh.Declared.X]. Without it, nodes are where [mesh.Mesh.Points] has them at this step.
func Points(x *op2.Dat[float64]) Field {
	f := newField("", true, x)
	f.points = true
	return f
}

// Cells returns the field of a dat on the cells of a mesh, or of several, one for each kind of cell in the order of
// the mesh's blocks. Where a dat is on the elements of a [Part] of lower dimension, such as a boundary, the field is
// written there. Otherwise it is like [Nodes].
func Cells[T any](name string, dats ...*op2.Dat[T]) Field {
	return newField(name, false, dats...)
}

func newField[T any](name string, onNodes bool, dats ...*op2.Dat[T]) Field {
	f := Field{name: name, onNodes: onNodes, unnamed: name == ""}
	for _, d := range dats {
		if f.name == "" {
			f.name = d.Name()
		}
		if err := d.Err(); err != nil { // it may have neither name nor set
			f.invalid = problem.Bare(err)
			continue
		}
		f.sources = append(f.sources, source{fmt.Sprintf("dat %s on %s", d.Name(), d.Set().Name()), d.Set(), func(part string, _ int, of *rows) (tuples, []string, error) {
			values, err := rowsOf(d, of)
			if err != nil {
				return tuples{}, nil, err
			}
			return scalarsIn(values, max(d.Dim(), 1), part)
		}})
	}
	return f
}

// rowsOf returns the values of a dat on the rows of a piece; nil stands for the whole mesh, on rank 0.
func rowsOf[T any](d *op2.Dat[T], of *rows) ([]T, error) {
	if of == nil {
		return d.Gather(0)
	}
	values, err := of.ofDat((*entity.Data)(d))
	return store.As[T](values), err
}

// NodeValues returns a field of values for the nodes of a mesh: as many for each, one node after the other. Otherwise it
// is like [Nodes].
func NodeValues[T any](name string, values []T) Field {
	return valuesField(name, true, values)
}

// CellValues returns a field of values for the cells of a mesh, or of several, one for each kind of cell in the order
// of the mesh's blocks. Otherwise it is like [NodeValues].
func CellValues[T any](name string, values ...[]T) Field {
	return valuesField(name, false, values...)
}

func valuesField[T any](name string, onNodes bool, all ...[]T) Field {
	f, what := Field{name: name, onNodes: onNodes}, "cells"
	if onNodes {
		what = "nodes"
	}
	for _, values := range all {
		f.sources = append(f.sources, source{"the slice", nil, func(part string, rows int, of *rows) (tuples, []string, error) {
			if of != nil {
				here, dim, err := ofSlice(of, values)
				if err != nil {
					return tuples{}, nil, err
				}
				return scalarsIn(here, dim, part)
			}
			dim := max(len(values)/max(rows, 1), 1)
			if rows > 0 && len(values)%rows != 0 || len(values) == 0 && rows > 0 {
				return tuples{}, nil, notForEach(len(values), rows, what)
			}
			return scalarsIn(values, dim, part)
		}})
	}
	return f
}

// notForEach is the error of a slice that has not as many values for each node or cell of a mesh.
func notForEach(values, of int, what string) error {
	return fmt.Errorf("it has %d values, expected as many for each of %d %s", values, of, what)
}

// Components names the components of the field's values, one by one. ParaView lists them by these names.
func (f Field) Components(names ...string) Field {
	f.names = names
	return f
}

// Tensor makes the values tensors: 9 or, in the plane, 4, row by row; 6 of a symmetric one in VTK's order
// xx, yy, zz, xy, yz, xz; or, in the plane, 3 in the order xx, yy, xy. Those of the plane get components of zero.
func (f Field) Tensor() Field {
	f.tensor = true
	return f
}

// arrange returns how values of dim components are written: the width of a tuple, and the place of each component.
func (f Field) arrange(dim int) (width int, places []int, err error) {
	places = make([]int, dim)
	for i := range places {
		places[i] = i
	}
	switch {
	case f.tensor && len(f.names) > 0:
		return 0, nil, fmt.Errorf("components of tensors have no names")
	case f.tensor && dim == 3:
		return 6, []int{0, 1, 3}, nil
	case f.tensor && dim == 4:
		return 9, []int{0, 1, 3, 4}, nil
	case f.tensor && dim != 6 && dim != 9:
		return 0, nil, fmt.Errorf("tensors have 9 components, 6 or, in the plane, 4 or 3; there are %d", dim)
	case len(f.names) > 0 && len(f.names) != dim:
		return 0, nil, fmt.Errorf("%d names for %d components", len(f.names), dim)
	case len(f.names) == 0 && dim == 2:
		return 3, places, nil
	}
	return dim, places, nil
}

// step holds copies of the values of fields, on the nodes, on the cells and on the elements of sets of lower
// dimension.
type step struct {
	fields []prepared
	points []float64 // where the nodes have moved to; nil: they are where they were in the step before
}

// prepared is a field whose values have been copied and checked.
type prepared struct {
	Field
	values tuples
	width  int
	places []int
	on     *op2.Set // of lower dimension; otherwise nil
	rows   *rows    // those that a piece has of it
}

// Of returns the field of a part of each value, where values are structs or arrays: of Rho of a struct with such a field,
// or of "Velocity.X" or "Ends[1]" within one. Name it by its own name, or [Nodes] and [Cells] name it by the dat and the
// part, as "q.Rho".
func (f Field) Of(part string) Field {
	if f.unnamed {
		f.name += "." + part
	}
	f.part = part
	return f
}
