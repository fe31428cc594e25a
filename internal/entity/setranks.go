package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
)

// Shares returns the first element of each rank's share, and the end of the last; nil for sets that were declared whole.
func (s *Set) Shares() []int64 {
	if s.distribution == nil {
		return nil
	}
	return s.distribution.shares
}

// Among reports whether the set is one of several ranks.
func (s *Set) Among() bool { return s.distribution != nil }

// Parts returns the messages for each part of the halo.
func (s *Set) Parts() []halo.Part {
	if s.distribution == nil {
		return nil
	}
	return s.distribution.parts
}

// Shared reports whether each rank has declared a share of the set.
func (s *Set) Shared() bool { return s.distribution != nil && s.distribution.shares != nil }

// first returns the number of the first element that this rank has declared.
func (s *Set) first() int64 {
	if s.Shared() {
		return s.distribution.shares[s.rt.Rank()]
	}
	return 0
}

// Whole returns the number of elements of the whole mesh, on all ranks.
func (s *Set) Whole() int64 {
	if s.distribution != nil {
		return s.distribution.size
	}
	return int64(s.Size())
}

// Targets returns the number of elements that maps can lead to.
func (s *Set) Targets() int64 {
	if s.distribution != nil {
		return s.distribution.size
	}
	return int64(s.Total())
}

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

// distributed reports whether the set has been distributed to the ranks.
func (s *Set) distributed() bool { return s.distribution != nil && s.distribution.numbers != nil }

// Localize records the part of the set that is here.
func (s *Set) Localize(l *halo.LocalSet) {
	s.extents = Extents{Core: l.Core, Owned: l.Owned}
	for _, layer := range l.Layers {
		s.extents.Layers = append(s.extents.Layers, Layer{layer.Executed, layer.ReadOnly})
	}
	s.distribution.numbers, s.distribution.parts, s.trees = l.Numbers, l.Parts, nil
	if s.order != nil {
		s.distribution.numbers = make([]int64, len(l.Numbers))
		for i, e := range l.Numbers {
			s.distribution.numbers[i] = int64(s.order[e])
		}
		s.order, s.places = nil, nil
	}
}

// Parted returns the ranks among which the set is distributed.
func (s *Set) Parted() comm.Comm {
	if !s.distributed() && !s.Shared() {
		return comm.Alone
	}
	return s.rt.Comm()
}

// declared returns the number of elements that declarations of data have values for on this rank.
func (s *Set) declared() int {
	switch {
	case s.IsReady():
		return s.Total()
	case s.Shared():
		return int(s.distribution.shares[s.rt.Rank()+1] - s.first())
	case s.distributed():
		return int(s.distribution.size)
	}
	return s.Total()
}

// IsReady reports whether the set came distributed.
func (s *Set) IsReady() bool { return s.distribution != nil && s.distribution.ready != nil }

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
