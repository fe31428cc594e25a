package entity

import (
	"fmt"
	"maps"
	"math"
	"weak"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// Set is a collection of mesh elements of one kind.
type Set struct {
	rt      *Runtime
	name    string
	extents Extents
	site    callsite.Calls // where it was declared
	id      ID

	unrolled map[int]*Set // by dim, created on demand: one element for each value

	order        []int32       // declared numbers by places in memory; nil if they are the same
	places       []int32       // in memory, by declared numbers; nil if they are the same
	distribution *distribution // over several ranks; nil on one
	table        *Data         // declared numbers, for loops; nil until one reads it
	// trees are those along which values of its elements, by nil, or of a subset's are combined.
	trees map[weak.Pointer[Subset]]*comm.Numbered
}

// NewSet returns a set of the given extents.
func (rt *Runtime) NewSet(e Extents, name string) (*Set, error) {
	if size := e.Total(); size < 0 || size > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a size from 0 to %d is needed, %d was given", math.MaxInt32, size)}
	}
	if err := e.Check(); err != nil {
		return nil, &problem.ShapeError{What: "set " + name, Msg: err.Error()}
	}
	s := &Set{rt: rt, name: name, extents: e}
	s.site.Capture()
	if rt.Several() {
		if err := rt.checkOpen(name); err != nil {
			return nil, err
		}
		s.distribution = &distribution{size: int64(e.Total())}
	}
	rt.mesh.addSet(s)
	return s, nil
}

// Tree returns the tree along which values of the elements, or of those of a subset, are combined; it is made once.
func (s *Set) Tree(of *Subset, make func() (*comm.Numbered, error)) (*comm.Numbered, error) {
	if tree := s.trees[weak.Make(of)]; tree != nil {
		return tree, nil
	}
	tree, err := make()
	if err != nil {
		return nil, err
	}
	if s.trees == nil {
		s.trees = map[weak.Pointer[Subset]]*comm.Numbered{}
	}
	maps.DeleteFunc(s.trees, func(of weak.Pointer[Subset], _ *comm.Numbered) bool {
		return of != weak.Pointer[Subset]{} && of.Value() == nil
	})
	s.trees[weak.Make(of)] = tree
	return tree, nil
}

// Extents returns the parts of the set.
func (s *Set) Extents() Extents { return s.extents }

// Runtime returns the runtime that the set was declared on; nil if it was not.
func (s *Set) Runtime() *Runtime {
	if s == nil {
		return nil
	}
	return s.rt
}

// Size returns the number of elements that belong here: on several ranks, to this one.
func (s *Set) Size() int { return s.extents.Owned }

// Core returns the number of leading elements that no other rank reaches.
func (s *Set) Core() int { return s.extents.Core }

// Total returns the number of elements that maps lead to and that data has values for.
func (s *Set) Total() int { return s.extents.Total() }

// declared returns the number of elements that declarations of data have values for on this rank.
func (s *Set) declared() int {
	switch {
	case s.IsReady():
		return s.Total()
	case s.shared():
		return int(s.distribution.shares[s.rt.Rank()+1] - s.first())
	case s.distributed():
		return int(s.distribution.size)
	}
	return s.Total()
}

// Name returns the name the set was declared with.
func (s *Set) Name() string { return s.name }

// Besides returns the set's name for a message that also names the other set, with distinguishing
// details if their names are equal or their runtimes differ.
func (s *Set) Besides(other *Set) string {
	switch {
	case s == nil:
		return ""
	case other == nil || s == other:
	case s.rt != other.rt:
		return fmt.Sprintf("%s (of %s)", s.name, s.rt.Besides(other.rt))
	case s.name == other.name:
		return fmt.Sprintf("%s (%s, declared at %s)", s.name, problem.Count(s.Total(), "element"), s.site.Site().At)
	}
	return s.name
}
