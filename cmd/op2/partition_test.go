package main

import (
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/mesh"
)

// small writes a mesh of 144 quadrilaterals.
func small(t *testing.T) string {
	t.Helper()
	m, err := mesh.NACA0012(8, 6)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.dat")
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

const partitionFigures = `small.dat: 166 nodes, 144 cells, 266 edges, 44 bedges
cells by method auto; the others follow; one layer of halo
iteration: assumed: a flux and an update of 32 bytes of each of cells; 2 loops, 0.0344 MB moved, 1 with messages, 1 with a reduction

  parts  cut      %  neighbors  at most  kB received  at most
      2   14   5.26        1.0        1          0.5      0.5
      5   56  21.05        2.8        4          0.6      0.7

  parts     set  owned  at most  executed  at most  only read  at most
      2   nodes   83.0       83       0.0        0       24.5       25
      2   cells   72.0       72      14.0       14        0.5        1
      2   edges  133.0      133      13.5       14        0.0        0
      2  bedges   22.0       22       2.0        3        0.0        0
      5   nodes   33.2       34       0.0        0       26.6       32
      5   cells   28.8       29      13.2       17        4.4        5
      5   edges   53.2       54      16.8       21        0.0        0
      5  bedges    8.8       10       1.0        2        0.0        0
`

func TestPartition(t *testing.T) {
	path := small(t)
	for _, args := range [][]string{{"-parts", "2,5", path}, {path, "-parts", "2, 5", "-method=bisect"}} {
		out, status, err := outputs(t, append([]string{"partition"}, args...)...)
		if want := partitionFigures; err != nil || strings.Replace(out, "bisect", "auto", 1) != want || status != "" {
			t.Errorf("error %v\n%s%s\nnot\n%s", err, status, out, want)
		}
	}
}

const partitionScaling = `: the rank with most to do moves 10 GB/s, and then has 2µs for each message, receives 1 GB/s,
and has 2µs for each of the log2(ranks) steps of a reduction; nothing overlaps.
Where marked with *, extrapolated from 16 parts by the surface of a part of n cells: 171 n^0.50 bytes
received, 1.45 n^-0.50 more work than an equal share, 7 neighbors.

This mesh
  ranks  cells each   compute  messages    bytes  reductions  iteration  speed-up  efficiency
      1         144   3.44 µs      0 µs     0 µs        0 µs    3.44 µs         1       100 %
      4          36   0.98 µs      6 µs  0.67 µs        4 µs    11.7 µs     0.295      7.38 %
     16           9   0.32 µs     14 µs  0.51 µs        8 µs    22.8 µs     0.151     0.941 %
  *1000        0.14  0.059 µs     14 µs  0.17 µs     19.9 µs    34.2 µs     0.101    0.0101 %

A mesh that grows with the ranks, all extrapolated
  ranks  cells each  compute  messages   bytes  reductions  iteration  efficiency
      1        1000  23.9 µs      0 µs    0 µs        0 µs    23.9 µs       100 %
      4        1000    25 µs      6 µs  5.4 µs        4 µs    40.4 µs      59.1 %
     16        1000    25 µs     14 µs  5.4 µs        8 µs    52.4 µs      45.6 %
   1000        1000    25 µs     14 µs  5.4 µs     19.9 µs    64.3 µs      37.1 %
`

func TestPartitionScaling(t *testing.T) {
	out, err := output(t, "partition", "-scaling", "-parts", "1,4,16,1000", "-each", "1000", small(t))
	if _, got, _ := strings.Cut(out, "\nPredicted"); err != nil || got != partitionScaling {
		t.Errorf("error %v\n%s\nnot\n%s", err, got, partitionScaling)
	}
}

const partitionRecord = `175 nodes, 144 cells, 266 edges
nodes by method auto; the others follow; one layer of halo
iteration: a pass through the loops; 2 loops, 0.0105 MB moved, 0 with messages, 0 with a reduction

  parts  cut      %  neighbors  at most  kB received  at most
      3   32  22.22        1.3        2          0.0      0.0

  parts    set  owned  at most  executed  at most  only read  at most
      3  nodes   58.3       59       0.0        0       22.7       32
      3  cells   48.0       48      10.7       11        7.3       15
      3  edges   88.7       89      17.3       22        0.0        0
`

// The loops of a program say what an iteration exchanges.
func TestPartitionRecord(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	program(t)
	out, err := output(t, "partition", "-parts", "3", dir)
	if _, got, _ := strings.Cut(out, ": "); err != nil || got != partitionRecord {
		t.Errorf("error %v\n%s\nnot\n%s", err, got, partitionRecord)
	}
}

func TestPartitionDraws(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(record.Variable, dir)
	program(t)
	box, err := mesh.Box(mesh.Hexahedron, 4, 4, 4, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	solid := filepath.Join(t.TempDir(), "box.vtu")
	if err := box.WriteFile(solid); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(t.TempDir(), "a.png")
	for _, c := range []struct {
		args  []string
		wrote []string
	}{
		{[]string{"-parts", "3,30", "-view", "-1,-1,2,1", small(t)}, []string{"a-3.png", "a-30.png"}},
		{[]string{"-parts", "3", "-halo", "1", small(t)}, []string{"a.png"}},
		{[]string{"-parts", "3", dir}, []string{"a.png"}},
		{[]string{"-parts", "3", solid}, []string{"a.png"}},
	} {
		_, status, err := outputs(t, append([]string{"partition", "-draw", picture}, c.args...)...)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		for _, name := range c.wrote {
			path := filepath.Join(filepath.Dir(picture), name)
			if !strings.Contains(status, "wrote "+path+"\n") {
				t.Errorf("%v: %s", c.args, status)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if size, err := png.DecodeConfig(f); err != nil || size.Width != 1600 {
				t.Errorf("%s: error %v, %d pixels wide", path, err, size.Width)
			}
		}
	}
}

func TestPartitionWrongUse(t *testing.T) {
	path, empty := small(t), t.TempDir()
	bare := t.TempDir()
	w, err := record.Create(bare, &record.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(&record.Loop{Kernel: "late", Set: "cells"}), w.Close()); err != nil {
		t.Fatal(err)
	}
	hint := "\n  hint: op2 partition -help shows how it is used"
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "op2 partition: which mesh? As in: op2 partition -parts 8 coast.msh" + hint},
		{[]string{"-parts", "2,0", path}, "op2 partition: -parts 2,0: expected numbers from 1" + hint},
		{[]string{"-method", "bisekt", path}, `op2 partition: -method bisekt: there is no such method (did you mean "bisect"?)` + hint},
		{[]string{"-halo", "2", "-parts", "2", "-draw", "a.png", path}, "op2 partition: -halo 2: expected the number of a part, from 0, and -draw" + hint},
		{[]string{"-halo", "1", "-parts", "2", path}, "op2 partition: -halo 1: expected the number of a part, from 0, and -draw" + hint},
		{[]string{"-bandwidth", "0", path}, "op2 partition: -memory, -bandwidth, -latency, -reduction, -each: expected positive numbers" + hint},
		{[]string{"-view", "1,2", path}, "op2 partition: -view 1,2: expected x0,y0,x1,y1" + hint},
		{[]string{"-x", "x", path}, "op2 partition: -x goes with the folder of a record"},
		{[]string{"-scaling", "-parts", "1,1000", path}, "op2 partition: 1000 ranks: nothing to extrapolate from\n  hint: add a smaller number of at least 2 to -parts"},
		{[]string{empty}, "op2 partition: " + empty + ": no loop was recorded"},
		{[]string{bare}, "op2 partition: the mesh has no maps, or no elements"},
		{[]string{filepath.Join(empty, "none.msh")}, "op2 partition: mesh: open "},
	} {
		if _, err := output(t, append([]string{"partition"}, c.args...)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 partition %s: %v, not %q", strings.Join(c.args, " "), err, c.want)
		}
	}
}
