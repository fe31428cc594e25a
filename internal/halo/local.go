package halo

import (
	"cmp"
	"slices"
)

// local returns the mesh with local numbers.
func (b *builder) local() *Local {
	l := &Local{Sets: make([]LocalSet, len(b.sets)), Maps: make([][]int32, len(b.maps))}
	orders := make([][]int32, len(b.sets)) // places of owned elements, by local number
	numbers := make([][]int32, len(b.sets))
	for i := range b.sets {
		s := &b.sets[i]
		orders[i] = s.order()
		numbers[i] = s.localNumbers(orders[i])
		l.Sets[i] = s.local(orders[i], numbers[i])
	}
	for i := range b.maps {
		m := &b.mesh.Maps[i]
		l.Maps[i] = renumber(b.maps[i].targets, m.Arity, orders[m.From], numbers[m.To])
		b.maps[i].targets = nil
	}
	return l
}

// order returns the owned elements, those from which no map leads into the halo first.
func (s *region) order() []int32 {
	order := make([]int32, s.owned)
	core := 0
	for i := range order {
		if s.led[i] == 0 {
			order[core] = int32(i)
			core++
		}
	}
	rest := order[core:core]
	for i := range s.led {
		if s.led[i] != 0 {
			rest = append(rest, int32(i))
		}
	}
	slices.SortStableFunc(rest, func(x, y int32) int { return cmp.Compare(s.led[x], s.led[y]) })
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
func (s *region) local(order, numbers []int32) LocalSet {
	l := LocalSet{Owned: s.owned, Parts: s.parts, Numbers: make([]int64, 0, s.owned+len(s.halo))}
	for _, place := range order {
		if s.led[place] == 0 {
			l.Core++
		}
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

// renumber returns the rows of a map in local order, with local numbers.
func renumber(targets []int32, arity int, order, numbers []int32) []int32 {
	values := make([]int32, len(targets))
	local := func(to, from []int32) {
		for i, place := range from {
			if to[i] = -1; place >= 0 {
				to[i] = numbers[place]
			}
		}
	}
	for row, place := range order {
		local(values[row*arity:][:arity], targets[int(place)*arity:][:arity])
	}
	owned := len(order) * arity
	local(values[owned:], targets[owned:])
	return values
}
