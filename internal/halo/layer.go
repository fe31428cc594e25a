package halo

import (
	"cmp"
	"slices"
)

// layer adds a layer of halo.
func (b *builder) layer(number int) error {
	out := outbox[int64]{}
	if number == 1 {
		b.offerOwned(out)
	} else {
		b.offerKnown(out)
	}
	if err := b.accept(out); err != nil {
		return err
	}
	if err := b.add(); err != nil {
		return err
	}
	for i := range b.maps {
		b.wantTargets(i, number)
	}
	return b.add()
}

// put returns the place of an element of another rank.
func (s *region) put(number int64, owner int32) int32 {
	place := s.known.put(number)
	if int(place) == s.owned+len(s.others) {
		s.others = append(s.others, other{owner, absent})
	}
	return place
}

// offerOwned tells the owners of elements of the elements here that lead to them.
func (b *builder) offerOwned(out outbox[int64]) {
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
					s.led = append(s.led, led{place, 1 << min(bit, 63)})
				}
			}
		}
		s.led = combined(s.led)
		b.offer(out, i, offers)
	}
}

// combined returns one entry for each element, ascending.
func combined(all []led) []led {
	slices.SortFunc(all, func(x, y led) int { return cmp.Compare(x.place, y.place) })
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

// offerKnown tells ranks that got elements of this rank in the last layer of the elements that lead
// to those.
func (b *builder) offerKnown(out outbox[int64]) {
	offers := make([][]offer, len(b.sets))
	for i := range b.maps {
		m := &b.mesh.Maps[i]
		from, to := &b.sets[m.From], &b.sets[m.To]
		ranks := to.sentInLastLayer()
		if len(ranks) == 0 {
			continue
		}
		leadsTo := func(target, place int32) {
			if target < 0 || int(target) >= to.owned {
				return
			}
			for _, rank := range ranks[target] {
				offers[m.From] = append(offers[m.From], offer{rank, place})
			}
		}
		// Owned elements are led to by owned ones and E_1.
		for at, target := range b.maps[i].owned {
			leadsTo(target, int32(at/m.Arity))
		}
		for at, target := range b.maps[i].halo[:from.ends[0]*m.Arity] {
			leadsTo(target, from.halo[at/m.Arity])
		}
	}
	for i := range b.sets {
		b.offer(out, i, offers[i])
	}
}

// sentInLastLayer returns the ranks that have owned elements in their last layer of halo.
func (s *region) sentInLastLayer() map[int32][]int32 {
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

// offer is a place of an element, of which a rank is told.
type offer struct{ rank, place int32 }

// offer adds the offers of elements of a set to what goes to other ranks: the set, the number of
// elements, their numbers and owners.
func (b *builder) offer(out outbox[int64], set int, offers []offer) {
	s := &b.sets[set]
	slices.SortFunc(offers, func(x, y offer) int {
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
			out.add(int(rank), int64(set), int64(len(numbers)/2))
			out.add(int(rank), numbers...)
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

// accept sends the offers, and wants what other ranks offer.
func (b *builder) accept(out outbox[int64]) error {
	came, err := b.c.Consensus(out.messages())
	if err != nil {
		return err
	}
	for _, message := range came {
		for rest := valuesOf[int64](message.Data); len(rest) > 0; {
			s, n := &b.sets[rest[0]], int(rest[1])
			rest = rest[2:]
			for ; n > 0; n, rest = n-1, rest[2:] {
				s.want(s.put(rest[0], int32(rest[1])))
			}
		}
	}
	return nil
}

// want wants an element for the next part, if it is not here.
func (s *region) want(place int32) {
	if int(place) < s.owned {
		return
	}
	if o := &s.others[int(place)-s.owned]; o.local == absent {
		o.local = wanted
		s.halo = append(s.halo, place)
	}
}

// wantTargets wants the targets of those rows of a map that loops execute since the last layer.
func (b *builder) wantTargets(i, layer int) {
	to, r := &b.sets[b.mesh.Maps[i].To], &b.maps[i]
	if layer == 1 {
		for _, target := range r.owned {
			to.want(target)
		}
	}
	for _, target := range r.halo[r.read:] {
		to.want(target)
	}
	r.read = len(r.halo)
}
