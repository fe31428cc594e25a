package plot

import "github.com/go-op2/op2/internal/lists"

// edge is an edge of one cell only, directed so that the cell is on its left.
type edge struct{ a, b int32 }

// loop is a connected set of boundary edges: the rim of a hole, or the outer
// rim of a part of the mesh.
type loop struct {
	edges []edge
	area  float64 // the area that the loop encloses counterclockwise: negative for a hole
	girth float64 // sum of the lengths of the edges
}

// hole reports whether l is the rim of a real hole. Slits, such as those between neighbors that do
// not share their corners, are not.
func (l loop) hole() bool {
	return l.area < -1e-6*l.girth*l.girth
}

// boundary returns the loops of m's edges that belong to only one cell. same is the result of
// mergeNodes for m.
func boundary(m Mesh, same []int32) []loop {
	return loops(m, lonelyEdges(m, same))
}

// lonelyEdges returns the edges of m that belong to an odd number of cells.
func lonelyEdges(m Mesh, same []int32) []edge {
	// Edges are binned by the smaller of their nodes. A bin then has about as
	// many as a node has neighbors, and looking for twins in it is cheap.
	start := make([]int32, m.nodes()+1)
	eachEdge(m, same, func(a, b int32, c int) { start[min(a, b)+1]++ })
	for n := range m.nodes() {
		start[n+1] += start[n]
	}
	type half struct {
		other, cell int32
		forwards    bool // the cell lists it from the smaller to the larger node
	}
	bins := make([]half, start[m.nodes()])
	used := make([]int32, m.nodes())
	eachEdge(m, same, func(a, b int32, c int) {
		bin, other := min(a, b), max(a, b)
		at := bins[start[bin] : start[bin]+used[bin]]
		for i := range at {
			if at[i].other == other { // a twin: both vanish
				used[bin]--
				at[i] = at[len(at)-1]
				return
			}
		}
		bins[start[bin]+used[bin]] = half{other, int32(c), a == bin}
		used[bin]++
	})

	var edges []edge
	for n := range m.nodes() {
		for _, h := range bins[start[n] : start[n]+used[n]] {
			e := edge{int32(n), h.other}
			if h.forwards != (m.area(int(h.cell)) > 0) { // the cell lies on its right
				e.a, e.b = e.b, e.a
			}
			edges = append(edges, e)
		}
	}
	return edges
}

// eachEdge calls visit with every edge of every cell c, in the direction in
// which the cell lists it. Edges of no length are left out.
func eachEdge(m Mesh, same []int32, visit func(a, b int32, c int)) {
	for c := range m.cells() {
		corners := m.cell(c)
		a := same[corners[len(corners)-1]]
		for _, n := range corners {
			b := same[n]
			if a != b {
				visit(a, b, c)
			}
			a = b
		}
	}
}

// loops groups edges that share nodes.
func loops(m Mesh, edges []edge) []loop {
	parent := lists.UpTo(m.nodes())
	root := func(n int32) int32 {
		for parent[n] != n {
			parent[n] = parent[parent[n]]
			n = parent[n]
		}
		return n
	}
	for _, e := range edges {
		parent[root(e.a)] = root(e.b)
	}

	var out []loop
	number := make(map[int32]int) // of the loop with this root
	for _, e := range edges {
		r := root(e.a)
		i, ok := number[r]
		if !ok {
			i = len(out)
			number[r] = i
			out = append(out, loop{})
		}
		out[i].edges = append(out[i].edges, e)
		// Relative to a node of the loop, for the sake of small bodies far
		// from the origin.
		a, b := m.from(r, e.a), m.from(r, e.b)
		out[i].area += (a.x*b.y - b.x*a.y) / 2
		out[i].girth += distance(a, b)
	}
	return out
}

// from returns where node n lies as seen from node origin.
func (m Mesh) from(origin, n int32) point {
	return point{m.XY[2*n] - m.XY[2*origin], m.XY[2*n+1] - m.XY[2*origin+1]}
}

// enclosed reports whether an outer rim among the loops goes around p, a point
// in the coordinates of m: whether p is in the mesh or in a hole of it.
func enclosed(m Mesh, all []loop, p point) bool {
	for _, l := range all {
		if l.area <= 0 {
			continue
		}
		turns := 0
		for _, e := range l.edges {
			a, b := point{m.XY[2*e.a], m.XY[2*e.a+1]}, point{m.XY[2*e.b], m.XY[2*e.b+1]}
			if (a.y <= p.y) == (b.y <= p.y) || cut(a, b, p.y) < p.x {
				continue
			}
			if a.y <= p.y {
				turns++
			} else {
				turns--
			}
		}
		if turns != 0 {
			return true
		}
	}
	return false
}
