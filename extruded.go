package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// NewExtrudedSet declares a set of layers over each element of a base set: the cells, or the points, of an ocean or an atmosphere.
// Element column*layers + layer is in that column, with layer 0 at the bottom. Dats on the set are declared as on others. A loop
// over it runs the layers of a column one after the other, upward; a loop over the base set that takes such a dat gets the values
// of the whole column. The order and the ranks of the mesh are those of the base set: columns stay whole.
func NewExtrudedSet(base *Set, layers int, name string) *Set {
	d := entity.Declaration{On: []*entity.Runtime{base.core().Runtime()}, What: "set " + name, Of: "set"}
	return (*Set)(entity.Declare(d, func() (*entity.Set, error) { return entity.NewExtrudedSet(base.core(), layers, name) },
		func(failed *entity.Runtime) *entity.Set { return entity.InertSet(failed, name) }))
}

// NewVaryingExtrudedSet declares an extruded set whose columns have some of the layers alone, such as those above the ground: that over
// element e of the base set those from bounds[2*e] up to bounds[2*e+1], without the latter. A column may have none. Loops run over
// the layers that there are; dats have values for all, of which loops leave the others as they are. Each rank gives the bounds
// of the elements that it declares. For points of which cells have the corners, [ReachedLevels] returns bounds.
func NewVaryingExtrudedSet[I int32 | int64 | int | uint32](base *Set, layers int, bounds []I, name string) *Set {
	d := entity.Declaration{On: []*entity.Runtime{base.core().Runtime()}, What: "set " + name, Of: "set"}
	return (*Set)(entity.Declare(d, func() (*entity.Set, error) { return entity.NewVaryingExtrudedSet(base.core(), layers, bounds, name) },
		func(failed *entity.Runtime) *entity.Set { return entity.InertSet(failed, name) }))
}

// ReachedLevels returns the bounds of columns that have just the levels that the layers of other columns reach, which have the given
// bounds: as by a map that [NewExtrudedMap] makes with the same levels and step, of a map with these values to n elements, in declared
// numbers. Columns that nothing reaches have no levels. It panics if there are not two bounds for each column and as many values for
// each, if values are not among the n elements, if there are no levels, and if the step is negative.
func ReachedLevels[I, J int32 | int64 | int | uint32](bounds []I, values []J, n int, levels []int, step int) []int {
	columns := len(bounds) / 2
	switch {
	case len(bounds)%2 != 0:
		panic(fmt.Sprintf("op2: ReachedLevels: found %d bounds, expected 2 for each column", len(bounds)))
	case columns == 0 && len(values) > 0, columns > 0 && (len(values) == 0 || len(values)%columns != 0):
		panic(fmt.Sprintf("op2: ReachedLevels: found %d values, expected as many for each of %d columns, which have 2 bounds each", len(values), columns))
	case n < 0:
		panic(fmt.Sprintf("op2: ReachedLevels: found %d elements, expected 0 or more", n))
	case len(levels) == 0:
		panic("op2: ReachedLevels: found no levels, expected at least one")
	case step < 0:
		panic(fmt.Sprintf("op2: ReachedLevels: found a step of %d, expected 0 or more: layers are counted upward", step))
	}
	reached, arity := make([]int, 2*n), len(values)/max(columns, 1)
	lowest, highest := slices.Min(levels), slices.Max(levels)
	for i, t := range values {
		if int64(t) < 0 || int64(t) >= int64(n) {
			panic(fmt.Sprintf("op2: ReachedLevels: found value %d of column %d, expected one from 0 up to %d, without that", t, i/arity, n))
		}
		bottom, top := int(bounds[2*(i/arity)]), int(bounds[2*(i/arity)+1])
		if bottom >= top {
			continue
		}
		low, high := bottom*step+lowest, (top-1)*step+highest+1
		if to := reached[2*int(t) : 2*int(t)+2]; to[0] == to[1] {
			to[0], to[1] = low, high
		} else {
			to[0], to[1] = min(to[0], low), max(to[1], high)
		}
	}
	return reached
}

// NewExtrudedMap declares a map between extruded sets, of which only a map between their base sets is in memory: a row for each
// column. Layer 0 of a column reaches the given levels of the columns that the base map leads to, layer l those that are l*step
// above them. All targets in the first level come first, in the order of the base map, then those in the second:
//
//	points := op2.NewExtrudedSet(vertices, layers+1, "points")
//	corners := op2.NewExtrudedMap(cells, points, triangleVertices, []int{0, 1}, 1, "corners") // of prisms
//
// Without a base map, nil, it leads to levels of the same column. Level numbers may be negative; a loop that reaches levels which
// there are not is an error.
func NewExtrudedMap(from, to *Set, base *Map, levels []int, step int, name string) *Map {
	on := []*entity.Runtime{from.core().Runtime(), to.core().Runtime()}
	if base != nil {
		on = append(on, base.runtime())
	}
	return declareMap(entity.Declaration{On: on, What: "map " + name, Of: "set"}, 1, name,
		func() (*entity.Map, error) {
			return entity.NewExtrudedMap(from.core(), to.core(), base.core(), levels, step, name)
		})
}

// layers is what a loop runs over: some layers of an extruded set.
type layers entity.Range

func (l layers) iteration() entity.Range { return entity.Range(l) }

// Name returns the name for messages: "bottom of cells".
func (l layers) Name() string { return entity.Range(l).Name() }

// Size returns the number of elements that the loop runs over, of columns that have all layers.
func (l layers) Size() int {
	if l.Set == nil {
		return 0
	}
	return int(entity.Range(l).Whole()) * l.Layers.Count()
}

// OnBottom returns the lowest layer of each column of an extruded set, or of what OnColumns returns, for a loop. Columns without layers have none.
func OnBottom(of IterationSet) IterationSet {
	return layers(iteration(of).On(loop.Bottom))
}

// OnTop returns the highest layer of each column.
func OnTop(of IterationSet) IterationSet {
	return layers(iteration(of).On(loop.Top))
}

// OnInteriorFacets returns the facets between the layers of each column. For each, the kernel gets the values of the layer below and
// then those of the layer above: of a direct argument two elements, of a map twice its arity.
func OnInteriorFacets(of IterationSet) IterationSet {
	return layers(iteration(of).On(loop.Facets))
}

// OnColumns returns the layers of an extruded set over the elements of a subset of its base set.
func OnColumns(of *Set, columns *Subset) IterationSet {
	return layers(of.iteration().Over(columns.core()))
}

// cells returns the values of an extruded map: declared ones of the whole mesh, or those here.
func (m *Map) cells(declared bool) []int32 {
	base, _ := m.core().From().Base()
	rt := base.Runtime()
	if declared && rt.Ranks() > 1 {
		rt.MustEnter()
		defer rt.Leave()
	}
	values, err := m.core().Cells(declared)
	if err != nil {
		panic(err)
	}
	return values
}
