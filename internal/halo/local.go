package halo

import (
	"cmp"

	"github.com/go-op2/op2/internal/sorting"
)

// local returns the mesh with local numbers: of the owned elements in the order of order, then of the halo part by part,
// as its parts were made. Until here all lists have places, in the order in which elements became known.
func (b *builder) local() *Local {
	l := &Local{Sets: make([]LocalSet, len(b.sets)), Maps: make([][]int32, len(b.maps))}
	orders := make([][]int32, len(b.sets)) // places of owned elements, by local number
	numbers := make([][]int32, len(b.sets))
	for i := range b.sets {
		s := &b.sets[i]
		s.known.slots = nil // not needed any more
		orders[i] = s.order()
		numbers[i] = s.localNumbers(orders[i])
		l.Sets[i] = s.local(b.mesh.Sets[i].Size, orders[i], numbers[i])
	}
	for i := range b.maps {
		m := &b.mesh.Maps[i]
		l.Maps[i] = b.maps[i].local(m.Arity, orders[m.From], numbers[m.To])
		b.maps[i] = rows{}
	}
	return l
}

// order returns the owned elements, the core first, then the exposed ones by the set of their maps that lead
// out: a loop by only some maps has a longer core. Within the core and each such group, elements keep their order.
func (s *region) order() []int32 {
	order, rest := make([]int32, 0, s.owned), s.exposed
	for place := range int32(s.owned) {
		if len(rest) > 0 && rest[0].place == place {
			rest = rest[1:]
		} else {
			order = append(order, place)
		}
	}
	sorting.By(s.exposed, func(x, y exposed) int { return cmp.Compare(x.maps, y.maps) })
	for _, e := range s.exposed {
		order = append(order, e.place)
	}
	return order
}

// localNumbers returns the local numbers of all known elements; -1 for those that are not here.
func (s *region) localNumbers(order []int32) []int32 {
	numbers := make([]int32, len(s.known.numbers))
	for local, place := range order {
		numbers[place] = int32(local)
	}
	for i, o := range s.others {
		numbers[s.owned+i] = -1
		if o.local != absent {
			numbers[s.owned+i] = int32(s.owned) + o.local
		}
	}
	return numbers
}

// local returns the set with local numbers.
func (s *region) local(size int64, order, numbers []int32) LocalSet {
	l := LocalSet{Size: size, Extents: Extents{Core: s.owned - len(s.exposed), Owned: s.owned}, Parts: s.parts, Numbers: make([]int64, 0, s.owned+len(s.halo))}
	for _, place := range order {
		l.Numbers = append(l.Numbers, s.known.numbers[place])
	}
	for _, place := range s.halo {
		l.Numbers = append(l.Numbers, s.known.numbers[place])
	}
	start := 0
	for i := 0; i < len(s.ends); i += 2 {
		l.Layers = append(l.Layers, Layer{s.ends[i] - start, s.ends[i+1] - s.ends[i]})
		start = s.ends[i+1]
	}
	for _, part := range s.parts {
		for _, send := range part.Sends {
			for i, place := range send.Elements {
				send.Elements[i] = numbers[place]
			}
		}
	}
	return l
}

// local returns the rows in local order, with local numbers.
func (r *rows) local(arity int, order, numbers []int32) []int32 {
	values := make([]int32, len(r.owned)+len(r.halo))
	renumber := func(to, from []int32) {
		for i, place := range from {
			if to[i] = -1; place >= 0 {
				to[i] = numbers[place]
			}
		}
	}
	for row, place := range order {
		renumber(values[row*arity:][:arity], r.owned[int(place)*arity:][:arity])
	}
	renumber(values[len(r.owned):], r.halo)
	return values
}
