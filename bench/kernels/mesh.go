package kernels

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-op2/op2"
)

// corpus holds the sets, the maps and the data of the table's loops on one runtime: triangles in
// the unit square, numbered row by row, and hexahedra and their parts in the unit cube; a grid for
// stencils, particles with their pairs, and a graph.
type corpus struct {
	rt     *op2.Runtime
	fields []*Field
	cached map[string]any       // data that several loops share, by name
	first  map[string][]float64 // values of dats of float64, by name

	nodes, points, cells, edges, bedges, quads *op2.Set
	corners, hexes, tets, wedges, faces        *op2.Set
	grid, particles, pairs, pages, links       *op2.Set

	cell2node, cell2cell, cell2point *op2.Map // 3, 3, 6
	edge2node, edge2cell             *op2.Map // 2
	bedge2cell                       *op2.Map // 1
	quad2node                        *op2.Map // 4
	hex2corner, tet2corner           *op2.Map // 8, 4
	wedge2corner, pyramid2corner     *op2.Map // 6, 5
	face2corner                      *op2.Map // 4
	row5, row7, cross5, ring8        *op2.Map // of the grid
	pair2particle, near8, triple     *op2.Map // 2, 8, 3
	particle2hex8                    *op2.Map // the corners around each particle
	link2page                        *op2.Map // 2
}

// Field is data of the corpus, for comparing results.
type Field struct {
	Name  string
	Read  func() ([]float64, error) // a copy
	Reset func() error              // restores the initial values
}

// value is a dat or a global.
type value[T op2.Scalar] interface{ Data() ([]T, error) }

// keep lists data as a field.
func keep[T op2.Scalar](c *corpus, name string, first []T, v value[T]) {
	first = slices.Clone(first)
	c.fields = append(c.fields, &Field{
		Name: name,
		Read: func() ([]float64, error) {
			values, err := v.Data()
			out := make([]float64, len(values))
			for i, x := range values {
				out[i] = float64(x)
			}
			return out, err
		},
		Reset: func() error {
			values, err := v.Data()
			copy(values, first)
			return err
		},
	})
}

// dat declares data on a set, where f returns value d of element i; if it is already declared, that
// is returned. Random numbers in f depend only on the name.
func dat[T op2.Scalar](c *corpus, set *op2.Set, dim int, name string, f func(i, d int, r *rand.Rand) T) *op2.Dat[T] {
	if known, ok := c.cached[name]; ok {
		return known.(*op2.Dat[T])
	}
	hash := fnv.New64()
	fmt.Fprint(hash, name)
	r := rand.New(rand.NewPCG(hash.Sum64(), 1))
	values := make([]T, set.Size()*dim)
	for i := range values {
		values[i] = f(i/dim, i%dim, r)
	}
	v := op2.NewDat(set, dim, values, name)
	keep(c, name, values, v)
	c.cached[name] = v
	if first, ok := any(values).([]float64); ok {
		c.first[name] = first
	}
	return v
}

// some returns data between 0.5 and 1.5, for methods that need nothing more specific.
func (c *corpus) some(set *op2.Set, dim int, name string) *op2.Dat[float64] {
	return dat(c, set, dim, fmt.Sprintf("%s%d on %s", name, dim, set.Name()), func(_, _ int, r *rand.Rand) float64 { return 0.5 + r.Float64() })
}

// some32 returns float32 data between 0.5 and 1.5.
func (c *corpus) some32(set *op2.Set, dim int, name string) *op2.Dat[float32] {
	return dat(c, set, dim, fmt.Sprintf("%s%d on %s, float32", name, dim, set.Name()), func(_, _ int, r *rand.Rand) float32 { return 0.5 + r.Float32() })
}

// signed returns data between -1 and 1.
func (c *corpus) signed(set *op2.Set, dim int, name string) *op2.Dat[float64] {
	return dat(c, set, dim, fmt.Sprintf("%s%d on %s, signed", name, dim, set.Name()), func(_, _ int, r *rand.Rand) float64 { return 2*r.Float64() - 1 })
}

// like returns float32 data with the values of another dat.
func (c *corpus) like(d *op2.Dat[float64]) *op2.Dat[float32] {
	values := c.first[d.Name()]
	return dat(c, d.Set(), d.Dim(), d.Name()+", float32", func(i, k int, _ *rand.Rand) float32 { return float32(values[i*d.Dim()+k]) })
}

// global declares a global.
func (c *corpus) global(name string, values ...float64) *op2.Global[float64] {
	if known, ok := c.cached[name]; ok {
		return known.(*op2.Global[float64])
	}
	g := op2.NewGlobal(c.rt, values, name)
	keep(c, name, values, g)
	c.cached[name] = g
	return g
}

func (c *corpus) set(n int, name string) *op2.Set { return c.rt.NewSet(n, name) }

func (c *corpus) mapping(from, to *op2.Set, values [][]int32, name string) *op2.Map {
	return op2.NewMap(from, to, len(values[0]), slices.Concat(values...), name)
}

// plane declares about n triangles, and what goes with them.
func (c *corpus) plane(n int) {
	s := max(3, int(math.Sqrt(float64(n)/2))) // squares in a row
	node := func(i, j int) int32 { return int32(j*(s+1) + i) }
	var quads, cells, cell2point, neighbors, edges, sides, boundary [][]int32
	points := int32((s + 1) * (s + 1))
	middle := map[[2]int32]int32{} // of an edge
	first := map[[2]int32]int32{}  // the first cell at an edge
	side := func(a, b, cell int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, known := middle[key]; !known {
			middle[key] = points
			points++
			first[key] = cell
		} else {
			edges = append(edges, []int32{a, b})
			sides = append(sides, []int32{cell, first[key]})
			delete(first, key)
		}
		return middle[key]
	}
	for j := range s {
		for i := range s {
			a, b, d, e := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			quads = append(quads, []int32{a, b, d, e})
			for _, t := range [][3]int32{{a, b, d}, {a, d, e}} {
				cell := int32(len(cells))
				cells = append(cells, t[:])
				neighbors = append(neighbors, []int32{cell, cell, cell})
				cell2point = append(cell2point, []int32{t[0], t[1], t[2], side(t[1], t[2], cell), side(t[2], t[0], cell), side(t[0], t[1], cell)})
			}
		}
	}
	count := make([]int, len(cells))
	for _, p := range sides {
		for k := range 2 {
			neighbors[p[k]][count[p[k]]] = p[1-k]
			count[p[k]]++
		}
	}
	for cell := range cells { // in the order of the cells, so that the mesh is the same each time
		for k := range 3 {
			a, b := cells[cell][k], cells[cell][(k+1)%3]
			if _, open := first[[2]int32{min(a, b), max(a, b)}]; open {
				boundary = append(boundary, []int32{int32(cell)})
			}
		}
	}
	c.nodes, c.points = c.set((s+1)*(s+1), "nodes"), c.set(int(points), "points")
	c.cells, c.edges, c.bedges = c.set(len(cells), "cells"), c.set(len(edges), "edges"), c.set(len(boundary), "bedges")
	c.quads = c.set(len(quads), "quads")
	c.cell2node = c.mapping(c.cells, c.nodes, cells, "cell2node")
	c.cell2cell = c.mapping(c.cells, c.cells, neighbors, "cell2cell")
	c.cell2point = c.mapping(c.cells, c.points, cell2point, "cell2point")
	c.edge2node = c.mapping(c.edges, c.nodes, edges, "edge2node")
	c.edge2cell = c.mapping(c.edges, c.cells, sides, "edge2cell")
	c.bedge2cell = c.mapping(c.bedges, c.cells, boundary, "bedge2cell")
	c.quad2node = c.mapping(c.quads, c.nodes, quads, "quad2node")
}

// space declares about n tetrahedra, and the hexahedra that they subdivide.
func (c *corpus) space(n int) {
	s := max(2, int(math.Cbrt(float64(n)/6)))
	corner := func(i, j, k int) int32 { return int32((k*(s+1)+j)*(s+1) + i) }
	var hexes, tets, wedges, pyramids, faces [][]int32
	for k := range s {
		for j := range s {
			for i := range s {
				h := []int32{
					corner(i, j, k), corner(i+1, j, k), corner(i+1, j+1, k), corner(i, j+1, k),
					corner(i, j, k+1), corner(i+1, j, k+1), corner(i+1, j+1, k+1), corner(i, j+1, k+1),
				}
				pick := func(at ...int) []int32 {
					var p []int32
					for _, a := range at {
						p = append(p, h[a])
					}
					return p
				}
				hexes = append(hexes, h)
				tets = append(tets, pick(0, 1, 2, 6), pick(0, 2, 3, 6), pick(0, 3, 7, 6), pick(0, 7, 4, 6), pick(0, 4, 5, 6), pick(0, 5, 1, 6))
				wedges = append(wedges, pick(0, 1, 2, 4, 5, 6), pick(0, 2, 3, 4, 6, 7))
				pyramids = append(pyramids, pick(0, 1, 2, 3, 6), pick(4, 5, 6, 7, 0))
				faces = append(faces, pick(0, 3, 7, 4), pick(0, 1, 5, 4), pick(0, 1, 2, 3))
			}
		}
	}
	c.corners, c.hexes = c.set((s+1)*(s+1)*(s+1), "corners"), c.set(len(hexes), "hexes")
	c.tets, c.wedges, c.faces = c.set(len(tets), "tets"), c.set(len(wedges), "wedges"), c.set(len(faces), "faces")
	c.hex2corner = c.mapping(c.hexes, c.corners, hexes, "hex2corner")
	c.tet2corner = c.mapping(c.tets, c.corners, tets, "tet2corner")
	c.wedge2corner = c.mapping(c.wedges, c.corners, wedges, "wedge2corner")
	c.pyramid2corner = c.mapping(c.wedges, c.corners, pyramids, "pyramid2corner")
	c.face2corner = c.mapping(c.faces, c.corners, faces, "face2corner")
}

// stencils declares a periodic grid of about n points.
func (c *corpus) stencils(n int) {
	s := max(4, int(math.Sqrt(float64(n))))
	at := func(i, j int) int32 { return int32((j+s)%s*s + (i+s)%s) }
	var row5, row7, cross5, ring8 [][]int32
	for j := range s {
		for i := range s {
			row7 = append(row7, []int32{at(i-3, j), at(i-2, j), at(i-1, j), at(i, j), at(i+1, j), at(i+2, j), at(i+3, j)})
			row5 = append(row5, []int32{at(i-2, j), at(i-1, j), at(i, j), at(i+1, j), at(i+2, j)})
			cross5 = append(cross5, []int32{at(i, j), at(i-1, j), at(i+1, j), at(i, j-1), at(i, j+1)})
			ring8 = append(ring8, []int32{
				at(i-1, j-1), at(i, j-1), at(i+1, j-1), at(i-1, j), at(i+1, j), at(i-1, j+1), at(i, j+1), at(i+1, j+1),
			})
		}
	}
	c.grid = c.set(s*s, "grid")
	c.row5, c.row7 = c.mapping(c.grid, c.grid, row5, "row5"), c.mapping(c.grid, c.grid, row7, "row7")
	c.cross5, c.ring8 = c.mapping(c.grid, c.grid, cross5, "cross5"), c.mapping(c.grid, c.grid, ring8, "ring8")
}

// box declares particles on a lattice, of which about n pairs are close to each other.
func (c *corpus) box(n int) {
	s := max(4, int(math.Cbrt(float64(n)/13)))
	at := func(i, j, k int) int32 { return int32(((k+s)%s*s+(j+s)%s)*s + (i+s)%s) }
	var pairs, near, triples, around [][]int32
	hexes := max(1, c.hexes.Size())
	corners := c.hex2corner.Values()
	for k := range s {
		for j := range s {
			for i := range s {
				own := at(i, j, k)
				for o := 14; o < 27; o++ {
					pairs = append(pairs, []int32{own, at(i+o%3-1, j+o/3%3-1, k+o/9-1)})
				}
				near = append(near, []int32{
					at(i-1, j, k), at(i+1, j, k), at(i, j-1, k), at(i, j+1, k), at(i, j, k-1), at(i, j, k+1), at(i+1, j+1, k), at(i-1, j-1, k),
				})
				triples = append(triples, []int32{at(i-1, j, k), own, at(i, j+1, k)})
				h := int(own) % hexes
				around = append(around, corners[8*h:8*h+8])
			}
		}
	}
	c.particles, c.pairs = c.set(s*s*s, "particles"), c.set(len(pairs), "pairs")
	c.pair2particle = c.mapping(c.pairs, c.particles, pairs, "pair2particle")
	c.near8, c.triple = c.mapping(c.particles, c.particles, near, "near8"), c.mapping(c.particles, c.particles, triples, "triple")
	c.particle2hex8 = c.mapping(c.particles, c.corners, around, "particle2hex8")
}

// web declares a graph of about n links, most of them to pages nearby.
func (c *corpus) web(n int) {
	pages := max(8, n/8)
	r := rand.New(rand.NewPCG(3, 5))
	links := make([][]int32, 8*pages)
	for i := range links {
		from := i / 8
		to := (from + 1 + r.IntN(20)) % pages
		if r.IntN(8) == 0 {
			to = (from + 1 + r.IntN(pages-1)) % pages
		}
		links[i] = []int32{int32(from), int32(to)}
	}
	c.pages, c.links = c.set(pages, "pages"), c.set(len(links), "links")
	c.link2page = c.mapping(c.links, c.pages, links, "link2page")
}

// coordinates returns those of the nodes of the plane, slightly perturbed.
func (c *corpus) coordinates() *op2.Dat[float64] {
	s := int(math.Sqrt(float64(c.nodes.Size()))) - 1
	return dat(c, c.nodes, 2, "x", func(i, d int, r *rand.Rand) float64 {
		return (float64([]int{i % (s + 1), i / (s + 1)}[d]) + 0.3*(r.Float64()-0.5)) / float64(s)
	})
}

// coordinates3 returns those of the corners in space.
func (c *corpus) coordinates3() *op2.Dat[float64] {
	s := int(math.Round(math.Cbrt(float64(c.corners.Size())))) - 1
	return dat(c, c.corners, 3, "x3", func(i, d int, r *rand.Rand) float64 {
		return (float64([]int{i % (s + 1), i / (s + 1) % (s + 1), i / (s + 1) / (s + 1)}[d]) + 0.2*(r.Float64()-0.5)) / float64(s)
	})
}

// positions returns those of the particles.
func (c *corpus) positions() *op2.Dat[float64] {
	s := int(math.Round(math.Cbrt(float64(c.particles.Size()))))
	return dat(c, c.particles, 3, "positions", func(i, d int, r *rand.Rand) float64 {
		return (float64([]int{i % s, i / s % s, i / s / s}[d]) + 0.2 + 0.6*r.Float64()) / float64(s)
	})
}

// normals returns unit normals and lengths on a set.
func (c *corpus) normals(set *op2.Set) *op2.Dat[float64] {
	angle := 0.0
	return dat(c, set, 3, "normals of "+set.Name(), func(_, d int, r *rand.Rand) float64 {
		switch d {
		case 0:
			angle = 2 * math.Pi * r.Float64()
			return math.Cos(angle)
		case 1:
			return math.Sin(angle)
		}
		return 0.01 * (0.5 + r.Float64())
	})
}

// euler returns a flow that is subsonic on the left and supersonic on the right of a shock.
func (c *corpus) euler() *op2.Dat[float64] {
	var rho, u, v, p float64
	cells := c.cells.Size()
	return dat(c, c.cells, 4, "q", func(i, d int, r *rand.Rand) float64 {
		if d == 0 {
			rho, u, v, p = 1+0.1*r.Float64(), 0.4+0.1*r.Float64(), 0.2*(r.Float64()-0.5), 1+0.1*r.Float64()
			if i > cells/2 {
				rho, u, p = 0.4+0.1*r.Float64(), 2.5+0.1*r.Float64(), 0.3
			}
		}
		return []float64{rho, rho * u, rho * v, p/(gamma-1) + 0.5*rho*(u*u+v*v)}[d]
	})
}

// water returns a lake surrounded by dry land.
func (c *corpus) water() *op2.Dat[float64] {
	depth := 0.0
	cells := c.cells.Size()
	return dat(c, c.cells, 3, "h", func(i, d int, r *rand.Rand) float64 {
		if d == 0 {
			depth = 1 + 0.2*r.Float64()
			if i > cells*4/5 {
				depth = 0
			}
			return depth
		}
		return depth * (r.Float64() - 0.3)
	})
}
