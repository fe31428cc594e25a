package mesh

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// mesh makes a mesh of the sections.
func (g *gmshReader) mesh() (*Mesh, error) {
	m := &Mesh{Dim: 3, Points: g.points}
	blockOf := g.blocks(m)
	groups, points := g.groups(blockOf, func(k Kind) span { return span{0, len(g.elements[k]) / k.Nodes()} })
	for i := range groups {
		if nodes := points[i]; len(nodes) > 0 {
			for k, p := range nodes {
				nodes[k] = g.elements[Point][p]
			}
			sorting.Int32s(nodes)
			groups[i].Members = slices.Insert(groups[i].Members, 0, Members{-1, slices.Compact(nodes)})
		}
	}
	m.Groups = groups
	m.dropUnused()
	m.flatten()
	g.options.progress(1)
	return m, nil
}

// blocks adds the elements to the mesh, those of the highest dimension first, and returns the block of each kind.
// Points are no elements of the mesh.
func (g *gmshReader) blocks(m *Mesh) (blockOf [kinds]int) {
	for _, k := range blockOrder {
		if k != Point && len(g.elements[k]) > 0 {
			blockOf[k] = len(m.Blocks)
			m.Blocks = append(m.Blocks, Block{Kind: k, Nodes: g.elements[k]})
			fromGmsh(k, g.elements[k])
		}
	}
	return blockOf
}

// groups returns the groups that have a name or elements, with their members among those that here returns of a kind, and of each
// group the points, which are no members.
func (g *gmshReader) groups(blockOf [kinds]int, here func(Kind) span) (groups []Group, points [][]int32) {
	names := map[gmshKey]string{}
	for _, n := range g.names {
		names[n.gmshKey] = n.name
		if g.runs[n.gmshKey] == nil {
			g.runs[n.gmshKey] = new([kinds][]span)
		}
	}
	keys := sorting.Sorted(slices.Collect(maps.Keys(g.runs)), func(a, b gmshKey) int { return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.tag, b.tag)) })
	points = make([][]int32, len(keys))
	for i, key := range keys {
		group := Group{Name: names[key], Tag: int(key.tag), Dim: key.dim}
		for k, runs := range g.runs[key] {
			if len(runs) == 0 {
				continue
			}
			var elements []int32
			of := here(Kind(k))
			for _, run := range runs {
				lo, hi := max(run.lo, of.lo), min(run.hi, of.hi)
				elements = slices.Grow(elements, max(hi-lo, 0))
				for e := lo; e < hi; e++ {
					elements = append(elements, int32(e-of.lo))
				}
			}
			if Kind(k) == Point {
				points[i] = elements
			} else {
				group.Members = append(group.Members, Members{blockOf[k], elements})
			}
		}
		sorting.By(group.Members, func(a, b Members) int { return cmp.Compare(a.Block, b.Block) })
		groups = append(groups, group)
	}
	return groups, points
}
