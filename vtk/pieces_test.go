package vtk

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/mesh"
)

// VTK reads the pieces of three ranks: of a mesh that each has, of shares that it makes, and of those that it reads, once the mesh
// is distributed.
func TestVTKReadsPieces(t *testing.T) {
	interpreter := python(t)
	args := []string{"-c", strings.Replace(readWithVTK, "\nfor path", summary+"\nfor path", 1)}
	file := filepath.Join(t.TempDir(), "foil.vtu")
	optest.OK(t, optest.Must(mesh.NACA0012(4, 2)).WriteFile(file))
	for _, declare := range []func(rt *op2.Runtime) (*foil, error){wholeFoil, foilShare, func(rt *op2.Runtime) (*foil, error) { return readFoil(rt, file) }} {
		for _, ranks := range []int{1, 3} {
			dir := t.TempDir()
			err := optest.OnRanks(ranks, func(rt *op2.Runtime) error {
				f, err := declare(rt)
				if err != nil {
					return err
				}
				return f.writePieces(rt, dir)
			})
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, "hdf5", err.Error())
			}
			optest.OK(t, err)
			args = append(args, filepath.Join(dir, "s", "s_000001.pvtu"), filepath.Join(dir, "end.pvtu"), filepath.Join(dir, "s.vtkhdf"))
			index := string(optest.Must(os.ReadFile(filepath.Join(dir, "s.pvd"))))
			if strings.Count(index, "<DataSet") != 2 || !strings.Contains(index, "s/s_000001.pvtu") {
				t.Errorf("%d ranks: s.pvd is %s", ranks, index)
			}
			if pieces := optest.Must(filepath.Glob(filepath.Join(dir, "s", "s_000001_*.vtu"))); len(pieces) != ranks {
				t.Errorf("%d ranks: the pieces are %q", ranks, pieces)
			}
		}
	}
	out, err := exec.Command(interpreter, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const each = 4 // grids: two of PVTU, and two steps
	grids := strings.SplitAfter(string(out), "\n\n")
	if len(grids) != 6*each+1 {
		t.Fatalf("%d grids in %s", len(grids)-1, out)
	}
	for i := each; i < 6*each; i++ {
		if want := grids[i%each]; grids[i] != want || strings.Count(want, "\n") < 24 {
			t.Errorf("grid %d of run %d: VTK read\n%s\non one rank\n%s", i%each, i/each, grids[i], want)
		}
	}
}

// summary prints the cells by the coordinates and values at their nodes, whatever the numbers of points are.
const summary = `
def show(name, grid):
    cells = []
    parts = [grid]
    if grid.IsA("vtkPartitionedDataSet"):
        parts = map(grid.GetPartition, range(grid.GetNumberOfPartitions()))
    for grid, c in ((grid, c) for grid in parts for c in range(grid.GetNumberOfCells())):
        cell = grid.GetCell(c)
        row = [cell.GetCellType()]
        for k in range(cell.GetNumberOfPoints()):
            p = cell.GetPointId(k)
            row += grid.GetPoint(p)
            for a in map(grid.GetPointData().GetArray, range(grid.GetPointData().GetNumberOfArrays())):
                row += a.GetTuple(p)
        for a in map(grid.GetCellData().GetArray, range(grid.GetCellData().GetNumberOfArrays())):
            row += a.GetTuple(c)
        cells.append([x + 0.0 for x in row]) # no -0.0
    print(name, len(cells), *sorted(cells), sep="\n", end="\n\n")
`

//go:embed pieces_test.go
var piecesSource string

// corner keeps where a corner of a cell is.
func corner(x *[2]float64, at *[2]float64) { *at = *x }

// foil is an airfoil's mesh, and what is declared of it.
type foil struct {
	mesh    *mesh.Mesh
	x       *op2.Dat[float64]
	corners *op2.Map
}

func wholeFoil(rt *op2.Runtime) (*foil, error) {
	m, err := mesh.NACA0012(4, 2)
	if err != nil {
		return nil, err
	}
	return declareFoil(m, rt.NewSet), nil
}

func foilShare(rt *op2.Runtime) (*foil, error) {
	m, err := mesh.NACA0012Share(4, 2, rt.Rank(), rt.Ranks())
	if err != nil {
		return nil, err
	}
	return declareFoil(m, rt.NewSetShare), nil
}

func declareFoil(m *mesh.Mesh, newSet func(n int, name string) *op2.Set) *foil {
	nodes, cells := newSet(m.Nodes(), "nodes"), newSet(m.Cells(), "cells")
	return &foil{m, op2.NewDat(nodes, 2, m.Points, "x"), op2.NewMap(cells, nodes, 4, m.Blocks[0].Nodes, "corners")}
}

func readFoil(rt *op2.Runtime, file string) (*foil, error) {
	m, err := mesh.ReadShare(rt, file)
	if err != nil {
		return nil, err
	}
	d := m.Declare(rt)
	return &foil{m, d.X, d.CellNodes}, nil
}

// writePieces writes a series of two steps, in pieces and in HDF5, and a file. Values show where they belong.
func (f *foil) writePieces(rt *op2.Runtime, dir string) error {
	m, x, cells, corners := f.mesh, f.x, f.corners.From(), f.corners
	at := op2.NewDat[float64](cells, 2, nil, "at")
	series, err := NewSeries(filepath.Join(dir, "s.pvtu"), m, On(rt))
	if err != nil {
		return err
	}
	inOne, err := NewSeries(filepath.Join(dir, "s.vtkhdf"), m, On(rt))
	if err != nil {
		return err
	}
	for step := range 2 {
		if err := op2.ParLoop(op2.Kernels(piecesSource).Func(corner), cells, x.Read(corners.At(step)), at.Write()); err != nil {
			return err
		}
		fields := []Field{Nodes("x", x), NodeValues("points", m.Points), Cells("", at)}
		if err := errors.Join(series.Write(float64(step), fields...), inOne.Write(float64(step), fields...)); err != nil {
			return err
		}
	}
	return errors.Join(series.Close(), inOne.Close(), WriteFile(filepath.Join(dir, "end.pvtu"), m, Nodes("x", x)), rt.Err())
}

// An error of one rank is that of all, and no file lists what is incomplete.
func TestPiecesFailTogether(t *testing.T) {
	dir := t.TempDir()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 3, 3, 1, 1))
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		s := m.Declare(rt)
		path := filepath.Join(dir, "s.pvtu")
		if _, err := NewSeries(path, map[int]*mesh.Mesh{0: m}[rt.Rank()], On(rt)); err == nil || !strings.Contains(err.Error(), "there is no mesh") {
			return fmt.Errorf("without a mesh: %v", err)
		}
		if _, err := NewSeries(path, m, On(rt), Groups("rock")); err == nil || !strings.Contains(err.Error(), `the mesh has no group "rock"; it has: `) {
			return fmt.Errorf("a group that there is not: %v", err)
		}
		other := *m
		other.Groups = []mesh.Group{{Name: fmt.Sprint("of rank ", rt.Rank()), Dim: 2}}
		if _, err := NewSeries(path, &other, On(rt), Groups()); err == nil || !strings.Contains(err.Error(), "the meshes of ranks have different groups, or kinds of elements") {
			return fmt.Errorf("other groups: %v", err)
		}
		if _, err := NewSeries(path, m, On(rt), Part(mesh.Line, op2.NewMaskedMap(s.Cells, s.Nodes, 2, append([]int32{-1}, make([]int32, 35)...), "ends"), s.Cells)); err == nil ||
			!strings.Contains(err.Error(), "Part cells: some values of map ends are masked") {
			return fmt.Errorf("a masked part: %v", err)
		}
		alone := optest.Must(op2.Open(op2.WithBackend("go")))
		defer alone.Close()
		elsewhere := m.Declare(alone)
		for _, test := range []struct {
			of   Option
			want string
		}{
			{Part(mesh.Triangle, s.CellNodes, s.Nodes), "Part nodes: map cell2node is from cells, not from nodes"},
			{Part(mesh.Triangle, op2.NewMap(s.Cells, s.Cells, 3, make([]int32, 54), "to cells"), s.Cells), "Part cells: map to cells leads to 18 cells, the mesh has 16 nodes"},
			{Part(mesh.Line, s.CellNodes, s.Cells), "Part cells: map cell2node has arity 3, a line has 2 nodes"},
			{Part(mesh.Triangle, elsewhere.CellNodes, elsewhere.Cells), "Part cells: cells is of runtime "},
			{Part(mesh.Triangle, nil, s.Cells), "Part: the set or the map is nil"},
			{[]Option{nil, Part(mesh.Triangle, s.CellNodes, nil)}[rt.Rank()], "Part: the set or the map is nil"},
			{Part(mesh.Triangle, s.CellNodes, (*op2.Subset)(nil)), "Part: the set or the map is nil"},
			{Part(mesh.Triangle, op2.NewExtrudedMap(op2.NewExtrudedSet(s.Cells, 2, "high"), op2.NewExtrudedSet(s.Nodes, 1, "n"), s.CellNodes, []int{0}, 0, "up"), op2.NewExtrudedSet(s.Cells, 2, "high")), "Part high: high is an extruded set"},
		} {
			options := []Option{On(rt), test.of}
			if test.of == nil { // of one rank; the other's part is not there
				options = []Option{On(rt), Part(mesh.Triangle, s.CellNodes, s.Cells)}
			}
			if _, err := NewSeries(path, m, options...); err == nil || !strings.HasPrefix(err.Error(), "vtk: ") || !strings.Contains(err.Error(), test.want) {
				return fmt.Errorf("got %v, want %s", err, test.want)
			}
		}
		series, err := NewSeries(path, m, On(rt))
		if err != nil {
			return err
		}
		for _, of := range []*op2.Dat[float64]{nil, map[int]*op2.Dat[float64]{1: s.X}[rt.Rank()]} {
			if err := series.Write(0, Nodes("u", of)); err == nil || !strings.HasPrefix(err.Error(), `vtk: field "u": `) || !strings.Contains(err.Error(), "the dat is nil, or was not made by NewDat") {
				return fmt.Errorf("no dat: %v", err)
			}
		}
		if err := series.Write(0, NodeValues("some", make([]float64, 5+11*rt.Rank()))); err == nil || !strings.Contains(err.Error(), "it has 5 values, expected as many for each of 16 nodes") {
			return fmt.Errorf("a slice too short on one rank: %v", err)
		}
		if err := series.Write(0, Cells("on nodes", s.X)); err == nil || !strings.Contains(err.Error(), "it has values for 16, expected them for the 18 cells of the mesh") {
			return fmt.Errorf("a dat on nodes: %v", err)
		}
		if rt.Rank() == 1 { // the place of its piece is taken
			if err := os.MkdirAll(filepath.Join(dir, "s", "s_000000_1.vtu"), 0o777); err != nil {
				return err
			}
		}
		if err := series.Write(0, Nodes("x", s.X)); err != nil {
			return err
		}
		if err := series.Close(); err == nil || !strings.Contains(err.Error(), "s_000000_1.vtu: expected a regular file") {
			return fmt.Errorf("no room for a piece: %v", err)
		}
		return nil
	})
	optest.OK(t, err)
	for _, name := range []string{"s.pvd", "s/s_000000.pvtu"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
}

// Pieces of a mesh that ranks read in shares have the cells and values of the whole mesh, each cell once.
func TestPiecesOfReadShare(t *testing.T) {
	dir := t.TempDir()
	some := optest.Must(mesh.Rectangle(mesh.Triangle, 5, 4, 2, 1))
	some.Shuffle(3)
	quadrilaterals := optest.Must(mesh.Rectangle(mesh.Quadrilateral, 4, 4, 1, 1)).Blocks[0]
	both := &mesh.Mesh{Dim: 2, Points: slices.Repeat(some.Points, 2), Blocks: []mesh.Block{some.Blocks[0], quadrilaterals}}
	few := optest.Must(mesh.ReadFile("../mesh/testdata/gmsh/mixed.msh")) // of most kinds, ranks have none
	for i, m := range []*mesh.Mesh{some, both, few} {
		for _, extension := range []string{".msh", ".vtu"} {
			path := filepath.Join(dir, fmt.Sprint(i)+extension)
			optest.OK(t, m.WriteFile(path))
			write := func(rt *op2.Runtime, to string) (string, error) { return writeShare(rt, to, path) }
			want := cellsOfPieces(t, 1, write)
			if got := cellsOfPieces(t, 3, write); len(want) < m.Cells() || !slices.Equal(got, want) {
				t.Errorf("%s: on 3 ranks\n%q\non one\n%q", path, got, want)
			}
		}
	}
}

// Dats on layers are written in pieces, in the order column*layers + layer, before and after columns move to other ranks.
func TestPiecesOfColumns(t *testing.T) {
	for _, layers := range []int{1, 3} {
		for _, size := range []int{1, 3} {
			flat := optest.Must(mesh.Rectangle(mesh.Triangle, size, 1, 1, 1)) // few columns: the slabs of cells cut them
			m := &mesh.Mesh{Dim: 3, Blocks: []mesh.Block{{Kind: mesh.Prism}}}
			for n := range flat.Nodes() {
				for l := range layers + 1 {
					m.Points = append(m.Points, flat.Points[2*n], flat.Points[2*n+1], float64(l))
				}
			}
			for corners := range slices.Chunk(flat.Blocks[0].Nodes, 3) {
				for l := range layers {
					for i := range 6 {
						m.Blocks[0].Nodes = append(m.Blocks[0].Nodes, corners[i%3]*int32(layers+1)+int32(l+i/3))
					}
				}
			}
			write := func(rt *op2.Runtime, dir string) (string, error) {
				d := flat.Declare(rt)
				cells, points := op2.NewExtrudedSet(d.Cells, layers, "cells"), op2.NewExtrudedSet(d.Nodes, layers+1, "points")
				q := op2.NewDat(cells, 2, lists.UpTo(2*m.Cells()), "q")
				x := op2.NewDat(points, 3, m.Points, "x")
				series, err := NewSeries(filepath.Join(dir, "s.pvtu"), m, On(rt))
				if err != nil {
					return "", err
				}
				if err := series.Write(0, Cells("q", x)); rt.Ranks() > 1 && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("it has values for %d, expected them for the %d cells", m.Nodes(), m.Cells()))) {
					return "", fmt.Errorf("on points: %v", err)
				}
				fields := []Field{Cells("q", q), Nodes("x", x), CellValues("same", lists.UpTo(2*m.Cells())), NodeValues("same x", m.Points)}
				if err := errors.Join(series.Write(0, fields...), rt.Partition(d.X), series.Write(1, fields...), series.Close()); err != nil {
					return "", err
				}
				return filepath.Join(dir, "s", "s_000001"), rt.Err()
			}
			want := cellsOfPieces(t, 1, write)
			if got := cellsOfPieces(t, 3, write); len(want) != m.Cells() || !slices.Equal(got, want) {
				t.Errorf("%d layers: on 3 ranks\n%q\non one\n%q", layers, got, want)
			}
		}
	}
}

// Ranks without nodes and cells write pieces, too.
func TestEmptyPieces(t *testing.T) {
	write := func(rt *op2.Runtime, dir string) (string, error) {
		m := &mesh.Mesh{Dim: 2, Blocks: []mesh.Block{{Kind: mesh.Triangle}}}
		if rt.Rank() == rt.Ranks()-1 {
			m = optest.Must(mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1))
		}
		x := op2.NewDat(rt.NewSetShare(m.Nodes(), "nodes"), 2, m.Points, "x")
		return filepath.Join(dir, "end"), WriteFile(filepath.Join(dir, "end.pvtu"), m, Nodes("x", x), CellValues("cells", lists.UpTo(m.Cells())))
	}
	want := cellsOfPieces(t, 1, write)
	if got := cellsOfPieces(t, 3, write); len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("on 3 ranks\n%q\non one\n%q", got, want)
	}
}

// cellsOfPieces returns the cells of all pieces that ranks write, whose path without number the function returns: each by what
// is at its nodes and its own values.
func cellsOfPieces(t *testing.T, ranks int, write func(rt *op2.Runtime, dir string) (path string, err error)) (cells []string) {
	t.Helper()
	dir, paths := t.TempDir(), make([]string, ranks)
	optest.OK(t, optest.OnRanks(ranks, func(rt *op2.Runtime) (err error) {
		paths[rt.Rank()], err = write(rt, dir)
		return err
	}))
	for rank, path := range paths {
		g := optest.Must(vtu.Read(optest.Must(os.ReadFile(pieceName(path, rank))), nil))
		start := 0
		for c, end := range g.Offsets {
			text := fmt.Sprint(g.Types[c])
			for _, n := range g.Nodes[start:end] {
				text += fmt.Sprint(g.Points[3*n:3*n+3], valuesAt(g.PointData, int(n)))
			}
			cells = append(cells, text+fmt.Sprint(valuesAt(g.CellData, c)))
			start = end
		}
	}
	slices.Sort(cells)
	return cells
}

// valuesAt returns the values of a row of arrays.
func valuesAt(arrays []vtu.Array, row int) (values []any) {
	for _, a := range arrays {
		width := max(a.Components, 1)
		values = append(values, a.Name, reflect.ValueOf(a.Values).Slice(row*width, (row+1)*width).Interface())
	}
	return values
}

// writeShare writes a series of two steps, between which the mesh is distributed and nodes move, on a mesh that ranks read in
// shares.
func writeShare(rt *op2.Runtime, dir, path string) (lastStep string, err error) {
	m, err := mesh.ReadShare(rt, path)
	if err != nil {
		return "", err
	}
	areas, err := m.Measures()
	if err != nil {
		return "", err
	}
	s := m.Declare(rt)
	numbers := func(of *op2.Set) *op2.Dat[int32] {
		slabs := (*entity.Set)(of).Slabs()
		return op2.NewDat(of, 1, lists.UpTo(int(slabs[rt.Ranks()]))[slabs[rt.Rank()]:slabs[rt.Rank()+1]], "numbers")
	}
	cells := numbers(s.Cells)
	var kinds []*op2.Dat[int32]
	for _, k := range s.Kinds {
		kinds = append(kinds, numbers(k.Cells))
	}
	_, plain := NewSeries(filepath.Join(dir, "s"), m, On(rt))
	for _, err := range []error{plain, WriteFile(filepath.Join(dir, "s.vtu"), m, Nodes("x", s.X))} {
		if rt.Ranks() > 1 && (err == nil || !strings.Contains(err.Error(), ".pvtu")) {
			return "", fmt.Errorf("without pieces: %v", err)
		}
	}
	series, err := NewSeries(filepath.Join(dir, "s.pvtu"), m, On(rt))
	if err != nil {
		return "", err
	}
	for step := range 2 {
		err := series.Write(float64(step), Nodes("x", s.X), NodeValues("points", m.Points), Cells("cells", cells), Cells("kinds", kinds...), CellValues("areas", areas))
		if step == 0 && err == nil {
			err = rt.Partition(s.X)
		}
		if err != nil {
			return "", err
		}
		for i := range m.Points {
			m.Points[i] *= 2
		}
	}
	return filepath.Join(dir, "s", "s_000001"), errors.Join(series.Close(), rt.Err())
}
