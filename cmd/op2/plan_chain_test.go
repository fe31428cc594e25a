package main

import (
	_ "embed"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/mesh"
)

//go:embed plan_chain_test.go
var planChainSource string

// followEnds adds what the cells of an edge have to its own value.
func followEnds(length *float64, u *[2]float64) { *length += u[0] - u[1] }

// chainProgram computes a chain three times, and its beginning, over a mesh around an airfoil.
func chainProgram(t *testing.T, options ...op2.Option) {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend("go"), op2.WithLog(nil)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mesh.NACA0012(8, 6)
	if err != nil {
		t.Fatal(err)
	}

	nodes, cells, edges := rt.NewSet(m.Nodes(), "nodes"), rt.NewSet(m.Cells(), "cells"), rt.NewSet(m.Given.Interior.Len(), "edges")
	edge2cell := op2.NewMap(edges, cells, 2, m.Given.Interior.Cells, "edge2cell")
	edge2node := op2.NewMap(edges, nodes, 2, m.Given.Interior.Reversed(), "edge2node")
	op2.NewMap(cells, nodes, 4, m.Blocks[0].Nodes, "cell2node")
	x := op2.NewDat(nodes, 2, m.Points, "x")
	u, length := op2.NewDat[float64](cells, 1, nil, "u"), op2.NewDat[float64](edges, 1, nil, "length")
	kernels := op2.Kernels(planSource, planChainSource)
	clear := op2.NewLoop(kernels.Func(clearCell), cells, u.Write())
	spread := op2.NewLoop(kernels.Func(spreadEnds), edges, u.Inc(edge2cell.At(0)), u.Inc(edge2cell.At(1)), x.Read(edge2node))
	follow := op2.NewLoop(kernels.Func(followEnds), edges, length.RW(), u.Read(edge2cell))
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	for _, loops := range [][]*op2.Loop{{clear, spread, follow}, {clear, spread, follow}, {clear, spread}} {
		c := op2.NewChain(loops...)
		for range 2 {
			if err := c.Compute(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
}

const chainList = `
  chain  loops  tiles of  tiles  groups  in seams  runs  kB   ms     by
      1      3  16 edges     17       1    0.00 %   0.8   2  loops
      2      2  16 edges     17       1    0.00 %   0.9   2  loops
`

const chainFigures = `
17 tiles of 16 edges; parts: 17 in 1 group
estimated to move 0.0192 MB loop by loop, 0.01362 MB by tiles
the program ran it loop by loop: its 11 KiB stay in a cache
           loop   over  elements  tiles  runs in a tile  in seams
  1   clearCell  cells       144     17             1.0    0.00 %
  2  spreadEnds  edges       266     14             1.0    0.00 %
  3  followEnds  edges       266     11             1.0    0.00 %
`

// A chain is recorded once, and shown in tiles as flags say, or as it ran.
func TestPlanOfChains(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	chainProgram(t)
	path := filepath.Join(dir, "a.png")
	plan := func(args ...string) (out, status string) {
		t.Helper()
		out, status, err := outputs(t, append(append([]string{"plan"}, args...), dir)...)
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`\d+\.\d  (tiles|loops)`).ReplaceAllString(out, "$1"), status
	}
	if out, _ := plan("-o", "", "-tile", "16", "-parts", "1"); !strings.Contains(out, chainList) || !strings.Contains(out, "\nspreadEnds over edges\n") {
		t.Errorf("%s\nwithout\n%s", out, chainList)
	}
	out, status := plan("-chain", "1", "-tile", "16", "-parts", "1", "-view=-1,-1,2,1", "-o", path)
	if !strings.HasSuffix(out, chainList+chainFigures) || status != "wrote "+path+"\n" {
		t.Errorf("%s%s\nwithout\n%s%s", out, status, chainList, chainFigures)
	}
	if out, _ := plan("-chain", "1", "-tile", "8", "-parts", "2", "-o", ""); !strings.Contains(out, "; seams between two: ") {
		t.Errorf("%s\nhas no seams", out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width != panelColumns*panelWidth {
		t.Errorf("error %v, %d pixels wide", err, c.Width)
	}
	for args, want := range map[string]string{
		"-chain 3":         "op2 plan: -chain 3: the program has 2 chains whose loops can share tiles",
		"-chain 1 -x y":    "op2 plan: no picture: -x y: there is no such dat",
		"-chain 1 -tile -": `op2 plan: invalid value "-" for flag -tile`,
	} {
		if _, _, err := outputs(t, append(append([]string{"plan"}, strings.Fields(args)...), dir)...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
