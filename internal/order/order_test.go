package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/lists"
)

// grid returns a mesh of n by n quadrilaterals with their edges and boundary edges, all numbered at
// random.
type grid struct {
	Mesh
	edgeCell []int32
}

const (
	nodes = iota
	cells
	edges
	bedges
)

func newGrid(n int, seed uint64, coordinates bool) *grid {
	r := rand.New(rand.NewPCG(seed, 0))
	node, cell := shuffled(r, (n+1)*(n+1)), shuffled(r, n*n)
	var cellNode, edgeCell, bedgeCell []int32
	cellNode = make([]int32, 4*n*n)
	for i := range n {
		for j := range n {
			c := int(cell[i*n+j])
			for k, corner := range []int{i*(n+1) + j, i*(n+1) + j + 1, (i+1)*(n+1) + j + 1, (i+1)*(n+1) + j} {
				cellNode[4*c+k] = node[corner]
			}
			if j+1 < n {
				edgeCell = append(edgeCell, cell[i*n+j], cell[i*n+j+1])
			}
			if i+1 < n {
				edgeCell = append(edgeCell, cell[i*n+j], cell[(i+1)*n+j])
			}
			if i == 0 || i == n-1 || j == 0 || j == n-1 {
				bedgeCell = append(bedgeCell, cell[i*n+j])
			}
		}
	}
	g := &grid{edgeCell: edgeCell}
	r.Shuffle(len(edgeCell)/2, func(a, b int) {
		edgeCell[2*a], edgeCell[2*b] = edgeCell[2*b], edgeCell[2*a]
		edgeCell[2*a+1], edgeCell[2*b+1] = edgeCell[2*b+1], edgeCell[2*a+1]
	})
	g.Sets = []Set{
		nodes: {Size: (n + 1) * (n + 1), Weight: 16}, cells: {Size: n * n, Weight: 104},
		edges: {Size: len(edgeCell) / 2}, bedges: {Size: len(bedgeCell), Weight: 4},
	}
	g.Maps = []Map{{cells, nodes, 4, cellNode}, {edges, cells, 2, edgeCell}, {bedges, cells, 1, bedgeCell}}
	if coordinates {
		xy := make([]float64, 2*(n+1)*(n+1))
		for i := range n + 1 {
			for j := range n + 1 {
				at := int(node[i*(n+1)+j])
				xy[2*at], xy[2*at+1] = float64(i), float64(j)
			}
		}
		g.Sets[nodes].Coordinates, g.Sets[nodes].Dim = xy, 2
	}
	return g
}

func shuffled(r *rand.Rand, n int) []int32 {
	p := lists.UpTo(n)
	r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

func checkPermutation(t *testing.T, what string, order []int32, n int) {
	t.Helper()
	if sorted := slices.Sorted(slices.Values(order)); order == nil || !slices.Equal(sorted, lists.UpTo(n)) {
		t.Fatalf("%s: not an order of %d elements: %v", what, n, order)
	}
}

// The cells on the two sides of an edge are at most as far apart as a level of the walk, which
// begins at the boundary, is wide; edges and nodes follow cells.
func TestOrdersOfGrid(t *testing.T) {
	const n = 60
	for _, coordinates := range []bool{false, true} {
		g := newGrid(n, 3, coordinates)
		orders := g.Orders()
		for s, set := range g.Sets {
			checkPermutation(t, "set", orders[s], set.Size)
		}
		number := Inverse(orders[cells])
		last, farthest := int32(0), int32(0)
		for _, e := range orders[edges] {
			a, b := number[g.edgeCell[2*e]], number[g.edgeCell[2*e+1]]
			farthest = max(farthest, max(a, b)-min(a, b))
			if min(a, b) < last {
				t.Fatal("edges do not go by their cells")
			}
			last = min(a, b)
		}
		if farthest > 4*n {
			t.Errorf("with coordinates %v: neighbors are up to %d cells apart, %d expected", coordinates, farthest, 4*n)
		}
		last = 0
		for _, b := range orders[bedges] {
			if c := number[g.Maps[2].Values[b]]; c < last {
				t.Fatal("boundary edges do not go by their cells")
			} else {
				last = c
			}
		}
		seen, next := map[int32]bool{}, 0
		for _, c := range orders[cells] {
			for _, v := range g.Maps[0].Values[4*c : 4*c+4] {
				if !seen[v] {
					if orders[nodes][next] != v {
						t.Fatal("nodes are not in the order in which cells come to them")
					}
					seen[v] = true
					next++
				}
			}
		}
	}
}

// Boundary cells are numbered consecutively.
func TestOrdersBoundary(t *testing.T) {
	const n = 20
	g := newGrid(n, 5, false)
	number := Inverse(g.Orders()[cells])
	var at []int32
	for _, c := range g.Maps[2].Values {
		at = append(at, number[c])
	}
	slices.Sort(at)
	at = slices.Compact(at)
	if first, last := at[0], at[len(at)-1]; int(last-first)+1 != 4*(n-1) {
		t.Errorf("%d boundary cells have numbers from %d to %d", len(at), first, last)
	}
}

func TestOrdersOfPath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := shuffled(r, 50)
	m := &Mesh{Sets: []Set{{Size: 49}, {Size: 50}}, Maps: []Map{{From: 0, To: 1, Arity: 2}}}
	for i := range 49 {
		m.Maps[0].Values = append(m.Maps[0].Values, p[i], p[i+1])
	}
	order := m.Orders()[1]
	if slices.Reverse(order); order[0] != p[0] {
		slices.Reverse(order)
	}
	if !slices.Equal(order, p) {
		t.Errorf("a path is not numbered along: %v, path %v", order, p)
	}
}

// Random maps, with masked values, unconnected sets, and no maps at all.
func TestOrdersOfAnything(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := &Mesh{Workers: 1 + r.IntN(4)}
		for range r.IntN(6) {
			s := Set{Size: r.IntN(40) * r.IntN(2), Weight: r.IntN(5)}
			if r.IntN(3) == 0 {
				s.Dim = 1 + r.IntN(4)
				s.Coordinates = make([]float64, s.Size*s.Dim)
				for i := range s.Coordinates {
					s.Coordinates[i] = float64(r.IntN(10))
				}
			}
			m.Sets = append(m.Sets, s)
		}
		touched := map[int]bool{}
		for range r.IntN(6) * min(1, len(m.Sets)) {
			f := Map{From: r.IntN(len(m.Sets)), To: r.IntN(len(m.Sets)), Arity: 1 + r.IntN(4)}
			if m.Sets[f.To].Size == 0 && m.Sets[f.From].Size > 0 {
				continue
			}
			f.Values = make([]int32, m.Sets[f.From].Size*f.Arity)
			for i := range f.Values {
				f.Values[i] = int32(r.IntN(m.Sets[f.To].Size+1) - 1)
			}
			m.Maps = append(m.Maps, f)
			touched[f.From], touched[f.To] = true, true
		}
		orders := m.Orders()
		for s, set := range m.Sets {
			if !touched[s] && set.Coordinates == nil {
				if orders[s] != nil {
					t.Fatalf("seed %d: set %d has an order, though nothing connects it", seed, s)
				}
				continue
			}
			checkPermutation(t, "set", orders[s], set.Size)
		}
		m.Workers = 1
		for s, o := range m.Orders() {
			if !slices.Equal(o, orders[s]) {
				t.Fatalf("seed %d: the order depends on the number of workers", seed)
			}
		}
	}
}

func TestBisect(t *testing.T) {
	const n, dim = 100_000, 3
	r := rand.New(rand.NewPCG(2, 2))
	x := make([]float64, n*dim)
	for i := range x {
		x[i] = r.Float64() * []float64{4, 2, 1}[i%dim]
	}
	order, parts := bisect(x, dim, 100, 4, (&Mesh{}).stopped)
	checkPermutation(t, "points", order, n)
	alone, _ := bisect(x, dim, 100, 1, (&Mesh{}).stopped)
	if !slices.Equal(order, alone) {
		t.Error("the order depends on the number of workers")
	}
	if parts[0] != 0 || parts[len(parts)-1] != n {
		t.Errorf("parts go from %d to %d", parts[0], parts[len(parts)-1])
	}
	for p := range len(parts) - 1 {
		if size := parts[p+1] - parts[p]; size > 100 || size < 40 {
			t.Fatalf("part %d has %d elements", p, size)
		}
	}
	var x0 []float64
	for _, e := range order {
		x0 = append(x0, x[int(e)*dim])
	}
	if left, right := slices.Max(x0[:n/2]), slices.Min(x0[n/2:]); left > right {
		t.Errorf("the first cut is not across the longest side: %v is left, %v right of it", left, right)
	}
}

// Parts are as large as the width of a walk through them permits.
func TestPart(t *testing.T) {
	m := &Mesh{Sets: []Set{{Size: 1 << 30, Weight: 1 << 9}}}
	for dim, want := range map[int]int{1: 1 << 30, 2: 1 << 20, 3: 1 << 15} {
		if got := m.part(0, dim); got != want {
			t.Errorf("%d dimensions: parts of %d elements, %d expected", dim, got, want)
		}
	}
}

func TestInverse(t *testing.T) {
	if got := Inverse([]int32{2, 0, 1}); !slices.Equal(got, []int32{1, 2, 0}) {
		t.Errorf("got %v", got)
	}
	if Inverse(nil) != nil {
		t.Error("the inverse of no order is one")
	}
}

func BenchmarkOrders(b *testing.B) {
	for name, coordinates := range map[string]bool{"coordinates": true, "maps": false} {
		g := newGrid(700, 1, coordinates)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				g.Orders()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(700*700), "ns/cell")
		})
	}
}
