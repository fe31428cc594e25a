package op2_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/optest"
)

// The arrays of a plan divide all elements into blocks, no two blocks of a color reach the same cell, and what is done to
// them changes nothing.
func TestPlanArrays(t *testing.T) {
	rt := optest.OpenBackend(t, "go", op2.WithThreads(2), op2.WithBlockSize(16))
	const n, m = 200, 80
	mesh := optest.NewTopology(n, m)
	edges, cells := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "cells")
	edge2cell := optest.NewMap(t, edges, cells, 2, mesh.Anywhere(2), "edge2cell")
	some := op2.NewSubset(edges, []int{1, 2, 3, 50, 60, 70, 71, 72, 99}, "some")
	x, d := optest.NewDat[float64](t, edges, 1, nil, "x"), optest.NewDat[float64](t, cells, 4, nil, "d")
	q := optest.NewDat[float64](t, cells, 4, nil, "q")
	for _, over := range []op2.IterationSet{edges, some} {
		l := op2.NewLoop(op2.Kernels(mirrorSource).Func(flow4), over, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(1)), x.Read(), d.Inc(edge2cell.At(0)), d.Inc(edge2cell.At(1)))
		p := optest.Must(l.PlanArrays())
		figures, ends := l.Plan(), edge2cell.Values()
		if blocks := len(p.BlockOffsets) - 1; blocks != figures.Blocks || len(p.BlockColors) != blocks || len(p.ColorOffsets)-1 != figures.Colors || blocks < 1 {
			t.Fatalf("%+v are not the arrays of\n%s", p, figures)
		}
		if (p.Order != nil) != (over == some) || len(p.Tables) != 0 || p.ElementColors != nil {
			t.Errorf("got %+v", p)
		}
		seen := 0
		for c := range figures.Colors {
			reached := map[int32]int32{} // the block that reaches a cell
			for _, b := range p.BlocksByColor[p.ColorOffsets[c]:p.ColorOffsets[c+1]] {
				if p.BlockColors[b] != int32(c) {
					t.Errorf("block %d has the color %d, and is listed for %d", b, p.BlockColors[b], c)
				}
				for e := p.BlockOffsets[b]; e < p.BlockOffsets[b+1]; e++ {
					element := e
					if p.Order != nil {
						element = p.Order[e]
					}
					seen++
					for _, cell := range ends[2*element : 2*element+2] {
						if other, is := reached[cell]; is && other != b {
							t.Errorf("blocks %d and %d of color %d reach cell %d", other, b, c, cell)
						}
						reached[cell] = b
					}
				}
			}
		}
		if seen != p.Last-p.First || seen != figures.Elements {
			t.Errorf("%d elements are in blocks, there are %d", seen, figures.Elements)
		}
		want := fmt.Sprint(p)
		p.BlockOffsets[0], p.BlockColors[0], p.BlocksByColor[0] = 7, 7, 7
		if got := fmt.Sprint(optest.Must(l.PlanArrays())); got != want {
			t.Errorf("the plan was changed: %s", got)
		}
	}
}

// The tables of a plan number what blocks reach: local numbers lead back to the map.
func TestPlanTables(t *testing.T) {
	rt, _ := openTestDevice(t)
	const n, m = 60, 40
	mesh := optest.NewTopology(n, m)
	edges, cells := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "cells")
	edge2cell := optest.NewMap(t, edges, cells, 2, mesh.Anywhere(2), "edge2cell")
	q, x, d := optest.NewDat[float64](t, cells, 4, nil, "q"), optest.NewDat[float64](t, edges, 1, nil, "x"), optest.NewDat[float64](t, cells, 4, nil, "d")
	l := op2.NewLoop(op2.Kernels(mirrorSource).Func(flow4), edges, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(1)), x.Read(), d.Inc(edge2cell.At(0)), d.Inc(edge2cell.At(1)))
	_, _, err := op2.BackendOf(rt).(*optest.FakeDevice).Given.NewPlan(backend.PlanRequest{BlockSize: 8, Stage: true, ElementColors: true})
	optest.OK(t, err)
	p := optest.Must(l.PlanArrays())
	if len(p.Tables) != 1 || !slices.Equal(p.Tables[0].Dats, []string{"q", "d"}) || !slices.Equal(p.Tables[0].Slots, []string{"edge2cell[0]", "edge2cell[1]"}) {
		t.Fatalf("got the tables %+v", p.Tables)
	}
	table, ends := p.Tables[0], edge2cell.Values()
	for b := range p.BlockColors {
		targets := table.Targets[table.Offsets[b]:table.Offsets[b+1]]
		for e := p.BlockOffsets[b]; e < p.BlockOffsets[b+1]; e++ {
			if p.ElementColors[e] >= p.ElementColorCounts[b] {
				t.Errorf("element %d has the color %d of %d", e, p.ElementColors[e], p.ElementColorCounts[b])
			}
			for s := range int32(2) {
				if got := targets[table.Local[2*e+s]]; got != ends[2*e+s] {
					t.Errorf("element %d, slot %d: %d, want %d", e, s, got, ends[2*e+s])
				}
			}
		}
	}
}

// A loop without a plan says so.
func TestNoPlanArrays(t *testing.T) {
	rt := optest.OpenBackend(t, "test")
	cells := optest.NewSet(t, rt, 5, "cells")
	q, r := optest.NewDat[float64](t, cells, 4, nil, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	_, err := op2.NewLoop(op2.Kernels(mirrorSource).Func(keep4), cells, q.Read(), r.Write()).PlanArrays()
	optest.ExpectError(t, err, "op2: loop keep4 over cells has no plan: test runs it without one")
	static := optest.Must(op2.Open(op2.Static(), op2.WithBackend("go"), op2.WithLog(nil)))
	cells = optest.NewSet(t, static, 5, "cells")
	q, r = optest.NewDat[float64](t, cells, 4, nil, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	if _, err := op2.NewLoop(op2.Kernels(mirrorSource).Func(keep4), cells, q.Read(), r.Write()).PlanArrays(); !errors.Is(err, op2.ErrStatic) {
		t.Errorf("got %v", err)
	}
	var none *op2.Loop
	if _, err := none.PlanArrays(); err == nil {
		t.Error("no loop has a plan")
	}
}
