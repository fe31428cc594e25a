package mesh

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/sorting"
)

// ask sends each question to the rank that home names, and returns the answers in the order of the questions. Answer gets
// all questions to this rank, those of the lowest rank first; it may be collective. It takes two messages to
// and from each rank that is asked. It is collective, and fails on all ranks if answer does on any.
func ask[Q, A any](rt *entity.Runtime, questions []Q, home func(i int) int, answer func(questions []Q) ([]A, error)) ([]A, error) {
	c := rt.Comm()
	homes, counts := make([]int32, len(questions)), make([]int, c.Size())
	for i := range questions {
		homes[i] = int32(home(i))
		counts[homes[i]]++
	}
	out := make([][]Q, c.Size())
	for i, q := range questions {
		if h := homes[i]; out[h] == nil {
			out[h] = append(make([]Q, 0, counts[h]), q)
		} else {
			out[h] = append(out[h], q)
		}
	}
	came, err := c.Consensus(messagesOf(out))
	if err != nil {
		return nil, rt.Broken(err)
	}
	out = nil
	var all []Q
	for i := range counts {
		counts[i] = 0
	}
	for i, m := range came {
		n := len(all)
		counts[m.Rank] = len(m.Data) / int(unsafe.Sizeof(*new(Q)))
		all = slices.Grow(all, counts[m.Rank])[:n+counts[m.Rank]]
		copy(bytesOf(all[n:]), m.Data)
		came[i].Data = nil
	}
	answers, err := answer(all)
	if err := rt.Agree(err); err != nil || unsafe.Sizeof(*new(A)) == 0 {
		return nil, err
	}
	back := make([][]A, c.Size())
	for rank, n := range counts {
		back[rank], answers = answers[:n], answers[n:]
	}
	if came, err = c.Consensus(messagesOf(back)); err != nil {
		return nil, rt.Broken(err)
	}
	from := make([][]A, c.Size())
	for _, m := range came {
		from[m.Rank] = make([]A, len(m.Data)/int(unsafe.Sizeof(*new(A))))
		copy(bytesOf(from[m.Rank]), m.Data)
	}
	result := make([]A, len(questions))
	for i, h := range homes {
		result[i], from[h] = from[h][0], from[h][1:]
	}
	return result, nil
}

// messagesOf returns a message to each rank that gets values.
func messagesOf[T any](to [][]T) (messages []comm.Message) {
	for rank, values := range to {
		if len(values) > 0 {
			messages = append(messages, comm.Message{Rank: rank, Data: bytesOf(values)})
		}
	}
	return messages
}

// homeward sends numbers to the ranks that have them, given the first of each rank, and returns those that came here, each
// once and ascending. It is collective.
func homeward(rt *entity.Runtime, starts []int64, numbers []int32) (here []int32, err error) {
	_, err = ask(rt, numbers, func(i int) int { return rankOf(starts, int64(numbers[i])) }, func(came []int32) ([]struct{}, error) {
		here = came
		return nil, nil
	})
	sorting.Int32s(here)
	return slices.Compact(here), err
}

// spread sends rows, which begin with their number, to the ranks that have so many of total evenly, and returns those
// of this rank, in their order and without the numbers. It is collective.
func spread(rt *entity.Runtime, total int64, rows []int32, width int) ([]int32, error) {
	c := rt.Comm()
	starts := evenly(total, c.Size())
	out := make([][]int32, c.Size())
	for row := range slices.Chunk(rows, width) {
		h := rankOf(starts, int64(row[0]))
		out[h] = append(out[h], row...)
	}
	came, err := c.Consensus(messagesOf(out))
	if err != nil {
		return nil, rt.Broken(err)
	}
	first := starts[c.Rank()]
	here := make([]int32, int(starts[c.Rank()+1]-first)*(width-1))
	for _, m := range came {
		values := make([]int32, len(m.Data)/4)
		copy(bytesOf(values), m.Data)
		for row := range slices.Chunk(values, width) {
			copy(here[int(int64(row[0])-first)*(width-1):], row[1:])
		}
	}
	return here, nil
}
