package mesh_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// declaredTexts returns all that the ranks have declared of a mesh, in declared numbers: each set's size, maps, dats, and
// subsets.
func declaredTexts(t *testing.T, ranks int, options []mesh.DeclareOption, read func(rt *op2.Runtime) (*mesh.Mesh, error), groups []mesh.Group, also func(*op2.Runtime, *mesh.Declared) error) map[string]string {
	t.Helper()
	var mu sync.Mutex
	subsets, texts := map[string][]int64{}, map[string]string{}
	optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		defer rt.Close()
		m, err := read(rt)
		if err != nil {
			return err
		}
		to := m.Declare(rt, options...)
		var of []*op2.Subset
		for _, subset := range []func(...string) *op2.Subset{to.NodesOf, to.CellsOf, to.BoundaryOf, to.CornersOf} {
			of = append(of, subset())
		}
		for _, g := range groups {
			if g.Name == "" {
				continue
			}
			if g.Dim == m.CellDim() {
				of = append(of, to.CellsOf(g.Name))
			}
			if g.Dim < m.CellDim() {
				of = append(of, to.NodesOf(g.Name), to.CornersOf(g.Name))
			}
			if g.Dim == m.CellDim()-1 {
				of = append(of, to.BoundaryOf(g.Name))
			}
		}
		if err := rt.Err(); err != nil {
			return err
		}
		if also != nil {
			if err := also(rt, to); err != nil {
				return err
			}
		}
		if err := rt.Partition(to.X); err != nil {
			return err
		}
		for i, s := range of {
			numbers, name := s.Of().DeclaredNumbers(), fmt.Sprint(i, s.Name())
			mu.Lock()
			if subsets[name] == nil {
				subsets[name] = []int64{}
			}
			for _, e := range s.Elements() {
				subsets[name] = append(subsets[name], int64(numbers[e]))
			}
			mu.Unlock()
		}
		all := map[string]string{}
		for _, s := range []*op2.Set{to.Nodes, to.Cells, to.Edges, to.Bedges, to.Faces, to.Bfaces, to.AllEdges, to.AllFaces, to.Corners} {
			if s.Err() == nil {
				all["set "+s.Name()] = fmt.Sprint(s.Size())
			}
		}
		ms := []*op2.Map{to.CellNodes, to.EdgeNodes, to.EdgeCells, to.BedgeNodes, to.BedgeCell, to.FaceNodes, to.FaceCells, to.BfaceNodes, to.BfaceCell,
			to.AllEdgeNodes, to.CellEdges, to.AllFaceNodes, to.CellFaces, to.CellCorners, to.CornerNode}
		dats := []*op2.Dat[float64]{to.X, to.EdgeSigns, to.FaceSigns}
		for _, k := range to.Kinds {
			ms, dats = append(ms, k.Nodes, k.Cell, k.Edges, k.Faces, k.Corners), append(dats, k.EdgeSigns, k.FaceSigns)
		}
		for _, f := range ms {
			if f != nil && f.Err() == nil {
				all["map "+f.Name()] = fmt.Sprint(f.Arity(), f.InDeclaredOrder())
			}
		}
		for _, d := range dats {
			if d != nil && d.Err() == nil {
				all["dat "+d.Name()] = fmt.Sprint(d.InDeclaredOrder())
			}
		}
		if rt.Rank() == 0 {
			texts = all
		}
		return nil
	}))
	for name, elements := range subsets {
		slices.Sort(elements)
		texts["subset "+name] = fmt.Sprint(elements)
	}
	return texts
}

// A mesh that ranks read in shares declares what the whole mesh does, in the same numbers.
func TestReadShare(t *testing.T) {
	folder := t.TempDir()
	box := optest.Must(mesh.Box(mesh.Tetrahedron, 3, 2, 2, 3, 1, 1))
	shuffled := optest.Must(mesh.Disc(mesh.Triangle, 4, 1))
	shuffled.Shuffle(7)
	for _, c := range []struct {
		name    string
		mesh    *mesh.Mesh
		options []mesh.DeclareOption
	}{
		{"box", box, []mesh.DeclareOption{mesh.WithFaces(), mesh.WithCellEdges(), mesh.WithCellFaces(), mesh.WithCorners()}},
		{"quadratic", optest.Must(box.Quadratic(nil)), []mesh.DeclareOption{mesh.WithFaces(), mesh.WithCellFaces(), mesh.WithCorners()}},
		{"disc", shuffled, []mesh.DeclareOption{mesh.WithEdges(), mesh.WithCellEdges(), mesh.WithCorners()}},
		{"first", optest.Must(mesh.ReadFile("testdata/gmsh/first-4.1-text.msh")), []mesh.DeclareOption{mesh.WithFaces(), mesh.WithCellEdges(), mesh.WithCellFaces(), mesh.WithCorners()}},
		{"second", optest.Must(mesh.ReadFile("testdata/gmsh/second-4.1-text.msh")), []mesh.DeclareOption{mesh.WithFaces(), mesh.WithCellEdges(), mesh.WithCorners()}},
	} {
		for _, ext := range []string{".msh", ".h5", ".vtu"} {
			t.Run(c.name+ext, func(t *testing.T) {
				if ext == ".h5" {
					needHDF5(t)
				}
				path := filepath.Join(folder, c.name+ext)
				optest.OK(t, c.mesh.WriteFile(path))
				whole := optest.Must(mesh.ReadFile(path))
				want := declaredTexts(t, 1, c.options, func(*op2.Runtime) (*mesh.Mesh, error) { return whole, nil }, whole.Groups, nil)
				for _, ranks := range []int{1, 3} {
					got := declaredTexts(t, ranks, c.options, func(rt *op2.Runtime) (*mesh.Mesh, error) { return mesh.ReadShare(rt, path) }, whole.Groups, nil)
					for _, name := range slices.Sorted(maps.Keys(want)) {
						if got[name] != want[name] {
							t.Errorf("%d ranks: %s:\n%.200s\nwant\n%.200s", ranks, name, got[name], want[name])
						}
					}
					if len(got) != len(want) || !strings.HasPrefix(want["set cells"], fmt.Sprint(whole.Cells())) {
						t.Errorf("%d things, want %d", len(got), len(want))
					}
				}
			})
		}
	}
}
