package mesh

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/vtu"
)

// ReadHDF5 reads a mesh from a file in HDF5: one that [Mesh.WriteHDF5] has written, or OP2's new_grid.h5, with its edges in
// [Mesh.Given] as [ReadAirfoil] has them, or another one with coordinates of nodes (p_x, nodeCoords or x) and a map from cells
// to nodes (pcell, cellsToNodes or cell2node). The library, libhdf5, is found at run time; the error wraps [op2.ErrUnavailable]
// where it is missing.
func ReadHDF5(path string) (*Mesh, error) {
	r := hdf5Reader{piece: func(n int) span { return span{0, n} }}
	m, err := r.readFile(path)
	if err != nil {
		return nil, err
	}
	if err := m.Valid(); err != nil {
		return nil, fmt.Errorf("mesh: %s: %s", path, strings.TrimPrefix(err.Error(), "mesh: "))
	}
	return m, nil
}

// hdf5Reader reads a mesh.
type hdf5Reader struct {
	file     *hdf5.File
	piece    func(n int) span // which of n rows are read
	share    bool
	datasets []string
	m        Mesh
}

// readFile reads the file at path.
func (r *hdf5Reader) readFile(path string) (*Mesh, error) {
	l, err := openHDF5()
	if err != nil {
		return nil, err
	}
	var m *Mesh
	if r.file, err = l.Open(path, false, nil); err == nil {
		m, err = r.read()
		err = errors.Join(err, r.file.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	return m, nil
}

func (r *hdf5Reader) read() (m *Mesh, err error) {
	if r.datasets, err = r.file.Datasets(""); err != nil {
		return nil, err
	}
	points, err := r.named("coordinates of nodes", hdf5Points)
	if err != nil {
		return nil, err
	}
	if r.m.Points, r.m.Dim, err = r.coordinates(points); err != nil {
		return nil, err
	}
	found, err := r.blocks()
	switch {
	case err != nil:
		return nil, err
	case found:
		return &r.m, r.groups()
	}
	cells, err := r.named("a map from cells to nodes", hdf5Cells)
	if err != nil {
		return nil, err
	}
	nodes, arity, err := r.table(cells, 0)
	if err != nil {
		return nil, err
	}
	kind, err := kindOfArity(r.m.Dim, arity)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cells, err)
	}
	if kind == Quadrilateral && r.share && slices.Contains(r.datasets, "p_bound") {
		return nil, errors.New("the mesh is OP2's airfoil, which ReadShare does not read\n  hint: NACA0012Share returns shares of it; package hdf5 declares them from the file")
	}
	if kind == Quadrilateral && slices.Contains(r.datasets, "p_bound") {
		return r.airfoil(nodes)
	}
	r.m.Blocks = []Block{{Kind: kind, Nodes: nodes}}
	return &r.m, nil
}

// named returns the first of the names that the file has.
func (r *hdf5Reader) named(what string, names []string) (string, error) {
	for _, name := range names {
		if slices.Contains(r.datasets, name) {
			return name, nil
		}
	}
	return "", fmt.Errorf("expected %s, a dataset named %s, found %s", what, strings.Join(names, ", "), strings.Join(r.datasets, ", "))
}

// shape returns the shape of a dataset, as a table.
func (r *hdf5Reader) shape(name string) (rows, columns int, kind string, err error) {
	shape, err := r.file.Shape(name)
	if err != nil {
		return 0, 0, "", fmt.Errorf("%s: %w", name, err)
	}
	dims := append(slices.Clone(shape.Dims), 1)
	if n := len(shape.Dims); n < 1 || n > 2 || dims[0] > math.MaxInt32 || dims[1] > math.MaxInt32 {
		return 0, 0, "", fmt.Errorf("%s: expected rows of numbers, at most %d, found %s", name, math.MaxInt32, shape)
	}
	return int(dims[0]), int(dims[1]), shape.Type, nil
}

func (r *hdf5Reader) coordinates(name string) ([]float64, int, error) {
	rows, columns, kind, err := r.shape(name)
	if err != nil {
		return nil, 0, err
	}
	if !strings.HasPrefix(kind, "float") || columns != 2 && columns != 3 {
		return nil, 0, fmt.Errorf("%s: expected 2 or 3 floating-point numbers for each node, found [%d]%s", name, columns, kind)
	}
	piece := r.piece(rows)
	points := make([]float64, piece.size()*columns)
	err = r.file.Read(name, hdf5.Numbers(loop.Float64), hdf5.Rows{First: uint64(piece.lo), Count: uint64(piece.size())}, store.Bytes(points))
	return points, columns, err
}

// table reads a dataset of integers with a number of columns; 0: any.
func (r *hdf5Reader) table(name string, columns int) (values []int32, found int, err error) {
	rows, found, kind, err := r.shape(name)
	if err != nil {
		return nil, 0, err
	}
	if !strings.HasPrefix(kind, "int") && !strings.HasPrefix(kind, "uint") || columns > 0 && found != columns {
		return nil, 0, fmt.Errorf("%s: expected rows of %s integers, found [%d]%s", name, cmp.Or(strings.TrimPrefix(fmt.Sprint(columns), "0"), "some"), found, kind)
	}
	piece := r.piece(rows)
	values = make([]int32, piece.size()*found)
	err = r.file.Read(name, hdf5.Numbers(loop.Int32), hdf5.Rows{First: uint64(piece.lo), Count: uint64(piece.size())}, store.Bytes(values))
	return values, found, err
}

// airfoil reads the rest of OP2's airfoil.
func (r *hdf5Reader) airfoil(cells []int32) (*Mesh, error) {
	a := airfoilArrays{points: r.m.Points, cells: cells}
	for _, t := range []struct {
		to      *[]int32
		name    string
		columns int
	}{{&a.edgeNodes, "pedge", 2}, {&a.edgeCells, "pecell", 2}, {&a.bedgeNodes, "pbedge", 2}, {&a.bedgeCell, "pbecell", 1}, {&a.bound, "p_bound", 1}} {
		values, _, err := r.table(t.name, t.columns)
		if err != nil {
			return nil, err
		}
		*t.to = values
	}
	if len(a.edgeNodes) != len(a.edgeCells) || len(a.bedgeNodes) != 2*len(a.bedgeCell) || len(a.bedgeCell) != len(a.bound) {
		return nil, fmt.Errorf("expected as many edges in each of pedge, pecell and in each of pbedge, pbecell, p_bound, found %d, %d and %d, %d, %d",
			len(a.edgeNodes)/2, len(a.edgeCells)/2, len(a.bedgeNodes)/2, len(a.bedgeCell), len(a.bound))
	}
	for i, bound := range a.bound {
		if bound < 1 || int(bound) > len(boundNames) {
			return nil, fmt.Errorf("p_bound: expected 1 (wall) or 2 (far field), found %d for edge %d", bound, i)
		}
	}
	for _, nodes := range [][]int32{a.edgeNodes, a.bedgeNodes} { // in the file, the first cell lies to the right
		for i := 0; i < len(nodes); i += 2 {
			nodes[i], nodes[i+1] = nodes[i+1], nodes[i]
		}
	}
	return a.mesh(), nil
}

// kindOfArity returns the kind of cells with a number of nodes.
func kindOfArity(dim, nodes int) (Kind, error) {
	kinds := map[int]Kind{3: Triangle, 4: Quadrilateral, 6: Triangle6, 8: Quadrilateral8, 9: Quadrilateral9}
	if dim == 3 {
		kinds = map[int]Kind{4: Tetrahedron, 5: Pyramid, 6: Prism, 8: Hexahedron, 10: Tetrahedron10, 20: Hexahedron20, 27: Hexahedron27}
	}
	if kind, known := kinds[nodes]; known {
		return kind, nil
	}
	return 0, fmt.Errorf("expected cells with as many nodes as a kind in %d dimensions has, found %d", dim, nodes)
}

// blocks reads the blocks of a file that names their kinds, and reports whether it does.
func (r *hdf5Reader) blocks() (bool, error) {
	blocks := map[int]Block{}
	for _, name := range r.datasets {
		text, err := r.file.Text(name, "kind")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var at int
		if err == nil {
			at, err = r.integer(name, "block")
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		b := Block{Kind: Point}
		for b.Kind < kinds && b.Kind.String() != text {
			b.Kind++
		}
		if b.Kind == kinds {
			return false, fmt.Errorf("%s: %q is no kind of elements", name, text)
		}
		if b.Nodes, _, err = r.table(name, b.Kind.Nodes()); err != nil {
			return false, err
		}
		blocks[at] = b
	}
	for at := range len(blocks) {
		b, is := blocks[at]
		if !is {
			return false, fmt.Errorf("expected blocks 0 to %d, found no block %d", len(blocks)-1, at)
		}
		r.m.Blocks = append(r.m.Blocks, b)
	}
	return len(blocks) > 0, nil
}

// integer reads an attribute that is an integer.
func (r *hdf5Reader) integer(path, name string) (int, error) {
	bytes, err := r.file.Attribute(path, name, func(shape hdf5.Shape) (*loop.Layout, error) {
		if shape.Size() != 1 || !strings.HasPrefix(shape.Type, "int") {
			return nil, fmt.Errorf("expected one integer, found %s", shape)
		}
		return hdf5.Numbers(loop.Int64), nil
	})
	if err != nil {
		return 0, fmt.Errorf("attribute %s: %w", name, err)
	}
	return int(int64(binary.NativeEndian.Uint64(bytes))), nil
}

// groups reads the groups.
func (r *hdf5Reader) groups() error {
	sets := map[string]int{"nodes": -1}
	for i := range r.m.Blocks {
		sets[r.m.hdf5Set(i)] = i
	}
	for i := 0; ; i++ {
		group := fmt.Sprintf("groups/%d", i)
		var g Group
		for _, name := range r.datasets {
			if path.Dir(name) != group {
				continue
			}
			block, known := sets[path.Base(name)]
			if !known {
				return fmt.Errorf("%s: the file has no such set", name)
			}
			elements, _, err := r.table(name, 1)
			if err != nil {
				return err
			}
			g.Members = append(g.Members, Members{block, elements})
		}
		if g.Members == nil {
			return nil
		}
		var err error
		if g.Name, err = r.file.Text(group, "name"); err == nil {
			g.Tag, err = r.integer(group, "tag")
		}
		if err == nil {
			g.Dim, err = r.integer(group, "dim")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", group, err)
		}
		if len(g.Members) == 1 && g.Len() == 0 && !r.share {
			g.Members = nil
		}
		slices.SortFunc(g.Members, func(a, b Members) int { return cmp.Compare(a.Block, b.Block) })
		r.m.Groups = append(r.m.Groups, g)
	}
}

// hdf5Part reads a rank's part of a file: its rows of each dataset.
func hdf5Part(rt *entity.Runtime, path string) (*rankPart, error) {
	r := hdf5Reader{share: true, piece: func(n int) span { return pieceOf(rt.Comm(), n) }}
	m, err := r.readFile(path)
	if err != nil {
		return nil, err
	}
	p := &rankPart{dim: m.Dim, points: m.Points, asIs: true, anyOf: true}
	for i, b := range m.Blocks {
		if i > 0 && b.Kind.Dim() > m.Blocks[i-1].Kind.Dim() || slices.Contains(p.kinds, b.Kind) {
			return nil, fmt.Errorf("mesh: %s: expected one block for each kind, those of higher dimension first", path)
		}
		p.kinds, p.elements = append(p.kinds, b.Kind), append(p.elements, vtu.Convert[int64](b.Nodes))
	}
	for _, g := range m.Groups {
		var nodes []int64
		if len(g.Members) > 0 && g.Members[0].Block < 0 {
			nodes, g.Members = vtu.Convert[int64](g.Members[0].Elements), g.Members[1:]
		}
		p.groups, p.nodes = append(p.groups, g), append(p.nodes, nodes)
	}
	return p, nil
}
