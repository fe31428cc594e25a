package entity

import (
	"sync"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/tune"
)

// Matrices number the layers of columns one by one. Their rows and columns are those of a flat set, which has an element for each layer
// of each column, in the order of the base set and on its ranks. A vector is a view, on that set, of a dat on columns.

// flatSets are the flat sets of a runtime.
type flatSets struct {
	sync.Mutex // any goroutine may ask for one
	all        Weakly[Set]
}

// Flat returns the set of the layers of an extruded set; another set itself. It may be called at any time.
func (s *Set) Flat() *Set {
	if !s.Extruded() {
		return s
	}
	s.rt.listed.flat.Lock()
	defer s.rt.listed.flat.Unlock()
	if s.flat == nil {
		s.flat = &Set{rt: s.rt, name: s.name, site: s.site, layersOf: s}
		addWeakly(&s.rt.listed.flat.all, s.flat)
		s.flat.spread()
	}
	return s.flat
}

// Columns returns the extruded set of whose layers the set consists; itself if it is not flat.
func (s *Set) Columns() *Set {
	if s.layersOf != nil {
		return s.layersOf
	}
	return s
}

// spread gives a flat set the order and the ranks of its base set.
func (s *Set) spread() {
	base, n := s.layersOf.Base()
	*s = Set{rt: s.rt, name: s.name, site: s.site, id: s.id, layersOf: s.layersOf, extents: base.extents.Times(n), distribution: base.times(n),
		order: lists.Times(base.order, n), places: lists.Times(base.places, n)}
	for _, p := range base.parts {
		s.parts = append(s.parts, p.Times(n))
	}
}

// Spread gives the flat sets the order and the ranks that their base sets have now.
func (rt *Runtime) Spread() {
	rt.listed.flat.Lock()
	defer rt.listed.flat.Unlock()
	for s := range Reachable(&rt.listed.flat.all) {
		s.spread()
	}
}

// Flat returns the view of a dat on columns that has its values layer by layer; other data itself.
func (d *Data) Flat() *Data {
	if d == nil || d.column == nil || d.whole != nil {
		return d
	}
	if d.flat == nil {
		v := d.View(d.column.Flat(), d.dim/d.column.layers)
		v.values, v.layout, v.unwatched, v.columns = d.values, tune.AoS, d.unwatched, d
		d.flat = v
	}
	return d.flat
}

// Columns returns the dat on columns of which this is the flat view; other data itself.
func (d *Data) Columns() *Data {
	if d != nil && d.columns != nil {
		return d.columns
	}
	return d
}

// FlatSet returns the set of which Flat has elements.
func (r Range) FlatSet() *Set {
	if r.Layers.Of != nil {
		return r.Layers.Of.Flat()
	}
	return r.Set
}

// Flat returns the layers of columns as elements of their flat set; another range itself.
func (r Range) Flat() Range {
	flat := Range{Set: r.FlatSet(), Subset: r.Subset}
	if r.Layers.Of == nil || r.Subset == nil && r.Layers.All() {
		return flat
	}
	var elements []int32
	for _, e := range r.Here() {
		first, last := r.Layers.Region.Of(r.Layers.Of.Bounds(int(e)))
		for l := first; l < last; l++ {
			elements = append(elements, e*int32(r.Layers.Of.layers)+int32(l))
		}
	}
	flat.Subset = newSubset(flat.Set, elements, r.Name())
	return flat
}
