package tiling

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// Check proves that a schedule runs each element of each loop once, that no two threads use a value at
// the same time that one of them changes, and that what depends on something runs after it. It returns a
// *Fault or a *Stray if an element is to blame, and knows nothing of how the schedule was made. Its time is
// linear in the references of all loops.
//
// It goes through the uses of each value in the order of the program. A use must be in the tile of what
// it depends on or a later one, and if both are in one stage, in the same group: then it also agrees with
// everything before that. What a loop adds to a value comes in the order of elements within a stage, and
// in any order between stages.
func Check(in *Input, s *Schedule) error {
	c := &checker{Input: in}
	if err := c.times(s); err != nil {
		return err
	}
	for storage := range in.Storages {
		if err := c.storage(storage); err != nil {
			return err
		}
	}
	return nil
}

// Use is the use of a value by an element of a loop: for a subset, an index into it.
type Use struct {
	Loop, Element int
	Access        loop.Access
}

func (u Use) String() string {
	return fmt.Sprintf("element %d of loop %d (%s)", u.Element, u.Loop, u.Access)
}

// Fault is a pair of uses of a value that a schedule runs in the wrong order, or at the same time.
// The first comes first in the program.
type Fault struct {
	Storage, Value int
	First, Second  Use
	Same           bool // they run at the same time; otherwise the first runs after the second
}

// How says how the uses run.
func (f *Fault) How() string {
	if f.Same {
		return "runs at the same time as"
	}
	return "runs after"
}

func (f *Fault) Error() string {
	return fmt.Sprintf("tiling: value %d of storage %d: %s %s %s", f.Value, f.Storage, f.First, f.How(), f.Second)
}

// Stray is an element that does not run once, or reaches a value that there is not: for a subset, an index
// into it.
type Stray struct {
	Loop, Element int
	Does          string
}

func (s *Stray) Error() string {
	return fmt.Sprintf("tiling: element %d of loop %d %s", s.Element, s.Loop, s.Does)
}

// checker is the state of a check.
type checker struct {
	*Input
	tile   [][]int32 // by loop and element: the one that runs it
	moment []moment  // by tile
	stages int

	number int       // of the storage
	values []history // by its elements
}

// moment is when a tile runs.
type moment struct{ stage, group int }

// history holds the latest uses of a value. A use by tile -1 stands for none.
type history struct {
	change, read by
	other        by // a read in the stage of read, by another group
	loop         int
	access       loop.Access
	adds         []by // by stage: the latest of the loop, which only adds, or takes minima or maxima
}

// by is an element that uses a value, and its tile.
type by struct {
	tile, element int32
	loop          int32
	access        loop.Access
}

var nobody = by{tile: -1}

// times finds the tile of each element, or returns an error unless each runs exactly once, and those of
// a tile in order.
func (c *checker) times(s *Schedule) error {
	c.stages = len(s.Stages)
	for _, l := range c.Loops {
		tiles := make([]int32, l.Last)
		for e := l.First; e < l.Last; e++ {
			tiles[e] = -1
		}
		c.tile = append(c.tile, tiles)
	}
	for stage, groups := range s.Stages {
		for group, g := range groups {
			if g.First != len(c.moment) || g.Last < g.First {
				return fmt.Errorf("tiling: group %d of stage %d has the tiles [%d, %d), tile %d is next", group, stage, g.First, g.Last, len(c.moment))
			}
			for tile := g.First; tile < g.Last; tile++ {
				c.moment = append(c.moment, moment{stage, group})
				for l := range c.Loops {
					if err := c.runs(l, tile, s.Of(l, tile)); err != nil {
						return err
					}
				}
			}
		}
	}
	for l := range c.Loops {
		for e := c.Loops[l].First; e < c.Loops[l].Last; e++ {
			if c.tile[l][e] < 0 {
				return &Stray{l, e, "does not run"}
			}
		}
	}
	return nil
}

// runs notes the runs of a loop in a tile.
func (c *checker) runs(l, tile int, runs []Run) error {
	next := int32(c.Loops[l].First)
	for _, r := range runs {
		switch {
		case int(r[0]) < c.Loops[l].First || int(r[1]) > c.Loops[l].Last:
			return fmt.Errorf("tiling: the run %v is not in loop %d", r, l)
		case r[0] < next:
			return fmt.Errorf("tiling: tile %d runs elements %v of loop %d after element %d", tile, r, l, next-1)
		}
		for e := r[0]; e < r[1]; e++ {
			if c.tile[l][e] >= 0 {
				return &Stray{l, int(e), "runs twice"}
			}
			c.tile[l][e] = int32(tile)
		}
		next = r[1]
	}
	return nil
}

// storage checks the uses of the values of a storage.
func (c *checker) storage(number int) error {
	n := c.Sets[c.Storages[number]]
	c.number, c.values = number, make([]history, n)
	adds := slices.Repeat([]by{nobody}, n*c.stages)
	for v := range c.values {
		c.values[v] = history{change: nobody, read: nobody, other: nobody, loop: -1, adds: adds[v*c.stages:][:c.stages]}
	}
	for l := range c.Loops {
		lp := &c.Loops[l]
		for i := lp.First; i < lp.Last; i++ {
			for a := range lp.Args {
				arg := &lp.Args[a]
				if arg.Storage != number {
					continue
				}
				var err error
				arg.targets(lp.element(i), func(v int32) {
					switch {
					case err != nil:
					case int(v) < 0 || int(v) >= n:
						err = &Stray{l, i, fmt.Sprintf("reaches value %d of storage %d, which has %d", v, number, n)}
					default:
						if f := c.use(int(v), by{c.tile[l][i], int32(i), int32(l), arg.Access}); f != nil {
							err = f
						}
					}
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// use adds the use of a value, or returns the fault that it has. A read must come after the last change; a
// change also after the reads since then, of which the history keeps the latest, and if another group read
// the value in the same stage, one of that group; an increment after those before it in its own stage.
func (c *checker) use(value int, u by) *Fault {
	h := &c.values[value]
	if h.loop != int(u.loop) || h.access != u.access {
		c.settle(h)
		h.loop, h.access = int(u.loop), u.access
	}
	before := [4]by{h.change, nobody, nobody, nobody}
	if u.access != loop.Read {
		before[1], before[2] = h.read, h.other
	}
	stage := c.moment[u.tile].stage
	if commutes(u.access) {
		before[3] = h.adds[stage]
	}
	for _, b := range before {
		if b.tile < 0 {
			continue
		}
		switch m, n := c.moment[b.tile], c.moment[u.tile]; {
		case m.stage == n.stage && m.group != n.group:
			return c.fault(value, b, u, true)
		case b.tile > u.tile:
			return c.fault(value, b, u, false)
		}
	}
	switch {
	case commutes(u.access):
		h.adds[stage] = u
	case u.access != loop.Read:
		h.change, h.read, h.other = u, nobody, nobody
	default:
		c.reads(h, u)
	}
	return nil
}

// reads adds a read to a history.
func (c *checker) reads(h *history, u by) {
	if h.read.tile >= 0 {
		a, b := c.moment[h.read.tile], c.moment[u.tile]
		switch {
		case a.stage > b.stage:
			return
		case a.stage < b.stage:
			h.other = nobody
		case a.group != b.group:
			h.other = u
			return
		case h.read.tile > u.tile:
			return
		}
	}
	h.read = u
}

// settle turns the increments of a loop to a value into one change, for the loops that follow.
func (c *checker) settle(h *history) {
	latest := nobody
	for stage, b := range h.adds {
		if b.tile >= 0 {
			latest = b
		}
		h.adds[stage] = nobody
	}
	if latest.tile >= 0 {
		h.change, h.read, h.other = latest, nobody, nobody
	}
}

func (c *checker) fault(value int, first, second by, same bool) *Fault {
	of := func(b by) Use { return Use{int(b.loop), int(b.element), b.access} }
	return &Fault{Storage: c.number, Value: value, First: of(first), Second: of(second), Same: same}
}
