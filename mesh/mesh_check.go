package mesh

import (
	"math"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// tiny is the fraction of a cell's or the mesh's extent that counts as zero.
const tiny = 1e-10

// Check looks for defects that make a mesh wrong or unfit for a computation. The report says what it found, and is
// not nil unless there is an error: the parts of the mesh do not fit together, as an index that points nowhere.
func (m *Mesh) Check() (*Report, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	r := &Report{Unused: m.unused(), Coincident: m.coincident()}
	m.checkCells(r)
	if m.CellDim() > 0 {
		m.checkFacets(r)
	}
	for i := range m.Groups {
		if m.Groups[i].Name == "" {
			r.Unnamed = append(r.Unnamed, i)
		}
		if m.Groups[i].Len() == 0 {
			r.Empty = append(r.Empty, i)
		}
	}
	return r, nil
}

// unused returns the nodes of no element and no group.
func (m *Mesh) unused() (nodes []int32) {
	for n, u := range m.used() {
		if !u {
			nodes = append(nodes, int32(n))
		}
	}
	return nodes
}

// coincident returns the nodes that lie where an earlier one does, and the earlier one. Nodes are sorted into cubes
// that are much larger than the tolerance, so that few of them are near a side.
func (m *Mesh) coincident() (pairs [][2]int32) {
	b := newBox()
	for n := range int32(m.Nodes()) {
		b.add(m.Point(n))
	}
	near := tiny * b.diagonal()
	if !(near > 0) { // one node, or none, or all at one place
		for n := int32(1); n < int32(m.Nodes()); n++ {
			pairs = append(pairs, [2]int32{n, 0})
		}
		return pairs
	}
	side := 100 * near
	type cube [3]int64
	last := make(map[cube]int32, m.Nodes()) // the last node in each cube, plus 1
	before := make([]int32, m.Nodes())      // the one before it in the same cube, plus 1
	cubeOf := func(p vector) (c cube) {
		for k := range c {
			c[k] = int64(math.Floor((p[k] - b.least[k]) / side))
		}
		return c
	}
	for n := range int32(m.Nodes()) {
		p := m.vector(n)
		low, high := cubeOf(p.minus(vector{near, near, near})), cubeOf(p.minus(vector{-near, -near, -near}))
		found := int32(-1)
		for c := low; c[0] <= high[0]; c[0]++ {
			for c[1] = low[1]; c[1] <= high[1]; c[1]++ {
				for c[2] = low[2]; c[2] <= high[2]; c[2]++ {
					for at := last[c] - 1; at >= 0; at = before[at] - 1 {
						if m.vector(at).minus(p).norm() <= near && (found < 0 || at < found) {
							found = at
						}
					}
				}
			}
		}
		if found >= 0 {
			pairs = append(pairs, [2]int32{n, found})
			continue // further ones are found at the first
		}
		own := cubeOf(p)
		before[n], last[own] = last[own], n+1
	}
	return pairs
}

// checkCells finds inverted and degenerate cells.
func (m *Mesh) checkCells(r *Report) {
	first := int32(0)
	if m.polyhedral() {
		r.Facets = m.eachSolid(func(cell int32, s solid) {
			switch volume, size := m.volume(s.faces, s.nodes), m.extent(s.edges, 3, s.nodes); {
			case volume < -tiny*size:
				r.Inverted = append(r.Inverted, cell)
			case volume <= tiny*size:
				r.Degenerate = append(r.Degenerate, cell)
			}
		})
		return
	}
	for i := range m.CellBlocks() {
		b := &m.Blocks[i]
		parts := spans(b.Len())
		inverted, degenerate := make([][]int32, len(parts)), make([][]int32, len(parts))
		together(parts, func(part, lo, hi int) {
			for e := lo; e < hi; e++ {
				switch least, size := m.leastMeasure(b.Kind, b.Element(e)), m.extent(b.Kind.Linear().Edges(), b.Kind.Dim(), b.Element(e)); {
				case least < -tiny*size:
					inverted[part] = append(inverted[part], first+int32(e))
				case least <= tiny*size && b.Kind.Dim() > 0 || repeats(b.Element(e)):
					degenerate[part] = append(degenerate[part], first+int32(e))
				}
			}
		})
		r.Inverted = slices.Concat(append([][]int32{r.Inverted}, inverted...)...)
		r.Degenerate = slices.Concat(append([][]int32{r.Degenerate}, degenerate...)...)
		first += int32(b.Len())
	}
}

// leastMeasure returns the least of the measure of a cell and the measures of the parallelograms or parallelepipeds at
// its corners.
func (m *Mesh) leastMeasure(k Kind, nodes []int32) float64 {
	least := m.measure(k, nodes)
	if k.Dim() != m.Dim {
		return least
	}
	for _, c := range cornerTable[k.Linear()] {
		at := m.vector(nodes[c.at])
		next, before := m.vector(nodes[c.next]).minus(at), m.vector(nodes[c.before]).minus(at)
		normal := next.cross(before)
		if k.Dim() == 2 {
			least = min(least, normal[2])
		} else {
			least = min(least, -normal.dot(m.vector(nodes[c.inside]).minus(at)))
		}
	}
	return least
}

// extent returns the square or the cube of a cell's longest edge, by its dimension.
func (m *Mesh) extent(edges []Part, dim int, nodes []int32) float64 {
	longest := 0.0
	for _, e := range edges {
		longest = max(longest, m.vector(nodes[e.Nodes[0]]).minus(m.vector(nodes[e.Nodes[1]])).norm())
	}
	return math.Pow(longest, float64(dim))
}

// repeats reports whether a node is there twice.
func repeats(nodes []int32) bool {
	for i, n := range nodes {
		if slices.Contains(nodes[:i], n) {
			return true
		}
	}
	return false
}

// cornerEdges is a corner of a face or volume where two edges meet, or three: the ends of the two in one facet, or around
// the face, and that of the third.
type cornerEdges struct{ at, next, before, inside uint8 }

// cornerTable holds the corners of each linear kind of dimension 2 and 3. The apex of a pyramid, where four edges
// meet, is not among them.
var cornerTable = func() (table [kinds][]cornerEdges) {
	for _, k := range []Kind{Triangle, Quadrilateral} {
		n := uint8(k.Nodes())
		for c := range n {
			table[k] = append(table[k], cornerEdges{at: c, next: (c + 1) % n, before: (c + n - 1) % n})
		}
	}
	for _, k := range []Kind{Tetrahedron, Hexahedron, Prism, Pyramid} {
		for at := range uint8(k.Nodes()) {
			if c, found := cornerOf(k, at); found {
				table[k] = append(table[k], c)
			}
		}
	}
	return table
}()

// cornerOf returns a corner of a volume, and whether three edges meet there.
func cornerOf(k Kind, at uint8) (c cornerEdges, found bool) {
	var ends []uint8
	for _, e := range k.Edges() {
		switch at {
		case e.Nodes[0]:
			ends = append(ends, e.Nodes[1])
		case e.Nodes[1]:
			ends = append(ends, e.Nodes[0])
		}
	}
	for _, f := range k.Facets() {
		if i := slices.Index(f.Nodes, at); i >= 0 && len(ends) == 3 {
			n := len(f.Nodes)
			c = cornerEdges{at: at, next: f.Nodes[(i+1)%n], before: f.Nodes[(i+n-1)%n]}
			for _, end := range ends {
				if end != c.next && end != c.before {
					c.inside = end
				}
			}
			return c, true
		}
	}
	return c, false
}

// checkFacets looks at the facets of the cells.
func (m *Mesh) checkFacets(r *Report) {
	f, err := m.Facets()
	if err != nil {
		r.Facets = err
		return
	}
	dim := m.CellDim()
	if dim < m.Dim {
		r.Open = f.Boundary.Len()
	}
	if dim == 2 && m.Dim == 2 {
		r.Pinched = f.Boundary.pinched(m.Nodes())
	}
	held := make([]bool, f.Boundary.Len()) // the facets of the boundary that are elements
	for i := len(m.CellBlocks()); i < len(m.Blocks) && m.Blocks[i].Kind.Dim() == dim-1; i++ {
		for _, n := range f.Elements(i) {
			if n < 0 {
				r.Loose++
			} else if n -= int32(f.Interior.Len()); n >= 0 {
				held[n] = true
			}
		}
	}
	r.Rim = f.Boundary.rim(held)
	r.Ungrouped = m.ungrouped(f)
}

// ungrouped returns the number of facets of the boundary in no group, or 0 if all of them are.
func (m *Mesh) ungrouped(f *Facets) (n int) {
	dim := m.CellDim()
	grouped := make([]bool, f.Boundary.Len())
	for i := range m.Groups {
		if m.Groups[i].Dim != dim-1 || dim == 1 {
			continue
		}
		for _, members := range m.Groups[i].Members {
			of := f.Elements(members.Block)
			for _, e := range members.Elements {
				if n := of[e] - int32(f.Interior.Len()); n >= 0 {
					grouped[n] = true
				}
			}
		}
	}
	if !slices.Contains(grouped, true) {
		return 0
	}
	for _, g := range grouped {
		if !g {
			n++
		}
	}
	return n
}

// rim returns the nodes where a part of the boundary ends: the ends of its curves, or the corners of the edges around
// its surfaces. There are none if the part is all of the boundary, which is closed.
func (s *Sides) rim(part []bool) (nodes []int32) {
	ends := map[key][]int32{} // of an odd number of sides
	for n, side := range elementsOf(s.Blocks) {
		if !part[n] {
			continue
		}
		for _, f := range side.kind.Facets() {
			k, _ := keyOf(side.nodes, f)
			if _, there := ends[k]; there {
				delete(ends, k)
				continue
			}
			var corners []int32
			for _, c := range f.Nodes[:f.Kind.Corners()] {
				corners = append(corners, side.nodes[c])
			}
			ends[k] = corners
		}
	}
	for _, corners := range ends {
		nodes = append(nodes, corners...)
	}
	sorting.Int32s(nodes)
	return slices.Compact(nodes)
}

// pinched returns the nodes at which more than two edges end.
func (s *Sides) pinched(nodes int) (pinched []int32) {
	ends := make([]uint8, nodes)
	for _, edge := range elementsOf(s.Blocks) {
		for _, n := range edge.nodes[:2] {
			if ends[n] = min(ends[n]+1, 9); ends[n] == 3 {
				pinched = append(pinched, n)
			}
		}
	}
	sorting.Int32s(pinched)
	return pinched
}
