package vtk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// The files of a series on several ranks are those of one.
func TestSeriesOnRanks(t *testing.T) {
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 6, 5, 1, 1))
	write := func(rt *op2.Runtime, dir string, options ...Option) error {
		square := m
		s := square.Declare(rt, mesh.WithEdges())
		numbers := make([]float64, m.Cells())
		for i := range numbers {
			numbers[i] = float64(i)
		}
		h := op2.NewDat(s.Cells, 1, numbers, "h")
		left := s.BoundaryOf("left")
		flux := op2.NewDat[float64](s.Bedges, 1, nil, "flux")
		moved := op2.NewDat(s.Nodes, 2, slices.Repeat([]float64{1, 2}, m.Nodes()), "moved")
		if err := rt.Err(); err != nil {
			return err
		}
		series, err := NewSeries(filepath.Join(dir, "s"), square, append(options, Part(mesh.Line, s.BedgeNodes, left))...)
		if err != nil {
			return err
		}
		if err := rt.Partition(s.X); err != nil {
			return err
		}
		for i := range 2 {
			if err := series.Write(float64(i), Cells("h", h), Nodes("x", s.X), Cells("flux", flux), Points(moved)); err != nil {
				return err
			}
		}
		if err := series.Close(); err != nil {
			return err
		}
		if err := WriteFile(filepath.Join(dir, "end.vtu"), square, Cells("h", h)); err != nil {
			return err
		}
		_, err = NewSeries(filepath.Join(dir, "late"), square, append(options, Part(mesh.Line, s.BedgeNodes, left))...)
		if late := rt.Ranks() > 1; late != (err != nil) {
			return fmt.Errorf("a late series: %v", err)
		}
		return nil
	}
	files := map[int]map[string][]byte{}
	for _, n := range []int{1, 3} {
		dir := t.TempDir()
		err := optest.OnRanks(n, func(rt *op2.Runtime) error {
			return write(rt, dir, On(rt))
		})
		if err != nil {
			t.Fatalf("%d ranks: %v", n, err)
		}
		files[n] = map[string][]byte{}
		for _, pattern := range []string{"s.pvd", "s/*", "end.vtu"} {
			for _, path := range optest.Must(filepath.Glob(filepath.Join(dir, pattern))) {
				files[n][strings.TrimPrefix(path, dir)] = optest.Must(os.ReadFile(path))
			}
		}
	}
	if len(files[1]) != 8 || len(files[3]) != 8 {
		t.Errorf("%d files on one rank, %d on 3", len(files[1]), len(files[3]))
	}
	for name, want := range files[1] {
		if !bytes.Equal(files[3][name], want) {
			t.Errorf("%s differs on 3 ranks", name)
		}
	}
}

// A Part of sets that ranks declare in shares, of which no rank has all, is an error on all of them.
func TestPartOfShares(t *testing.T) {
	m := &mesh.Mesh{Dim: 2, Points: []float64{0, 0, 1, 0, 1, 1, 0, 1}, Blocks: []mesh.Block{{Kind: mesh.Triangle, Nodes: []int32{0, 1, 2, 0, 2, 3}}}}
	dir := t.TempDir()
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		nodes, bedges := rt.NewSetShare(2, "nodes"), rt.NewSetShare(2, "bedges")
		ends := op2.NewMap(bedges, nodes, 2, [][]int64{{0, 1, 1, 2}, {2, 3, 3, 0}}[rt.Rank()], "ends")
		if err := rt.Err(); err != nil {
			return err
		}
		_, err := NewSeries(filepath.Join(dir, "s"), m, On(rt), Part(mesh.Line, ends, bedges))
		const want = "vtk: Part bedges: each rank has declared a share of bedges, no rank has all of its elements\n  hint: a series in pieces, whose name ends in .pvtu, has parts of shares; Groups adds boundaries of the mesh"
		if err == nil || err.Error() != want {
			return fmt.Errorf("got %v, want %s", err, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A series that each rank would write alone is refused.
func TestSeriesOfOneRankAmongSeveral(t *testing.T) {
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 2, 2, 1, 1))
	dir := t.TempDir()
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		s := m.Declare(rt)
		series, err := NewSeries(filepath.Join(dir, fmt.Sprint(rt.Rank())), m)
		if err != nil {
			return err
		}
		const want = "vtk: fields are on 2 ranks: NewSeries needs the option vtk.On(rt)"
		if err := series.Write(0, Nodes("x", s.X)); err == nil || err.Error() != want {
			return fmt.Errorf("got %v, want %s", err, want)
		}
		return rt.Err()
	})
	if err != nil {
		t.Error(err)
	}
}
