package vtk

import (
	"github.com/go-op2/op2"
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
