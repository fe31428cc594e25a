package order

import (
	"cmp"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/sorting"
)

// follow orders the sets that maps connect with ordered ones: a set with a map to an ordered set by
// the smallest new numbers of its targets, a set that an ordered set has a map to by the first
// element that reaches it.
func (m *Mesh) follow(orders [][]int32) {
	for changed := true; changed; {
		changed = false
		for s := range m.Sets {
			if orders[s] != nil {
				continue
			}
			if f := m.heaviest(s, orders); f != nil {
				orders[s] = byTargets(f, m.Sets[s].Size, Inverse(orders[f.To]))
				changed = true
			}
		}
		for s := range m.Sets {
			if orders[s] != nil {
				continue
			}
			if f := m.busiest(s, orders); f != nil {
				orders[s] = byVisits(f, m.Sets[s].Size, orders[f.From])
				changed = true
			}
		}
	}
}

// heaviest returns the map from set s to the ordered set with the most data per element, the best
// one to follow; nil if there is none.
func (m *Mesh) heaviest(s int, orders [][]int32) *Map {
	return m.best(func(f *Map) bool { return f.From == s && orders[f.To] != nil }, func(f *Map) int { return m.Sets[f.To].Weight })
}

// busiest returns the map with the most values from an ordered set to set s, or nil.
func (m *Mesh) busiest(s int, orders [][]int32) *Map {
	return m.best(func(f *Map) bool { return f.To == s && orders[f.From] != nil }, func(f *Map) int { return len(f.Values) })
}

// best returns the first of those maps that have the greatest weight, or nil.
func (m *Mesh) best(counts func(f *Map) bool, weight func(f *Map) int) *Map {
	var best *Map
	for i := range m.Maps {
		if f := &m.Maps[i]; counts(f) && (best == nil || weight(f) > weight(best)) {
			best = f
		}
	}
	return best
}

// byTargets orders n elements by the smallest of the new numbers of their targets, then by the
// second smallest; elements without targets come last.
func byTargets(f *Map, n int, numbers []int32) []int32 {
	first, second := make([]int32, n), make([]int32, n)
	for e := range n {
		a, b := int32(len(numbers)), int32(len(numbers))
		for _, t := range f.Values[e*f.Arity : (e+1)*f.Arity] {
			if t < 0 {
				continue
			}
			if number := numbers[t]; number < a {
				a, b = number, a
			} else if number < b {
				b = number
			}
		}
		first[e], second[e] = a, b
	}
	groups := lists.Collect(len(numbers)+1, func(add func(target, element int32)) {
		for e, target := range first {
			add(target, int32(e))
		}
	})
	for i := range len(numbers) + 1 {
		if group := groups.Of(int32(i)); len(group) > 1 {
			sorting.Int32sBy(group, func(a, b int32) int { return cmp.Or(cmp.Compare(second[a], second[b]), cmp.Compare(a, b)) })
		}
	}
	return groups.Values
}

// byVisits orders n elements by the first source that reaches them, in the order of the sources;
// elements that none reaches come last.
func byVisits(f *Map, n int, sources []int32) []int32 {
	order, seen := make([]int32, 0, n), make([]bool, n)
	visit := func(t int32) {
		if t >= 0 && !seen[t] {
			seen[t] = true
			order = append(order, t)
		}
	}
	for _, s := range sources {
		for _, t := range f.Values[int(s)*f.Arity : (int(s)+1)*f.Arity] {
			visit(t)
		}
	}
	for t := range n {
		visit(int32(t))
	}
	return order
}
