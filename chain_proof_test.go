package op2_test

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/tiling"
)

//go:embed chain_proof_test.go
var proofSource string

func meanOf(w *float64, x *[2]float64) { *w = x[0] + 2*x[1] + 1 }

func spread2(a *[2][2]float64, w *float64) {
	for i := range 2 {
		for j := range 2 {
			a[i][j] += *w * float64(1+i+2*j)
		}
	}
}

// Masked maps lead to matrices alone, which loops in tiles do not assemble: they may be in any chain, fused
// or not.
func TestChainWithMaskedMaps(t *testing.T) {
	for _, backend := range []string{"go", "sequential", "openmp"} {
		t.Run(backend, func(t *testing.T) {
			for _, n := range []int{1, 2, 60} {
				for _, mode := range []string{"off", "auto", "fuse", "tile"} {
					rt := optest.OpenBackend(t, backend, op2.WithThreads(2))
					optest.CheckPlans(rt)
					w := newRow(t, rt, n)
					masked := w.edge2cell.Masked(w.ends, "inner")
					mean := optest.NewDat[float64](t, w.edges, 1, nil, "mean")
					a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: w.edge2cell, Cols: w.edge2cell}}, 1, 1, "sp"), "a")
					k := op2.Kernels(chainSource, proofSource)
					c := op2.NewChain(
						op2.NewLoop(k.Func(keepOld), w.cells, w.old.Write(), w.x.Read()),
						op2.NewLoop(k.Func(meanOf), w.edges, mean.Write(), w.old.Read(w.edge2cell)),
						op2.NewLoop(k.Func(spread2), w.edges, a.Inc(masked, masked), mean.Read()))
					c = c.With(op2.WithChains(op2.Chaining(mode)))
					optest.OK(t, c.Compute())
					optest.OK(t, c.Compute())
					x, to, want := optest.Must(w.x.DataRO()), w.edge2cell.Values(), make([]float64, n*n)
					for e := range n - 1 {
						for i := range 2 {
							for j := range 2 {
								r, s := int(to[2*e+i]), int(to[2*e+j])
								if r > 0 && r < n-1 && s > 0 && s < n-1 {
									want[r*n+s] += 2 * (x[e] + 2*x[e+1] + 1) * float64(1+i+2*j)
								}
							}
						}
					}
					optest.ExpectMat(t, a, &optest.Dense{Cols: n, Values: want})
				}
			}
		})
	}
}

// tiledStep returns the chain of a time step on a row of cells, in tiles.
func tiledStep(t *testing.T, rt *op2.Runtime, n int) (*row, *op2.Chain) {
	w := newRow(t, rt, n)
	w.step(func(k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
		w.loops = append(w.loops, op2.NewLoop(k, over, args...))
	})
	return w, op2.NewChain(w.loops...).With(op2.WithChains(op2.Tile))
}

// With diagnostics loops run one by one, and the tiles that they would make without are proved.
func TestDiagnosticsProveTiles(t *testing.T) {
	for _, backend := range []string{"go", "sequential", "openmp"} {
		t.Run(backend, func(t *testing.T) {
			rt := optest.OpenBackend(t, backend, op2.WithDiags(true))
			w, c := tiledStep(t, rt, 100)
			plan := optest.Must(c.Plan()).String()
			if !strings.Contains(plan, "loop by loop (diagnostics check each loop; ") || !strings.Contains(plan, " tiles, by which 7 of 8 loops run without them, are proved):") {
				t.Errorf("got:\n%s", plan)
			}
			optest.OK(t, c.Compute())
			w.check(t, "with diagnostics", 1)
			if _, c = tiledStep(t, rt, 0); strings.Contains(optest.Must(c.Plan()).String(), "proved") {
				t.Errorf("no elements have tiles:\n%s", optest.Must(c.Plan()))
			}
			optest.OK(t, c.Compute())
		})
	}
}

// A wrong schedule never runs where plans are checked: with diagnostics, and in tests.
func TestWrongTilesAreFound(t *testing.T) {
	const tilesOf = `^op2: the tiles of the chain keepOld over cells, exchange over edges, .*, advance over cells: `
	for _, test := range []struct {
		name  string
		spoil func(*tiling.Schedule)
		want  string
	}{
		{"seams beside the parts", func(s *tiling.Schedule) { s.Stages = [][]tiling.Group{slices.Concat(s.Stages...)} },
			`element \d+ of loop \w+ over \w+ \(\w+, \w+\) runs at the same time as element \d+ of loop \w+ over \w+ \(\w+, \w+\); both use element \d+ of cells`},
		{"an element that does not run", func(s *tiling.Schedule) { s.Runs[0][0][0]++ }, "element 0 of loop keepOld over cells does not run"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := regexp.MustCompile(tilesOf + test.want + "\n  hint: this is a mistake of op2: please report it; the chain's With\\(op2.WithChains\\(op2.Fuse\\)\\) makes no tiles$")
			for _, diags := range []bool{true, false} {
				rt := optest.Open(t, op2.WithBackend("go"), op2.WithThreads(2), op2.WithDiags(diags))
				optest.SpoilTiles(rt, test.spoil)
				w, c := tiledStep(t, rt, 100)
				if err := c.Compute(); err == nil || !want.MatchString(optest.ErrorText(err)) {
					t.Errorf("got  %v\nwant %s", err, want)
				}
				w.check(t, "nothing has run", 0)
			}
		})
	}
}
