package vtk

import (
	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

// Option is an option of [NewSeries].
type Option func(*config)

// config is what the options of a series say.
type config struct {
	groups bool
	names  []string // of groups; none: all
	parts  []partOption
	order  bool // the one in memory
	nodes  *op2.Set
	cells  []*op2.Set
	single bool
	text   bool
	rt     *op2.Runtime
}

// On makes the series one of all ranks of a runtime, which make the same calls: rank 0 gets the values of dats from all,
// and writes. The others need no mesh. Sets and subsets of a [Part] are declared whole and not distributed yet, so the
// series starts before the first loop and [op2.Runtime.Partition]; PresentOrder is for one rank. On one it changes nothing.
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
// maps the elements to their nodes, of which there are those of kind. The block has the fields on nodes. One of cells
// has the fields on cells, too; one of lower dimension those of the dats on its set.
func Part(kind mesh.Kind, nodes *op2.Map, over op2.IterationSet) Option {
	return func(c *config) { c.parts = append(c.parts, partOption{kind, nodes, over}) }
}

// PresentOrder writes mesh and values in the order in memory of the nodes and the cells, which are given as one set or as
// one for each kind. It is a way to look at what [op2.Runtime.Renumber] does. The default is the order of the mesh.
func PresentOrder(nodes *op2.Set, cells ...*op2.Set) Option {
	return func(c *config) { c.order, c.nodes, c.cells = true, nodes, cells }
}

// Single writes values of type float64 in single precision, which takes half the space.
func Single() Option { return func(c *config) { c.single = true } }

// Text writes human-readable text, which takes several times the space.
func Text() Option { return func(c *config) { c.text = true } }
