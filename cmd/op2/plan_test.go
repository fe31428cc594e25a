package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2/mesh"
)

// planFigures are those of smallPlan, without the memory it takes.
const planFigures = `blocks          5, of 64 elements, for 266
block colors    2, no fewer are possible; of 2 to 3 blocks each
element colors  at most 4 in a block, at least 4 are needed
local tables    1, at most 57 targets in a block
reuse           2.32 references for each target of a block
shared memory   1824 bytes
plan            `

// smallPlan are the flags of a plan that is quick to make.
func smallPlan(args ...string) []string {
	return append([]string{"plan", "-i", "8", "-j", "6", "-block", "64"}, args...)
}

func TestPlan(t *testing.T) {
	out, status, err := outputs(t, smallPlan("-o", "")...)
	if err != nil || !strings.HasPrefix(out, planFigures) || status != "" {
		t.Errorf("error %v\n%s\nnot\n%s", err, out, planFigures)
	}
}

func TestPlanDraws(t *testing.T) {
	dir := t.TempDir()
	all, one := filepath.Join(dir, "a.png"), filepath.Join(dir, "a-block.png")
	out, status, err := outputs(t, smallPlan("-o", all)...)
	drawn := "wrote " + all + "\nwrote " + one + ", of block 2\n"
	if err != nil || !strings.HasPrefix(out, planFigures) || status != drawn {
		t.Errorf("error %v\n%s%s\nnot\n%s…%s", err, out, status, planFigures, drawn)
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

// A mesh that is read has the plan of the same mesh made.
func TestPlanReadsMesh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grid.dat")
	if out, err := output(t, "mesh", "-i", "8", "-j", "6", "-o", path); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := output(t, "plan", "-mesh", path, "-block", "64", "-o", "")
	if err != nil || !strings.HasPrefix(out, planFigures) {
		t.Errorf("error %v\n%s\nnot\n%s", err, out, planFigures)
	}
}

func TestPlanWrongUse(t *testing.T) {
	dir := t.TempDir()
	lonely := filepath.Join(dir, "lonely.dat")
	m := &mesh.Airfoil{Nodes: 4, Cells: 1, XY: []float64{0, 0, 1, 0, 1, 1, 0, 1}, CellNodes: []int32{0, 1, 2, 3}}
	if err := m.WriteFile(lonely); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"all"}, `op2 plan: unexpected argument "all"`},
		{[]string{"-x"}, "op2 plan: flag provided but not defined: -x"},
		{[]string{"-i", "0"}, "op2 plan: mesh: naca0012 0 by 80: expected from 2 to 30000 cells along the airfoil, found 0"},
		{[]string{"-j", "0"}, "op2 plan: mesh: naca0012 50 by 0: expected from 1 to 30000 layers of cells, found 0"},
		{[]string{"-block", "0"}, "op2 plan: plan: blocks of at least 1 element are needed, 0 was given"},
		{smallPlan("-show", "5")[1:], "op2 plan: -show 5: expected a block from 0 to 4, or -1"},
		{smallPlan("-show", "-2")[1:], "op2 plan: -show -2: expected a block from 0 to 4, or -1"},
		{[]string{"-mesh", lonely, "-j", "80"}, "op2 plan: -j and -mesh: a mesh is either made or read"},
		{[]string{"-mesh", lonely}, "op2 plan: " + lonely + ": the mesh has no edges"},
		{[]string{"-mesh", filepath.Join(dir, "none.dat")}, "op2 plan: mesh: open " + filepath.Join(dir, "none.dat") + ": "},
		{smallPlan("-o", filepath.Join(dir, "none", "a.png"))[1:], "op2 plan: plot: open "},
	} {
		args := append([]string{"plan"}, c.args...)
		_, err := output(t, args...)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 %s: %v, not %q", strings.Join(args, " "), err, c.want)
		}
	}
}
