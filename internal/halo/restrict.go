package halo

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
)

// Restrict returns the messages of the parts of a set without the elements of this rank's halo that
// it does not need, for a loop that reaches only some: needed reports by local number. It is
// collective.
//
// Both ends of a message list its elements in the same order, so that a place in the list names an element
// without a global number. Each rank tells its sources the places that it needs, in order: the
// rests of the two lists agree again.
func Restrict(c comm.Comm, s *LocalSet, needed []bool) ([]Part, error) {
	parts := make([]Part, len(s.Parts))
	out := comm.Outbox[int32]{}
	for i := range s.Parts {
		for _, r := range s.Parts[i].Receives {
			if places := parts[i].restrict(r, needed); len(places) > 0 {
				out.Add(r.Rank, int32(i), int32(len(places)))
				out.Add(r.Rank, places...)
			}
		}
	}
	came, err := out.Send(c)
	if err != nil {
		return nil, err
	}
	for _, message := range came {
		for rest := message.Values; len(rest) > 0; rest = rest[2+rest[1]:] {
			part := int(rest[0])
			all := s.Parts[part].to(message.Rank)
			elements := make([]int32, rest[1])
			for i, place := range rest[2:][:rest[1]] {
				if int(place) >= len(all) {
					return nil, fmt.Errorf("halo: rank %d wants element %d of the %d that rank %d sends it", message.Rank, place, len(all), c.Rank())
				}
				elements[i] = all[place]
			}
			parts[part].Sends = append(parts[part].Sends, Send{message.Rank, elements})
		}
	}
	return parts, nil
}

// restrict adds the needed elements of a message to the part, and returns their places in the message. A run of
// local numbers stays one, which is received where it belongs; only what has gaps needs a list.
func (p *Part) restrict(r Receive, needed []bool) []int32 {
	var places, elements []int32
	for i := range r.Count {
		if e := r.Element(i); needed[e] {
			places, elements = append(places, int32(i)), append(elements, e)
		}
	}
	switch n := len(places); {
	case n == 0:
	case n == r.Count:
		p.Receives = append(p.Receives, r)
	case int(elements[n-1])-int(elements[0]) == n-1 && r.Elements == nil:
		p.Receives = append(p.Receives, Receive{Rank: r.Rank, First: int(elements[0]), Count: n})
	default:
		p.Receives = append(p.Receives, Receive{Rank: r.Rank, Count: n, Elements: elements})
	}
	return places
}

// Element returns the i-th element of the message.
func (r *Receive) Element(i int) int32 {
	if r.Elements != nil {
		return r.Elements[i]
	}
	return int32(r.First + i)
}

// to returns the elements that are sent to a rank.
func (p *Part) to(rank int) []int32 {
	for _, send := range p.Sends {
		if send.Rank == rank {
			return send.Elements
		}
	}
	return nil
}
