package mesh_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
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
func declaredTexts(t *testing.T, ranks int, options []mesh.DeclareOption, read func(rt *op2.Runtime) (*mesh.Mesh, error), groups []mesh.Group) map[string]string {
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
		var late []string // names of groups whose subsets are declared after the mesh is distributed
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
		if err := rt.Partition(to.X); err != nil {
			return err
		}
		if ranks > 2 { // elements move again, which changes nothing
			if r, err := optest.Shake(rt, rand.New(rand.NewPCG(1, 2))); err != nil || r.Moved == 0 && m.Cells() > 10 {
				return fmt.Errorf("%+v, %v", r, err)
			}
		}
		for _, g := range groups {
			if g.Name != "" && g.Dim == m.CellDim()-1 {
				of = append(of, to.NodesOf(g.Name, g.Name), to.BoundaryOf(append(slices.Clone(late), g.Name)...))
				late = append(late, g.Name)
			}
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
				want := declaredTexts(t, 1, c.options, func(*op2.Runtime) (*mesh.Mesh, error) { return whole, nil }, whole.Groups)
				for _, ranks := range []int{1, 3} {
					got := declaredTexts(t, ranks, c.options, func(rt *op2.Runtime) (*mesh.Mesh, error) { return mesh.ReadShare(rt, path) }, whole.Groups)
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

// fan is a mesh of three triangles, with places for the tag of the last node and for the one that the last triangle names.
const fan = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 7\n2 1 0 5\n1\n2\n3\n4\n%d\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n-1 1 0\n$EndNodes\n" +
	"$Elements\n1 3 1 3\n2 1 2 3\n1 1 2 3\n2 1 3 4\n3 1 4 %d\n$EndElements\n"

// Gmsh's own files, text and binary, with nodes of no element, and tags that leave numbers out.
func TestReadShareOfGmsh(t *testing.T) {
	far := filepath.Join(t.TempDir(), "far.msh")
	optest.OK(t, os.WriteFile(far, fmt.Appendf(nil, fan, 1<<40, 1<<40), 0o666))
	for _, path := range append(optest.Must(filepath.Glob("testdata/gmsh/*4.1*.msh")), far) {
		options := []mesh.DeclareOption{mesh.WithCellEdges(), mesh.WithCorners()}
		whole := optest.Must(mesh.ReadFile(path))
		if whole.CellDim() == 3 {
			options = append(options, mesh.WithFaces())
		} else {
			options = append(options, mesh.WithEdges())
		}
		read := func(rt *op2.Runtime) (*mesh.Mesh, error) { return mesh.ReadShare(rt, path) }
		want, got := declaredTexts(t, 1, options, read, whole.Groups), declaredTexts(t, 3, options, read, whole.Groups)
		if !maps.Equal(got, want) {
			t.Errorf("%s: declared\n%v\nwant\n%v", path, got, want)
		}
	}
}

// No rank allocates anything of the size of the mesh: eight times as many ranks allocate about as much together.
func TestReadShareAllocates(t *testing.T) {
	optest.NotShort(t)
	folder := t.TempDir()
	m := optest.Must(mesh.Box(mesh.Tetrahedron, 6, 6, 320, 1, 1, 40))
	for _, ext := range []string{".msh", ".h5", ".vtu"} {
		path := filepath.Join(folder, "box"+ext)
		if err := m.WriteFile(path); errors.Is(err, op2.ErrUnavailable) {
			continue
		} else {
			optest.OK(t, err)
		}
		allocated := func(ranks int) uint64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error {
				rt, err := op2.Open(rank, op2.WithBackend("go"))
				if err != nil {
					return err
				}
				defer rt.Close()
				share, err := mesh.ReadShare(rt, path)
				if err != nil {
					return err
				}
				if n := share.Cells() * ranks; n < m.Cells()-ranks || n > m.Cells()+ranks {
					t.Errorf("%d ranks: one has %d of %d cells", ranks, share.Cells(), m.Cells())
				}
				share.Declare(rt, mesh.WithFaces(), mesh.WithCellEdges(), mesh.WithCorners()).BoundaryOf("left")
				return rt.Err()
			}))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		few := allocated(2)
		if many := allocated(16); many > 2*few {
			t.Errorf("%s: 16 ranks allocate %d bytes, 2 ranks %d", ext, many, few)
		}
	}
}

// Errors are those of all ranks, which can go on.
func TestReadShareErrors(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	box := optest.Must(mesh.Box(mesh.Tetrahedron, 20, 3, 3, 1, 1, 1))
	inverted := optest.Must(mesh.Box(mesh.Tetrahedron, 2, 2, 2, 1, 1, 1))
	nodes := inverted.Blocks[0].Element(inverted.Cells() - 1)
	nodes[0], nodes[1] = nodes[1], nodes[0]
	thrice := optest.Must(mesh.Box(mesh.Tetrahedron, 2, 2, 2, 1, 1, 1))
	thrice.Blocks[0].Nodes = append(thrice.Blocks[0].Nodes, thrice.Blocks[0].Nodes[:4]...)
	thrice.Blocks[0].Nodes = append(thrice.Blocks[0].Nodes, thrice.Blocks[0].Nodes[:4]...)
	for name, m := range map[string]*mesh.Mesh{"box.msh": box, "box.vtu": box, "inverted.vtu": inverted, "thrice.vtu": thrice, "two.msh": optest.Must(mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1)), "foil.dat": optest.Must(mesh.NACA0012(2, 1))} {
		optest.OK(t, m.WriteFile(at(name)))
	}
	cut := func(name string, part float64) string {
		data := optest.Must(os.ReadFile(at(name)))
		optest.OK(t, os.WriteFile(at("cut-"+name), data[:int(part*float64(len(data)))], 0o666))
		return "cut-" + name
	}
	replaced := func(name, from, to string) string {
		data := optest.Must(os.ReadFile(at(name)))
		optest.OK(t, os.WriteFile(at("other-"+name), []byte(strings.Replace(string(data), from, to, 1)), 0o666))
		return "other-" + name
	}
	optest.OK(t, box.WriteFile(at("text.msh"), mesh.WithText()))
	optest.OK(t, os.WriteFile(at("outside.msh"), fmt.Appendf(nil, fan, 7, 9), 0o666))
	optest.OK(t, os.WriteFile(at("beyond.msh"), fmt.Appendf(nil, fan, 5, 9), 0o666))
	optest.OK(t, box.WriteFile(at("old.msh"), mesh.WithGmsh22()))
	for _, c := range []struct{ file, want string }{
		{"none.msh", "no such file"},
		{"foil.dat", "shares are read from .msh, .vtu and .h5, not from .dat"},
		{"old.msh", "shares are read from version 4.1, found 2.2"},
		{"two.msh", "3 ranks share 2 cells: each needs one"},
		{cut("box.msh", 0.6), "expected"},
		{cut("box.vtu", 0.9), "the data ends too early"},
		{cut("text.msh", 0.6), "for which the rest of the file has room"},
		{"outside.msh", "expected the tag of a node, found 9, which no node has"},
		{"beyond.msh", "expected one of the 5 nodes, found an element with node"},
		{replaced("box.vtu", `encoding="raw"`, `encoding="odd"`), "expected the encoding raw or base64"},
		{"inverted.vtu", "tetrahedron 47 is inverted, its volume is"},
		{"thrice.vtu", "has more than two cells"},
	} {
		err := op2.RunRanks(3, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"))
			if err != nil {
				return err
			}
			defer rt.Close()
			m, err := mesh.ReadShare(rt, at(c.file))
			if err == nil {
				m.Declare(rt, mesh.WithFaces())
				err = rt.Err()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: rank %d: %v, want %q", c.file, rt.Rank(), err, c.want)
			}
			return nil
		})
		optest.OK(t, err)
	}
}

// What needs a whole mesh refuses a share.
func TestShareIsNoWholeMesh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.msh")
	optest.OK(t, optest.Must(mesh.Rectangle(mesh.Triangle, 4, 4, 1, 1)).WriteFile(path))
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		defer rt.Close()
		m, err := mesh.ReadShare(rt, path)
		if err != nil {
			return err
		}
		_, facets := m.Facets()
		_, refined := m.Refine(nil)
		_, nodes := m.GroupNodes("left")
		for _, err := range []error{facets, refined, nodes, m.WriteFile(path), m.Valid(), m.Mark("all", func([]float64) bool { return true })} {
			if err == nil || !strings.Contains(err.Error(), "the mesh is the share of one rank") {
				t.Errorf("error %v", err)
			}
		}
		areas, err := m.Measures()
		if len(areas) != 16 {
			t.Errorf("%d areas", len(areas))
		}
		return err
	}))
}
