package entity

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
)

// Elements that go to other ranks take with them what has been declared on them: Set and Map have Localize for that, too.

// Localize brings the values of the elements that are going to be here, when the mesh is first distributed, and when elements
// move. Where no rank has stored any, they are zero. It is collective.
func (d *Data) Localize(from *halo.Fetcher, zero bool) error {
	for _, v := range []*Data{d, d.numbers, d.flat} {
		if v != nil {
			v.updates = updates{}
		}
	}
	return d.storage.Unused(func() error {
		if zero {
			d.storage.Reshape(from.Len())
			d.allocate()
			return nil
		}
		if err := d.Bring(false); err != nil {
			return err
		}
		given := d.Bytes()[:from.Held()*d.rowSize()]
		d.storage.Reshape(from.Len())
		d.storage.Memory()
		if err := from.Fetch(d.Bytes(), given, d.rowSize()); err != nil {
			return broken(err)
		}
		d.share()
		return nil
	})
}

// Localize keeps the elements that are going to be here, as those that hold them now know. It is collective.
func (s *Subset) Localize(from *halo.Fetcher) error {
	there, here := make([]byte, from.Held()), make([]byte, from.Len())
	for _, e := range s.elements {
		if int(e) < len(there) {
			there[e] = 1
		}
	}
	if err := from.Fetch(here, there, 1); err != nil {
		return broken(err)
	}
	s.elements = []int32{} // devices know lists by their memory
	for e, in := range here {
		if in != 0 {
			s.elements = append(s.elements, int32(e))
		}
	}
	return nil
}

// Rebuild builds the pattern anew, from maps that have moved.
func (s *Sparsity) Rebuild() error {
	s.owned, s.ownedOnce, s.declared, s.transposed, s.unrolled = nil, sync.Once{}, nil, nil, nil
	s.tables = map[PositionTable][]int32{}
	return s.build()
}

// Rows calls f with each row of blocks of a matrix that belongs to this rank: its element's place here and its declared
// number, those of its columns, and the bytes of its values. The values must be valid on the host.
func (d *Data) Rows(f func(place int, row int64, cols []int64, values []byte)) {
	s, p := d.sparsity, d.sparsity.Owned()
	size, values := s.blocks.Size()*d.scalar.Size(), d.Bytes()
	var cols []int64
	for r := range p.Rows {
		first, last := int(p.RowPtr[r]), int(p.RowPtr[r+1])
		cols = cols[:0]
		for _, c := range p.ColIdx[first:last] {
			cols = append(cols, s.cols.NumberHere(int(c)))
		}
		f(r, s.rows.NumberHere(r), cols, values[first*size:last*size])
	}
}

// Refill gives a matrix whose pattern has been rebuilt its values, row by row, as Rows had them; zeros elsewhere.
func (d *Data) Refill(rows func(set func(row int64, cols []int64, values []byte))) error {
	s := d.sparsity
	size, rowAt, colAt := s.blocks.Size()*d.scalar.Size(), halo.Places(s.rows.Numbers()), halo.Places(s.cols.Numbers())
	d.unrolled = nil
	return d.storage.Unused(func() (err error) {
		d.storage.Reshape(s.Blocks())
		d.storage.Memory()
		to := d.Bytes()
		rows(func(row int64, cols []int64, values []byte) {
			for i, c := range cols {
				at := int32(-1)
				if r, c := rowAt(row), colAt(c); r >= 0 && c >= 0 {
					at = s.pattern.Find(r, c)
				}
				if at < 0 {
					err = fmt.Errorf("op2: mat %s: there is no place for row %d and column %d among those that have moved here", d.name, row, c)
					return
				}
				copy(to[int(at)*size:(int(at)+1)*size], values[i*size:])
			}
		})
		d.share()
		return err
	})
}

// Strand makes data on the sets that has not moved with them return an error when it is used: not all ranks could reach it
// any more, or it is the library's own, and follows by itself.
func (rt *Runtime) Strand(moved *Divided) {
	for d := range Reachable(&rt.listed.datas) {
		if d.set == nil {
			continue
		}
		if base, _ := d.set.Columns().Base(); slices.Contains(moved.Sets, base) && !slices.Contains(moved.Dats, d) && !slices.Contains(moved.Mats, d) {
			d.strand()
		}
	}
}

func (d *Data) strand() {
	d.storage.Reshape(d.Elements())
	d.allocate()
	var refuse func(replaces bool) error
	refuse = func(replaces bool) error {
		if replaces {
			return nil
		}
		d.storage.BeforeUse(refuse)
		return errors.New(problem.Message(d.Describe(), "it has no values: elements moved to other ranks when some of them could no longer reach it", "all ranks keep the same dats"))
	}
	d.storage.BeforeUse(refuse)
}

// allocate gives the data memory where loops run on the host, and else shares it with the device.
func (d *Data) allocate() {
	if d.rt.device == nil {
		d.storage.Memory()
	}
	d.share()
}
