package halo

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
)

// builder builds a rank's mesh. While it does, each set has an index of the elements that the rank
// has heard of, and maps lead to places in it: first those of owned elements, as they were given.
type builder struct {
	c    comm.Comm
	mesh *Mesh
	sets []region
	maps []rows
}

// region is what the rank knows of a set.
type region struct {
	known  index
	owned  int
	others []other // by place, after the owned
	halo   []int32 // places of the halo's elements, in local order
	ends   []int   // of the parts, in halo
	parts  []Part
	from   []int // maps from the set
	led    []led // owned elements from which maps lead into the halo, ascending
}

// other is an element of another rank.
type other struct {
	owner int32
	local int32 // place in halo, absent or wanted
}

const (
	absent int32 = -1 - iota
	wanted       // will be in the next part
)

// led tells which maps lead from an element into the halo: bit i is for the i-th map from its set.
type led struct {
	place int32
	maps  uint64
}

// rows are the targets of elements by a map, as places; -1 is nowhere.
type rows struct {
	owned []int32
	halo  []int32 // in local order
	read  int     // how many of the halo's are here, or wanted
}

// read looks up the targets of owned elements, and the owners of those that are not owned here.
func (b *builder) read() error {
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		if len(set.Owned) > math.MaxInt32 {
			return set.tooMany(len(set.Owned))
		}
		s.owned, s.known = len(set.Owned), newIndex(len(set.Owned))
		for place, number := range set.Owned {
			if int(s.known.put(number)) != place {
				return fmt.Errorf("halo: rank %d owns element %d of %s twice", b.c.Rank(), number, set.Name)
			}
		}
	}
	for i := range b.maps {
		if err := b.readMap(i); err != nil {
			return err
		}
	}
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		owners, err := set.Home.Owners(b.c, s.known.numbers[s.owned:])
		if err != nil {
			return err
		}
		s.others = make([]other, len(owners))
		for j, owner := range owners {
			s.others[j] = other{owner, absent}
		}
	}
	return b.check()
}

// readMap looks up the targets of a map's owned elements.
func (b *builder) readMap(i int) error {
	m := &b.mesh.Maps[i]
	if err := b.mesh.check(m); err != nil {
		return err
	}
	b.sets[m.From].from = append(b.sets[m.From].from, i)
	to, size := &b.sets[m.To], b.mesh.Sets[m.To].Size
	targets := make([]int32, len(m.Values))
	for at, v := range m.Values {
		switch {
		case v < 0:
			targets[at] = -1
		case v < size:
			targets[at] = to.known.put(v)
		default:
			return b.mesh.outside(m, at)
		}
	}
	b.maps[i].owned = targets
	return nil
}

// check returns an error if a set has too many elements, or one that another rank says is owned here.
func (b *builder) check() error {
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		if n := len(s.known.numbers); n > math.MaxInt32 {
			return set.tooMany(n)
		}
		for j, o := range s.others {
			if int(o.owner) == b.c.Rank() {
				return fmt.Errorf("halo: rank %d does not own element %d of %s, as it should", b.c.Rank(), s.known.numbers[s.owned+j], set.Name)
			}
		}
	}
	return nil
}

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

// add makes the next part of the halo of each set of its wanted elements, and gets their rows from
// their owners, who learn whom to send values.
func (b *builder) add() error {
	out := outbox[int64]{}
	for i := range b.sets {
		b.addTo(i, out)
	}
	questions := out.messages()
	sizes := make([]int, len(questions))
	for i, q := range questions {
		for rest := valuesOf[int64](q.Data); len(rest) > 0; rest = rest[2+rest[1]:] {
			sizes[i] += 16 * b.rowLength(int(rest[0])) * int(rest[1])
		}
	}
	answers, err := ask(b.c, questions, sizes, b.give)
	if err != nil {
		return err
	}
	for i, q := range questions {
		b.readRows(valuesOf[int64](q.Data), valuesOf[int64](answers[i]))
	}
	return b.check()
}

// addTo makes the next part of the halo of a set, and adds its elements to the questions for their
// owners: the set, the number of elements, their numbers.
func (b *builder) addTo(set int, out outbox[int64]) {
	s := &b.sets[set]
	start := 0
	if len(s.ends) > 0 {
		start = s.ends[len(s.ends)-1]
	}
	elements := s.halo[start:]
	slices.SortFunc(elements, func(x, y int32) int {
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
		out.add(int(owner), int64(set), int64(len(numbers)))
		out.add(int(owner), numbers...)
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

// give answers what add asks: with the numbers and owners of the targets of each map of each set.
func (b *builder) give(rank int, question []byte) ([]byte, error) {
	var answer []int64
	for rest := valuesOf[int64](question); len(rest) > 0; {
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
	return bytesOf(answer), nil
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

// readRows appends the rows that come from one rank.
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
