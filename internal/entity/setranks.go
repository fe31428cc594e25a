package entity

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
)

// Parted returns the ranks among which the elements are divided.
func (s *Set) Parted() comm.Comm { return cmp.Or(s.divided, comm.Alone) }

// Among reports whether the set is divided among several ranks.
func (s *Set) Among() bool { return s.divided != nil }

// Whole returns the number of elements of the whole mesh, on all ranks.
func (s *Set) Whole() int64 { return s.size }

// Targets returns the number of elements that maps can lead to.
func (s *Set) Targets() int64 { return s.targets }

// Depth returns the number of layers of the halo that messages keep valid, which loops may run over.
func (s *Set) Depth() int { return s.depth }

// Parts returns the messages for each part of the halo.
func (s *Set) Parts() []halo.Part { return s.parts }

// Shares returns the first element of each rank's share, and the end of the last; nil for sets that were declared whole.
func (s *Set) Shares() []int64 { return s.shares }

// Shared reports whether each rank has declared a share of the set.
func (s *Set) Shared() bool { return s.shares != nil }

// IsReady reports whether the set came distributed.
func (s *Set) IsReady() bool { return s.ready != nil }

// Here returns the number of elements that belong to this rank, and of all that it has. It may be
// called at any time.
func (s *Set) Here() (owned, total int) {
	if s.rt != nil {
		s.rt.numbers.RLock()
		defer s.rt.numbers.RUnlock()
	}
	return s.Size(), s.Total()
}

// Distributed reports whether the set has been distributed to the ranks. It may be called at any
// time.
func (s *Set) Distributed() bool {
	if s.rt == nil {
		return false
	}
	s.rt.numbers.RLock()
	defer s.rt.numbers.RUnlock()
	return s.distributed()
}

// Localize records the part of the set that is here.
func (s *Set) Localize(l *halo.LocalSet) {
	s.extents = l.Extents
	s.localize(s.rt.Comm(), l)
	s.trees, s.unrolled, s.table, s.fetcher, s.slabs = nil, nil, nil, nil, slabs{}
	if s.order != nil {
		s.numbers = make([]int64, len(l.Numbers))
		for i, e := range l.Numbers {
			s.numbers[i] = int64(s.order[e])
		}
		s.order, s.places = nil, nil
	}
}

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
