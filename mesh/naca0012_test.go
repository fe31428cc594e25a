package mesh

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// mustNACA0012 returns a mesh that has passed Check.
func mustNACA0012(t testing.TB, i, j int) *Airfoil {
	t.Helper()
	m, err := NACA0012(i, j)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
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
			got := []int{m.Nodes, m.Cells, m.Edges, m.Bedges}
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
	counts := [4]int{m.Nodes, m.Cells, m.Edges, m.Bedges}
	if want := [4]int{721_801, 720_000, 1_438_600, 2_800}; counts != want {
		t.Errorf("counts %v, want %v", counts, want)
	}
	hash := uint64(1)
	for _, x := range m.XY {
		hash = hash*fnvPrime + uint64(int64(math.Round(x*1e6)))
	}
	for _, indices := range [][]int32{m.CellNodes, m.EdgeNodes, m.EdgeCells, m.BedgeNodes, m.BedgeCell, m.Bound} {
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
	testResolutions(t, func(t *testing.T, whole *Airfoil, i, j int) {
		for _, ranks := range []int{1, 2, 3, 7, 200} {
			all := &Airfoil{}
			for rank := range ranks {
				m, err := NACA0012Share(i, j, rank, ranks)
				if err != nil {
					t.Fatal(err)
				}
				all.Nodes, all.Cells, all.Edges, all.Bedges = all.Nodes+m.Nodes, all.Cells+m.Cells, all.Edges+m.Edges, all.Bedges+m.Bedges
				all.XY = append(all.XY, m.XY...)
				all.CellNodes = append(all.CellNodes, m.CellNodes...)
				all.EdgeNodes, all.EdgeCells = append(all.EdgeNodes, m.EdgeNodes...), append(all.EdgeCells, m.EdgeCells...)
				all.BedgeNodes, all.BedgeCell = append(all.BedgeNodes, m.BedgeNodes...), append(all.BedgeCell, m.BedgeCell...)
				all.Bound = append(all.Bound, m.Bound...)
			}
			if !reflect.DeepEqual(all, whole) {
				t.Errorf("%d shares are not the whole mesh", ranks)
			}
		}
	})
	for _, rank := range []int{-1, 2} {
		const want = "mesh: naca0012 share: expected a rank below 2, found %d"
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
		{2, 0, "mesh: naca0012 2 by 0: expected from 1 to 30000 layers of cells, found 0"},
		{2, 30_001, "mesh: naca0012 2 by 30001: expected from 1 to 30000 layers of cells, found 30001"},
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
var resolutions = []struct{ i, j int }{{2, 1}, {3, 1}, {2, 7}, {5, 4}, {9, 2}, {40, 60}, {75, 20}, {1200, 3}}

func testResolutions(t *testing.T, test func(*testing.T, *Airfoil, int, int)) {
	for _, r := range resolutions {
		t.Run(fmt.Sprintf("%dx%d", r.i, r.j), func(t *testing.T) {
			test(t, mustNACA0012(t, r.i, r.j), r.i, r.j)
		})
	}
}

// point is a place in millionths of a chord. All coordinates are such integers, so that areas and sums are exact.
type point struct{ x, y int64 }

func (m *Airfoil) point(node int32) point {
	return point{int64(math.Round(m.XY[2*node] * 1e6)), int64(math.Round(m.XY[2*node+1] * 1e6))}
}

func cross(a, b point) int64 { return a.x*b.y - a.y*b.x }

// twiceArea returns twice the area of a cell, positive for counterclockwise corners.
func (m *Airfoil) twiceArea(cell int) int64 {
	var area int64
	for k := range 4 {
		area += cross(m.point(m.CellNodes[4*cell+k]), m.point(m.CellNodes[4*cell+(k+1)%4]))
	}
	return area
}

func TestNACA0012CellsCounterclockwise(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Airfoil, _, _ int) {
		for c := range m.Cells {
			if area := m.twiceArea(c); area <= 0 {
				t.Fatalf("cell %d has twice the area %d, want it positive", c, area)
			}
		}
	})
}

// The edges of each cell, taken with the cell on their left, close up to a polygon, and it has the area of the cell.
// That holds only if cells and edges agree on nodes, on neighbors and on orientation.
func TestNACA0012EdgesEncloseCells(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Airfoil, _, _ int) {
		type sum struct{ x, y, twiceArea int64 }
		sums := make([]sum, m.Cells)
		add := func(cell, from, to int32) {
			a, b := m.point(from), m.point(to)
			s := &sums[cell]
			s.x, s.y, s.twiceArea = s.x+b.x-a.x, s.y+b.y-a.y, s.twiceArea+cross(a, b)
		}
		for e := range m.Edges {
			n0, n1 := m.EdgeNodes[2*e], m.EdgeNodes[2*e+1]
			add(m.EdgeCells[2*e], n1, n0) // the first cell lies to the right
			add(m.EdgeCells[2*e+1], n0, n1)
		}
		for b := range m.Bedges {
			add(m.BedgeCell[b], m.BedgeNodes[2*b+1], m.BedgeNodes[2*b])
		}
		for c, got := range sums {
			if want := (sum{twiceArea: m.twiceArea(c)}); got != want {
				t.Fatalf("the edges of cell %d add up to %+v, want %+v", c, got, want)
			}
		}
	})
}

// Every side of every cell is one edge: an interior one where two cells have it, else one of the boundary.
func TestNACA0012EachSideOneEdge(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Airfoil, i, _ int) {
		type side [2]int32
		sideOf := func(a, b int32) side {
			if cut := int32(i); a <= cut && b <= cut { // both copies of a side of the cut count as the second
				a, b = 3*cut-a, 3*cut-b
			}
			return side{min(a, b), max(a, b)}
		}
		cellsAt := make(map[side][]int32)
		for c := range m.Cells {
			for k := range 4 {
				s := sideOf(m.CellNodes[4*c+k], m.CellNodes[4*c+(k+1)%4])
				cellsAt[s] = append(cellsAt[s], int32(c))
			}
		}
		take := func(what string, e int, s side, want ...int32) {
			cells := cellsAt[s]
			if len(cells) == 2 && len(want) == 2 && cells[0] == want[1] {
				want[0], want[1] = want[1], want[0]
			}
			if !slices.Equal(cells, want) {
				t.Fatalf("%s %d lies beside the cells %v, and its nodes are a side of %v", what, e, want, cells)
			}
			delete(cellsAt, s) // a second edge here would find no cells
		}
		for e := range m.Edges {
			take("interior edge", e, sideOf(m.EdgeNodes[2*e], m.EdgeNodes[2*e+1]), m.EdgeCells[2*e], m.EdgeCells[2*e+1])
		}
		for b := range m.Bedges {
			take("boundary edge", b, sideOf(m.BedgeNodes[2*b], m.BedgeNodes[2*b+1]), m.BedgeCell[b])
		}
		if len(cellsAt) > 0 {
			t.Errorf("%d sides of cells are no edge", len(cellsAt))
		}
	})
}

func TestNACA0012Symmetric(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Airfoil, i, j int) {
		for n := range m.Nodes {
			column, row := n%(3*i+1), n/(3*i+1)
			mirror := 3*i - column + row*(3*i+1)
			if m.XY[2*n] != m.XY[2*mirror] || m.XY[2*n+1] != -m.XY[2*mirror+1] {
				t.Fatalf("node %d is at %v, and its mirror image, node %d, at %v",
					n, m.XY[2*n:2*n+2], mirror, m.XY[2*mirror:2*mirror+2])
			}
		}
	})
}

// Of the lowest row, the nodes inside the first third are the cut, and those inside the second are the airfoil.
func TestNACA0012Profile(t *testing.T) {
	testResolutions(t, func(t *testing.T, m *Airfoil, i, _ int) {
		for n := range 3*i + 1 {
			x, y := m.XY[2*n], math.Abs(m.XY[2*n+1])
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
	testResolutions(t, func(t *testing.T, m *Airfoil, i, j int) {
		for b := range m.Bedges {
			for _, n := range m.BedgeNodes[2*b : 2*b+2] {
				// The far field is 9 chords away, in the middle of the top row, or more.
				p := m.XY[2*n : 2*n+2]
				far := math.Hypot(p[0], p[1]) > 8.9
				if isFar := m.Bound[b] == FarField; far != isFar {
					t.Errorf("boundary edge %d, with bound %d, has a node at %v", b, m.Bound[b], p)
				}
			}
		}
	})
}

// The smallest mesh in full; its lines were checked against the rules by hand.
func TestNACA0012Smallest(t *testing.T) {
	var b strings.Builder
	if err := mustNACA0012(t, 2, 1).Write(&b); err != nil {
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
