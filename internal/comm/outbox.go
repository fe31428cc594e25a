package comm

import (
	"unsafe"

	"github.com/go-op2/op2/internal/sorting"
)

// Bytes returns the memory of values, which have no pointers.
func Bytes[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

// Values returns the values of a message: its memory, or where that is not aligned, a copy.
func Values[T any](data []byte) []T {
	start, n := unsafe.Pointer(unsafe.SliceData(data)), len(data)/int(unsafe.Sizeof(*new(T)))
	if uintptr(start)%unsafe.Alignof(*new(T)) == 0 {
		return unsafe.Slice((*T)(start), n)
	}
	values := make([]T, n)
	copy(Bytes(values), data)
	return values
}

// Outbox holds values without pointers for ranks.
type Outbox[T any] map[int][]T

// NewOutbox returns an outbox with room for a value for each of n elements, that of the i-th for the rank to(i), if it is
// not negative.
func NewOutbox[T any](n int, to func(i int) int) Outbox[T] {
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
	o := Outbox[T]{}
	for rank, count := range counts {
		o[rank] = make([]T, 0, count)
	}
	return o
}

// Add adds values for a rank.
func (o Outbox[T]) Add(rank int, values ...T) { o[rank] = append(o[rank], values...) }

// Messages returns a message for each rank, by ascending ranks.
func (o Outbox[T]) Messages() []Message {
	messages := make([]Message, 0, len(o))
	for _, rank := range sorting.Keys(o) {
		messages = append(messages, Message{Rank: rank, Tag: MaxTag, Data: Bytes(o[rank])})
	}
	return messages
}

// Came is the values that have come from a rank.
type Came[T any] struct {
	Rank   int
	Values []T
}

// Send sends the values to ranks that do not expect them, and returns those that came to this rank, by ascending ranks. It is
// collective.
func (o Outbox[T]) Send(c Comm) ([]Came[T], error) {
	messages, err := c.Consensus(o.Messages())
	if err != nil {
		return nil, err
	}
	came := make([]Came[T], len(messages))
	for i, m := range messages {
		came[i] = Came[T]{m.Rank, Values[T](m.Data)}
	}
	return came, nil
}
