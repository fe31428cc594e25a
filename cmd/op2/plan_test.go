package main

import (
	_ "embed"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed plan_test.go
var planSource string

// spreadEnds adds a value to both cells of an edge.
func spreadEnds(left, right *[1]float64, ends *[2][2]float64) {
	left[0] += ends[0][0]
	right[0] += ends[1][0]
}

// clearCell sets the value of a cell.
func clearCell(u *[1]float64) { u[0] = 0 }

// program runs two loops over a mesh around an airfoil.
func program(t *testing.T, options ...op2.Option) {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend("go"), op2.WithBlockSize(64), op2.WithLog(nil)}, options...)...)
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
	u := op2.NewDat[float64](cells, 1, nil, "u")
	if err := rt.Err(); err != nil {
		t.Fatal(err)
	}
	kernels := op2.Kernels(planSource)
	if err := op2.ParLoop(kernels.Func(clearCell), cells, u.Write()); err != nil {
		t.Fatal(err)
	}
	if err := op2.ParLoop(kernels.Func(spreadEnds), edges, u.Inc(edge2cell.At(0)), u.Inc(edge2cell.At(1)), x.Read(edge2node)); err != nil {
		t.Fatal(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
}

const planFigures = `        hash        loop   over  elements  blocks of  blocks  colors  at least  colors in a block
  654fae3703   clearCell  cells       144         64       3       1         1                  1
  d8f90cf4dc  spreadEnds  edges       266         64       5       2         2                  4

spreadEnds over edges
blocks          5, of 64 elements, for 266
block colors    2, no fewer are possible; of 2 to 3 blocks each
element colors  at most 4 in a block, at least 4 are needed
local tables    2, at most `

// The plans of a program that op2 runs are those of the folder that it wrote.
func TestPlan(t *testing.T) {
	if os.Getenv(record.Variable) != "" { // as the program that is run
		program(t)
		return
	}
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	program(t)
	for _, args := range [][]string{{dir}, {os.Args[0], "-test.run=^TestPlan$"}} {
		out, _, err := outputs(t, append([]string{"plan", "-o", ""}, args...)...)
		if err != nil || !strings.HasPrefix(out, planFigures) {
			t.Errorf("error %v\n%s\nnot\n%s", err, out, planFigures)
		}
	}
}

// A folder with Go source is a package to run.
func TestPlanOfPackage(t *testing.T) {
	t.Setenv("OP2_BACKEND", "go")
	out, _, err := outputs(t, "plan", "-o", "", "../../examples/midpoint")
	if err != nil || !strings.Contains(out, "colors in a block") {
		t.Errorf("error %v\n%s", err, out)
	}
}

func TestPlanDraws(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	program(t)
	all, one := filepath.Join(dir, "a.png"), filepath.Join(dir, "a-block.png")
	for _, args := range [][]string{{"-view", "-1,-1,2,1"}, {"-loop", "clearCell", "-show", "2", "-block", "40"}, {"-loop", "654f", "-show", "2", "-block", "40"}} {
		_, status, err := outputs(t, append(append([]string{"plan", "-o", all}, args...), dir)...)
		if want := "wrote " + all + "\nwrote " + one + ", of block 2\n"; err != nil || status != want {
			t.Errorf("error %v\n%s\nnot\n%s", err, status, want)
		}
		for _, path := range []string{all, one} {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if c, err := png.DecodeConfig(f); err != nil || c.Width != 1600 {
				t.Errorf("%s: error %v, %d pixels wide", path, err, c.Width)
			}
		}
	}
}

func TestPlanWrongUse(t *testing.T) {
	dir, empty, broken := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv(record.Variable, dir)
	program(t)
	if err := os.WriteFile(filepath.Join(broken, "1.op2record"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "op2 plan: which program? As in: op2 plan -loop resCalc ./examples/airfoil"},
		{[]string{"-y"}, "op2 plan: flag provided but not defined: -y"},
		{[]string{"-view", "1,2", dir}, "op2 plan: -view 1,2: expected x0,y0,x1,y1"},
		{[]string{"-block", "-1", dir}, "op2 plan: -block -1: expected a positive number"},
		{[]string{"-show", "5", dir}, "op2 plan: -show 5: expected a block from 0 to 4, or -1"},
		{[]string{"-show", "-2", dir}, "op2 plan: -show -2: expected a block from 0 to 4, or -1"},
		{[]string{"-loop", "spreadEnd", dir}, `op2 plan: the program has no loop spreadEnd (did you mean "spreadEnds"?); it has clearCell, spreadEnds`},
		{[]string{"-x", "y", dir}, "op2 plan: no picture: -x y: there is no such dat of 2 or 3 floats"},
		{[]string{empty}, "op2 plan: " + empty + ": no loop was recorded"},
		{[]string{broken}, "op2 plan: " + filepath.Join(broken, "1.op2record") + " is no record of this version of op2"},
		{[]string{"false"}, "op2 plan: false: exit status 1"},
		{[]string{"no-such-program"}, `op2 plan: no-such-program: exec: "no-such-program": executable file not found in $PATH`},
		{[]string{"-o", filepath.Join(broken, "1.op2record", "a.png"), dir}, "op2 plan: plot: "},
	} {
		args := append([]string{"plan"}, c.args...)
		_, err := output(t, args...)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 %s: %v, not %q", strings.Join(args, " "), err, c.want)
		}
	}
}

// A folder that cannot be written is a warning; the program runs.
func TestRecordNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	t.Setenv(record.Variable, file)
	program(t, op2.WithLog(&log))
	if want := "op2: warning: OP2_RECORD: mkdir " + file + ": not a directory\n"; log.String() != want {
		t.Errorf("%q, not %q", log.String(), want)
	}
}

// A loop is recorded once for everything that it means: again with another access, but not with
// other data. Those of the library, here of a solver, are not.
func TestRecordOnce(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	rt, err := op2.Open(op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		t.Fatal(err)
	}
	cells := rt.NewSet(10, "cells")
	u, v := op2.NewDat[float64](cells, 1, nil, "u"), op2.NewDat[float64](cells, 1, nil, "v")
	clear := op2.Kernels(planSource).Func(clearCell)
	for _, arg := range []op2.Arg{u.Write(), v.Write(), u.RW(), u.Write()} {
		if err := op2.ParLoop(clear, cells, arg); err != nil {
			t.Fatal(err)
		}
	}
	identity := solver.NewOperator(cells, 1, func(y, x *op2.Dat[float64]) error { return y.Copy(x) }, nil, "identity")
	system := solver.New(identity, solver.None)
	if err := v.Fill(1); err != nil {
		t.Fatal(err)
	}
	if _, err := system.Solve(u, v); err != nil {
		t.Fatal(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := record.Read(dir)
	if err != nil || len(all) != 1 || len(all[0].Loops) != 2 || all[0].Loops[0].Hash == all[0].Loops[1].Hash {
		t.Errorf("error %v, %+v", err, all)
	}
}

// Rows of different lengths are polygons with as many corners; an empty one is a point.
func TestShapesOfRows(t *testing.T) {
	m := &record.Mesh{
		Sets:   []record.Set{{Name: "zones", Size: 3}, {Name: "nodes", Size: 6}},
		Maps:   []record.Map{{Name: "corners", From: 0, To: 1, Arity: 4, Values: []int32{0, 1, 2, -1, -1, -1, -1, -1, 1, 3, 4, 5}}},
		Points: []record.Points{{Name: "x", Set: 1, Dim: 2, Values: []float64{0, 0, 1, 0, 0, 1, 2, 0, 2, 1, 1, 1}}},
	}
	s, err := newGeometry(m, &m.Points[0]).shapes("zones", within(0, 3, nil))
	if err != nil {
		t.Fatal(err)
	}
	if n, last := len(s.mesh.XY)/2, slices.Max(s.mesh.Cells); n != 3+1+4 || last != 7 {
		t.Errorf("%d corners, the last of which is %d; want 8 and 7", n, last)
	}
}
