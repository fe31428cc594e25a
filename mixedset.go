package op2

import (
	"github.com/go-op2/op2/internal/entity"
)

// MixedSet is a list of sets that is handled as one: the nodes and the corners of a mesh, say, on which
// a MixedDat has a velocity and a pressure. It is no set to run loops over: these run over one set,
// and reach the parts of a mixed one through a MixedMap.
type MixedSet entity.MixedSet

func (s *MixedSet) core() *entity.MixedSet { return (*entity.MixedSet)(s) }

// NewMixedSet declares a mixed set of the given parts. A set may be in several places.
func NewMixedSet(parts []*Set, name string) *MixedSet {
	list, on := make([]*entity.Set, len(parts)), make([]*entity.Runtime, len(parts))
	for i, s := range parts {
		list[i], on[i] = s.core(), s.core().Runtime()
	}
	return (*MixedSet)(entity.Declare(entity.Declaration{On: on, Enter: (*entity.Runtime).EnterLazily},
		func() (*entity.MixedSet, error) { return entity.NewMixedSet(list, name) },
		func(failed *entity.Runtime) *entity.MixedSet { return entity.InertMixedSet(failed, name) }))
}

// Err returns why the mixed set could not be declared; nil if it was.
func (s *MixedSet) Err() error { return s.runtime().Made("mixed set", "NewMixedSet") }

func (s *MixedSet) runtime() *entity.Runtime { return orEmpty(s.core()).Runtime() }

// Parts returns the sets.
func (s *MixedSet) Parts() []*Set {
	var list []*Set
	for _, p := range orEmpty(s.core()).Parts() {
		list = append(list, (*Set)(p))
	}
	return list
}

// Part returns set i of the parts.
func (s *MixedSet) Part(i int) *Set { return partOf(s.Parts(), i) }

// Len returns the number of parts.
func (s *MixedSet) Len() int { return len(orEmpty(s.core()).Parts()) }

// Name returns the name the mixed set was declared with.
func (s *MixedSet) Name() string { return orEmpty(s.core()).Name() }

func (s *MixedSet) String() string { return s.Name() }

// partOf returns part i; nil if there are none, because no constructor made what has them.
func partOf[T any](parts []*T, i int) *T {
	if parts == nil {
		return nil
	}
	return parts[i]
}
