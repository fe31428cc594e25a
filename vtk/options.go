package vtk

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/mesh"
)

// Option is an option of [NewSeries].
type Option func(*config)

// config holds the options of a series.
type config struct {
	groups bool
	names  []string // of groups; none: all
	parts  []partOption
	single bool
	text   bool
	rt     *op2.Runtime
}

// On makes the series one of all ranks of a runtime, which make the same calls. If its path ends in .pvtu, or in .vtkhdf and
// each rank has a mesh, each writes a piece: a part of the cells in declared order, and their nodes. The mesh is whole on all
// ranks, or the rank's share: of [mesh.ReadShare], or one that it has declared, with the numbers of the whole mesh. The step
// before is listed with the next Write or Close. Otherwise rank 0 gets the values of dats from all, and writes; the others need
// no mesh, and that of ReadShare is an error. Sets and subsets of a [Part] are then declared whole and not distributed yet, so the
// series starts before the first loop and [op2.Runtime.Partition]. On one rank it changes nothing.
func On(rt *op2.Runtime) Option { return func(c *config) { c.rt = rt } }

func configure(options []Option) config {
	var c config
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	return c
}

type partOption struct {
	kind  mesh.Kind
	nodes *op2.Map
	over  op2.IterationSet
}

// Groups adds the mesh's groups of the given names, or all of them, as blocks: with the fields on nodes and, for
// groups of cells, those on cells.
func Groups(names ...string) Option {
	return func(c *config) { c.groups, c.names = true, append(c.names, names...) }
}

// Part adds the elements of a set or a subset as a block, named like it: the wet cells, the edges of a wall. Nodes
// maps the elements to their nodes, as many as elements of the kind have. The block has the fields on nodes. A
// block of cells also has the fields on cells, and one of lower dimension the fields of dats on its set.
func Part(kind mesh.Kind, nodes *op2.Map, over op2.IterationSet) Option {
	return func(c *config) { c.parts = append(c.parts, partOption{kind, nodes, over}) }
}

// Single writes values of type float64 in single precision, which takes half the space.
func Single() Option { return func(c *config) { c.single = true } }

// Text writes human-readable text, which takes several times the space.
func Text() Option { return func(c *config) { c.text = true } }

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
	case (*entity.Map)(p.nodes).Varies():
		return fmt.Errorf("Part %s: the rows of map %s differ in length, and the elements of a part are of one kind\n  hint: Groups adds boundaries of the mesh, whatever their faces", p.over.Name(), p.nodes.Name())
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
