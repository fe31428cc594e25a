package halo

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/sorting"
)

// add makes the next part of the halo of each set of its wanted elements, and gets their rows from
// their owners, who learn whom to send values.
//
// One round of messages does both: a question lists elements of the part, and the owner keeps the list of
// elements that it will send. The asker knows how long the answer is: two numbers for each target.
func (b *builder) add() error {
	out := comm.Outbox[int64]{}
	for i := range b.sets {
		b.addTo(i, out)
	}
	questions := out.Messages()
	sizes := make([]int, len(questions))
	for i, q := range questions {
		for rest := comm.Values[int64](q.Data); len(rest) > 0; rest = rest[2+rest[1]:] {
			sizes[i] += 16 * b.rowLength(int(rest[0])) * int(rest[1])
		}
	}
	answers, err := ask(b.c, questions, sizes, b.give)
	if err != nil {
		return err
	}
	for i, q := range questions {
		b.readRows(comm.Values[int64](q.Data), comm.Values[int64](answers[i]))
	}
	return b.check()
}

// addTo makes the next part of the halo of a set, and adds its elements to the questions for their
// owners: the set, the number of elements, their numbers. Elements are sorted by owner and number, so that those of
// one owner are a run of local numbers and their values are received in place, regardless of the order in which
// maps have led to them.
func (b *builder) addTo(set int, out comm.Outbox[int64]) {
	s := &b.sets[set]
	start := 0
	if len(s.ends) > 0 {
		start = s.ends[len(s.ends)-1]
	}
	elements := s.halo[start:]
	sorting.Int32sBy(elements, func(x, y int32) int {
		return cmp.Or(cmp.Compare(b.owner(s, x), b.owner(s, y)), cmp.Compare(s.known.numbers[x], s.known.numbers[y]))
	})
	var part Part
	for at := 0; at < len(elements); {
		owner, first := b.owner(s, elements[at]), at
		var numbers []int64
		for ; at < len(elements) && b.owner(s, elements[at]) == owner; at++ {
			s.others[int(elements[at])-s.owned].local = int32(start + at)
			numbers = append(numbers, s.known.numbers[elements[at]])
		}
		part.Receives = append(part.Receives, Receive{Rank: int(owner), First: s.owned + start + first, Count: at - first})
		out.Add(int(owner), int64(set), int64(len(numbers)))
		out.Add(int(owner), numbers...)
	}
	s.parts, s.ends = append(s.parts, part), append(s.ends, len(s.halo))
}

// rowLength returns the number of targets of an element of a set.
func (b *builder) rowLength(set int) int {
	n := 0
	for _, m := range b.sets[set].from {
		n += b.mesh.Maps[m].Arity
	}
	return n
}

// give answers the questions of add: with the numbers and owners of the targets of each map of each
// set. The owner is told for each target, since the asker may meet it for the first time and could find out only
// by another message.
func (b *builder) give(rank int, question []byte) ([]byte, error) {
	var answer []int64
	for rest := comm.Values[int64](question); len(rest) > 0; {
		set, numbers := int(rest[0]), rest[2:2+rest[1]]
		rest = rest[2+len(numbers):]
		s := &b.sets[set]
		elements := make([]int32, len(numbers))
		for i, number := range numbers {
			elements[i] = s.known.place(number)
			if elements[i] < 0 || int(elements[i]) >= s.owned {
				return nil, fmt.Errorf("halo: rank %d does not own element %d of %s, as rank %d believes", b.c.Rank(), number, b.mesh.Sets[set].Name, rank)
			}
		}
		part := &s.parts[len(s.parts)-1]
		part.Sends = append(part.Sends, Send{rank, elements})
		for _, m := range s.from {
			answer = b.appendRows(answer, m, elements)
		}
	}
	return comm.Bytes(answer), nil
}

// appendRows appends the numbers and owners of the targets of elements.
func (b *builder) appendRows(to []int64, m int, elements []int32) []int64 {
	arity, target := b.mesh.Maps[m].Arity, &b.sets[b.mesh.Maps[m].To]
	for _, e := range elements {
		for _, t := range b.maps[m].owned[int(e)*arity:][:arity] {
			if t < 0 {
				to = append(to, -1, -1)
			} else {
				to = append(to, target.known.numbers[t], int64(b.owner(target, t)))
			}
		}
	}
	return to
}

// readRows appends the rows that come from one rank. Targets that are new here get a place, and are not wanted yet:
// wantTargets decides that when the layer is built.
func (b *builder) readRows(question, answer []int64) {
	for ; len(question) > 0; question = question[2+question[1]:] {
		for _, m := range b.sets[question[0]].from {
			r, to := &b.maps[m], &b.sets[b.mesh.Maps[m].To]
			n := int(question[1]) * b.mesh.Maps[m].Arity
			for ; n > 0; n, answer = n-1, answer[2:] {
				target := int32(-1)
				switch {
				case answer[0] < 0:
				case int(answer[1]) == b.c.Rank():
					target = to.known.place(answer[0])
				default:
					target = to.put(answer[0], int32(answer[1]))
				}
				r.halo = append(r.halo, target)
			}
		}
	}
}
