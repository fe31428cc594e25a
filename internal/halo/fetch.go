package halo

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/sorting"
)

// Fetcher brings rows of elements from the ranks that hold them. It is made once for the same
// elements, and fetches many times.
type Fetcher struct {
	c       comm.Comm
	held    int // rows here
	numbers int // rows of the result
	own     []run
	others  Part // elements that are sent are places of rows here, those received places in the result
}

// run is a number of rows of this rank that follow each other also in the result.
type run struct{ from, to, count int32 }

// NewFetcher returns a fetcher of the numbered elements. Home says which rank holds which, and held
// lists those of this rank, in the order of their rows; it is not needed for shares. It is collective.
func NewFetcher(c comm.Comm, home *Directory, held, numbers []int64) (*Fetcher, error) {
	owners, err := home.Owners(c, numbers)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{c: c, held: len(held), numbers: len(numbers)}
	here := func(number int64) int { return home.place(c.Rank(), number) }
	if home.offsets != nil {
		f.held = int(home.offsets[c.Rank()+1] - home.offsets[c.Rank()])
	} else {
		known := indexOf(held)
		here = func(number int64) int { return int(known.place(number)) }
	}
	place := func(number int64, rank int) (int32, error) {
		place := here(number)
		if place < 0 {
			return 0, fmt.Errorf("halo: rank %d does not hold element %d, as rank %d believes", c.Rank(), number, rank)
		}
		return int32(place), nil
	}
	elsewhere := func(i int) int {
		if int(owners[i]) == c.Rank() {
			return -1
		}
		return int(owners[i])
	}
	places, out := comm.NewOutbox[int32](len(numbers), elsewhere), comm.NewOutbox[int64](len(numbers), elsewhere)
	for i, owner := range owners {
		if int(owner) != c.Rank() {
			places.Add(int(owner), int32(i))
			out.Add(int(owner), numbers[i])
			continue
		}
		from, err := place(numbers[i], c.Rank())
		if err != nil {
			return nil, err
		}
		f.addOwn(from, int32(i))
	}
	came, err := out.Send(c)
	if err != nil {
		return nil, err
	}
	for _, message := range came {
		elements := make([]int32, len(message.Values))
		for i, number := range message.Values {
			if elements[i], err = place(number, message.Rank); err != nil {
				return nil, err
			}
		}
		f.others.Sends = append(f.others.Sends, Send{message.Rank, elements})
	}
	for _, rank := range sorting.Keys(places) {
		f.others.Receives = append(f.others.Receives, received(rank, places[rank]))
	}
	return f, nil
}

// NewPicker returns a fetcher of the numbered elements of a set of which this rank holds all n rows: it sends no messages.
func NewPicker(n int, numbers []int64) *Fetcher {
	f := &Fetcher{held: n, numbers: len(numbers)}
	for i, number := range numbers {
		f.addOwn(int32(number), int32(i))
	}
	return f
}

// Held returns the number of rows that this rank holds.
func (f *Fetcher) Held() int { return f.held }

// Len returns the number of elements that are fetched.
func (f *Fetcher) Len() int { return f.numbers }

// addOwn adds a row of this rank to the result. Rows that follow each other in both are copied at once.
func (f *Fetcher) addOwn(from, to int32) {
	if n := len(f.own); n > 0 {
		if last := &f.own[n-1]; last.from+last.count == from && last.to+last.count == to {
			last.count++
			return
		}
	}
	f.own = append(f.own, run{from, to, 1})
}

// Fetch fills result with the rows of the elements, of so many bytes each. Rows are those that this
// rank holds. It is collective.
func (f *Fetcher) Fetch(result, rows []byte, bytes int) error {
	if len(rows) != f.held*bytes {
		return fmt.Errorf("halo: %d bytes are needed for %d rows of %d, %d were given", f.held*bytes, f.held, bytes, len(rows))
	}
	if len(result) != f.numbers*bytes {
		return fmt.Errorf("halo: the rows of %d elements, of %d bytes, do not fit into %d", f.numbers, bytes, len(result))
	}
	if bytes == 0 {
		return nil
	}
	for _, r := range f.own {
		copy(result[int(r.to)*bytes:], rows[int(r.from)*bytes:int(r.from+r.count)*bytes])
	}
	return f.others.copies(f.c, bytes, func(e int32) []byte { return rows[int(e)*bytes:][:bytes] }, func(_ int, e int32, row []byte) error {
		copy(result[int(e)*bytes:], row)
		return nil
	})
}

// Fetch returns the rows of the numbered elements, of so many bytes each. Home says which rank holds
// which, and held lists those of this rank, in the order of its rows. It is collective.
func Fetch(c comm.Comm, home *Directory, held []int64, rows []byte, bytes int, numbers []int64) ([]byte, error) {
	f, err := NewFetcher(c, home, held, numbers)
	if err != nil {
		return nil, err
	}
	result := make([]byte, len(numbers)*bytes)
	return result, f.Fetch(result, rows, bytes)
}
