package core

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// way leads an element to one element of a dat's set: a component of a map, or the element itself
// if m is nil.
type way struct {
	m         *Map
	component int
}

func (w way) target(element int) int32 {
	if w.m == nil {
		return int32(element)
	}
	return w.m.values[element*w.m.arity+w.component]
}

func (w way) String() string {
	if w.m == nil {
		return "directly"
	}
	return fmt.Sprintf("through %s[%d]", w.m.name, w.component)
}

// repeats refuses loops in which an element reaches the same values twice in order to set them:
// which of the two it sees, or which remains, would depend on what the backend copies. Inc, Min and
// Max combine both.
func (b *Binding) repeats() error {
	if b.rt.config.Static {
		return nil
	}
	for i, a := range b.args {
		if a.kind != loop.Dat || a.access != loop.RW && a.access != loop.Write ||
			slices.ContainsFunc(b.args[:i], func(earlier Arg) bool { return earlier.data == a.data }) {
			continue
		}
		ways, last := b.ways(a.data)
		if len(ways) < 2 {
			continue
		}
		if element, at := b.repeated(a.data.set, ways); at >= 0 {
			target := ways[at].target(element)
			first := slices.IndexFunc(ways, func(w way) bool { return w.target(element) == target })
			return b.wrong(last, fmt.Sprintf("element %d of %s reaches element %d of %s twice, %s and %s: whether one sees what the kernel sets through the other would depend on the backend",
				b.Over.Set.known(element), b.Over.Set.name, a.data.set.known(int(target)), a.data.set.name, ways[first], ways[at]),
				"pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component")
		}
	}
	return nil
}

// ways returns the ways in which the loop's elements reach a dat, and the last argument that has
// one.
func (b *Binding) ways(d *Data) (ways []way, last int) {
	for i, a := range b.args {
		switch {
		case a.data != d:
			continue
		case a.m == nil:
			ways = append(ways, way{})
		case a.component == loop.All:
			for c := range a.m.arity {
				ways = append(ways, way{a.m, c})
			}
		default:
			ways = append(ways, way{a.m, a.component})
		}
		last = i
	}
	return ways, last
}

// repeated finds an element that reaches the same element of the set to by two of the ways, and
// returns the later way; at is -1 if there is none. Results for the ways of one map are cached
// there.
func (b *Binding) repeated(to *Set, ways []way) (element, at int) {
	m, key := ways[0].m, ""
	for _, w := range ways {
		if w.m != m {
			m = nil
		}
		key += fmt.Sprint(w.component, " ")
	}
	if m != nil && m.Distinct(key) {
		return 0, -1
	}
	seen := make([]int32, to.Total()) // the last element that reached it, counted from 1
	for i := range b.last() {
		if element = i; b.Over.Subset != nil {
			element = int(b.Over.Subset.elements[i])
		}
		for at, w := range ways {
			target := w.target(element)
			if seen[target] == int32(i+1) {
				return element, at
			}
			seen[target] = int32(i + 1)
		}
	}
	if m != nil && b.Over.Subset == nil {
		m.SetDistinct(key)
	}
	return 0, -1
}
