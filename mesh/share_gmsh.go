package mesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/sorting"
)

// gmshPart reads a rank's part of a file. The rank finds out where its nodes and elements are, for which it looks for the ends
// of all lines of a text, but only at the heads of blocks of a binary file, and interprets only these.
func gmshPart(rt *entity.Runtime, path string) (*part, error) {
	data, done, err := mapped(path)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	defer done()
	g := &gmshReader{fileReader: fileReader{name: path, data: data}, options: readOptions(nil), pieces: &gmshPieces{runs: map[gmshKey]*[kinds][]span{}}}
	g.read()
	if g.err == nil && g.version != 4 {
		g.err = fmt.Errorf("mesh: %s: shares are read from version 4.1, found 2.2\n  hint: op2 mesh %s -o NEW.msh converts it", path, path)
	}
	if g.err != nil {
		return nil, g.err
	}
	return g.part(func(n int) span { return pieceOf(rt.Comm(), n) })
}

// gmshPieces is where the nodes and elements of a file are, if they are not read at once.
type gmshPieces struct {
	nodes, points []gmshPiece
	elements      [kinds][]gmshPiece
	runs          map[gmshKey]*[kinds][]span // of each group, its elements of each kind
	total         int                        // nodes
	counts        [kinds]int
}

// gmshPiece is a piece with records of so many bytes in a binary file.
type gmshPiece struct {
	piece
	bytes int
}

// addPieces adds pieces to a list, each of whose records has so many bytes in a binary file.
func addPieces(to []gmshPiece, pieces []piece, bytes int) []gmshPiece {
	for _, p := range pieces {
		to = append(to, gmshPiece{p, bytes})
	}
	return to
}

// within calls read with what pieces have of a span of things, counted from its first.
func (g *gmshReader) within(pieces []gmshPiece, s span, read func(p piece, bytes int) error) error {
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
		if err := read(p.piece, p.bytes); err != nil {
			return err
		}
	}
	return nil
}

// part reads the piece of the nodes, and of the elements of each kind, that a rank has of so many.
func (g *gmshReader) part(pieceOf func(n int) span) (*part, error) {
	at := g.pieces
	nodes := pieceOf(at.total)
	g.tags, g.points = make([]int64, nodes.size()), make([]float64, 3*nodes.size())
	if err := g.within(at.nodes, nodes, func(p piece, _ int) error { return g.readTags(p) }); err != nil {
		return nil, err
	}
	if err := g.within(at.points, nodes, func(p piece, bytes int) error { return g.readPoints(p, bytes/8) }); err != nil {
		return nil, err
	}
	p := &part{dim: 3, points: g.points, tags: g.tags}
	for k := Line; k < kinds; k++ {
		if at.counts[k] > 0 {
			p.kinds = append(p.kinds, k)
		}
	}
	sorting.By(p.kinds, func(a, b Kind) int { return cmp.Compare(b.Dim(), a.Dim()) })
	var blockOf [kinds]int
	for i, k := range p.kinds {
		blockOf[k] = i
		nodes, err := g.tagsOf(k, pieceOf(at.counts[k]))
		if err != nil {
			return nil, err
		}
		p.elements = append(p.elements, nodes)
	}
	return p, g.partGroups(p, blockOf, pieceOf)
}

// tagsOf returns the tags of the nodes of elements of a kind, in our order.
func (g *gmshReader) tagsOf(kind Kind, s span) ([]int64, error) {
	width := kind.Nodes()
	tags := make([]int64, s.size()*width)
	err := g.within(g.pieces.elements[kind], s, func(p piece, _ int) error {
		r := g.reader(p, 8)
		for e := p.first; e < p.first+p.n; e++ {
			at := r.pos
			r.integer() // its tag
			for k := range width {
				tags[e*width+k] = r.integer()
			}
			if r.end(); !r.ok {
				return g.errorAt(at, "expected a %s (its tag and those of its %d nodes), found %s", kind, width, g.lineAt(at))
			}
		}
		return nil
	})
	if order := gmshOrder[kind]; order != nil {
		var theirs [27]int64
		for nodes := range slices.Chunk(tags, width) {
			copy(theirs[:], nodes)
			for k, at := range order {
				nodes[k] = theirs[at]
			}
		}
	}
	return tags, err
}

// partGroups adds the groups, with those of their members that are in the rank's pieces.
func (g *gmshReader) partGroups(p *part, blockOf [kinds]int, pieceOf func(n int) span) error {
	names := map[gmshKey]string{}
	for _, n := range g.names {
		names[n.gmshKey] = n.name
		if g.pieces.runs[n.gmshKey] == nil {
			g.pieces.runs[n.gmshKey] = new([kinds][]span)
		}
	}
	keys := make([]gmshKey, 0, len(g.pieces.runs))
	for key := range g.pieces.runs {
		keys = append(keys, key)
	}
	sorting.By(keys, func(a, b gmshKey) int { return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.tag, b.tag)) })
	for _, key := range keys {
		group := Group{Name: names[key], Tag: int(key.tag), Dim: key.dim}
		var nodes []int64
		for k, runs := range g.pieces.runs[key] {
			if len(runs) == 0 {
				continue
			}
			here := pieceOf(g.pieces.counts[k])
			var elements []int32
			for _, run := range runs {
				for e := max(run.lo, here.lo); e < min(run.hi, here.hi); e++ {
					elements = append(elements, int32(e-here.lo))
				}
			}
			if Kind(k) != Point {
				group.Members = append(group.Members, Members{blockOf[k], elements})
				continue
			}
			tags, err := g.tagsOf(Point, here)
			if err != nil {
				return err
			}
			for _, e := range elements {
				nodes = append(nodes, tags[e])
			}
		}
		sorting.By(group.Members, func(a, b Members) int { return cmp.Compare(a.Block, b.Block) })
		p.groups, p.nodes = append(p.groups, group), append(p.nodes, nodes)
	}
	return nil
}

// addRun adds elements from first on to the groups of an entity.
func (g *gmshReader) addRun(entity gmshKey, kind Kind, first, n int) {
	for _, tag := range g.physical[entity] {
		key := gmshKey{kind.Dim(), tag}
		if g.pieces.runs[key] == nil {
			g.pieces.runs[key] = new([kinds][]span)
		}
		g.pieces.runs[key][kind] = append(g.pieces.runs[key][kind], span{first, first + n})
	}
	if g.pieces.counts[kind] = first + n; first+n > math.MaxInt32 {
		g.fail(g.last, "expected at most %d elements of one type, found %d", math.MaxInt32, first+n)
	}
}
