package halo

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
)

// Fetcher brings rows of elements from the ranks that hold them. It is made once for the same
// elements, and fetches many times.
type Fetcher struct {
	c        comm.Comm
	held     int
	numbers  int
	sends    []Send    // elements: places of rows here
	receives []Receive // elements: places in the result
}

// NewFetcher returns a fetcher of the numbered elements. Home says which rank holds which, and held
// lists those of this rank, in the order of their rows. It is collective.
func NewFetcher(c comm.Comm, home *Directory, held, numbers []int64) (*Fetcher, error) {
	owners, err := home.Owners(c, numbers)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{c: c, held: len(held), numbers: len(numbers)}
	places := outbox[int32]{}
	out := outbox[int64]{}
	for i, owner := range owners {
		places.add(int(owner), int32(i))
		out.add(int(owner), numbers[i])
	}
	here := newIndex(len(held))
	for _, number := range held {
		here.put(number)
	}
	questions := out.messages()
	for _, q := range questions {
		f.receives = append(f.receives, Receive{Rank: q.Rank, Count: len(places[q.Rank]), Elements: places[q.Rank]})
	}
	_, err = ask(c, questions, make([]int, len(questions)), func(rank int, question []byte) ([]byte, error) {
		asked := valuesOf[int64](question)
		elements := make([]int32, len(asked))
		for i, number := range asked {
			if elements[i] = here.place(number); elements[i] < 0 {
				return nil, fmt.Errorf("halo: rank %d does not hold element %d, as rank %d believes", c.Rank(), number, rank)
			}
		}
		f.sends = append(f.sends, Send{rank, elements})
		return nil, nil
	})
	return f, err
}

// Fetch returns the rows of the elements, of so many bytes each. Rows are those that this rank holds.
// It is collective.
func (f *Fetcher) Fetch(rows []byte, bytes int) ([]byte, error) {
	if len(rows) != f.held*bytes {
		return nil, fmt.Errorf("halo: %d bytes are needed for %d rows of %d, %d were given", f.held*bytes, f.held, bytes, len(rows))
	}
	result := make([]byte, f.numbers*bytes)
	var own []byte
	var sends, receives []comm.Message
	for _, s := range f.sends {
		packed := make([]byte, 0, len(s.Elements)*bytes)
		for _, e := range s.Elements {
			packed = append(packed, rows[int(e)*bytes:][:bytes]...)
		}
		if s.Rank == f.c.Rank() {
			own = packed
		} else {
			sends = append(sends, comm.Message{Rank: s.Rank, Tag: tag, Data: packed})
		}
	}
	packed := make([][]byte, len(f.receives))
	for i, r := range f.receives {
		if packed[i] = own; r.Rank != f.c.Rank() {
			packed[i] = make([]byte, r.Count*bytes)
			receives = append(receives, comm.Message{Rank: r.Rank, Tag: tag, Data: packed[i]})
		}
	}
	if bytes > 0 {
		if err := exchange(f.c, sends, receives); err != nil {
			return nil, err
		}
	}
	for i, r := range f.receives {
		for j, e := range r.Elements {
			copy(result[int(e)*bytes:][:bytes], packed[i][j*bytes:])
		}
	}
	return result, nil
}

// Fetch returns the rows of the numbered elements, of so many bytes each. Home says which rank holds
// which, and held lists those of this rank, in the order of its rows. It is collective.
func Fetch(c comm.Comm, home *Directory, held []int64, rows []byte, bytes int, numbers []int64) ([]byte, error) {
	f, err := NewFetcher(c, home, held, numbers)
	if err != nil {
		return nil, err
	}
	return f.Fetch(rows, bytes)
}
