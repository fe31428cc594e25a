package mesh

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
)

// gmshPart reads a rank's part of a file. The rank finds out where its nodes and elements are, for which it looks for the ends
// of all lines of a text, but only at the heads of blocks of a binary file, and interprets only these.
func gmshPart(rt *entity.Runtime, path string) (*rankPart, error) {
	data, done, err := mapped(path)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	defer done()
	g := &gmshReader{fileReader: fileReader{name: path, data: data}, options: readOptions(nil), pieces: new(gmshPieces)}
	g.read()
	if g.err == nil && g.version != 4 {
		g.err = fmt.Errorf("mesh: %s: shares are read from version 4.1, found 2.2\n  hint: op2 mesh %s -o NEW.msh converts it", path, path)
	}
	if g.err != nil {
		return nil, g.err
	}
	return g.part(func(n int) span { return pieceOf(rt.Comm(), n) })
}

// within calls read with what pieces have of a span of things, counted from its first.
func (g *gmshReader) within(pieces []piece, s span, read func(p piece) error) error {
	for _, p := range pieces {
		lo, hi := max(p.first, s.lo), min(p.first+p.n, s.hi)
		if lo >= hi {
			continue
		}
		if g.binary {
			p.start += (lo - p.first) * p.bytes
		} else {
			r := fileReader{data: g.data, pos: p.start}
			r.passLines(lo-p.first, 0, 0, "")
			p.start = r.pos
		}
		p.first, p.n = lo-s.lo, hi-lo
		if err := read(p); err != nil {
			return err
		}
	}
	return nil
}

// part reads the piece of the nodes, and of the elements of each kind, that a rank has of so many.
func (g *gmshReader) part(pieceOf func(n int) span) (*rankPart, error) {
	at := g.pieces
	nodes := pieceOf(at.nodes)
	g.tags, g.points = make([]int64, nodes.size()), make([]float64, 3*nodes.size())
	if err := g.within(g.tagPieces, nodes, g.readTags); err != nil {
		return nil, err
	}
	if err := g.within(at.points, nodes, g.readPoints); err != nil {
		return nil, err
	}
	p := &rankPart{dim: 3, points: g.points, tags: g.tags}
	var blockOf [kinds]int
	for _, k := range blockOrder {
		if k == Point || g.counts[k] == 0 {
			continue
		}
		nodes, err := g.tagsOf(k, pieceOf(g.counts[k]))
		if err != nil {
			return nil, err
		}
		blockOf[k] = len(p.kinds)
		p.kinds, p.elements = append(p.kinds, k), append(p.elements, nodes)
	}
	groups, points := g.groups(blockOf, func(k Kind) span { return pieceOf(g.counts[k]) })
	all, err := g.tagsOf(Point, pieceOf(g.counts[Point]))
	p.groups, p.nodes = groups, make([][]int64, len(groups))
	for i := range points {
		for _, e := range points[i] {
			p.nodes[i] = append(p.nodes[i], all[e])
		}
	}
	return p, err
}

// tagsOf returns the tags of the nodes of elements of a kind, in our order.
func (g *gmshReader) tagsOf(kind Kind, s span) ([]int64, error) {
	width := kind.Nodes()
	tags := make([]int64, s.size()*width)
	err := g.within(g.pieces.elements[kind], s, func(p piece) error {
		return g.readElements(p, kind, func(r *lineReader, e int) error {
			for k := range width {
				tags[e*width+k] = r.integer()
			}
			return nil
		})
	})
	fromGmsh(kind, tags)
	return tags, err
}
