package halo

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/sorting"
)

// layer builds halo layer k. E_k comes from offers: no rank knows by itself which elements of others lead to its own.
// R_k follows from the rows of E_k.
func (b *builder) layer(k int) error {
	out := comm.Outbox[int64]{}
	if k == 1 {
		b.offerE1(out)
	} else {
		b.offerEk(out)
	}
	if err := b.accept(out); err != nil {
		return err
	}
	if err := b.add(); err != nil {
		return err
	}
	for i := range b.maps {
		b.wantTargets(i, k)
	}
	return b.add()
}

// put returns the place of an element of another rank, which gets one if it is new.
func (s *region) put(number int64, owner int32) int32 {
	place := s.known.put(number)
	if int(place) == s.owned+len(s.others) {
		s.others = append(s.others, other{owner, absent})
	}
	return place
}

// offerE1 offers E_1: each owned element goes to the owners of its targets. It lists the exposed elements.
func (b *builder) offerE1(out comm.Outbox[int64]) {
	for i := range b.sets {
		s := &b.sets[i]
		var offers []offer
		for bit, number := range s.from {
			m := &b.mesh.Maps[number]
			to := &b.sets[m.To]
			for at, target := range b.maps[number].owned {
				if int(target) >= to.owned {
					place := int32(at / m.Arity)
					offers = append(offers, offer{to.others[int(target)-to.owned].owner, place})
					// The sets of maps only sort elements: those from the 64th on may share a bit.
					s.exposed = append(s.exposed, exposed{place, 1 << min(bit, 63)})
				}
			}
		}
		s.exposed = combined(s.exposed)
		b.offer(out, i, offers)
	}
}

// combined merges the entries of each element, and sorts them by element, as order expects them.
func combined(all []exposed) []exposed {
	sorting.By(all, func(x, y exposed) int { return cmp.Compare(x.place, y.place) })
	one := all[:0]
	for _, l := range all {
		if n := len(one); n > 0 && one[n-1].place == l.place {
			one[n-1].maps |= l.maps
		} else {
			one = append(one, l)
		}
	}
	return one
}

// offerEk offers E_k, for k above 1: the elements that lead to layer k-1 of another rank. Where layer k-1 has elements of
// this rank, this rank knows all elements that lead to them: they are its own or in its E_1.
func (b *builder) offerEk(out comm.Outbox[int64]) {
	offers := make([][]offer, len(b.sets))
	for i := range b.maps {
		m := &b.mesh.Maps[i]
		from, to := &b.sets[m.From], &b.sets[m.To]
		ranks := to.receivers()
		if len(ranks) == 0 {
			continue
		}
		offerSource := func(target, source int32) {
			if target < 0 || int(target) >= to.owned {
				return
			}
			for _, rank := range ranks[target] {
				offers[m.From] = append(offers[m.From], offer{rank, source})
			}
		}
		for at, target := range b.maps[i].owned {
			offerSource(target, int32(at/m.Arity))
		}
		for at, target := range b.maps[i].halo[:from.ends[0]*m.Arity] { // E_1
			offerSource(target, from.halo[at/m.Arity])
		}
	}
	for i := range b.sets {
		b.offer(out, i, offers[i])
	}
}

// receivers returns for each owned element the ranks that have it in the layer built last, whose two parts are E and R.
func (s *region) receivers() map[int32][]int32 {
	ranks := map[int32][]int32{}
	for _, part := range s.parts[len(s.parts)-2:] {
		for _, send := range part.Sends {
			for _, element := range send.Elements {
				ranks[element] = append(ranks[element], int32(send.Rank))
			}
		}
	}
	return ranks
}

// offer is an element, by its place, for E_k of a rank.
type offer struct{ rank, place int32 }

// offer adds the offers of a set to the messages: the set, the number of elements, and the number and owner of each.
// An element that leads to a rank through several maps or components is offered to it once, and never to its owner.
func (b *builder) offer(out comm.Outbox[int64], set int, offers []offer) {
	s := &b.sets[set]
	sorting.By(offers, func(x, y offer) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.place, y.place))
	})
	offers = slices.Compact(offers)
	for len(offers) > 0 {
		rank, n := offers[0].rank, 0
		for n < len(offers) && offers[n].rank == rank {
			n++
		}
		var numbers []int64
		for _, o := range offers[:n] {
			if owner := b.owner(s, o.place); owner != rank {
				numbers = append(numbers, s.known.numbers[o.place], int64(owner))
			}
		}
		if len(numbers) > 0 {
			out.Add(int(rank), int64(set), int64(len(numbers)/2))
			out.Add(int(rank), numbers...)
		}
		offers = offers[n:]
	}
}

// owner returns the owner of an element.
func (b *builder) owner(s *region, place int32) int32 {
	if int(place) < s.owned {
		return int32(b.c.Rank())
	}
	return s.others[int(place)-s.owned].owner
}

// accept exchanges the offers, and requests the elements that other ranks offer. An element may be offered by
// several ranks, each of which knows its owner; it is wanted once.
func (b *builder) accept(out comm.Outbox[int64]) error {
	came, err := out.Send(b.c)
	if err != nil {
		return err
	}
	for _, message := range came {
		for rest := message.Values; len(rest) > 0; {
			s, n := &b.sets[rest[0]], int(rest[1])
			rest = rest[2:]
			for ; n > 0; n, rest = n-1, rest[2:] {
				s.want(s.put(rest[0], int32(rest[1])))
			}
		}
	}
	return nil
}

// want requests an element for the next part, unless it is here. An element thus lies in the first part that
// needs it, and parts do not overlap.
func (s *region) want(place int32) {
	if int(place) < s.owned {
		return
	}
	if o := &s.others[int(place)-s.owned]; o.local == absent {
		o.local = wanted
		s.halo = append(s.halo, place)
	}
}

// wantTargets requests the targets of map i that R_k adds: those of E_k, and for k = 1 of owned elements. Targets of
// the rows before r.read were requested for earlier layers.
func (b *builder) wantTargets(i, k int) {
	to, r := &b.sets[b.mesh.Maps[i].To], &b.maps[i]
	if k == 1 {
		for _, target := range r.owned {
			to.want(target)
		}
	}
	for _, target := range r.halo[r.read:] {
		to.want(target)
	}
	r.read = len(r.halo)
}
