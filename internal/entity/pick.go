package entity

import (
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// picker picks the rows of some elements from those that ranks have declared: of the whole mesh, or of
// their shares. Nil is the picker of the rows that this rank has declared, as they are.
type picker struct {
	comm    comm.Comm
	shares  []int64       // of the ranks; nil if each has declared the whole mesh
	numbers []int64       // by which the elements were declared
	fetcher *halo.Fetcher // brings rows from the shares of ranks; nil until some are needed
}

// Pick fills rows with those of the elements here, of so many bytes each. Given are those that this
// rank has declared. It is collective for sets that were declared in shares.
func (p *picker) Pick(rows, given []byte, bytes int) (err error) {
	if p.shares == nil {
		for i, e := range p.numbers {
			copy(rows[i*bytes:(i+1)*bytes], given[int(e)*bytes:])
		}
		return nil
	}
	if p.fetcher == nil {
		if p.fetcher, err = halo.NewFetcher(p.comm, halo.Shares(p.shares), nil, p.numbers); err != nil {
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
