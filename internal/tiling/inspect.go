package tiling

import (
	"fmt"
	"slices"

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
	for l := range in.Loops {
		x.positions = append(x.positions, x.place(&in.Loops[l]))
	}
	return x.schedule(), nil
}

func (in *Input) check() error {
	switch {
	case in.Tile < 1 || in.Pack < 1 || in.Parts < 1 || in.Parts > MostParts:
		return fmt.Errorf("tiling: tiles of %d elements, packs of %d, %d parts", in.Tile, in.Pack, in.Parts)
	case in.Seed < 0 || in.Seed >= len(in.Sets):
		return fmt.Errorf("tiling: set %d, which seeds the tiles, is none of %d", in.Seed, len(in.Sets))
	case in.Border < 0 || in.Border > in.Sets[in.Seed]:
		return fmt.Errorf("tiling: %d of %d elements are at the border", in.Border, in.Sets[in.Seed])
	case (in.Sets[in.Seed]+in.Tile-1)/in.Tile > MostTiles:
		return fmt.Errorf("tiling: %d elements make more than %d tiles of %d", in.Sets[in.Seed], MostTiles, in.Tile)
	}
	return nil
}

// inspector is the state of an inspection.
type inspector struct {
	*Input
	parts   int        // not empty
	first   []int      // tile of each part, and the number of their tiles
	inner   int        // elements of the seed set that are not at the border
	seeds   []position // by seed tile
	changed []bool
	// Bounds, by storage and element, from the loops so far: a read comes after the changes, and a
	// change also after the reads. Storages that the chain only reads have none.
	read, change [][]position
	// Bounds from the current loop's own increments: of those in the first stage, and of the others.
	// With one part and no border there are no others.
	low, high [][]position
	spare     [][]position // bounds that are not in use

	positions [][]position // by loop and pack
}

// divide divides the seed tiles between the parts, but for those of the border.
func (x *inspector) divide() {
	x.inner = x.Sets[x.Seed] - x.Border
	tiles, border := (x.inner+x.Tile-1)/x.Tile, (x.Border+x.Tile-1)/x.Tile
	x.parts = max(1, min(x.Parts, tiles/2))
	for p := range x.parts + 1 {
		x.first = append(x.first, tiles*p/x.parts)
	}
	x.seeds = make([]position, 0, tiles+border)
	for p := range x.parts {
		for tile := x.first[p]; tile < x.first[p+1]; tile++ {
			x.seeds = append(x.seeds, at(0, p, tile-x.first[p]))
		}
	}
	for tile := range border {
		x.seeds = append(x.seeds, at(lastStage, 0, tile))
	}
}

// seed returns the seed tile of an element of the seed set.
func (x *inspector) seed(e int) int {
	if e < x.inner {
		return e / x.Tile
	}
	return x.first[x.parts] + (e-x.inner)/x.Tile
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
	for s := range x.Storages {
		if x.changed[s] {
			x.read[s], x.change[s] = x.bounds(s), x.bounds(s)
		}
	}
}

// bounds returns bounds for the elements of a storage, all of them unbound.
func (x *inspector) bounds(storage int) []position {
	n := x.Sets[x.Storages[storage]]
	var b []position
	if i := slices.IndexFunc(x.spare, func(b []position) bool { return len(b) == n }); i >= 0 {
		b = x.spare[i]
		x.spare = slices.Delete(x.spare, i, i+1)
	} else {
		b = make([]position, n)
	}
	for i := range b {
		b[i] = unbound
	}
	return b
}

// commutes reports whether the order of an argument's changes to a value makes no difference but
// for rounding.
func commutes(a loop.Access) bool { return a == loop.Inc || a == loop.Min || a == loop.Max }

// place returns the positions of a loop's packs: each the earliest that its seed tile and the bounds of its
// values allow. A pack that may not stay in the first stage moves to one in which no other group changes the
// same values. All packs are then recorded in the bounds, for the loops after this one.
func (x *inspector) place(l *Loop) []position {
	args := l.joined()
	seedOf := x.seedOf(l, args)
	args = slices.DeleteFunc(slices.Clone(args), func(a Arg) bool { return !x.changed[a.Storage] })
	x.begin(args)
	positions := make([]position, (l.Last-l.First+x.Pack-1)/x.Pack)
	for i := range positions {
		first := l.First + i*x.Pack
		end := min(first+x.Pack, l.Last)
		seed := seedOf(first, end)
		p := x.bound(l, args, first, end, x.seeds[seed])
		if p.stage() > 0 {
			p = x.apart(l, args, first, end, x.settled(p, seed), seed)
		}
		x.record(l, args, first, end, p)
		positions[i] = p
	}
	x.end()
	return positions
}

// seedOf returns the function that gives the seed tile of the elements [first, end) of a loop, the largest
// of theirs: an element's own, if it is of the seed set; the largest among those that it reaches; or if it
// reaches none, the one at the same fraction of its set.
func (x *inspector) seedOf(l *Loop, args []Arg) func(first, end int) int {
	if l.Set == x.Seed {
		return func(_, end int) int { return x.seed(l.element(end - 1)) }
	}
	for i := range args {
		if a := &args[i]; x.Storages[a.Storage] == x.Seed {
			return func(first, end int) int { return x.seed(int(l.largest(a, first, end))) }
		}
	}
	return func(_, end int) int { return x.seed(l.element(end-1) * x.Sets[x.Seed] / x.Sets[l.Set]) }
}

// bound returns the bound of a pack from its seed, from the loops before, and from what its own loop
// has changed in the first stage, so that increments keep their order there.
func (x *inspector) bound(l *Loop, args []Arg, first, end int, p position) position {
	for i := range args {
		a := &args[i]
		before := x.read[a.Storage]
		if a.Access != loop.Read {
			before = x.change[a.Storage]
		}
		p = l.latest(a, before, first, end, p)
		if low := x.low[a.Storage]; low != nil {
			p = l.latest(a, low, first, end, p)
			if high := x.high[a.Storage]; high != nil && !commutes(a.Access) {
				p = l.latest(a, high, first, end, p)
			}
		}
	}
	return p
}

// apart moves a pack to a later stage if another group of its own stage changes the same values.
func (x *inspector) apart(l *Loop, args []Arg, first, end int, p position, seed int) position {
	for i := range args {
		a := &args[i]
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
	seam := x.seeds[seed].group()
	if 2*(seed-x.first[seam]) < x.first[seam+1]-x.first[seam] {
		seam--
	}
	return at(p.stage(), max(0, min(seam, x.parts-2)), 0)
}

// begin makes bounds for what a loop changes through maps.
func (x *inspector) begin(args []Arg) {
	for _, a := range args {
		if a.Access != loop.Read && a.Map != nil && x.low[a.Storage] == nil {
			x.low[a.Storage] = x.bounds(a.Storage)
			if x.parts > 1 || x.Border > 0 {
				x.high[a.Storage] = x.bounds(a.Storage)
			}
		}
	}
}

// record notes that a pack runs at a position. What the loop changes through maps counts for later loops
// only when it ends.
func (x *inspector) record(l *Loop, args []Arg, first, end int, p position) {
	for i := range args {
		a := &args[i]
		s := a.Storage
		switch {
		case a.Access == loop.Read:
			l.raise(a, x.change[s], first, end, p)
		case x.low[s] == nil:
			l.raise(a, x.read[s], first, end, p)
			l.raise(a, x.change[s], first, end, p)
		case p.stage() == 0:
			l.raise(a, x.low[s], first, end, p)
		default:
			l.raise(a, x.high[s], first, end, p)
		}
	}
}

// end makes the changes of a loop count for later ones.
func (x *inspector) end() {
	for s, low := range x.low {
		if low == nil {
			continue
		}
		read, change, high := x.read[s], x.change[s], x.high[s]
		for t, p := range low {
			if high != nil {
				p = p.with(high[t])
			}
			if p != unbound {
				read[t], change[t] = read[t].with(p), change[t].with(p)
			}
		}
		x.spare = append(x.spare, low)
		if high != nil {
			x.spare = append(x.spare, high)
		}
		x.low[s], x.high[s] = nil, nil
	}
}
