package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/vtu"
)

// ReadVTU reads the mesh of an unstructured grid of VTK, .vtu, to the end of r: what [Mesh.WriteVTU], VTK and meshio
// write, as text or binary, compressed by zlib or LZ4 or not.
//
// The pieces of a file are joined. Nodes that belong to no element and no group are dropped, and where all elements are
// points, lines, triangles and quadrilaterals with the same z, the mesh has two dimensions. Groups are read from the
// arrays that [Mesh.WriteVTU] writes, or else from gmsh:physical, as meshio calls it; other data is left out.
//
// A file with polyhedra becomes a mesh of polyhedra, with those of other volumes: see [NewPolyhedra]. Their faces are turned outwards.
//
// Where r does not hold that format, or holds cells of other types, the error is a [*FormatError] with the byte. The
// file it names is r.Name() where r has such a method, as an [os.File] does. Errors of r itself are wrapped.
func ReadVTU(r io.Reader, options ...ReadOption) (*Mesh, error) {
	o := readOptions(options)
	data, file, err := o.readAll(r)
	if err != nil {
		return nil, err
	}
	g, err := vtu.Read(data, o.parsed)
	if err != nil {
		return nil, vtuError(file, err)
	}
	v := vtuReader{file: file, grid: g, mesh: Mesh{Dim: 3, Points: g.Points}}
	if err := v.read(); err != nil {
		return nil, err
	}
	o.progress(1)
	return &v.mesh, nil
}

// vtuError returns the error of reading a file as one of this package.
func vtuError(file string, err error) error {
	if wrong := (*vtu.Error)(nil); errors.As(err, &wrong) {
		return &FormatError{File: file, Offset: int64(wrong.Offset), Msg: wrong.Msg}
	}
	return fmt.Errorf("mesh: %s: %w", file, err)
}

// vtuReader makes a mesh of a grid.
type vtuReader struct {
	file string
	grid *vtu.Grid
	mesh Mesh

	kinds []Kind  // of the cells
	place []int32 // of the cells, in their blocks
	block [kinds]int
}

func (v *vtuReader) read() error {
	if i := slices.IndexFunc(v.grid.Points, infinite); i >= 0 {
		return v.errorf(v.grid.PointsAt, "expected finite coordinates, found %v at point %d", v.grid.Points[i], i/3)
	}
	if err := v.readBlocks(); err != nil {
		return err
	}
	found, groups := v.readGroups(), v.mesh.Groups
	v.mesh.Groups = nil
	for i, k := range found {
		if !k.Physical || !anyNamed(found) {
			v.mesh.Groups = append(v.mesh.Groups, groups[i])
		}
	}
	v.mesh.dropUnused()
	v.mesh.flatten()
	return nil
}

func (v *vtuReader) errorf(at int, format string, args ...any) error {
	return &FormatError{File: v.file, Offset: int64(at), Msg: fmt.Sprintf(format, args...)}
}

// readBlocks sorts the cells by kind: those of the highest dimension first.
func (v *vtuReader) readBlocks() error {
	g := v.grid
	v.kinds, v.place = make([]Kind, len(g.Types)), make([]int32, len(g.Types))
	var counts [kinds]int32
	start := 0
	for c, t := range g.Types {
		kind := kindOfVTU(t, g.Offsets[c]-start)
		if kind == 0 {
			return v.errorf(g.CellsAt, "cell %d: expected an element of first or second order, found VTK's cell type %d with %d points",
				c, t, g.Offsets[c]-start)
		}
		if kind == Polyhedron && g.FaceEnds == nil {
			return v.errorf(g.CellsAt, "cell %d is a polyhedron: shares have none", c)
		}
		if g.FaceEnds != nil && kind.Dim() == 3 {
			kind = Polyhedron
		}
		start = g.Offsets[c]
		v.kinds[c], v.place[c] = kind, counts[kind]
		counts[kind]++
	}
	for _, k := range blockOrder {
		if counts[k] > 0 {
			v.block[k] = len(v.mesh.Blocks)
			v.mesh.Blocks = append(v.mesh.Blocks, Block{Kind: k, Nodes: make([]int32, int(counts[k])*k.Nodes())})
		}
	}
	var polyhedra enclosure
	start, faces := 0, 0
	for c, k := range v.kinds {
		nodes := g.Nodes[start:g.Offsets[c]]
		start = g.Offsets[c]
		switch g.Types[c] {
		case vtu.Pixel, vtu.Voxel: // row by row, not around
			nodes[2], nodes[3] = nodes[3], nodes[2]
			if g.Types[c] == vtu.Voxel {
				nodes[6], nodes[7] = nodes[7], nodes[6]
			}
		}
		if k != Polyhedron {
			copy(v.mesh.Blocks[v.block[k]].Element(int(v.place[c])), nodes)
			continue
		}
		var of [][]int32
		if g.Types[c] == vtu.Polyhedron {
			of = facesIn(g.Faces[faces:g.FaceEnds[c]])
			faces = g.FaceEnds[c]
			v.mesh.outwards(of)
		} else {
			of = facesOfShape(kindOfVTU(g.Types[c], len(nodes)).Linear(), nodes)
		}
		if err := polyhedra.add(v.place[c], of); err != nil {
			return v.errorf(g.CellsAt, "%s", err)
		}
	}
	if g.FaceEnds == nil {
		return nil
	}
	v.mesh.Given = polyhedra.facets()
	v.mesh.enclose(int(counts[Polyhedron]))
	if _, err := v.mesh.Facets(); err != nil {
		return v.errorf(g.CellsAt, "%s", strings.TrimPrefix(err.Error(), "mesh: "))
	}
	return nil
}

// facesIn returns the corners of each face of a polyhedron, as [vtu.Grid] has them.
func facesIn(stream []int32) (faces [][]int32) {
	for at := 1; at < len(stream); at += 1 + int(stream[at]) {
		faces = append(faces, slices.Clone(stream[at+1:at+1+int(stream[at])]))
	}
	return faces
}

// facesOfShape returns the corners of each face of a cell of a linear kind.
func facesOfShape(k Kind, nodes []int32) (faces [][]int32) {
	for _, part := range k.Facets() {
		var face []int32
		for _, place := range part.Nodes {
			face = append(face, nodes[place])
		}
		faces = append(faces, face)
	}
	return faces
}

// kindOfVTU returns the kind of the cells of a type with so many nodes, or 0.
func kindOfVTU(t uint8, nodes int) Kind {
	kind := vtuKinds[t]
	switch {
	case t == vtu.Polygon:
		kind = Polygon(nodes)
	case t == vtu.Polyhedron:
		return Polyhedron
	case t == vtu.Pixel:
		kind = Quadrilateral
	case t == vtu.Voxel:
		kind = Hexahedron
	}
	if kind.Nodes() != nodes {
		return 0
	}
	return kind
}

// vtuGroup names a group: by the place of its array among all, and its dimension and tag.
type vtuGroup struct {
	Array, Dim, Tag int
	Name            string
	OnCells         bool
	Physical        bool // by meshio's array, which counts where there is no other of cells
}

func (k vtuGroup) compare(l vtuGroup) int {
	return cmp.Or(cmp.Compare(k.Array, l.Array), cmp.Compare(k.Dim, l.Dim), cmp.Compare(k.Tag, l.Tag))
}

// anyNamed reports whether any group of cells is one of an array of its own.
func anyNamed(groups []vtuGroup) bool {
	return slices.ContainsFunc(groups, func(k vtuGroup) bool { return k.OnCells && !k.Physical })
}

// readGroups makes groups of the data, and returns which these are.
func (v *vtuReader) readGroups() (groups []vtuGroup) {
	for i, a := range slices.Concat(v.grid.PointData, v.grid.CellData) {
		name, named := groupName(a)
		onCells := i >= len(v.grid.PointData)
		if !named && (!onCells || a.Name != physicalArray || a.Components != 1) {
			continue
		}
		if !named {
			name = ""
		}
		have := len(v.mesh.Groups)
		v.readGroup(name, a, !onCells)
		for _, g := range v.mesh.Groups[have:] {
			groups = append(groups, vtuGroup{i, g.Dim, g.Tag, g.Name, onCells, !named})
		}
	}
	return groups
}

// readGroup makes groups of an array: one for each dimension and tag.
func (v *vtuReader) readGroup(name string, a vtu.Array, onNodes bool) {
	type key struct{ dim, tag, block int }
	members := map[key][]int32{}
	for i, tag := range vtu.Convert[int64](a.Values) {
		if tag == 0 || tag < -1 && name == "" || tag > math.MaxInt32 {
			continue
		}
		k, element := key{0, int(max(tag, 0)), -1}, int32(i)
		if !onNodes {
			kind := v.kinds[i]
			k.dim, k.block, element = kind.Dim(), v.block[kind], v.place[i]
		}
		members[k] = append(members[k], element)
	}
	var keys []key
	for k := range members {
		keys = append(keys, k)
	}
	sorting.By(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.tag, b.tag), cmp.Compare(a.block, b.block))
	})
	groups := &v.mesh.Groups
	for i, k := range keys {
		if i == 0 || k.dim != keys[i-1].dim || k.tag != keys[i-1].tag {
			*groups = append(*groups, Group{Name: name, Tag: k.tag, Dim: k.dim})
		}
		g := &(*groups)[len(*groups)-1]
		g.Members = append(g.Members, Members{Block: k.block, Elements: members[k]})
	}
}
