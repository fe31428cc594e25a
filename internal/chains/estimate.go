package chains

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/tune"
)

// Whether tiles pay off is estimated from the bytes that move: loop by loop each loop moves its values
// from and to memory, by tiles each value moves about once. Where all of it stays in a cache there is
// nothing to win.

// postpone says how many calls run loop by loop before neighbors are fused, on all ranks the same, and whether the
// next one does.
func (c *group) postpone() error {
	c.due = 0
	if loops := c.fusible(); loops > 0 && c.chosen() == tune.Auto && c.unfused() == "" && !c.proof && c.rt.Config().Record == "" {
		if !c.rt.OnDevice() {
			c.due = tiling.FusingDue(loops, c.bytes(), c.processors())
		}
		agreed, err := entity.Combine(c.rt, loop.Max, c.tests.due(c.due))
		if err != nil {
			return err
		}
		c.due = agreed[0]
	}
	c.plain = c.ran < c.due
	return nil
}

// fusible returns the number of loops with a neighbor over the same elements.
func (c *group) fusible() (n int) {
	for i, l := range c.places {
		if i > 0 && c.places[i-1].Over() == l.Over() || i+1 < len(c.places) && c.places[i+1].Over() == l.Over() {
			n++
		}
	}
	return n
}

// bytes returns what a call moves, or could move in the time that calling its loops takes.
func (c *group) bytes() (n int64) {
	for _, l := range c.places {
		n += l.Bytes() + bytesForCall
	}
	return n
}

// bytesForCall is the number of bytes that loops move in the time that it takes to call one.
const bytesForCall = 4 << 10

// processors returns the number of processors that run the loops.
func (c *settings) processors() int {
	if c.rt.Name() == "sequential" {
		return 1
	}
	return runtime.NumCPU()
}

// divide chooses the tiles' size and the number of parts.
func (c *settings) divide(t *inspection) {
	m := tune.DefaultMachine().Tiles
	seeds := t.Sets[t.Seed]
	t.Pack, t.Parts = m.Pack, 1
	if c.rt.Name() != "sequential" {
		t.Parts = m.PartsPerProcessor * runtime.NumCPU()
	}
	t.Tile = max(1, int(int64(cmp.Or(c.learned.Tile, m.Bytes))*int64(seeds)/max(1, t.total())))
	if c.chosen() == tune.Tile {
		t.Tile = min(t.Tile, max(1, seeds/fewestTiles))
	}
}

// unworthy returns why tiles do not pay off; "" if they may, or are chosen anyway.
func (c *settings) unworthy(t *inspection) string {
	m := tune.DefaultMachine().Tiles
	total, seeds := t.total(), t.Sets[t.Seed]
	switch {
	case seeds < fewestSeeds:
		return fmt.Sprintf("%s has %s", t.sets[t.Seed].Name(), problem.Count(seeds, "element"))
	case c.exact() && !t.sameBits():
		return "their last digits would change"
	case c.chosen() == tune.Tile:
		return ""
	case total < int64(m.Cached):
		return fmt.Sprintf("its %d KiB stay in a cache", (total+1023)/1024)
	}
	if t.worth.Tried = c.triesTiles(t); !t.worth.Tried {
		if t.worth.OnVectors = 1; !t.worth.Pays() {
			return fmt.Sprintf("tiles would move %s, and cannot be tried", t.moved())
		}
		t.worth.OnVectors = c.onVectors(t)
	}
	switch {
	case t.worth.Pays():
		return ""
	case t.worth.Tried:
		return fmt.Sprintf("tiles would move %s", t.moved())
	}
	return fmt.Sprintf("tiles would move %s, but cannot be tried, and only %.0f %% of that is moved by loops on vectors, which wait for memory", t.moved(), 100*t.worth.OnVectors)
}

// estimate estimates what tiles and their inspection move.
func (c *settings) estimate(t *inspection) {
	t.worth.Loops, t.worth.Tiles = tiling.Estimate(&t.Input, t.rows)
	t.worth.References, t.worth.Processors = tiling.References(&t.Input), c.processors()
}

// onVectors returns the fraction of the loops' bytes that loops on vectors move.
func (c *settings) onVectors(t *inspection) float64 {
	if c.rt.Backend().CallsKernels() {
		return 0
	}
	on, all := int64(0), int64(0)
	for _, l := range t.by {
		all += l.Bytes()
		b := l.Binding()
		if in := (codegen.Input{Loop: b.Loop, Kernel: b.Kernel, Ops: b.Ops, Options: codegen.Options{SIMD: b.Chosen.SIMD, Width: b.Chosen.Width}}); host.Sequential(in).OnVectors() {
			on += l.Bytes()
		}
	}
	return float64(on) / float64(max(1, all))
}

// moved says what tiles are estimated to move.
func (t *inspection) moved() string {
	return fmt.Sprintf("%.4g MB instead of %.4g MB", float64(t.worth.Tiles)/1e6, float64(t.worth.Loops)/1e6)
}

// doubtful returns why loops that share something are not fused where they cannot be tried against their
// parts, in a chain that uses that many bytes; "" if fusing surely pays off.
func (c *settings) doubtful(together *member, apart []*member, whole int64) string {
	bytes := int64(0)
	for _, l := range apart {
		bytes += l.Bytes()
	}
	switch {
	case c.rt.Backend().CallsKernels():
		return "functions seldom wait for memory, and they cannot be tried"
	case whole < int64(tune.DefaultMachine().Tiles.Cached):
		return "the chain stays in a cache, and they cannot be tried"
	case !tiling.FusingPays(bytes, together.Bytes()):
		return fmt.Sprintf("together they would move %.4g MB instead of %.4g MB, and cannot be tried", float64(together.Bytes())/1e6, float64(bytes)/1e6)
	}
	return ""
}

// bytesOf returns the bytes of all values and maps that loops use, each once.
func bytesOf(loops []*member) int64 {
	bytes := map[any]int64{}
	for _, l := range loops {
		for i, d := range l.Binding().Data {
			if l.Binding().Loop.Data[i].Kind != loop.Global {
				bytes[d.Storage()] = int64(d.Storage().Bytes())
			}
		}
		for _, m := range l.Binding().Maps {
			bytes[m] = m.Bytes()
		}
	}
	total := int64(0)
	for _, n := range bytes {
		total += n
	}
	return total
}

const (
	fewestSeeds = 2
	fewestTiles = 8 // where tiles are chosen, and the mesh is small
	// mostLarge is the fraction of the elements that may be in tiles which do not stay in a cache.
	mostLarge = 0.2
)

// degenerate returns why a schedule is not worth running; "" if it is.
func (c *settings) degenerate(t *inspection, s *tiling.Schedule) string {
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
		return fmt.Sprintf("%d elements of %s make %d tiles only: the mesh's numbers are in no good order, Renumber helps", seeds, t.sets[t.Seed].Name(), s.Tiles())
	case large > mostLarge:
		return fmt.Sprintf("%.0f %% of all elements are in tiles too large for a cache: the mesh's numbers are in no good order, Renumber helps", 100*large)
	case each > t.worth.MostRuns():
		return fmt.Sprintf("each loop has %.0f runs in a tile: the mesh's numbers are in no good order, Renumber helps", each)
	}
	return ""
}

// Where two forms of a call have the same bits, the chain tries which of them is faster. Where they have
// not, estimates decide, which are the same in each run.

// tryApart makes a fused loop try its parts one after another, if they leave the same bits.
func (c *settings) tryApart(l *member) error {
	if !l.sameBits || !c.tries() {
		return nil
	}
	for _, p := range l.Parts() {
		if err := p.Order(); err != nil {
			return err
		}
	}
	l.trial = tried{trial.New("apart", "fused")}
	return nil
}

// triesTiles reports whether the chain tries tiles against loop by loop.
func (c *settings) triesTiles(t *inspection) bool { return c.tries() && t.sameBits() }

// sameBits reports whether tiles leave the bits of loop by loop: no sum of floats is one of partial sums by
// tile, and what elements add to a value is added in the same order. One core goes through them in an order
// that keeps that; for groups of tiles, and blocks, no values may change through maps. Packs are the same.
func (t *inspection) sameBits() bool {
	if t.Border > 0 || len(t.beyond) > 0 {
		return false
	}
	return !slices.ContainsFunc(t.by, func(l *run.Loop) bool {
		desc := l.Binding().Loop
		return slices.ContainsFunc(desc.Args, func(a loop.Arg) bool {
			if a.Data < 0 {
				return false
			}
			d := desc.Data[a.Data]
			adds := (a.Access == loop.Inc || a.Access == loop.Reduce) && d.Type.Float()
			return adds && d.Kind == loop.Global || a.Access == loop.Reduce || adds && d.Type.Size() < 8 ||
				t.Parts > 1 && a.Map >= 0 && a.Access != loop.Read
		})
	})
}
