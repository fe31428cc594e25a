package mesh

import (
	"maps"
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
	homes := make([]int, len(questions))
	for i := range questions {
		homes[i] = home(i)
	}
	out := comm.NewOutbox[Q](len(questions), func(i int) int { return homes[i] })
	for i, q := range questions {
		out.Add(homes[i], q)
	}
	came, err := send(rt, out)
	if err != nil {
		return nil, err
	}
	answers, err := answer(slices.Concat(came...))
	if err := rt.Agree(err); err != nil || unsafe.Sizeof(*new(A)) == 0 {
		return nil, err
	}
	back := comm.Outbox[A]{}
	for rank := range came {
		n := len(came[rank])
		back[rank], answers = answers[:n], answers[n:]
	}
	from, err := send(rt, back)
	if err != nil {
		return nil, err
	}
	result := make([]A, len(questions))
	for i, h := range homes {
		result[i], from[h] = from[h][0], from[h][1:]
	}
	return result, nil
}

// send sends values to each rank, in one message if there are any, and returns those that came from each. They share memory
// with those that this rank sends itself. It is collective.
func send[T any](rt *entity.Runtime, to comm.Outbox[T]) (from [][]T, err error) {
	from = make([][]T, rt.Ranks())
	from[rt.Rank()] = to[rt.Rank()]
	maps.DeleteFunc(to, func(rank int, values []T) bool { return rank == rt.Rank() || len(values) == 0 })
	came, err := to.Send(rt.Comm())
	if err != nil {
		return nil, rt.Broken(err)
	}
	for _, m := range came {
		from[m.Rank] = m.Values
	}
	return from, nil
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
	out := comm.Outbox[int32]{}
	for at := 0; at < len(rows); {
		h := rankOf(starts, int64(rows[at]))
		end := at + width
		for end < len(rows) && int64(rows[end]) >= starts[h] && int64(rows[end]) < starts[h+1] {
			end += width
		}
		if out[h] == nil {
			out[h] = rows[at:end:end] // all of them where they are in order
		} else {
			out[h] = append(out[h], rows[at:end]...)
		}
		at = end
	}
	came, err := send(rt, out)
	if err != nil {
		return nil, err
	}
	first := starts[c.Rank()]
	here := make([]int32, int(starts[c.Rank()+1]-first)*(width-1))
	for _, values := range came {
		for row := range slices.Chunk(values, width) {
			copy(here[int(int64(row[0])-first)*(width-1):], row[1:])
		}
	}
	return here, nil
}

// collectively returns the result of a method of a whole mesh, or of that for shares.
func collectively[T any](m *Mesh, whole, ofShare func() (T, error)) (t T, err error) {
	if m.share == nil {
		return whole()
	}
	if err := m.share.rt.Enter(); err != nil {
		return t, err
	}
	defer m.share.rt.Leave()
	return ofShare()
}
