package bind

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// way leads an element to one element of a dat's set: a component of a map, or the element itself
// if m is nil.
type way struct {
	m         *entity.Map
	component int
}

func (w way) target(element int) int32 {
	if w.m == nil {
		return int32(element)
	}
	return w.m.Targets()[element*w.m.Arity()+w.component]
}

func (w way) String() string {
	if w.m == nil {
		return "directly"
	}
	return fmt.Sprintf("through %s[%d]", w.m.Name(), w.component)
}

// repeats refuses loops in which an element reaches the same values twice in order to set them:
// which of the two it sees, or which remains, would depend on what the backend copies. Inc, Min and
// Max combine both.
func (b *Binding) repeats() error {
	if b.Runtime.Config().Static {
		return nil
	}
	for i, a := range b.Args {
		if a.Kind != loop.Dat || a.Access != loop.RW && a.Access != loop.Write ||
			slices.ContainsFunc(b.Args[:i], func(earlier entity.Arg) bool { return earlier.Data == a.Data }) {
			continue
		}
		ways, last := b.ways(a.Data)
		if len(ways) < 2 {
			continue
		}
		if element, at := b.repeated(a.Data.Set(), ways); at >= 0 {
			target := ways[at].target(element)
			first := slices.IndexFunc(ways, func(w way) bool { return w.target(element) == target })
			return b.wrong(last, fmt.Sprintf("element %d of %s reaches element %d of %s twice, %s and %s: whether one sees what the kernel sets through the other would depend on the backend",
				b.Over.Set.Known(element), b.Over.Set.Name(), a.Data.Set().Known(int(target)), a.Data.Set().Name(), ways[first], ways[at]),
				"pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component")
		}
	}
	return nil
}

// ways returns the ways in which the loop's elements reach a dat, and the last argument that has
// one.
func (b *Binding) ways(d *entity.Data) (ways []way, last int) {
	for i, a := range b.Args {
		switch {
		case a.Data != d:
			continue
		case a.Map == nil:
			ways = append(ways, way{})
		case a.Component == loop.All:
			for c := range a.Map.Arity() {
				ways = append(ways, way{a.Map, c})
			}
		default:
			ways = append(ways, way{a.Map, a.Component})
		}
		last = i
	}
	return ways, last
}

// repeated finds an element that reaches the same element of the set to by two of the ways, and
// returns the later way; at is -1 if there is none. Results for the ways of one map are cached
// there.
func (b *Binding) repeated(to *entity.Set, ways []way) (element, at int) {
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
			element = int(b.Over.Subset.List()[i])
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
