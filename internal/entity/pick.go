package entity

import (
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// picker picks the rows of the elements here from those that this rank has declared: of the whole
// mesh, or of its share.
type picker struct {
	numbers []int64       // by which the elements here were declared
	fetcher *halo.Fetcher // brings rows from where they were declared; nil for sets that were declared whole
}

// Picker returns a picker for the elements of the set that are going to be here. It is collective for
// sets that were declared in shares.
func (s *Set) Picker(numbers []int64) (picker, error) {
	if !s.Shared() {
		return picker{numbers: numbers}, nil
	}
	fetcher, err := halo.NewFetcher(s.rt.Comm(), halo.Shares(s.shares), nil, numbers)
	if err != nil {
		return picker{}, s.rt.Broken(err)
	}
	return picker{numbers, fetcher}, nil
}

// pickerHere returns a picker for the elements that are here, once the set has been distributed.
func (s *Set) pickerHere() (p picker, err error) {
	if p.numbers = s.numbers; !s.Shared() {
		return p, nil
	}
	if s.fetcher == nil {
		if p, err = s.Picker(p.numbers); err != nil {
			return p, err
		}
		s.fetcher = p.fetcher
	}
	p.fetcher = s.fetcher
	return p, nil
}

// Pick fills rows with those of the elements here, of so many bytes each. Given are those that this
// rank has declared. It is collective for sets that were declared in shares.
func (p picker) Pick(rows, given []byte, bytes int) error {
	if p.fetcher != nil {
		return p.fetcher.Fetch(rows, given, bytes)
	}
	for i, e := range p.numbers {
		copy(rows[i*bytes:(i+1)*bytes], given[int(e)*bytes:])
	}
	return nil
}

// local returns rows of some bytes for the elements here, of those that this rank has declared. It is
// collective for sets that were declared in shares.
func (s *Set) local(size int, given []byte) ([]byte, error) {
	if s.IsReady() {
		return given, nil
	}
	p, err := s.pickerHere()
	if err != nil {
		return nil, err
	}
	rows := store.Room(s.Total() * size)
	if err := p.Pick(rows, given, size); err != nil {
		return nil, s.rt.Broken(err)
	}
	return rows, nil
}

// Localize keeps the values of the elements that are going to be here. Where no rank has stored any,
// they are zero.
func (d *Data) Localize(p picker, zero bool) error {
	s := d.storage
	if zero {
		s.Reshape(len(p.numbers))
		d.allocate()
		return nil
	}
	if err := d.Bring(false); err != nil {
		return err
	}
	given := d.Bytes()
	s.Reshape(len(p.numbers))
	s.Memory()
	if err := p.Pick(d.Bytes(), given, d.dim*d.scalar.Size()); err != nil {
		return d.rt.Broken(err)
	}
	d.share()
	return nil
}

// allocate gives the data memory where loops run on the host, and else shares it with the device.
func (d *Data) allocate() {
	if d.rt.device == nil {
		d.storage.Memory()
	}
	d.share()
}
