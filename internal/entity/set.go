package entity

import (
	"weak"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
)

// Set is a collection of mesh elements of one kind.
type Set struct {
	rt      *Runtime
	name    string
	extents halo.Extents
	site    callsite.Calls // where it was declared
	id      ID

	joins    bool         // the mesh, with which it gets its order and its ranks; other sets have them
	unrolled map[int]*Set // by dim, created on demand: one element for each value

	order  []int32 // declared numbers by places in memory; nil if they are the same
	places []int32 // in memory, by declared numbers; nil if they are the same
	distribution
	columns       // over another set, if it is extruded
	layersOf *Set // of a flat set: the extruded one; see flat.go
	slabs    slabs
	table    *Data // declared numbers, for loops; nil until one reads it
	// trees are those along which values of its elements, by nil, or of a subset's are combined.
	trees map[weak.Pointer[Subset]]*comm.Numbered
}

// Extents returns the parts of the set.
func (s *Set) Extents() halo.Extents { return s.extents }

// Runtime returns the runtime that the set was declared on; nil if it was not.
func (s *Set) Runtime() *Runtime {
	if s == nil {
		return nil
	}
	return s.rt
}

// Size returns the number of elements that belong here: on several ranks, to this one.
func (s *Set) Size() int { return s.extents.Owned }

// Prefix returns the number of elements of a prefix of those that belong here, and of the layers of the halo that
// messages keep valid.
func (s *Set) Prefix(x int) int { return s.extents.Prefix(min(x, 2*s.depth)) }

// Deepest returns the deepest prefix that loops can run over.
func (s *Set) Deepest() int { return max(halo.Owned, 2*s.depth-1) }

// Executable returns the number of leading elements that loops can run over: all that messages keep valid but those
// that the last layer of the halo only reads.
func (s *Set) Executable() int { return s.Prefix(s.Deepest()) }

// Core returns the number of leading elements that no other rank reaches.
func (s *Set) Core() int { return s.extents.Core }

// Total returns the number of elements that maps lead to and that data has values for.
func (s *Set) Total() int { return s.extents.Total() }

// Name returns the name the set was declared with.
func (s *Set) Name() string { return s.name }

// ID returns the set's ID; nil if none was needed so far.
func (s *Set) ID() ID { return s.id }

// Tracked returns the ID of a set; nil for nil.
func (s *Set) Tracked() ID {
	if s == nil {
		return nil
	}
	return identify(s, 0, &s.id, s.rt.unreachable)
}

// unroll returns the set that has an element for each value of dats on s with that dim.
func (s *Set) unroll(dim int) *Set {
	if s.unrolled[dim] == nil {
		if s.unrolled == nil {
			s.unrolled = map[int]*Set{}
		}
		s.unrolled[dim] = &Set{rt: s.rt, name: s.name, extents: s.extents.Times(dim), distribution: s.times(dim)}
	}
	return s.unrolled[dim]
}

// place returns where the element of a row that this rank declared is in memory; once the set is distributed, that of a row here.
func (s *Set) place(number int) int {
	if s.places == nil {
		return number
	}
	return int(s.places[number])
}

// columns are what an extruded set has over each element of a base set; none over nil.
type columns struct {
	base   *Set
	layers int
	bounds *Data // of each column, the lowest layer and the one above the highest; nil: each has all layers
	flat   *Set  // the set of the layers; nil until matrices need it
}

// Extruded reports whether the set is an extruded one.
func (s *Set) Extruded() bool { return s != nil && s.base != nil }

// Bounds returns the lowest layer of a column here, and the one above its highest.
func (s *Set) Bounds(column int) (bottom, top int) {
	if s.bounds == nil {
		return 0, s.layers
	}
	b := Host[int32](s.bounds)[2*column : 2*column+2]
	return int(b[0]), int(b[1])
}

// Base returns the set that has what belongs to s, and how many of its values on each element: itself, or that of its columns.
func (s *Set) Base() (base *Set, layers int) {
	if s.Extruded() {
		return s.base, s.layers
	}
	return s, 1
}
