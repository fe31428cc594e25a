package checkpoint

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// rowReader reads the rows of the elements of a set. Ranks read a share of the parts each, and send each other the
// rows of the elements that they own, or have in their halo.
type rowReader struct {
	parts   []*snapshot.Reader
	counts  []int // of rows, in each part
	held    int
	fetcher *halo.Fetcher
}

// numbersIn returns the declared numbers of the elements of a set that a part has.
func numbersIn(p *snapshot.Reader, set int) ([]int64, error) {
	if size := p.Size(numbersName(set)); size >= 0 {
		numbers := make([]int64, size/8)
		return numbers, p.Read(numbersName(set), store.Bytes(numbers))
	}
	run := make([]int64, 2)
	if err := p.Read(runName(set), store.Bytes(run)); err != nil {
		return nil, err
	}
	if run[0] < 0 || run[1] < 0 || run[1] > store.MostBytes {
		return nil, fmt.Errorf("%d elements from %d on make no sense", run[1], run[0])
	}
	numbers := make([]int64, run[1])
	for i := range numbers {
		numbers[i] = run[0] + int64(i)
	}
	return numbers, nil
}

// fill sets the values of a dat, in its halo, too. It is collective.
func (r *rowReader) fill(d *entity.Data, datum, row int) error {
	rows := store.Room(r.held * row)
	at := 0
	for i, p := range r.parts {
		n := r.counts[i] * row
		if err := p.Read(rowsName(datum), rows[at:at+n]); err != nil {
			return err
		}
		at += n
	}
	if err := r.fetcher.Fetch(entity.Overwriting[byte](d), rows, row); err != nil {
		return err
	}
	d.Storage().Filled()
	return nil
}

// The names of what a part has.
func numbersName(set int) string { return fmt.Sprintf("numbers of set %d", set) }
func runName(set int) string     { return fmt.Sprintf("run of set %d", set) }
func rowsName(datum int) string  { return fmt.Sprintf("rows of dat %d", datum) }
