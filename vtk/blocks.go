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

// addBlocks adds the block of all cells and those that the options ask for.
func (w *writer) addBlocks(c *config) error {
	var all []kindElements
	for _, b := range w.mesh.CellBlocks() {
		e := kindElements{kind: b.Kind, nodes: b.Nodes}
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

// ofBlock returns some elements of a block of the mesh.
func (w *writer) ofBlock(b *mesh.Block, some []int32) (kindElements, error) {
	e := kindElements{kind: b.Kind}
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

// addBlock encodes the geometry of a block: that of the whole mesh, or of the nodes that the elements have.
func (w *writer) addBlock(b *block, all []kindElements, compact bool) {
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

// compact returns the nodes that elements have, in ascending order. The elements get the numbers among these.
func (w *writer) compact(all []kindElements) (nodes []int32) {
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
	var all []kindElements
	cells := w.mesh.CellBlocks()
	for _, members := range g.Members {
		if members.Block < 0 {
			all = append(all, kindElements{kind: mesh.Point, nodes: members.Elements})
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
		nodes = tuples{p.kind.Nodes(), nodes}.rows(b.elements).values.([]int32)
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
	w.addBlock(b, []kindElements{{kind: kind, nodes: nodes}}, true)
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
				b.elements = lists.UpTo(cells.Len())
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
