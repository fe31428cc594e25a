package vtk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/mesh"
)

// block is a part of the mesh that has a file of its own: the cells or some of them, or elements of lower dimension.
type block struct {
	name     string
	all      []elements // with the numbers of its nodes
	geometry *vtu.File
	nodes    []int32  // that it has, among those of the mesh; nil: all
	cells    bool     // its elements are cells
	elements []int32  // that it has, among all cells or those of set; nil: all
	set      *op2.Set // of lower dimension, whose dats it has; nil: none
}

// take returns the values of a field on the nodes or elements of the block, and whether it has them.
func (b *block) take(p *prepared) (tuples, bool) {
	rows := b.nodes
	if !p.onNodes {
		if rows = b.elements; p.on != b.set || p.on == nil && !b.cells {
			return tuples{}, false
		}
	}
	if rows == nil {
		return p.values, true
	}
	return p.values.rows(rows), true
}

// elements are elements of one kind.
type elements struct {
	kind  mesh.Kind
	nodes []int32

	ends  []int32     // of polyhedra: where the nodes of each end
	faces [][][]int32 // and the corners of its faces
}

// ofBlock returns some elements of a block of the mesh.
func (w *writer) ofBlock(b *mesh.Block, some []int32) (elements, error) {
	e := elements{kind: b.Kind}
	for _, i := range some {
		e.nodes = append(e.nodes, b.Element(int(i))...)
	}
	if b.Kind != mesh.Polyhedron {
		return e, nil
	}
	f, err := w.mesh.Facets()
	if err != nil {
		return e, err
	}
	end := int32(0)
	for _, i := range some {
		end += int32(len(b.Element(int(i))))
		e.ends, e.faces = append(e.ends, end), append(e.faces, f.Of(int(i)))
	}
	return e, nil
}

// encoded returns the elements as a file has them.
func (e *elements) encoded() vtu.Block {
	b := vtu.Block{Type: e.kind.VTKType(), Arity: e.kind.Nodes(), Nodes: e.nodes, Ends: e.ends}
	if e.faces != nil {
		b.Faces, b.FaceEnds = vtu.FacesOf(len(e.faces), func(i int) [][]int32 { return e.faces[i] })
	}
	return b
}

// addBlocks adds the block of all cells and those that the options ask for.
func (w *writer) addBlocks(c *config) error {
	var all []elements
	for _, b := range w.mesh.CellBlocks() {
		e := elements{kind: b.Kind, nodes: b.Nodes}
		if b.Kind == mesh.Polyhedron {
			var err error
			if e, err = w.ofBlock(&b, lists.UpTo(b.Len())); err != nil {
				return err
			}
		}
		all = append(all, e)
	}
	w.addBlock(&block{name: "cells", cells: true}, all, w.piece != nil)
	if c.groups {
		if err := w.addGroups(c.names); err != nil {
			return err
		}
	}
	for i, p := range c.parts {
		if err := w.addPart(p, i); err != nil {
			return err
		}
	}
	return nil
}

// addBlock encodes the geometry of a block: that of the whole mesh, or of the nodes that the elements have.
func (w *writer) addBlock(b *block, all []elements, compact bool) {
	if compact {
		b.nodes = w.compact(all)
	}
	var blocks []vtu.Block
	for _, e := range all {
		blocks = append(blocks, e.encoded())
	}
	b.all = all
	b.geometry = w.format.Geometry(w.dim(), w.pointsOf(b, w.mesh.Points), blocks)
	w.blocks = append(w.blocks, b)
}

// pointsOf returns the coordinates of the nodes of a block, given those of all nodes.
func (w *writer) pointsOf(b *block, points []float64) any {
	if b.nodes != nil {
		points = tuples{w.dim(), points}.rows(b.nodes).values.([]float64)
	}
	if w.single {
		return floats(points)
	}
	return points
}

// compact returns the nodes that elements have, in ascending order. The elements get the numbers among these.
func (w *writer) compact(all []elements) (nodes []int32) {
	number := make([]int32, w.mesh.Nodes())
	for _, e := range all {
		for _, n := range e.nodes {
			number[n] = 1
		}
	}
	nodes = []int32{}
	for n, used := range number {
		if used == 1 {
			number[n] = int32(len(nodes))
			nodes = append(nodes, int32(n))
		}
	}
	renumbered := func(nodes []int32) []int32 {
		to := make([]int32, len(nodes))
		for k, n := range nodes {
			to[k] = number[n]
		}
		return to
	}
	for i := range all {
		all[i].nodes = renumbered(all[i].nodes)
		for _, faces := range all[i].faces {
			for k, face := range faces {
				faces[k] = renumbered(face)
			}
		}
	}
	return nodes
}

// addGroups adds the groups of the given names; none: all.
func (w *writer) addGroups(names []string) error {
	var known []string
	for i := range w.mesh.Groups {
		g := &w.mesh.Groups[i]
		known = append(known, g.Name)
		if len(names) > 0 && !slices.Contains(names, g.Name) {
			continue
		}
		if err := w.addGroup(g); err != nil {
			return err
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the mesh has no group %q; it has: %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

func (w *writer) addGroup(g *mesh.Group) error {
	b := &block{name: g.Name, cells: g.Dim > 0 && g.Dim == w.mesh.CellDim(), elements: []int32{}}
	if g.Name == "" {
		b.name = fmt.Sprintf("#%d", g.Tag)
	}
	var all []elements
	cells := w.mesh.CellBlocks()
	for _, members := range g.Members {
		if members.Block < 0 {
			all = append(all, elements{kind: mesh.Point, nodes: members.Elements})
			continue
		}
		e, err := w.ofBlock(&w.mesh.Blocks[members.Block], members.Elements)
		if err != nil {
			return err
		}
		all = append(all, e)
		if members.Block < len(cells) {
			first := 0
			for _, before := range cells[:members.Block] {
				first += before.Len()
			}
			for _, i := range members.Elements {
				b.elements = append(b.elements, int32(first)+i)
			}
		}
	}
	w.addBlock(b, all, true)
	return nil
}

// set returns the set whose elements the part has; nil if there is none.
func (p *partOption) set() *op2.Set {
	set, _ := p.over.(*op2.Set)
	if subset, _ := p.over.(*op2.Subset); subset != nil {
		set = subset.Of()
	}
	return set
}

// besides returns the name of a set for a message that also names the other one.
func besides(s, other *op2.Set) string { return (*entity.Set)(s).Besides((*entity.Set)(other)) }

// check returns an error if there is nothing to write of a part.
func (p *partOption) check() error {
	if p.set() == nil || p.nodes == nil {
		return fmt.Errorf("Part: the set or the map is nil")
	}
	return nil
}

// checkWhole returns an error, on all ranks, if this rank lacks elements of a part.
func (p *partOption) checkWhole() error {
	if err := p.check(); err != nil {
		return err
	}
	set := p.set()
	switch {
	case (*entity.Set)(set).Shared():
		return fmt.Errorf("Part %s: each rank has declared a share of %s, no rank has all of its elements\n  hint: a series in pieces, whose name ends in .pvtu, has parts of shares; Groups adds boundaries of the mesh", p.over.Name(), set.Name())
	case (*entity.Set)(set).Distributed():
		return fmt.Errorf("Part %s: the mesh has been distributed to the ranks\n  hint: start the series before the first loop, sparsity and solver, and Partition, or write it in pieces, with a name that ends in .pvtu", p.over.Name())
	}
	return nil
}

// checkNodes returns an error if the map does not lead from the elements of a part to the nodes of a mesh, which has so many.
func (p *partOption) checkNodes(nodes int64) error {
	set, to := p.set(), (*entity.Set)(p.nodes.To())
	switch {
	case p.nodes.From() != set:
		return fmt.Errorf("Part %s: map %s is from %s, not from %s", p.over.Name(), p.nodes.Name(), besides(p.nodes.From(), set), besides(set, p.nodes.From()))
	case to.Whole() != nodes:
		return fmt.Errorf("Part %s: map %s leads to %d %s, the mesh has %d nodes", p.over.Name(), p.nodes.Name(), to.Whole(), to.Name(), nodes)
	case p.nodes.Arity() != p.kind.Nodes():
		return fmt.Errorf("Part %s: map %s has arity %d, a %s has %d nodes", p.over.Name(), p.nodes.Name(), p.nodes.Arity(), p.kind, p.kind.Nodes())
	}
	return nil
}

// checkPiece returns an error if the ranks of a runtime cannot write their elements of a part.
func (p *partOption) checkPiece(rt *entity.Runtime, nodes int64) error {
	if err := p.check(); err != nil {
		return err
	}
	set := (*entity.Set)(p.set())
	switch {
	case set.Runtime() != rt:
		return fmt.Errorf("Part %s: %s is of %s, the series of %s", p.over.Name(), set.Name(), set.Runtime().Besides(rt), rt.Besides(set.Runtime()))
	case set.Extruded():
		return fmt.Errorf("Part %s: %s is an extruded set, of which pieces have no parts", p.over.Name(), set.Name())
	}
	return p.checkNodes(nodes)
}

// addPart adds the elements of a set or a subset.
func (w *writer) addPart(p partOption, i int) error {
	set := p.set()
	subset, _ := p.over.(*op2.Subset)
	b := &block{name: p.over.Name(), set: set}
	if w.piece != nil {
		of := w.piece.parts[i]
		b.elements = of.elements
		return w.finishPart(b, p.kind, of.nodes)
	}
	if err := p.checkNodes(int64(w.mesh.Nodes())); err != nil {
		return err
	}
	if subset != nil {
		b.elements = subset.Elements()
	}
	nodes := p.nodes.InDeclaredOrder()
	if b.elements != nil {
		arity := p.kind.Nodes()
		some := make([]int32, 0, len(b.elements)*arity)
		for _, e := range b.elements {
			some = append(some, nodes[int(e)*arity:(int(e)+1)*arity]...)
		}
		nodes = some
	}
	if slices.ContainsFunc(nodes, func(n int32) bool { return n < 0 }) {
		return fmt.Errorf("Part %s: some values of map %s are masked", b.name, p.nodes.Name())
	}
	return w.finishPart(b, p.kind, nodes)
}

// finishPart adds the block of a part with elements of a kind and their nodes.
func (w *writer) finishPart(b *block, kind mesh.Kind, nodes []int32) error {
	if kind.Dim() == w.mesh.CellDim() {
		if err := w.amongCells(b, kind); err != nil {
			return err
		}
	}
	w.addBlock(b, []elements{{kind: kind, nodes: nodes}}, true)
	return nil
}

// amongCells makes the elements of a block of cells of one kind those among all cells.
func (w *writer) amongCells(b *block, kind mesh.Kind) error {
	first := 0
	for k, cells := range w.mesh.CellBlocks() {
		same := cells.Len() == b.set.Size()
		if w.piece != nil {
			same = slices.Equal(w.piece.kinds[k].slabs, (*entity.Set)(b.set).Slabs())
		}
		if cells.Kind == kind && same {
			if b.elements == nil {
				for i := range cells.Len() {
					b.elements = append(b.elements, int32(i))
				}
			}
			for i := range b.elements {
				b.elements[i] += int32(first)
			}
			b.cells, b.set = true, nil
			return nil
		}
		first += cells.Len()
	}
	return fmt.Errorf("Part %s: the mesh does not have %d cells of kind %s", b.name, b.set.Size(), kind)
}
