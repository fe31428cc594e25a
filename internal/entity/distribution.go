package entity

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// distribution is how a set lies on several ranks. Until the mesh is distributed, each rank has all of a
// set that was declared whole, or its share.
type distribution struct {
	size   int64   // elements of the whole mesh
	shares []int64 // first element of each rank's share, and the end of the last; nil for sets that were declared whole

	ready *halo.LocalSet // of a set that came distributed; otherwise nil

	numbers []int64       // declared numbers of the elements here; nil until the mesh is distributed
	parts   []halo.Part   // messages for each part of the halo
	fetcher *halo.Fetcher // brings rows from where they were declared; nil as long as none were needed
}

// NewSetShare returns a set of which this rank declares size elements: those after the shares of
// the lower ranks. It is collective.
func (rt *Runtime) NewSetShare(size int, name string) (*Set, error) {
	if !rt.Several() {
		return rt.NewSet(All(size), name)
	}
	own := rt.checkOpen(name)
	if own == nil && (size < 0 || size > math.MaxInt32) {
		own = &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a share from 0 to %d elements is needed, %d was given", math.MaxInt32, size)}
	}
	if err := rt.Agree(own); err != nil {
		return nil, err
	}
	shares, err := halo.Offsets(rt.Comm(), int64(size))
	if err != nil {
		return nil, rt.Broken(err)
	}
	s := &Set{rt: rt, name: name, extents: All(size), distribution: &distribution{size: shares[len(shares)-1], shares: shares}}
	s.site.Capture()
	rt.mesh.addSet(s)
	return s, nil
}

// checkOpen returns an error if the mesh has been distributed already.
func (rt *Runtime) checkOpen(name string) error {
	if !rt.mesh.Sealed {
		return nil
	}
	return fmt.Errorf("op2: set %s: %s\n  hint: declare all sets before Partition and the first loop, sparsity and solver", name, rt.mesh.Distributed())
}

const ByPartition = "by Partition"

// Distributed says why the mesh has been distributed already.
func (m *Declared) Distributed() string {
	if m.First == ByPartition {
		return "the mesh has been distributed already, by Partition"
	}
	return fmt.Sprintf("the mesh has been distributed: %s already, the first was %s", m.What, m.First)
}

// Shared reports whether each rank has declared a share of the set.
func (s *Set) Shared() bool { return s.shared() }

func (s *Set) shared() bool { return s.distribution != nil && s.distribution.shares != nil }

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

// first returns the number of the first element that this rank has declared.
func (s *Set) first() int64 {
	if s.shared() {
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

// Sum adds up what each rank has computed from its elements of the set. It is collective, and does
// nothing as long as each rank has all of them.
func (s *Set) Sum(v *float64) error {
	if !s.distributed() && !s.shared() {
		return nil
	}
	if err := s.rt.Alike("values on "+s.name+" are summed up", nil); err != nil {
		return err
	}
	sum := []float64{*v}
	if err := comm.Reduce(s.rt.Comm(), loop.Inc, sum); err != nil {
		return s.rt.Broken(err)
	}
	*v = sum[0]
	return nil
}

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
	if !s.distributed() && !s.shared() {
		return comm.Alone
	}
	return s.rt.Comm()
}
