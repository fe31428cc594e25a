package mesh

import (
	"math"
	"sort"
)

// nodes2 reads $Nodes of version 2.2: for each node its tag, x, y and z.
func (g *gmshReader) nodes2() {
	each := 8
	if g.binary {
		each = 28
	}
	n := g.countLine("nodes", each)
	pieces := g.cut(n, len(g.tags), each, "nodes")
	g.tagPieces = append(g.tagPieces, pieces...)
	g.later(pieces, func(p piece) error {
		r := g.reader(p, 4)
		for node := p.first; node < p.first+p.n; node++ {
			at := r.pos
			g.tags[node] = r.integer()
			if err := g.readPoint(&r, node); err != nil {
				return err
			}
			if r.end(); !r.ok {
				return g.errorAt(at, "expected a node (its tag, x, y and z), found %s", g.lineAt(at))
			}
		}
		return nil
	})
	g.addNodes(n)
}

// readPoint reads the coordinates of a node.
func (g *gmshReader) readPoint(r *lineReader, node int) error {
	for k := range 3 {
		at := r.pos
		x := r.number()
		if g.binary && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return g.errorAt(at, "expected a finite coordinate, found %v", x)
		}
		g.points[3*node+k] = x
	}
	return nil
}

// nodes4 reads $Nodes of version 4.1: blocks of nodes, in each the tags and then the coordinates.
func (g *gmshReader) nodes4() {
	blocks := g.blocksHeader("nodes")
	total := 0
	if g.pieces != nil { // of sections before
		total = g.pieces.nodes
	}
	for range blocks {
		dim := g.integer("a dimension")
		g.integer("an entity's tag")
		parametric := g.integer("0 or 1 for parametric coordinates")
		if g.err == nil && (dim < 0 || dim > 3 || parametric != 0 && parametric != 1) {
			g.fail(g.last, "expected a dimension from 0 to 3 and 0 or 1 for parametric coordinates, found %d and %d", dim, parametric)
		}
		width := 3 + int(dim*parametric) // coordinates of a node, parametric ones last
		n := g.size("nodes", g.leastBytes(1+width))
		if !g.binary {
			g.rest()
		}
		tags := g.cut(n, len(g.tags)+total, 8, "tags of nodes")
		points := g.cut(n, len(g.tags)+total, 8*width, "coordinates of nodes")
		g.tagPieces = append(g.tagPieces, tags...)
		if at := g.pieces; at != nil {
			at.points = append(at.points, points...)
		} else {
			g.later(tags, g.readTags)
			g.later(points, g.readPoints)
		}
		if total += n; g.err != nil {
			return
		}
	}
	if g.pieces != nil {
		g.pieces.nodes = total
		return
	}
	g.addNodes(total)
}

// readTags reads tags of nodes of version 4.1.
func (g *gmshReader) readTags(p piece) error {
	r := g.reader(p, 8)
	for i := range p.n {
		at := r.pos
		g.tags[p.first+i] = r.integer()
		if r.end(); !r.ok {
			return g.errorAt(at, "expected the tag of a node, found %s", g.lineAt(at))
		}
	}
	return nil
}

// readPoints reads coordinates of nodes of version 4.1, of which it keeps three for each.
func (g *gmshReader) readPoints(p piece) error {
	r, width := g.reader(p, 8), p.bytes/8
	for i := range p.n {
		at := r.pos
		if err := g.readPoint(&r, p.first+i); err != nil {
			return err
		}
		for range width - 3 {
			r.number()
		}
		if r.end(); !r.ok {
			return g.errorAt(at, "expected the %d coordinates of a node, found %s", width, g.lineAt(at))
		}
	}
	return nil
}

// addNodes makes room for n more nodes, and reads them.
func (g *gmshReader) addNodes(n int) {
	if g.err == nil && len(g.tags)+n > math.MaxInt32 {
		g.fail(g.pos, "expected at most %d nodes, found %d", math.MaxInt32, len(g.tags)+n)
	}
	if g.err != nil {
		return
	}
	g.tags = append(g.tags, make([]int64, n)...)
	g.points = append(g.points, make([]float64, 3*n)...)
	g.index = nil
	g.run()
}

// indexNodes makes an index of the nodes that were read. It is an error if two have the same tag.
func (g *gmshReader) indexNodes() {
	if g.err != nil || g.index != nil {
		return
	}
	index, twice := newTagIndex(g.tags)
	if twice >= 0 {
		g.fail(g.placeOfTag(twice), "expected each node once, found a second one with the tag %d", g.tags[twice])
	}
	g.index = index
}

// placeOfTag returns the offset in the file of a node's tag.
func (g *gmshReader) placeOfTag(node int) int {
	i := sort.Search(len(g.tagPieces), func(i int) bool { return g.tagPieces[i].first > node }) - 1
	p := g.tagPieces[i]
	if g.binary {
		return p.start + (node-p.first)*p.bytes
	}
	r := fileReader{data: g.data, pos: p.start}
	r.passLines(node-p.first, 0, 0, "")
	return r.pos
}
