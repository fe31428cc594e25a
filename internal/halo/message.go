package halo

import (
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/sorting"
)

// tag is that of all messages of this package, apart from those of exchanges of values.
const tag = comm.MaxTag

// bytesOf returns the memory of values.
func bytesOf[T int32 | int64](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

// valuesOf returns the values of a message: its memory, or where that is not aligned, a copy.
func valuesOf[T int32 | int64](data []byte) []T {
	if start := unsafe.Pointer(unsafe.SliceData(data)); uintptr(start)%unsafe.Sizeof(*new(T)) == 0 {
		return unsafe.Slice((*T)(start), len(data)/int(unsafe.Sizeof(*new(T))))
	}
	values := make([]T, len(data)/int(unsafe.Sizeof(*new(T))))
	copy(bytesOf(values), data)
	return values
}

// outbox holds values for other ranks.
type outbox[T int32 | int64] map[int][]T

// newOutbox returns an outbox with room for a value for each of n elements, that of the i-th for
// the rank to(i), if it is not negative.
func newOutbox[T int32 | int64](n int, to func(i int) int) outbox[T] {
	counts := map[int]int{}
	last, run := -1, 0 // close elements often go to one rank
	for i := range n {
		if rank := to(i); rank != last {
			counts[last] += run
			last, run = rank, 0
		}
		run++
	}
	counts[last] += run
	delete(counts, -1)
	o := outbox[T]{}
	for rank, count := range counts {
		o[rank] = make([]T, 0, count)
	}
	return o
}

// add adds values for a rank.
func (o outbox[T]) add(rank int, values ...T) { o[rank] = append(o[rank], values...) }

// messages returns a message for each rank, by ascending ranks.
func (o outbox[T]) messages() []comm.Message {
	messages := make([]comm.Message, 0, len(o))
	for _, rank := range sorting.Keys(o) {
		messages = append(messages, comm.Message{Rank: rank, Tag: tag, Data: bytesOf(o[rank])})
	}
	return messages
}

// ask sends questions to ranks that do not expect them, and returns their answers, in the order of
// the questions, which have ascending ranks and the given sizes in bytes. Questions may be for this
// rank itself.
func ask(c comm.Comm, questions []comm.Message, sizes []int, answer func(from int, question []byte) ([]byte, error)) ([][]byte, error) {
	answers := make([][]byte, len(questions))
	var others, receives, sends []comm.Message
	for i, q := range questions {
		if q.Rank == c.Rank() {
			var err error
			if answers[i], err = answer(q.Rank, q.Data); err != nil {
				return nil, err
			}
			continue
		}
		others = append(others, q)
		answers[i] = make([]byte, sizes[i])
		if sizes[i] > 0 {
			receives = append(receives, comm.Message{Rank: q.Rank, Tag: tag, Data: answers[i]})
		}
	}
	came, err := c.Consensus(others)
	if err != nil {
		return nil, err
	}
	for _, q := range came {
		a, err := answer(q.Rank, q.Data)
		if err != nil {
			return nil, err
		}
		if len(a) > 0 {
			sends = append(sends, comm.Message{Rank: q.Rank, Tag: tag, Data: a})
		}
	}
	return answers, comm.Once(c, sends, receives)
}
