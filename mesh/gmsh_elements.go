package mesh

import "math"

const typeWanted = "expected the type of an element of first or second order, from 1 to 19, found %d"

// elements4 reads $Elements of version 4.1: blocks of elements of one type on one entity, for each element its tag
// and those of its nodes.
func (g *gmshReader) elements4() {
	if g.pieces == nil {
		g.indexNodes()
	}
	for range g.blocksHeader("elements") {
		entity := gmshKey{int(g.integer("a dimension")), g.integer("an entity's tag")}
		t := g.integer("the type of an element")
		kind := kindOfType(int64(t))
		switch {
		case g.err == nil && kind == 0:
			g.fail(g.last, typeWanted, t)
		case g.err == nil && kind.Dim() != entity.dim:
			g.fail(g.last, "expected elements of dimension %d on an entity of that dimension, found a %s", entity.dim, kind)
		}
		n, bytes := g.size("elements", g.leastBytes(1+kind.Nodes())), 8*(1+kind.Nodes())
		if !g.binary {
			g.rest()
		}
		if g.err != nil {
			return
		}
		if g.interfaces[entity] {
			g.cut(n, 0, bytes, "elements")
			continue
		}
		first := g.addElements(kind, n)
		for _, tag := range g.physical[entity] {
			g.addRun(gmshKey{kind.Dim(), tag}, kind, first, n)
		}
		pieces := g.cut(n, first, bytes, "elements")
		if at := g.pieces; at != nil {
			at.elements[kind] = append(at.elements[kind], pieces...)
			continue
		}
		g.later(pieces, func(p piece) error {
			return g.readElements(p, kind, func(r *lineReader, e int) error {
				return g.readNodes(r, g.elements[kind][e*kind.Nodes():(e+1)*kind.Nodes()])
			})
		})
	}
	g.run()
}

// addElements counts n more elements of a kind, for which it makes room if they are read at once, and returns the number
// of the first one.
func (g *gmshReader) addElements(kind Kind, n int) (first int) {
	first = g.counts[kind]
	if g.counts[kind] += n; first+n > math.MaxInt32 {
		g.fail(g.last, "expected at most %d elements of one type, found %d", math.MaxInt32, first+n)
	} else if g.pieces == nil {
		g.elements[kind] = append(g.elements[kind], make([]int32, n*kind.Nodes())...)
	}
	return first
}

// addRun adds n elements of a kind to a group.
func (g *gmshReader) addRun(group gmshKey, kind Kind, first, n int) {
	if g.runs[group] == nil {
		g.runs[group] = new([kinds][]span)
	}
	runs := &g.runs[group][kind]
	if last := len(*runs) - 1; last >= 0 && (*runs)[last].hi == first {
		(*runs)[last].hi += n
		return
	}
	*runs = append(*runs, span{first, first + n})
}

// readElements reads elements of a kind of version 4.1, of each the nodes by the function.
func (g *gmshReader) readElements(p piece, kind Kind, nodes func(r *lineReader, e int) error) error {
	r := g.reader(p, 8)
	for e := p.first; e < p.first+p.n; e++ {
		at := r.pos
		r.integer() // its tag
		if err := nodes(&r, e); err != nil {
			return err
		}
		if r.end(); !r.ok {
			return g.errorAt(at, "expected a %s (its tag and those of its %d nodes), found %s", kind, kind.Nodes(), g.lineAt(at))
		}
	}
	return nil
}

// readNodes reads tags, and sets nodes to the nodes that have them. Where the line of a text holds less, it leaves
// the rest as it is.
func (g *gmshReader) readNodes(r *lineReader, nodes []int32) error {
	for k := range nodes {
		at := r.pos
		tag := r.integer()
		if !r.ok {
			return nil
		}
		if nodes[k] = g.index.find(tag); nodes[k] < 0 {
			return g.errorAt(at, "expected the tag of a node, found %d, which $Nodes does not hold", tag)
		}
	}
	return nil
}
