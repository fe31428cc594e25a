package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// oneRank are the parts of the suite that do not run on several ranks: they are about one process, change its
// package variables, declare sets after loops, or look at all values and rows of a mesh in one place.
var oneRank = []string{
	"consts", "c consts", "halos", "cache", "faults", "closed", "concurrent use", "names", "mat poison", "mat threads",
	"mass", "mats", "several mats", "solvers", "dirichlet", "components",
}

// rankParts are the others.
func rankParts() (names []string) {
	for _, p := range slices.Concat(parts, libraryParts) {
		if !slices.Contains(oneRank, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// fewRankParts are those that compiling backends run each time.
var fewRankParts = []string{"sizes", "values", "reduce", "subsets", "mixed", "globals", "chain"}

// TestRanks runs the suite on several ranks, with meshes distributed in many ways.
func TestRanks(t *testing.T) {
	for _, c := range Configs(t) {
		switch c.Name {
		case "go/1":
			if testing.Short() {
				runOnRanks(t, c, rankParts(), 3)
				break
			}
			runOnRanks(t, c, rankParts(), 2, 3, 4, 7)
		case "sequential":
			if !testing.Short() {
				runOnRanks(t, c, fewRankParts, 3)
			}
		case "openmp":
			runOnRanks(t, c, fewRankParts, 2)
		}
	}
}

func TestHeavyRanks(t *testing.T) {
	heavy.Tests(t)
	for _, c := range slices.Concat(Configs(t), DeviceConfigs(t)) {
		switch c.Name {
		case "go/2", "go/8", "go/diags", "sequential", "sequential/simd", "openmp", "openmp/3/block=7", "test":
			runOnRanks(t, c, rankParts(), 2, 3, 4, 7)
		case "opencl/auto", "opencl/staged-soa", "opencl/atomic-aos", "standin/auto", "standin/gather-soa", "standin/staged-soa", "cuda/auto":
			runOnRanks(t, c, rankParts(), 3)
		}
	}
}

// runOnRanks runs parts of the suite for a configuration on several numbers of ranks.
func runOnRanks(t *testing.T, c Config, names []string, ranks ...int) {
	c.Parts = names
	for _, n := range ranks {
		t.Run(fmt.Sprintf("%s on %d", c.Name, n), func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			for _, p := range slices.Concat(parts, libraryParts) {
				if slices.Contains(c.Parts, p.name) && heavy.InShare(t.Name()+p.name) {
					t.Run(p.name, func(t *testing.T) { p.runOnRanks(t, c, n) })
				}
			}
		})
	}
}

// runOnRanks runs a part of the suite on n ranks.
func (p *part) runOnRanks(t *testing.T, c Config, n int) {
	optest.Ranks(t, n, c.Open, func(t *testing.T, open optest.Opener) {
		seed := uint64(n)
		p.run(t, func(t testing.TB, options ...op2.Option) *op2.Runtime {
			rt := open(t, options...)
			seed++
			optest.Distribute(rt, randomOwners(seed, n))
			return rt
		})
	})
}

// randomOwners returns a way to distribute sets to n ranks, some of which own nothing of some sets.
func randomOwners(seed uint64, n int) func(set string, element int) int {
	hash := func(numbers ...uint64) *rand.Rand {
		h := seed
		for _, v := range numbers {
			h = h*0x9e3779b97f4a7c15 + v
		}
		return rand.New(rand.NewPCG(h, 31))
	}
	of := func(set string) *rand.Rand {
		var letters []uint64
		for _, b := range []byte(set) {
			letters = append(letters, uint64(b))
		}
		return hash(letters...)
	}
	return func(set string, element int) int {
		r := of(set)
		way, one, run := r.IntN(6), r.IntN(n), 1+r.IntN(60)
		switch way {
		case 0: // interleaved
			return element % n
		case 1: // all on one
			return one
		case 2: // nothing on one
			return (one + 1 + hash(uint64(way), uint64(element)).IntN(max(1, n-1))) % n
		case 3, 4: // runs
			return element / run % n
		}
		return hash(uint64(way), uint64(element)).IntN(n)
	}
}

// The bytes between the fields of a record are nobody's: they may differ between ranks.
func TestPaddingOfRanks(t *testing.T) {
	optest.Ranks(t, 3, Config{Options: []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}}.Open, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		const n = 12
		cells := optest.NewSet(t, rt, n, "cells")
		next := make([]int32, n)
		for i := range next {
			next[i] = int32((i + 1) % n)
		}
		m := optest.NewMap(t, cells, cells, 1, next, "next")
		r, x := optest.NewDat(t, cells, 1, make([]rankRecord, n), "r"), optest.NewDat[uint64](t, cells, 1, nil, "x")
		soil := func() {
			for i := range optest.Must(r.Data()) {
				record := &optest.Must(r.Data())[i]
				*record = rankRecord{Part: 1, Whole: 2}
				*(*byte)(unsafe.Add(unsafe.Pointer(record), 2)) = byte(1 + rt.Rank())
			}
		}
		soil()
		for range 2 { // before and after the mesh is distributed
			optest.Run(t, op2.Kernels(rankSource).Func(rankTake), cells, r.Read(m.At(0)), r.Read(m.At(0)), x.Write())
			optest.Run(t, op2.Kernels(rankSource).Func(rankTake), cells, r.Read(), r.Read(), x.Write())
			soil()
		}
		nothing := rankRecord{}
		*(*byte)(unsafe.Add(unsafe.Pointer(&nothing), 2)) = byte(1 + rt.Rank())
		most := optest.NewGlobal(t, rt, "most", nothing)
		optest.Run(t, op2.Kernels(rankSource).Func(rankCopy), cells, r.Read(), most.Reduce(op2.Kernels(rankSource).Func(rankMost), nothing))
		optest.Expect(t, most, []rankRecord{{Part: 1, Whole: 2}})
		for _, v := range optest.Must(x.DataRO()) {
			if v != 3 {
				t.Errorf("got %d", v)
			}
		}
	})
}
