package halo

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// The owners of a set that is distributed arbitrarily fit on no rank alone. So they are distributed, too, by
// blocks of numbers: who wants an owner can compute which rank to ask (A. Pinar and B. Hendrickson,
// "Communication support for adaptive computation", SIAM Parallel Processing 2001).

// Directory tells who owns the elements of a set.
type Directory struct {
	size    int64
	offsets []int64 // rank r owns the elements from offsets[r] to offsets[r+1]; or
	owners  []int32 // of the elements from first on: all of them, or
	block   int64   // each rank knows the owners of so many elements, and is asked for them
	first   int64
}

// Shares returns the directory of a set of which rank r owns the elements from offsets[r] up to
// offsets[r+1].
func Shares(offsets []int64) *Directory {
	return &Directory{size: offsets[len(offsets)-1], offsets: offsets}
}

// Whole returns the directory of a set of which each rank knows all owners.
func Whole(owners []int32) *Directory {
	return &Directory{size: int64(len(owners)), owners: owners}
}

// Offsets returns where each rank's share starts, and where the last ends, if this rank's has count
// elements. It is collective.
func Offsets(c comm.Comm, count int64) ([]int64, error) {
	counts, err := comm.AllGather(c, count)
	if err != nil {
		return nil, err
	}
	offsets := make([]int64, c.Size()+1)
	for r, n := range counts {
		offsets[r+1] = offsets[r] + n
	}
	return offsets, nil
}

// NewDirectory returns the directory of a set of which this rank owns the numbered elements. Each
// element needs one owner. It is collective.
//
// Each rank tells those that keep a block which elements of it are its own. A second owner of an element shows when it
// is recorded, an element without any as a gap in the block: together, ranks have checked that they divide the set.
func NewDirectory(c comm.Comm, name string, size int64, owned []int64) (*Directory, error) {
	d := &Directory{size: size, block: max(1, (size+int64(c.Size())-1)/int64(c.Size()))}
	d.first = min(size, d.block*int64(c.Rank()))
	d.owners = make([]int32, min(size, d.first+d.block)-d.first)
	for i := range d.owners {
		d.owners[i] = -1
	}
	what := "set " + name
	for _, number := range owned {
		if number < 0 || number >= size {
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("rank %d owns element %d, which is not one of the %d", c.Rank(), number, size)}
		}
	}
	out := sortedFor(d, owned)
	record := func(rank int, data []byte) ([]byte, error) {
		for _, number := range comm.Values[int64](data) {
			switch owner := &d.owners[number-d.first]; {
			case *owner == int32(rank):
				return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("rank %d owns element %d twice", rank, number)}
			case *owner >= 0:
				return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("ranks %d and %d both own element %d", *owner, rank, number)}
			default:
				*owner = int32(rank)
			}
		}
		return nil, nil
	}
	questions := out.Messages()
	if _, err := ask(c, questions, make([]int, len(questions)), record); err != nil {
		return nil, err
	}
	if i := slices.Index(d.owners, -1); i >= 0 {
		return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("no rank owns element %d", d.first+int64(i))}
	}
	return d, nil
}

// Place returns the place of an element among those that the rank owns, whose numbers must be
// ascending; -1 if it owns another one.
func (s *Set) Place(rank int, number int64) int {
	if s.Home.offsets != nil {
		return s.Home.place(rank, number)
	}
	if place, found := slices.BinarySearch(s.Owned, number); found {
		return place
	}
	return -1
}

// place returns the place of an element in a rank's share; -1 if it is in another one.
func (d *Directory) place(rank int, number int64) int {
	if number < d.offsets[rank] || number >= d.offsets[rank+1] {
		return -1
	}
	return int(number - d.offsets[rank])
}

// Owners returns the owners of elements. It is collective. Shares are searched by bisection, a list of all owners is
// read, and only a directory in blocks sends messages.
func (d *Directory) Owners(c comm.Comm, numbers []int64) ([]int32, error) {
	for _, number := range numbers {
		if number < 0 || number >= d.size {
			return nil, fmt.Errorf("halo: element %d is not one of the %d", number, d.size)
		}
	}
	owners := make([]int32, len(numbers))
	switch {
	case d.offsets != nil:
		for i, number := range numbers {
			// Ranks without elements start where the next one does.
			after, _ := slices.BinarySearch(d.offsets, number+1)
			owners[i] = int32(after - 1)
		}
		return owners, nil
	case d.block == 0:
		for i, number := range numbers {
			owners[i] = d.owners[number]
		}
		return owners, nil
	}
	return owners, d.ask(c, numbers, owners)
}

// sortedFor returns the numbers of elements by the ranks that know their owners, in the order in which they are given.
func sortedFor(d *Directory, numbers []int64) comm.Outbox[int64] {
	knows := func(i int) int { return int(numbers[i] / d.block) }
	out := comm.NewOutbox[int64](len(numbers), knows)
	for i, number := range numbers {
		out.Add(knows(i), number)
	}
	return out
}

// ask asks the ranks that know them for the owners of elements: a message to each such rank, with the numbers
// in the order of the question, and an answer in the same order.
func (d *Directory) ask(c comm.Comm, numbers []int64, owners []int32) error {
	out := sortedFor(d, numbers)
	questions := out.Messages()
	sizes := make([]int, len(questions))
	for i, q := range questions {
		sizes[i] = len(q.Data) / 2
	}
	answers, err := ask(c, questions, sizes, func(_ int, data []byte) ([]byte, error) {
		asked := comm.Values[int64](data)
		known := make([]int32, len(asked))
		for i, number := range asked {
			known[i] = d.owners[number-d.first]
		}
		return comm.Bytes(known), nil
	})
	if err != nil {
		return err
	}
	from := map[int][]int32{}
	for i, q := range questions {
		from[q.Rank] = comm.Values[int32](answers[i])
	}
	for i, number := range numbers {
		rank := int(number / d.block)
		owners[i], from[rank] = from[rank][0], from[rank][1:]
	}
	return nil
}
