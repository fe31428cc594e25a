package bind

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// check refuses calls whose arguments get in each other's way.
func check(c Call) error {
	if err := c.conflicts(); err != nil {
		return err
	}
	if err := c.reach(); err != nil {
		return err
	}
	if err := c.repeats(); err != nil || !c.Runtime.Config().Backend.SameBits {
		return err
	}
	return c.ordered()
}

// conflicts refuses loops whose result would depend on the order of elements, or of the kernel's
// own statements, because a dat is used in two ways at once.
func (c *Call) conflicts() error {
	for i, a := range c.Args {
		for j, earlier := range c.Args[:i] {
			if a.Data == nil || earlier.Data == nil || a.Data.Storage() != earlier.Data.Storage() || apart(a, earlier) {
				continue
			}
			bad := func(msg, hint string) error { return c.wrong(i, msg, hint) }
			switch {
			case a.Access != earlier.Access:
				return bad(fmt.Sprintf("%s is also argument %d (%s): whether one sees what the other changes would depend on the order of elements", a.Data.Name(), c.ordinal(j), earlier),
					"use one access for all, or a second "+a.Kind.String())
			case a.Op != earlier.Op:
				return bad(fmt.Sprintf("%s is also argument %d (%s), by another operation, or with another identity", a.Data.Name(), c.ordinal(j), earlier), "use one for all, or two loops")
			case a.Access == loop.Read:
			case a.Data != earlier.Data && (a.Kind != loop.Mat || earlier.Kind != loop.Mat):
				return bad(fmt.Sprintf("%s is also argument %d (%s), by other sets: the kernel would change the same values twice", a.Data.Name(), c.ordinal(j), earlier), "pass them once")
			case a.Data != earlier.Data:
				return bad(fmt.Sprintf("%s is also argument %d: the maps of only one of them leave out components", a.Data.Name(), c.ordinal(j)),
					"give the other one maps that leave out components of an empty subset, or use two loops")
			case a.Access == loop.Inc || a.Access == loop.Reduce:
			case a.Kind == loop.Mat:
				return bad(fmt.Sprintf("%s is also argument %d: of two places that write a value only one would count", a.Data.Name(), c.ordinal(j)), "pass it once")
			case a.Map == earlier.Map && a.Extruded == earlier.Extruded && (a.Component == earlier.Component && a.Entry == earlier.Entry || a.Component == loop.All || earlier.Component == loop.All):
				return bad(fmt.Sprintf("%s is also argument %d (%s): the kernel would change the same values twice", a.Data.Name(), c.ordinal(j), earlier),
					"pass them once")
			case a.Kind == loop.Global:
				return bad(fmt.Sprintf("%s is also argument %d", a.Data.Name(), c.ordinal(j)), "pass it once")
			}
		}
	}
	return nil
}

// way leads an element to one element of a dat's set: a component of a map, or the element itself
// if m is nil.
type way struct {
	m         *entity.Map
	component int
	level     int // of the columns there, that layer 0 reaches
	through   *entity.Map
	entry     int // of through: what the program calls the component
}

func (w way) target(element int) int32 {
	if w.m == nil {
		return int32(element)
	}
	return w.m.Targets()[element*w.m.Arity()+w.component]
}

func (w way) String() string {
	if w.through == nil {
		return "directly"
	}
	return fmt.Sprintf("through %s[%d]", w.through.Name(), w.entry)
}

// reach refuses loops some of whose layers reach levels that are not there, where columns vary.
func (c *Call) reach() error {
	if c.Runtime.Config().Static {
		return nil
	}
	for i, a := range c.Args {
		for _, way := range append(a.Sides(), a) {
			if msg := way.Reaches(c.Over); msg != "" {
				return c.wrong(i, msg, "ReachedLevels returns the bounds of columns that suffice")
			}
		}
	}
	return nil
}

// repeats refuses loops in which an element reaches the same values twice in order to set them:
// which of the two it sees, or which remains, would depend on what the backend copies. Inc, Min and
// Max combine both.
func (c *Call) repeats() error {
	if c.Runtime.Config().Static {
		return nil
	}
	for i, a := range c.Args {
		if a.Kind != loop.Dat || a.Access != loop.RW && a.Access != loop.Write ||
			slices.ContainsFunc(c.Args[:i], func(earlier entity.Arg) bool { return earlier.Data == a.Data && earlier.Single == a.Single }) {
			continue
		}
		ways, last := c.ways(a)
		if len(ways) < 2 {
			continue
		}
		element, at := 0, -1
		for _, ways = range byLevel(ways) {
			if element, at = c.repeated(a.Data.Set(), ways); at >= 0 {
				break
			}
		}
		if at >= 0 {
			target := ways[at].target(element)
			first := slices.IndexFunc(ways, func(w way) bool { return w.target(element) == target })
			one, other, from, to := "element", "", c.Over.Set, a.Data.Set()
			if a.Levels(c.Over.Layers).First != nil {
				one, other, from, to = "column", "a level of ", c.Over.Layers.Of, a.Data.On()
			}
			return c.wrong(last, fmt.Sprintf("%[1]s %[2]d of %[3]s reaches %[4]s%[1]s %[5]d of %[6]s twice, %[7]s and %[8]s: whether one sees what the kernel sets through the other would depend on the backend",
				one, c.Over.Set.Known(element), from.Name(), other, a.Data.Set().Known(int(target)), to.Name(), ways[first], ways[at]),
				"pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component")
		}
	}
	return nil
}

// apart reports whether two arguments pass different components of one dat.
func apart(a, b entity.Arg) bool {
	return a.Single > 0 && b.Single > 0 && a.Single != b.Single && a.Data == b.Data
}

// ways returns the ways in which the loop's elements reach what an argument passes of a dat, and the last argument that has
// one.
func (c *Call) ways(of entity.Arg) (ways []way, last int) {
	for i, a := range c.Args {
		if a.Data != of.Data || apart(a, of) {
			continue
		}
		through, entry := a.Map, max(0, a.Component)
		if a.Extruded != nil {
			through, entry = a.Extruded, max(0, a.Entry)
		}
		levels := a.Levels(c.Over.Layers).First
		if levels == nil {
			levels = []int{0}
		}
		for _, level := range levels {
			switch {
			case a.Map == nil:
				ways = append(ways, way{level: level, through: through, entry: entry})
				entry++
			case a.Component == loop.All:
				for i := range a.Map.Arity() { // of a row that is shorter, they lead nowhere
					ways = append(ways, way{a.Map, i, level, through, entry})
					entry++
				}
			default:
				ways = append(ways, way{a.Map, a.Component, level, through, entry})
			}
		}
		last = i
	}
	return ways, last
}

// byLevel divides ways by the level that they reach: elements of different levels are not the same.
func byLevel(ways []way) [][]way {
	var list [][]way
	for _, w := range ways {
		i := slices.IndexFunc(list, func(of []way) bool { return of[0].level == w.level })
		if i < 0 {
			i, list = len(list), append(list, nil)
		}
		list[i] = append(list[i], w)
	}
	return list
}

// repeated finds an element that reaches the same element of the set to by two of the ways, and
// returns the later way; at is -1 if there is none. Results for the ways of one map are cached
// there.
func (c *Call) repeated(to *entity.Set, ways []way) (element, at int) {
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
	for i := range c.last() {
		element = c.Over.At(i)
		for at, w := range ways {
			target := w.target(element)
			if target < 0 {
				continue
			}
			if seen[target] == int32(i+1) {
				return element, at
			}
			seen[target] = int32(i + 1)
		}
	}
	if m != nil && c.Over.Subset == nil {
		m.SetDistinct(key)
	}
	return 0, -1
}
