package op2

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
)

// Chain is a sequence of loops that are computed as one: each time step of a simulation, say. The
// library sees what the loops share, and saves the way to memory and back between them. Neighbors are
// fused to one loop where that is possible, and loops are cut into tiles, small enough for the values
// of a tile to stay in the cache while one loop after another uses them; see [WithChains]. [RecordChain] takes other
// operations, too.
//
// Results are those of the loops computed one after another, but for rounding: sums in globals, and
// increments of values that elements of two tiles reach, may be added in another order, which is
// always the same.
type Chain chains.Chain

func (c *Chain) chain() *chains.Chain { return (*chains.Chain)(c) }

// NewChain returns the chain of the loops in that order. A loop may occur several times. The chain has
// loops of its own: the given ones may be computed, too.
func NewChain(loops ...*Loop) *Chain {
	of, on := make([]*run.Loop, len(loops)), make([]*entity.Runtime, len(loops))
	for i, l := range loops {
		of[i], on[i] = l.core(), orEmpty(l.core()).Runtime()
	}
	return declareChain(on, func() (*chains.Chain, error) { return chains.New(of) })
}

// RecordChain returns the chain of what the program calls within a function, in that order, instead of running it: loops
// ([ParLoop], [Loop.Compute]), arithmetic of dats, products and other operations that change matrices ([Mat.Mul],
// [Mat.Zero], …), [Dirichlet.Apply], [Dirichlet.ApplyRHS], [Dirichlet.ApplyTo] and [Global.Set]. Factors and values are
// those of the recording; globals that loops read have the values of each call.
//
// What has a result or declares something cannot be recorded, nor can solvers: the first such call is an error of the
// chain, as is what the function returns. On several ranks, all record the same. Meanwhile, no other goroutine may use the
// runtime.
//
//	step := op2.RecordChain(rt, func() error {
//		return errors.Join(fluxes.Compute(), residual.Set(0), u.AXPY(-dt, r), norms.Compute())
//	})
func RecordChain(rt *Runtime, calls func() error) *Chain {
	d := entity.Declaration{On: []*entity.Runtime{rt.core()}, What: "RecordChain", Of: "runtime"}
	return (*Chain)(entity.Declare(d, func() (*chains.Chain, error) { return chains.Record(rt.core(), calls) }, chains.Inert))
}

func declareChain(on []*entity.Runtime, construct func() (*chains.Chain, error)) *Chain {
	return (*Chain)(entity.Declare(entity.Declaration{On: on}, construct, chains.Inert))
}

// Err returns why there is no such chain; nil if there is.
func (c *Chain) Err() error { return c.runtime().Made("chain", "NewChain") }

func (c *Chain) runtime() *entity.Runtime { return orEmpty(c.chain()).Runtime() }

// With returns another chain of the same loops with options of its own, which take precedence over the runtime's. The
// chain itself stays as it is, as a kernel does with [Kernel.With].
//
//	step := op2.NewChain(loops...).With(op2.WithChains(op2.Tile))
func (c *Chain) With(options ...ChainOption) *Chain {
	return declareChain([]*entity.Runtime{c.runtime()}, func() (*chains.Chain, error) {
		if err := c.chain().Made(); err != nil {
			return nil, err
		}
		given, err := checked(options...)
		if err != nil {
			return nil, fmt.Errorf("op2: Chain.With: %s", strings.TrimPrefix(err.Error(), "op2: "))
		}
		return c.chain().With(given.Chains), nil
	})
}

// Temporary returns another chain, the same with dats that nobody reads after it has been computed: they pass values
// from one of its loops to another, which in a fused loop needs no memory. Their values are then
// undefined. A dat that no loop of the chain uses is an error.
//
//	step := op2.NewChain(loops...).Temporary(flux)
func (c *Chain) Temporary(dats ...AnyDat) *Chain {
	of, on := make([]*entity.Data, len(dats)), []*entity.Runtime{c.runtime()}
	for i, d := range dats {
		if d != nil {
			of[i] = d.dat().data()
			on = append(on, d.dat().runtime())
		}
	}
	return declareChain(on, func() (*chains.Chain, error) {
		if err := c.chain().Made(); err != nil {
			return nil, err
		}
		for i, d := range of {
			if !d.Made() {
				return nil, fmt.Errorf("op2: Chain.Temporary: dat %d of %d is nil, or was not made by NewDat", i+1, len(dats))
			}
		}
		return c.chain().Temporary(of)
	})
}

// AnyDat is a *[Dat] of values of any type.
type AnyDat interface{ dat() *dat }

// Compute runs the loops once. The first call waits for the compiler, and inspects the maps. An error
// is that of the loop that failed, as of [Loop.Compute]; later ones have not run, or, fused or in tiles,
// only for some elements.
func (c *Chain) Compute() error {
	if err := c.chain().Made(); err != nil {
		return err
	}
	return (*Runtime)(c.runtime()).do(c.chain().Run)
}

// Generate returns the sources that the loops compile to on the runtime's backend: a fused loop's is
// one of its own. Before the first Compute it prepares the chain, for which all ranks must call it.
func (c *Chain) Generate() (string, error) { return within(c.chain(), c.chain().Generate) }

// ChainPlan says how a chain runs: which of its loops are fused, which run by tiles, and
// why others do not. Its String is a few lines of text. Its fields:
//
//	Segments []Segment // neighbors that run together
//	Apart    []string  // why neighbors are not fused
//	Tried    []string  // what was measured in calls of two forms, and chosen
//	Messages string    // how often several ranks exchange messages; "": before each loop that needs it
//
// A Segment has the Loops, whether some are Fused, figures of the Tiles, or Why there are none, and how a device queues
// them together, Queue.
type ChainPlan = chains.Plan

// Plan says how the chain runs. Before the first Compute it prepares the chain, for which all ranks must
// call it.
func (c *Chain) Plan() (ChainPlan, error) { return within(c.chain(), c.chain().Plan) }

// Stats returns the figures of the chain's calls, like those of [Runtime.Stats]: of each loop, in order, of fused ones
// together; and of the whole chain, with the sums, and the number of times that it was computed. Where loops run by tiles,
// their common time is shared out by the bytes that each moves, and on a device by the time that each took by itself.
func (c *Chain) Stats() (loops []Stats, whole Stats) {
	if c.chain().Made() != nil {
		return nil, Stats{}
	}
	rt := c.chain().Runtime()
	rt.MustEnter()
	defer rt.Leave()
	_ = rt.Settle()
	each, sum := c.chain().Stats()
	return statsOf(each), Stats(sum)
}
