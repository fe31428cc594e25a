package entity

import (
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// Fetcher returns what brings the rows of elements from those that ranks have declared: of the whole mesh, or of their
// shares, for which it is collective. The elements have the numbers by which these are in order.
func (s *Set) Fetcher(numbers []int64) (*halo.Fetcher, error) {
	if !s.Shared() {
		return halo.NewPicker(s.declared, numbers), nil
	}
	f, err := halo.NewFetcher(s.rt.Comm(), halo.Shares(s.shares), nil, numbers)
	if err != nil {
		return nil, broken(err)
	}
	return f, nil
}

// late returns the fetcher of the elements here, for what is declared once the set is distributed; nil where ranks declare
// the rows that are here.
func (s *Set) late() (*halo.Fetcher, error) {
	var err error
	if s.fetcher == nil && s.distributed() && !s.IsReady() {
		s.fetcher, err = s.Fetcher(s.numbers)
	}
	return s.fetcher, err
}

// rows returns the rows of the elements here, of so many bytes each, given those that this rank has declared.
func (s *Set) rows(size int, given []byte) ([]byte, error) {
	f, err := s.late()
	if f == nil || err != nil {
		return given, err
	}
	rows := store.Room(f.Len() * size)
	if err := f.Fetch(rows, given, size); err != nil {
		return nil, broken(err)
	}
	return rows, nil
}
