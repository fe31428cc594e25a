package mesh

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// mustNACA0012 returns a mesh whose given edges are those of its cells.
func mustNACA0012(t testing.TB, i, j int) *Mesh {
	t.Helper()
	m, err := NACA0012(i, j)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Facets(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNACA0012Counts(t *testing.T) {
	tests := []struct {
		i, j                        int
		nodes, cells, edges, bedges int
	}{
		{2, 1, 14, 6, 7, 10},
		{3, 1, 20, 9, 11, 14},
		{2, 2, 21, 12, 18, 12},
		{5, 4, 80, 60, 106, 28},
		{40, 60, 7381, 7200, 14260, 280},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%dx%d", tt.i, tt.j), func(t *testing.T) {
			m := mustNACA0012(t, tt.i, tt.j)
			got := []int{m.Nodes(), m.Cells(), m.Given.Interior.Len(), m.Given.Boundary.Len()}
			want := []int{tt.nodes, tt.cells, tt.edges, tt.bedges}
			for k, what := range []string{"nodes", "cells", "interior edges", "boundary edges"} {
				if got[k] != want[k] {
					t.Errorf("%d %s, want %d", got[k], what, want[k])
				}
			}
		})
	}
}

// The hash is that of the mesh on which OP2's airfoil gave its known answers, rms 5.02186e-04 after 100 iterations and
// 0.0001060114637578 after 1000. Its coordinates were compared with ones computed to forty digits: none is so
// near a rounding tie that the last bits of a processor's arithmetic could matter.
func TestNACA0012Classic(t *testing.T) {
	m := mustNACA0012(t, 400, 600)
	counts := [4]int{m.Nodes(), m.Cells(), m.Given.Interior.Len(), m.Given.Boundary.Len()}
	if want := [4]int{721_801, 720_000, 1_438_600, 2_800}; counts != want {
		t.Errorf("counts %v, want %v", counts, want)
	}
	hash := uint64(1)
	for _, x := range m.Points {
		hash = hash*fnvPrime + uint64(int64(math.Round(x*1e6)))
	}
	bound, err := m.Given.BoundaryGroups("wall", "far")
	if err != nil {
		t.Fatal(err)
	}
	interior, boundary := &m.Given.Interior, &m.Given.Boundary
	for _, indices := range [][]int32{m.Blocks[0].Nodes, interior.Reversed(), interior.Cells, boundary.Reversed(), boundary.Cells, bound} {
		for _, v := range indices {
			hash = hash*fnvPrime + uint64(v)
		}
	}
	if want := uint64(0x191a864c43a20844); hash != want {
		t.Errorf("hash %#016x, want %#016x", hash, want)
	}
}

// Shares follow each other to the whole mesh, whatever their number.
func TestNACA0012Share(t *testing.T) {
	testResolutions(t, func(t *testing.T, whole *Mesh, i, j int) {
		for _, ranks := range []int{1, 2, 3, 7, 200} {
			all := &airfoilArrays{}
			for rank := range ranks {
				m, err := NACA0012Share(i, j, rank, ranks)
				if err != nil {
					t.Fatal(err)
				}
				bound, err := m.Given.BoundaryGroups("wall", "far")
				if err != nil {
					t.Fatal(err)
				}
				interior, boundary := &m.Given.Interior, &m.Given.Boundary
				all.points, all.cells = append(all.points, m.Points...), append(all.cells, m.Blocks[0].Nodes...)
				all.edgeNodes, all.edgeCells = append(all.edgeNodes, interior.Blocks[0].Nodes...), append(all.edgeCells, interior.Cells...)
				all.bedgeNodes, all.bedgeCell = append(all.bedgeNodes, boundary.Blocks[0].Nodes...), append(all.bedgeCell, boundary.Cells...)
				all.bound = append(all.bound, bound...)
			}
			if !reflect.DeepEqual(all.mesh(), whole) {
				t.Errorf("%d shares are not the whole mesh", ranks)
			}
		}
	})
	for _, rank := range []int{-1, 2} {
		const want = "mesh: naca0012 share: expected one of 2 ranks, counted from 0, found %d"
		if _, err := NACA0012Share(5, 4, rank, 2); err == nil || err.Error() != fmt.Sprintf(want, rank) {
			t.Errorf("rank %d of 2: %v", rank, err)
		}
	}
}

const fnvPrime = 1099511628211 // multiplying by it mixes the bits of a running hash

func TestNACA0012Errors(t *testing.T) {
	tests := []struct {
		i, j int
		want string
	}{
		{1, 1, "mesh: naca0012 1 by 1: expected from 2 to 30000 cells along the airfoil, found 1"},
		{0, 5, "mesh: naca0012 0 by 5: expected from 2 to 30000 cells along the airfoil, found 0"},
		{-4, 5, "mesh: naca0012 -4 by 5: expected from 2 to 30000 cells along the airfoil, found -4"},
		{30_001, 1, "mesh: naca0012 30001 by 1: expected from 2 to 30000 cells along the airfoil, found 30001"},
		{math.MaxInt, 1, fmt.Sprintf("mesh: naca0012 %d by 1: expected from 2 to 30000 cells along the airfoil, found %[1]d", math.MaxInt)},
		{3, 0, "mesh: naca0012 3 by 0: expected from 1 to 30000 layers of cells, found 0"},
		{3, 30_001, "mesh: naca0012 3 by 30001: expected from 1 to 30000 layers of cells, found 30001"},
		{30_000, 30_000, "mesh: naca0012 30000 by 30000: expected at most 536870911 cells, found 2700000000"},
	}
	for _, tt := range tests {
		m, err := NACA0012(tt.i, tt.j)
		if m != nil || err == nil || err.Error() != tt.want {
			t.Errorf("NACA0012(%d, %d) = %v, %v\nwant the error %s", tt.i, tt.j, m, err, tt.want)
		}
	}
}

// resolutions are those that the geometry is tested at: odd and even, coarse, flat, narrow, and one fine enough
// for nodes beyond the end of the curve.
var resolutions = []struct{ i, j int }{{3, 1}, {4, 1}, {3, 7}, {5, 4}, {9, 2}, {40, 60}, {75, 20}, {1200, 3}}

func testResolutions(t *testing.T, test func(*testing.T, *Mesh, int, int)) {
	for _, r := range resolutions {
		t.Run(fmt.Sprintf("%dx%d", r.i, r.j), func(t *testing.T) {
			test(t, mustNACA0012(t, r.i, r.j), r.i, r.j)
		})
	}
}

// point is a place in millionths of a chord. All coordinates are such integers, so that areas and sums are exact.
type point struct{ x, y int64 }

func (m *Mesh) exact(node int32) point {
	return point{int64(math.Round(m.Points[2*node] * 1e6)), int64(math.Round(m.Points[2*node+1] * 1e6))}
}

func cross(a, b point) int64 { return a.x*b.y - a.y*b.x }

// twiceArea returns twice the area of a cell, positive for counterclockwise corners.
func (m *Mesh) twiceArea(cell int) int64 {
	var area int64
	for k := range 4 {
		area += cross(m.exact(m.Blocks[0].Nodes[4*cell+k]), m.exact(m.Blocks[0].Nodes[4*cell+(k+1)%4]))
	}
	return area
}

func TestNACA0012CellsCounterclockwise(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, _, _ int) {
		for c := range m.Cells() {
			if area := m.twiceArea(c); area <= 0 {
				t.Fatalf("cell %d has twice the area %d, want it positive", c, area)
			}
		}
	})
}

// The edges of each cell, taken with the cell on their left, close up to a polygon, and it has the area of the cell.
// That holds only if cells and edges agree on nodes, on neighbors and on orientation.
func TestNACA0012EdgesEncloseCells(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, _, _ int) {
		type sum struct{ x, y, twiceArea int64 }
		sums := make([]sum, m.Cells())
		add := func(cell, from, to int32) {
			a, b := m.exact(from), m.exact(to)
			s := &sums[cell]
			s.x, s.y, s.twiceArea = s.x+b.x-a.x, s.y+b.y-a.y, s.twiceArea+cross(a, b)
		}
		interior, boundary := &m.Given.Interior, &m.Given.Boundary
		for e, cell := range interior.Cells {
			ends := interior.Blocks[0].Element(e / 2)
			add(cell, ends[e%2], ends[1-e%2]) // the first cell lies to the left
		}
		for e, cell := range boundary.Cells {
			ends := boundary.Blocks[0].Element(e)
			add(cell, ends[0], ends[1])
		}
		for c, got := range sums {
			if want := (sum{twiceArea: m.twiceArea(c)}); got != want {
				t.Fatalf("the edges of cell %d add up to %+v, want %+v", c, got, want)
			}
		}
	})
}

// Of the mesh without its cut, the given edges are those that are found without them, each once.
func TestNACA0012EachSideOneEdge(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, i, _ int) {
		if i == 2 {
			return // the edges of the two surfaces are between the same nodes
		}
		nodes := m.Nodes()
		m, err := m.Joined()
		if err != nil || m.Nodes() != nodes-(i+1) {
			t.Fatalf("error %v, %d of %d nodes", err, m.Nodes(), nodes)
		}
		given, err := m.Facets()
		if err != nil {
			t.Fatal(err)
		}
		m.Given = nil
		found, err := m.Facets()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(sorted(&given.Interior), sorted(&found.Interior)) || !slices.Equal(sorted(&given.Boundary), sorted(&found.Boundary)) {
			t.Error("these are other edges")
		}
	})
}

// cellsOf returns the cells of a facet.
func (s *Sides) cellsOf(n int) []int32 {
	cells := len(s.Cells) / s.Len()
	return s.Cells[cells*n : cells*(n+1)]
}

// sorted returns the ends and the cells of edges, in ascending order.
func sorted(s *Sides) (edges []string) {
	for e := range s.Len() {
		ends, cells := slices.Clone(s.Blocks[0].Element(e)), s.cellsOf(e)
		slices.Sort(ends)
		edges = append(edges, fmt.Sprint(ends, slices.Sorted(slices.Values(cells))))
	}
	slices.Sort(edges)
	return edges
}

func TestNACA0012Symmetric(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, i, j int) {
		g := cGrid{wall: i, columns: 3 * i, rows: j}
		for row := range j + 1 {
			for column := range 3*i + 1 {
				p, mirror := m.Point(g.node(column, row)), m.Point(g.node(3*i-column, row))
				if p[0] != mirror[0] || p[1] != -mirror[1] {
					t.Fatalf("node %d of row %d is at %v, and its mirror image at %v", column, row, p, mirror)
				}
			}
		}
	})
}

// Of the lowest row, the nodes inside the first third are the cut, and those inside the second are the airfoil.
func TestNACA0012Profile(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, i, _ int) {
		for n := range 3*i + 1 {
			p := m.Point(cGrid{wall: i, columns: 3 * i}.node(n, 0))
			x, y := p[0], math.Abs(p[1])
			if n <= i || n >= 2*i {
				if x < 1 || y != 0 {
					t.Errorf("node %d of the cut is at %v, %v", n, x, y)
				}
				continue
			}
			// The rounding of x moves the profile by up to 1e-6 times its slope, which is steep at the nose only.
			station := x + 0.0077
			lowest, highest := profile(max(station-1e-6, 0)), profile(station+1e-6)
			if station > 1 {
				lowest, highest = 0, 0 // behind the profile the two surfaces have met
			}
			const tolerance = 5e-6 // of the spline through a hundred points, and of the rounding
			if y < min(lowest, highest)-tolerance || y > max(lowest, highest)+tolerance {
				t.Errorf("node %d of the airfoil is at %v, %v, and the profile there from %v to %v",
					n, x, y, lowest, highest)
			}
		}
	})
}

func TestNACA0012Bound(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Mesh, i, j int) {
		bound, err := m.Given.BoundaryGroups("wall", "far")
		if err != nil {
			t.Fatal(err)
		}
		for e := range bound {
			for _, n := range m.Given.Boundary.Blocks[0].Element(e) {
				// The far field is 9 chords away, in the middle of the top row, or more.
				p := m.Point(n)
				if isFar := math.Hypot(p[0], p[1]) > 8.9; isFar != (bound[e] == 2) {
					t.Errorf("boundary edge %d, with bound %d, has a node at %v", e, bound[e], p)
				}
			}
		}
	})
}

// The smallest mesh in full; its lines were checked against the rules by hand.
func TestNACA0012Smallest(t *testing.T) {
	var b strings.Builder
	if err := mustNACA0012(t, 2, 1).WriteAirfoil(&b); err != nil {
		t.Fatal(err)
	}
	const want = `14 6 7 10
9.000000 -0.000000
4.000000 -0.000000
1.000000 -0.000000
-0.007700 0.000000
1.000000 0.000000
4.000000 0.000000
9.000000 0.000000
0.000000 -18.000000
-5.000000 -12.000000
-8.000000 -6.000000
-9.000000 0.000000
-8.000000 6.000000
-5.000000 12.000000
0.000000 18.000000
0 1 8 7
1 2 9 8
2 3 10 9
3 4 11 10
4 5 12 11
5 6 13 12
0 1 5 0
1 8 1 0
1 2 4 1
2 9 2 1
3 10 3 2
4 11 4 3
5 12 5 4
3 2 2 1
4 3 3 1
13 6 5 2
12 13 5 2
11 12 4 2
10 11 3 2
9 10 2 2
8 9 1 2
7 8 0 2
0 7 0 2
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// OP2's mesh has the nodes of the cut twice.
func TestReadAirfoilMergesCut(t *testing.T) {
	const text = `20 9 11 14
9.000000 -0.000000
5.444444 -0.000000
2.777778 -0.000000
1.000000 -0.000000
0.105782 -0.048667
0.105782 0.048667
1.000000 0.000000
2.777778 0.000000
5.444444 0.000000
9.000000 0.000000
0.000000 -18.000000
-3.555556 -14.000000
-6.222222 -10.000000
-8.000000 -6.000000
-8.888889 -2.000000
-8.888889 2.000000
-8.000000 6.000000
-6.222222 10.000000
-3.555556 14.000000
0.000000 18.000000
0 1 11 10
1 2 12 11
2 3 13 12
3 4 14 13
4 5 15 14
5 6 16 15
6 7 17 16
7 8 18 17
8 9 19 18
0 1 8 0
1 11 1 0
1 2 7 1
2 12 2 1
2 3 6 2
3 13 3 2
4 14 4 3
5 15 5 4
6 16 6 5
7 17 7 6
8 18 8 7
4 3 3 1
5 4 4 1
6 5 5 1
19 9 8 2
18 19 8 2
17 18 7 2
16 17 6 2
15 16 5 2
14 15 4 2
13 14 3 2
12 13 2 2
11 12 1 2
10 11 0 2
0 10 0 2
`
	m, err := ReadAirfoil(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := mustNACA0012(t, 3, 1); !reflect.DeepEqual(m.Points, want.Points) || !reflect.DeepEqual(m.Blocks, want.Blocks) ||
		!reflect.DeepEqual(m.Groups, want.Groups) || !reflect.DeepEqual(m.Given.Interior, want.Given.Interior) {
		t.Errorf("found\n%+v\nwant\n%+v", m, want)
	}
}
