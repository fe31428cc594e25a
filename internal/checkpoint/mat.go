package checkpoint

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// A matrix is saved as the number of blocks of each row, and the blocks of all rows, those of a row in the order of the
// declared numbers of their columns. Which columns these are, the pattern of the program that goes on says, whose digest
// has been compared.

func lengthsName(datum int) string { return fmt.Sprintf("lengths of mat %d", datum) }

// blockBytes returns the number of bytes of a block.
func blockBytes(d *entity.Data) int { return d.Sparsity().Block().Size() * d.Scalar().Size() }

// handMat hands over the rows of a matrix, the i-th entry.
func (f *flight) handMat(i int) {
	d := f.entries[i].data
	p, order, size := d.Sparsity().Owned(), d.Sparsity().InDeclaredOrder(), blockBytes(d)
	lengths := make([]int32, f.rows(d.Set()))
	for r := range lengths {
		lengths[r] = p.RowPtr[r+1] - p.RowPtr[r]
	}
	f.hand(block{name: lengthsName(i), bytes: store.Bytes(lengths)})
	values := d.Bytes()[:f.units(d)*size]
	if order == nil || len(values) == 0 {
		f.handBytes(rowsName(i), values)
		return
	}
	for at := 0; at < len(order); {
		blocks := f.room()
		for ; at < len(order) && len(blocks) < piece; at++ {
			blocks = append(blocks, values[int(order[at])*size:][:size]...)
		}
		f.hand(block{name: rowsName(i), bytes: blocks, copied: true})
		f.wait()
	}
}

// ragged is a number of units for each row of a matrix that belongs to this rank.
type ragged struct {
	of      *entity.Data
	lengths []int32 // of rows, in units
	order   []int32 // the place of each unit, row by row; nil: one after another
	what    string  // units are, for messages
	size    int     // of a unit in bytes
}

// fillMat sets the values of the rows of a matrix that belong to this rank. It is collective.
func (r *rowReader) fillMat(d *entity.Data, datum, size int) error {
	p := d.Sparsity().Owned()
	lengths := make([]int32, p.Rows)
	for row := range lengths {
		lengths[row] = p.RowPtr[row+1] - p.RowPtr[row]
	}
	into := entity.Overwriting[byte](d)[:p.Nonzeros()*size]
	if err := r.fillUnits(into, ragged{d, lengths, d.Sparsity().InDeclaredOrder(), "blocks", size}, lengthsName(datum), rowsName(datum)); err != nil {
		return err
	}
	d.Beside().Restored()
	return nil
}

// fillUnits fills the units of rows from blocks of the parts. It is collective.
//
// Units are numbered as they lie in the parts, rank after rank. The owner of a row learns where its units begin, and
// asks for them by number.
func (r *rowReader) fillUnits(into []byte, u ragged, lengthsName, unitsName string) error {
	c, set, size := u.of.Set().Parted(), u.of.Set(), u.size
	lengths, at := make([]int32, r.held), 0
	units := make([]int, len(r.parts)) // in each part
	for i, p := range r.parts {
		of := lengths[at : at+r.counts[i]]
		if err := p.Read(lengthsName, store.Bytes(of)); err != nil {
			return err
		}
		for _, n := range of {
			units[i] += int(n)
		}
		at += r.counts[i]
	}
	all := 0
	for _, n := range units {
		all += n
	}
	offsets, err := halo.Offsets(c, int64(all))
	if err != nil {
		return err
	}
	held, first := store.Room(all*size), 0
	for i, p := range r.parts {
		n := units[i] * size
		if err := p.Read(unitsName, held[first:first+n]); err != nil {
			return err
		}
		first += n
	}
	spans, next := make([][2]int64, r.held), offsets[c.Rank()] // the first unit of each row, and how many it has
	for i, n := range lengths {
		spans[i] = [2]int64{next, int64(n)}
		next += int64(n)
	}
	wanted := make([][2]int64, set.Total())
	if err := r.fetcher.Fetch(store.Bytes(wanted), store.Bytes(spans), 16); err != nil {
		return err
	}
	numbers, k := make([]int64, len(into)/size), 0
	for row, n := range u.lengths {
		if wanted[row][1] != int64(n) {
			err = fmt.Errorf("row %d of %s has %d %s in the checkpoint, and %d here", set.NumberHere(row), u.of.Describe(), wanted[row][1], u.what, n)
		}
		for j := range int64(n) {
			place := k
			if u.order != nil {
				place = int(u.order[k])
			}
			numbers[place] = wanted[row][0] + j
			k++
		}
	}
	if err := u.of.Runtime().Agree(err); err != nil {
		return err
	}
	unitsOf, err := halo.NewFetcher(c, halo.Shares(offsets), nil, numbers)
	if err != nil {
		return err
	}
	return unitsOf.Fetch(into, held, size)
}
