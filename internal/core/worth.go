package core

import (
	"fmt"
	"math"
	"runtime"

	"github.com/go-op2/op2/internal/chain"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tune"
)

// Whether tiles pay off is estimated from the bytes that move: loop by loop each loop moves its values
// from and to memory, by tiles each value moves about once. Where all of it stays in a cache there is
// nothing to win.

// divide chooses the tiles' size and the number of parts.
func (c *Chain) divide(t *tiling) {
	m := tune.DefaultMachine().Tiles
	seeds := t.Sets[t.Seed]
	t.Pack, t.Parts = m.Pack, 1
	if c.rt.name != "sequential" {
		t.Parts = m.PartsPerProcessor * runtime.NumCPU()
	}
	t.Tile = max(1, int(int64(m.Bytes)*int64(seeds)/max(1, t.total())))
	if c.chosen() == tune.Tile {
		t.Tile = min(t.Tile, max(1, seeds/fewestTiles))
	}
}

// unworthy returns why tiles do not pay off; "" if they may, or are chosen anyway.
func (c *Chain) unworthy(t *tiling) string {
	m := tune.DefaultMachine().Tiles
	total, seeds := t.total(), t.Sets[t.Seed]
	switch {
	case seeds < fewestSeeds:
		return fmt.Sprintf("%s has %s", t.sets[t.Seed].name, problem.Count(seeds, "element"))
	case c.chosen() == tune.Tile:
		return ""
	case total < int64(m.Cached):
		return fmt.Sprintf("its %d KiB stay in a cache", (total+1023)/1024)
	}
	switch saved := t.saved(); {
	case saved < leastSaved:
		return fmt.Sprintf("tiles would move %s", t.moved())
	case saved < surelySaved && !c.triesTiles(t):
		return fmt.Sprintf("tiles would move %s, too little to be sure that they are faster", t.moved())
	}
	return ""
}

// saved returns the fraction of the bytes that tiles save, by estimate.
func (t *tiling) saved() float64 {
	loops, tiles := chain.Estimate(&t.Input, t.rows)
	return 1 - float64(tiles)/float64(loops)
}

// due returns the number of calls after which tiles are worked out, by estimate alone, so that results do not
// depend on measured times: as soon as tiles could have saved in them what an inspection takes.
func (c *Chain) due(t *tiling) int64 {
	if c.chosen() == tune.Tile || c.proof {
		return 0
	}
	loops, _ := chain.Estimate(&t.Input, t.rows)
	inspection := float64(bytesForReference*chain.References(&t.Input)) / float64(loops) // in calls
	return int64(math.Ceil(inspection / max(leastGain, gainForSaved*(t.saved()-leastSaved))))
}

// moved says what tiles are estimated to move.
func (t *tiling) moved() string {
	loops, tiles := chain.Estimate(&t.Input, t.rows)
	return fmt.Sprintf("%.4g MB instead of %.4g MB", float64(tiles)/1e6, float64(loops)/1e6)
}

const (
	fewestSeeds = 2
	fewestTiles = 8 // where tiles are chosen, and the mesh is small
	// leastSaved is the fraction of the bytes that tiles must save: they cost some packs that are not
	// full, and the seams of threads.
	leastSaved = 0.1
	// surelySaved is the fraction that they must save where they cannot be tried, because of other bits.
	surelySaved = 0.25
	// gainForSaved is the fraction of the time that tiles save, for each fraction of the bytes beyond
	// leastSaved: not all of the time is spent waiting for memory. An inspection never takes more than the
	// fraction leastGain of the calls before it.
	gainForSaved, leastGain = 0.5, 0.02
	// bytesForReference is the number of bytes that loops move in the time that an inspection takes for a
	// reference.
	bytesForReference = 90
)

// degenerate returns why a schedule is not worth running; "" if it is.
func (c *Chain) degenerate(t *tiling, s *chain.Schedule) string {
	if c.chosen() == tune.Tile {
		return ""
	}
	runs, seeds := 0, t.Sets[t.Seed]
	for l := range s.Runs {
		runs += len(s.Runs[l])
	}
	each := float64(runs) / float64(max(1, len(s.Runs)*s.Tiles()))
	large := s.Oversized((seeds + t.Tile - 1) / t.Tile)
	switch {
	case s.Tiles() < max(2, seeds/t.Tile/2):
		return fmt.Sprintf("%d elements of %s make %d tiles only: the mesh's numbers are in no good order, Renumber helps", seeds, t.sets[t.Seed].name, s.Tiles())
	case large > mostLarge:
		return fmt.Sprintf("%.0f %% of all elements are in tiles too large for a cache: the mesh's numbers are in no good order, Renumber helps", 100*large)
	case each > mostRuns:
		return fmt.Sprintf("each loop has %.0f runs in a tile: the mesh's numbers are in no good order, Renumber helps", each)
	}
	return ""
}

const (
	// mostRuns is the mean number of runs of a loop in a tile above which tiles are not worth running.
	mostRuns = 64
	// mostLarge is the fraction of the elements that may be in tiles which do not stay in a cache.
	mostLarge = 0.2
)
