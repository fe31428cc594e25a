package chain

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
)

// Inspect cuts the chain into tiles. Its time is linear in the references of all loops.
func Inspect(in *Input) (*Schedule, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	x := &inspector{Input: in}
	x.divide()
	x.track()
	positions := make([][]position, len(in.Loops))
	for l := range in.Loops {
		positions[l] = x.place(&in.Loops[l])
	}
	return x.schedule(positions), nil
}

func (in *Input) check() error {
	switch {
	case in.Tile < 1 || in.Pack < 1 || in.Parts < 1 || in.Parts > MostParts:
		return fmt.Errorf("chain: tiles of %d elements, packs of %d, %d parts", in.Tile, in.Pack, in.Parts)
	case in.Seed < 0 || in.Seed >= len(in.Sets):
		return fmt.Errorf("chain: set %d, which seeds the tiles, is none of %d", in.Seed, len(in.Sets))
	case (in.Sets[in.Seed]+in.Tile-1)/in.Tile > MostTiles:
		return fmt.Errorf("chain: %d elements make more than %d tiles of %d", in.Sets[in.Seed], MostTiles, in.Tile)
	}
	return nil
}

// inspector is the state of an inspection.
type inspector struct {
	*Input
	parts   int   // not empty
	first   []int // tile of each part, and the number of tiles
	changed []bool
	// Bounds, by storage and element, from the loops so far: of what reads the element, and of what
	// changes it. Storages that the chain only reads have none.
	read, change [][]position
	// Bounds from the current loop's own increments: of those in the first stage, and of the others.
	low, high [][]position
}

// divide divides the seed tiles between the parts.
func (x *inspector) divide() {
	tiles := (x.Sets[x.Seed] + x.Tile - 1) / x.Tile
	x.parts = max(1, min(x.Parts, tiles/2))
	for p := range x.parts + 1 {
		x.first = append(x.first, tiles*p/x.parts)
	}
}

// track allocates bounds for the storages that some loop changes.
func (x *inspector) track() {
	x.changed = make([]bool, len(x.Storages))
	for _, l := range x.Loops {
		for _, a := range l.Args {
			x.changed[a.Storage] = x.changed[a.Storage] || a.Access != loop.Read
		}
	}
	x.read, x.change = make([][]position, len(x.Storages)), make([][]position, len(x.Storages))
	x.low, x.high = make([][]position, len(x.Storages)), make([][]position, len(x.Storages))
	for s, set := range x.Storages {
		if n := x.Sets[set]; x.changed[s] {
			x.read[s], x.change[s] = bounds(n), bounds(n)
		}
	}
}

func bounds(n int) []position {
	b := make([]position, n)
	for i := range b {
		b[i] = unbound
	}
	return b
}

// commutes reports whether the order of an argument's changes to a value makes no difference but
// for rounding.
func commutes(a loop.Access) bool { return a == loop.Inc || a == loop.Min || a == loop.Max }

// place returns the positions of a loop's elements.
func (x *inspector) place(l *Loop) []position {
	x.begin(l)
	seeds := x.seeds(l)
	positions := make([]position, l.Last-l.First)
	for i := l.First; i < l.Last; i += x.Pack {
		end := min(i+x.Pack, l.Last)
		seed := 0
		for j := i; j < end; j++ {
			seed = max(seed, seeds(l.element(j)))
		}
		p := x.bound(l, i, end, x.seedAt(seed))
		p = x.apart(l, i, end, x.settled(p, seed), seed)
		x.record(l, i, end, p)
		for j := i; j < end; j++ {
			positions[j-l.First] = p
		}
	}
	x.end(l)
	return positions
}

// seeds returns the function that gives the seed tile of an element: its own, if it is of the seed
// set; the largest among those that it reaches; or if it reaches none, the one at the same fraction of
// its set.
func (x *inspector) seeds(l *Loop) func(e int) int {
	if l.Set == x.Seed {
		return func(e int) int { return e / x.Tile }
	}
	for i := range l.Args {
		if a := &l.Args[i]; x.Storages[a.Storage] == x.Seed {
			return func(e int) int {
				largest := int32(0)
				a.targets(e, func(t int32) { largest = max(largest, t) })
				return int(largest) / x.Tile
			}
		}
	}
	return func(e int) int { return e * x.first[x.parts] / x.Sets[l.Set] }
}

// seedAt returns the position of a seed tile.
func (x *inspector) seedAt(tile int) position {
	p := x.partOf(tile)
	return at(0, p, tile-x.first[p])
}

func (x *inspector) partOf(tile int) int {
	tiles := x.first[x.parts]
	p := min(tile*x.parts/max(1, tiles), x.parts-1)
	for x.first[p+1] <= tile && p+1 < x.parts {
		p++
	}
	for x.first[p] > tile {
		p--
	}
	return p
}

// bound returns the bound of a pack from its seed, from the loops before, and from what its own loop
// has changed in the first stage, so that increments keep their order there.
func (x *inspector) bound(l *Loop, first, end int, p position) position {
	for i := range l.Args {
		a := &l.Args[i]
		if !x.changed[a.Storage] {
			continue
		}
		before := x.read[a.Storage]
		if a.Access != loop.Read {
			before = x.change[a.Storage]
		}
		p = l.latest(a, before, first, end, p)
		if low := x.low[a.Storage]; low != nil {
			p = l.latest(a, low, first, end, p)
			if !commutes(a.Access) {
				p = l.latest(a, x.high[a.Storage], first, end, p)
			}
		}
	}
	return p
}

// apart moves a pack to a later stage if another group of its own stage changes the same values.
func (x *inspector) apart(l *Loop, first, end int, p position, seed int) position {
	if p.stage() == 0 {
		return p
	}
	for i := range l.Args {
		a := &l.Args[i]
		if high := x.high[a.Storage]; high != nil {
			if latest := l.latest(a, high, first, end, unbound); latest.stage() >= p.stage() {
				p = x.settled(join(p, latest), seed)
			}
		}
	}
	return p
}

// settled returns a position within a bound: in the seam nearest to the seed, if any will do.
func (x *inspector) settled(p position, seed int) position {
	if p.group() != anyGroup {
		return p
	}
	part := x.partOf(seed)
	seam := part
	if 2*(seed-x.first[part]) < x.first[part+1]-x.first[part] {
		seam--
	}
	return at(p.stage(), max(0, min(seam, x.parts-2)), 0)
}

// begin allocates bounds for what a loop changes through maps.
func (x *inspector) begin(l *Loop) {
	for _, a := range l.Args {
		if a.Access != loop.Read && a.Map != nil && x.low[a.Storage] == nil {
			x.low[a.Storage], x.high[a.Storage] = bounds(x.Sets[x.Storages[a.Storage]]), bounds(x.Sets[x.Storages[a.Storage]])
		}
	}
}

// record notes that a pack runs at a position. What the loop changes through maps counts for later loops
// only when it ends.
func (x *inspector) record(l *Loop, first, end int, p position) {
	for i := range l.Args {
		a := &l.Args[i]
		s := a.Storage
		if !x.changed[s] {
			continue
		}
		own := x.low[s]
		if p.stage() > 0 {
			own = x.high[s]
		}
		switch {
		case a.Access == loop.Read:
			l.raise(a, x.change[s], first, end, p)
		case own != nil:
			l.raise(a, own, first, end, p)
		default:
			l.raise(a, x.read[s], first, end, p)
			l.raise(a, x.change[s], first, end, p)
		}
	}
}

// end makes the changes of a loop count for later ones.
func (x *inspector) end(l *Loop) {
	for s := range x.low {
		for t, low := range x.low[s] {
			if p := join(low, x.high[s][t]); p != unbound {
				x.read[s][t], x.change[s][t] = join(x.read[s][t], p), join(x.change[s][t], p)
			}
		}
		x.low[s], x.high[s] = nil, nil
	}
}
