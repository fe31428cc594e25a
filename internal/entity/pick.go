package entity

import (
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// picker picks the rows of some elements from those that ranks have declared: of the whole mesh, or of
// their shares. Nil is the picker of the rows that this rank has declared, as they are.
type picker struct {
	set     *Set
	numbers []int64       // by which the elements were declared
	fetcher *halo.Fetcher // brings rows from the shares of ranks; nil until some are needed
}

// Picker returns a picker for the elements of the set that are going to be here.
func (s *Set) Picker(numbers []int64) *picker { return &picker{set: s, numbers: numbers} }

// Pick fills rows with those of the elements here, of so many bytes each. Given are those that this
// rank has declared. It is collective for sets that were declared in shares.
func (p *picker) Pick(rows, given []byte, bytes int) (err error) {
	if !p.set.Shared() {
		for i, e := range p.numbers {
			copy(rows[i*bytes:(i+1)*bytes], given[int(e)*bytes:])
		}
		return nil
	}
	if p.fetcher == nil {
		if p.fetcher, err = halo.NewFetcher(p.set.rt.Comm(), halo.Shares(p.set.shares), nil, p.numbers); err != nil {
			return broken(err)
		}
	}
	if err := p.fetcher.Fetch(rows, given, bytes); err != nil {
		return broken(err)
	}
	return nil
}

// rows returns the rows that Pick fills.
func (p *picker) rows(size int, given []byte) ([]byte, error) {
	if p == nil {
		return given, nil
	}
	rows := store.Room(len(p.numbers) * size)
	return rows, p.Pick(rows, given, size)
}

// Localize keeps the values of the elements that are going to be here. Where no rank has stored any,
// they are zero.
func (d *Data) Localize(p *picker, zero bool) error {
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
	if err := p.Pick(d.Bytes(), given, d.rowSize()); err != nil {
		return err
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
