package entity

import (
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
)

// Slabs returns which elements' rows each rank has of a file, whose rows are in declared order: rank r those from slabs[r] up to
// slabs[r+1]. They are the shares of a set that was declared in these, and equal parts of another one.
func (s *Set) Slabs() []int64 {
	if s.Shared() {
		return s.shares
	}
	n := s.rt.Ranks()
	slabs := make([]int64, n+1)
	for r := range slabs {
		slabs[r] = s.Whole() * int64(r) / int64(n)
	}
	return slabs
}

// slab returns the rows of this rank.
func (s *Set) slab() (first, end int64) {
	slabs, rank := s.Slabs(), s.rt.Rank()
	return slabs[rank], slabs[rank+1]
}

// ToSlab returns the rows of this rank's slab, of so many bytes each, of those that the program sees here: in declared order,
// or, once the mesh is distributed, of the elements that belong to the rank. It is collective.
func (s *Set) ToSlab(size int, values []byte) ([]byte, error) {
	first, end := s.slab()
	switch {
	case s.distributed():
	case s.Shared():
		return values, nil
	default:
		return values[int(first)*size : int(end)*size], nil
	}
	c, owned := s.rt.Comm(), s.numbers[:s.Size()]
	if s.slabs.to == nil {
		home, err := halo.NewDirectory(c, s.name, s.Whole(), owned)
		if err != nil {
			return nil, s.rt.Broken(err)
		}
		numbers := make([]int64, end-first)
		for i := range numbers {
			numbers[i] = first + int64(i)
		}
		if s.slabs.to, err = halo.NewFetcher(c, home, owned, numbers); err != nil {
			return nil, s.rt.Broken(err)
		}
	}
	rows := make([]byte, int(end-first)*size)
	return rows, s.fetch(s.slabs.to, rows, values[:s.Size()*size], size)
}

// FromSlab fills values with the rows of the elements that belong to this rank, given those of its slab, once the mesh is
// distributed. It is collective.
func (s *Set) FromSlab(size int, values, rows []byte) (err error) {
	if s.slabs.from == nil {
		if s.slabs.from, err = halo.NewFetcher(s.rt.Comm(), halo.Shares(s.Slabs()), nil, s.numbers[:s.Size()]); err != nil {
			return s.rt.Broken(err)
		}
	}
	return s.fetch(s.slabs.from, values[:s.Size()*size], rows, size)
}

func (s *Set) fetch(f *halo.Fetcher, to, from []byte, size int) error {
	if err := f.Fetch(to, from, size); err != nil {
		return s.rt.Broken(err)
	}
	return nil
}

// InSlab returns the declared numbers of the subset's elements that are in this rank's slab, in ascending order. It is collective.
func (s *Subset) InSlab() ([]int64, error) {
	rt := s.of.rt
	all := s.of.Numbers()
	numbers := make([]int64, 0, s.Size())
	for _, e := range s.List()[:s.Size()] {
		numbers = append(numbers, all[e])
	}
	slices.Sort(numbers)
	slabs, rank := s.of.Slabs(), rt.Rank()
	if !s.of.Among() {
		from, _ := slices.BinarySearch(numbers, slabs[rank])
		to, _ := slices.BinarySearch(numbers, slabs[rank+1])
		return numbers[from:to], nil
	}
	out := comm.Outbox[int64]{}
	for to, rest := 0, numbers; to < rt.Ranks(); to++ {
		n, _ := slices.BinarySearch(rest, slabs[to+1])
		if n > 0 {
			out[to] = rest[:n]
		}
		rest = rest[n:]
	}
	came, err := out.Send(rt.Comm())
	if err != nil {
		return nil, rt.Broken(err)
	}
	numbers = nil
	for _, m := range came {
		numbers = append(numbers, m.Values...)
	}
	slices.Sort(numbers)
	return numbers, nil
}
