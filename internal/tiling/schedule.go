package tiling

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Input describes the loops of a chain, in order.
type Input struct {
	Sets     []int // number of elements of each
	Storages []int // set of each, an index into Sets
	Loops    []Loop
	Seed     int // the set whose elements, in order, seed the tiles
	Tile     int // number of its elements for each tile
	Parts    int // groups of the first stage; 1 if there are no threads
	Pack     int // neighbors that stay together: elements of a vector; at least 1
	Border   int // number of the last elements of the seed set whose neighbors are anywhere; they run in the last stage
}

// Loop is one loop: over the elements [First, Last) of a set, or over Subset[First:Last].
type Loop struct {
	Set         int
	First, Last int
	Subset      []int32 // nil: the whole set
	Args        []Arg   // what reaches values on sets; globals have no place in a tile
}

// element returns the i-th element.
func (l *Loop) element(i int) int {
	if l.Subset != nil {
		return int(l.Subset[i])
	}
	return i
}

// Arg is an argument of a loop.
type Arg struct {
	Storage   int
	Access    loop.Access
	Map       []int32 // Arity targets for each element, of which negative ones lead nowhere; nil: the element itself
	Arity     int
	Component int // or loop.All
}

// Run is a run of consecutive elements: the first, and the one after the last. For a subset they are
// indices into it.
type Run [2]int32

// Schedule says which elements run in which order.
type Schedule struct {
	Stages [][]Group
	// Runs of loop l in tile t of the schedule are Runs[l][Offsets[l][t]:Offsets[l][t+1]]. Tiles are
	// numbered in the order of groups.
	Runs    [][]Run
	Offsets [][]int32
	// Fresh are the elements of each set, as runs, that no tile before uses, so that their values are
	// not in the cache yet: those of set s in tile t are Fresh[s][FreshOffsets[s][t]:FreshOffsets[s][t+1]].
	// Where loops share a map, the first one stands for all.
	Fresh        [][]Run
	FreshOffsets [][]int32
}

// Group is tiles that run one after another: [First, Last).
type Group struct {
	First, Last int
}

// Of returns the runs of a loop in a tile.
func (s *Schedule) Of(l, tile int) []Run {
	return s.Runs[l][s.Offsets[l][tile]:s.Offsets[l][tile+1]]
}

// Tiles returns the number of tiles.
func (s *Schedule) Tiles() int {
	if len(s.Offsets) == 0 {
		return 0
	}
	return len(s.Offsets[0]) - 1
}

// Oversized returns the fraction of the elements of all loops that run in tiles four times as large as if
// there were that number of tiles of one size, or larger: in a mesh whose numbers are in no good order most
// elements depend on those of the last tiles.
func (s *Schedule) Oversized(tiles int) float64 {
	total, sizes := 0, make([]int, s.Tiles())
	for l := range s.Runs {
		for tile := range sizes {
			for _, r := range s.Of(l, tile) {
				sizes[tile] += int(r[1] - r[0])
				total += int(r[1] - r[0])
			}
		}
	}
	large := 0
	for _, size := range sizes {
		if size*tiles >= 4*total {
			large += size
		}
	}
	return float64(large) / float64(max(1, total))
}

// Bytes returns the memory of the schedule.
func (s *Schedule) Bytes() int64 {
	n := 0
	for l := range s.Runs {
		n += 8*len(s.Runs[l]) + 4*len(s.Offsets[l])
	}
	for set := range s.Fresh {
		n += 8*len(s.Fresh[set]) + 4*len(s.FreshOffsets[set])
	}
	return int64(n)
}

// joined returns the arguments of a loop. Those that lead together to all targets of a map are one.
func (l *Loop) joined() []Arg {
	var args []Arg
	for i, a := range l.Args {
		first, components := i, map[int]bool{}
		for j, b := range l.Args {
			if a.Map != nil && b.Map != nil && unsafe.SliceData(a.Map) == unsafe.SliceData(b.Map) && a.Storage == b.Storage && a.Access == b.Access {
				first = min(first, j)
				components[b.Component] = true
			}
		}
		if len(components) == a.Arity && a.Map != nil {
			a.Component = loop.All
		} else {
			first = i
		}
		if first == i {
			args = append(args, a)
		}
	}
	return args
}

// targets calls f with what an element reaches through an argument.
func (a *Arg) targets(e int, f func(int32)) {
	switch {
	case a.Map == nil:
		f(int32(e))
	case a.Component == loop.All:
		for _, t := range a.Map[e*a.Arity : (e+1)*a.Arity] {
			if t >= 0 {
				f(t)
			}
		}
	default:
		f(a.Map[e*a.Arity+a.Component])
	}
}

// refs returns what some elements reach through a map: each of the list that is step further.
func (a *Arg) refs(first, end int) (list []int32, step int) {
	if a.Component == loop.All {
		return a.Map[first*a.Arity : end*a.Arity], 1
	}
	return a.Map[first*a.Arity+a.Component : end*a.Arity], a.Arity
}

// largest returns the largest number of what the elements [first, end) of a loop reach through an
// argument.
func (l *Loop) largest(a *Arg, first, end int) int32 {
	largest := int32(0)
	if l.Subset != nil {
		for _, e := range l.Subset[first:end] {
			a.targets(int(e), func(t int32) { largest = max(largest, t) })
		}
		return largest
	}
	list, step := a.refs(first, end)
	for i := 0; i < len(list); i += step {
		largest = max(largest, list[i])
	}
	return largest
}

// latest returns the join of p and the bounds of what the elements [first, end) of a loop reach through
// an argument.
func (l *Loop) latest(a *Arg, bounds []position, first, end int, p position) position {
	if l.Subset == nil {
		return a.latest(bounds, first, end, p)
	}
	for _, e := range l.Subset[first:end] {
		p = a.latest(bounds, int(e), int(e)+1, p)
	}
	return p
}

// raise joins the bounds of what the elements [first, end) of a loop reach through an argument with p.
func (l *Loop) raise(a *Arg, bounds []position, first, end int, p position) {
	if l.Subset == nil {
		a.raise(bounds, first, end, p)
		return
	}
	for _, e := range l.Subset[first:end] {
		a.raise(bounds, int(e), int(e)+1, p)
	}
}

// latest returns the join of p and the bounds of what some elements reach through an argument.
func (a *Arg) latest(bounds []position, first, end int, p position) position {
	if a.Map == nil {
		for _, b := range bounds[first:end] {
			p = p.with(b)
		}
		return p
	}
	list, step := a.refs(first, end)
	for i := 0; i < len(list); i += step {
		if t := list[i]; t >= 0 {
			p = p.with(bounds[t])
		}
	}
	return p
}

// raise joins the bounds of what some elements reach through an argument with p.
func (a *Arg) raise(bounds []position, first, end int, p position) {
	if a.Map == nil {
		for e, b := range bounds[first:end] {
			if b != p {
				bounds[first+e] = p.with(b)
			}
		}
		return
	}
	list, step := a.refs(first, end)
	for i := 0; i < len(list); i += step {
		if t := list[i]; t >= 0 && bounds[t] != p {
			bounds[t] = p.with(bounds[t])
		}
	}
}
