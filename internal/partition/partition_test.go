package partition

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/order"
)

// The sets of a grid.
const (
	nodes = iota
	cells
	edges
	bedges
)

// The maps of a grid.
const (
	cellNodes = iota
	edgeCells
	edgeNodes
	bedgeCell
)

// newGrid returns a mesh of w by h squares with the edges between them, and those on the boundary,
// numbered row by row.
func newGrid(w, h int) *order.Mesh {
	var xy []float64
	var cellNode, edgeCell, edgeNode, bedge []int32
	node := func(i, j int) int32 { return int32(j*(w+1) + i) }
	cell := func(i, j int) int32 { return int32(j*w + i) }
	for j := range h + 1 {
		for i := range w + 1 {
			xy = append(xy, float64(i), float64(j))
		}
	}
	for j := range h {
		for i := range w {
			cellNode = append(cellNode, node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1))
			if i+1 < w {
				edgeCell = append(edgeCell, cell(i, j), cell(i+1, j))
				edgeNode = append(edgeNode, node(i+1, j), node(i+1, j+1))
			}
			if j+1 < h {
				edgeCell = append(edgeCell, cell(i, j), cell(i, j+1))
				edgeNode = append(edgeNode, node(i, j+1), node(i+1, j+1))
			}
			for _, outer := range [4]bool{i == 0, i == w-1, j == 0, j == h-1} {
				if outer {
					bedge = append(bedge, cell(i, j))
				}
			}
		}
	}
	return &order.Mesh{
		Sets: []order.Set{
			nodes: {Size: (w + 1) * (h + 1), Weight: 16, Coordinates: xy, Dim: 2}, cells: {Size: w * h, Weight: 104},
			edges: {Size: len(edgeCell) / 2}, bedges: {Size: len(bedge), Weight: 4},
		},
		Maps: []order.Map{
			cellNodes: {From: cells, To: nodes, Arity: 4, Values: cellNode}, edgeCells: {From: edges, To: cells, Arity: 2, Values: edgeCell},
			edgeNodes: {From: edges, To: nodes, Arity: 2, Values: edgeNode}, bedgeCell: {From: bedges, To: cells, Arity: 1, Values: bedge},
		},
	}
}

// loads returns how many elements each part owns.
func loads(owners []int32, parts int) []int {
	loads := make([]int, parts)
	for _, p := range owners {
		loads[p]++
	}
	return loads
}

// excess returns the largest part over the mean, 1 being the best.
func excess(owners []int32, parts int) float64 {
	return float64(slices.Max(loads(owners, parts))) * float64(parts) / float64(len(owners))
}

// cutEdges returns the number of edges between cells of different parts.
func cutEdges(m *order.Mesh, owners [][]int32) (cut int) {
	for pair := range slices.Chunk(m.Maps[edgeCells].Values, 2) {
		if owners[cells][pair[0]] != owners[cells][pair[1]] {
			cut++
		}
	}
	return cut
}

// need skips the test without a library, or fails it where OP2_REQUIRE has it.
func need(t *testing.T, method string) {
	t.Helper()
	find := map[string]func() (*graphLibrary, error){"metis": metisLibrary, "scotch": scotchLibrary}[method]
	if find == nil {
		return
	}
	if _, err := find(); err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), method) {
			t.Fatalf("%s is required by OP2_REQUIRE: %v", method, err)
		}
		t.Skipf("%s: %v", method, err)
	}
}

// Every method divides cells evenly and with a short cut, and the other sets follow: each edge has
// the owner of one of its cells, each node that of a cell around it, evenly, too.
func TestMethods(t *testing.T) {
	const w, h = 96, 64
	for _, c := range []struct {
		method string
		cells  float64     // of the largest part over the mean, at most; so for edges, and
		nodes  float64     // for nodes
		cut    map[int]int // edges at most, by the number of parts
	}{
		{"auto", 1.001, 1.04, map[int]int{2: 64, 6: 250, 7: 300, 64: 1120}},
		{"bisect", 1.001, 1.04, map[int]int{2: 64, 6: 250, 7: 300, 64: 1120}},
		{"curve", 1.001, 1.04, map[int]int{2: 128, 6: 400, 7: 400, 64: 1500}},
		{"metis", 1.04, 1.05, map[int]int{2: 75, 6: 280, 7: 300, 64: 1300}},
		{"scotch", 1.06, 1.06, map[int]int{2: 75, 6: 280, 7: 300, 64: 1300}},
		{"graph", 1.001, 1.04, map[int]int{2: 128, 6: 480, 7: 460, 64: 2000}},
		{"contiguous", 1.001, 1.13, map[int]int{2: 97, 6: 500, 7: 600, 64: 6100}},
	} {
		t.Run(c.method, func(t *testing.T) {
			need(t, c.method)
			m := newGrid(w, h)
			for _, parts := range []int{1, 2, 6, 7, 64} {
				o := Options{Parts: parts, Method: c.method, Workers: 1, Warn: func(text string) { t.Error(text) }}
				owners, err := Whole(m, o)
				if err != nil {
					t.Fatal(err)
				}
				for s, most := range map[int]float64{cells: c.cells, edges: c.cells + 0.02, nodes: c.nodes} {
					if got := excess(owners[s], parts); got > most {
						t.Errorf("%d parts: set %d: the largest part is %.3f of the mean", parts, s, got)
					}
				}
				if cut := cutEdges(m, owners); cut > c.cut[parts] {
					t.Errorf("%d parts: a cut of %d edges, expected at most %d", parts, cut, c.cut[parts])
				}
				checkFollows(t, m, owners)
				o.Workers = 3
				if again, err := Whole(m, o); err != nil || !slices.EqualFunc(owners, again, slices.Equal[[]int32]) {
					t.Errorf("%d parts: another result on three goroutines: error %v", parts, err)
				}
			}
		})
	}
}

// checkFollows checks that the sets of a grid have the owners of cells.
func checkFollows(t *testing.T, m *order.Mesh, owners [][]int32) {
	t.Helper()
	around := make([][]int32, m.Sets[nodes].Size)
	for i, node := range m.Maps[cellNodes].Values {
		around[node] = append(around[node], owners[cells][i/4])
	}
	for node, p := range owners[nodes] {
		if !slices.Contains(around[node], p) {
			t.Fatalf("part %d owns node %d, and no cell around it", p, node)
		}
	}
	for _, f := range []order.Map{m.Maps[edgeCells], m.Maps[bedgeCell]} {
		for e, p := range owners[f.From] {
			if !slices.ContainsFunc(f.Values[e*f.Arity:(e+1)*f.Arity], func(c int32) bool { return owners[cells][c] == p }) {
				t.Fatalf("part %d owns element %d of set %d, and none of its cells", p, e, f.From)
			}
		}
	}
}

// Each part gets its share of cells, edges and nodes; a part without weight gets nothing.
func TestWeights(t *testing.T) {
	weights := []float64{1, 0, 3, 2.5}
	for _, method := range Methods {
		t.Run(method, func(t *testing.T) {
			need(t, method)
			m := newGrid(60, 50)
			owners, err := Whole(m, Options{Parts: 4, Weights: weights, Method: method, Warn: func(text string) { t.Error(text) }})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []int{cells, edges, nodes} {
				for p, n := range loads(owners[s], 4) {
					if share := weights[p] / 6.5 * float64(m.Sets[s].Size); math.Abs(float64(n)-share) > 0.05*share+1 {
						t.Errorf("set %d: part %d owns %d elements, %.0f expected", s, p, n, share)
					}
				}
			}
		})
	}
}

// Random maps, with masked values, unconnected and empty sets, and more parts than elements: each
// element gets an owner, and no part is left without elements of a set that leads and has enough.
func TestWholeOfAnything(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := randomMesh(r)
		o := Options{Parts: 1 + r.IntN(20), Method: Methods[r.IntN(len(Methods))], Workers: 1 + r.IntN(3)}
		if r.IntN(3) == 0 {
			for range o.Parts {
				o.Weights = append(o.Weights, float64(r.IntN(4)))
			}
			o.Weights[r.IntN(o.Parts)] = 1
		}
		coordinates := slices.ContainsFunc(m.Sets, func(s order.Set) bool { return s.Coordinates != nil })
		owners, err := Whole(m, o)
		if !coordinates && (o.Method == "bisect" || o.Method == "curve") {
			if err == nil || err.Error() != "method "+o.Method+": the coordinates of no set are known" {
				t.Errorf("seed %d: error %v", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		leader := m.Leader(func(int) bool { return false })
		for s, set := range m.Sets {
			if len(owners[s]) != set.Size {
				t.Fatalf("seed %d: %d owners of %d elements of set %d", seed, len(owners[s]), set.Size, s)
			}
			for _, p := range owners[s] {
				if p < 0 || int(p) >= o.Parts {
					t.Fatalf("seed %d: an owner %d of %d", seed, p, o.Parts)
				}
			}
			if s == leader && set.Size >= o.Parts && o.Weights == nil && slices.Contains(loads(owners[s], o.Parts), 0) {
				t.Errorf("seed %d: a part of %d has no element of %d", seed, o.Parts, set.Size)
			}
		}
	}
}

// randomMesh returns a mesh of up to five sets of up to 40 elements.
func randomMesh(r *rand.Rand) *order.Mesh {
	m := &order.Mesh{}
	for range r.IntN(6) {
		s := order.Set{Size: r.IntN(40) * r.IntN(2), Weight: r.IntN(5)}
		if r.IntN(3) == 0 {
			s.Dim = 1 + r.IntN(4)
			s.Coordinates = make([]float64, s.Size*s.Dim)
			for i := range s.Coordinates {
				s.Coordinates[i] = float64(r.IntN(10))
			}
		}
		m.Sets = append(m.Sets, s)
	}
	for range r.IntN(6) * min(1, len(m.Sets)) {
		f := order.Map{From: r.IntN(len(m.Sets)), To: r.IntN(len(m.Sets)), Arity: 1 + r.IntN(10)}
		f.Values = make([]int32, m.Sets[f.From].Size*f.Arity)
		for i := range f.Values {
			f.Values[i] = int32(r.IntN(m.Sets[f.To].Size+1) - 1)
		}
		m.Maps = append(m.Maps, f)
	}
	return m
}

// Where a library leaves parts empty, as on tiny meshes, another method divides without a word.
func TestTinyMeshes(t *testing.T) {
	for _, method := range []string{"metis", "scotch"} {
		need(t, method)
		for _, parts := range []int{2, 3, 4, 100} {
			warn := func(text string) { t.Errorf("%s, %d parts: %s", method, parts, text) }
			for n := 1; n <= 8; n++ {
				owners, err := Whole(newGrid(1, n), Options{Parts: parts, Method: method, Warn: warn})
				if err != nil {
					t.Fatal(err)
				}
				if owned := loads(owners[cells], parts); n <= parts && slices.Max(owned) != 1 || n >= parts && slices.Min(owned) == 0 {
					t.Errorf("%s: parts own %v", method, owned)
				}
			}
		}
	}
	for owner, want := range map[int32]string{0: errTiny.Error(), 2: "element 0 was given to part 2 of 2"} {
		if err := (&Options{Parts: 2}).checkOwners([]int32{owner}); err == nil || err.Error() != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	far := newGrid(2, 2)
	far.Sets[nodes].Coordinates[5] = math.NaN()
	short := newGrid(2, 2)
	short.Sets[nodes].Dim = 3
	for _, c := range []struct {
		mesh *order.Mesh
		o    Options
		want string
	}{
		{nil, Options{}, "0 parts: expected at least 1"},
		{nil, Options{Parts: 2, Method: "bisection"}, `there is no method "bisection" (did you mean "bisect"?); there are auto, bisect, curve, metis, scotch, graph, contiguous`},
		{nil, Options{Parts: 2, Weights: []float64{1}}, "1 weights for 2 parts"},
		{nil, Options{Parts: 2, Weights: []float64{1, -1}}, "the weight of part 1 is -1: expected a number from 0"},
		{nil, Options{Parts: 2, Weights: []float64{0, math.NaN()}}, "the weight of part 1 is NaN: expected a number from 0"},
		{nil, Options{Parts: 2, Weights: []float64{0, 0}}, "the weights add up to 0"},
		{nil, Options{Parts: 2, Weights: []float64{1, math.Inf(1)}}, "the weights add up to +Inf"},
		{far, Options{Parts: 2}, "element 2 of set 0 is at NaN, which is no place"},
		{short, Options{Parts: 2}, "18 coordinates are not 3 for each of the 9 elements of set 0"},
		{nil, Options{Parts: 2, Stopped: func() bool { return true }}, ErrStopped.Error()},
	} {
		if c.mesh == nil {
			c.mesh = newGrid(2, 2)
		}
		if _, err := Whole(c.mesh, c.o); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, not %q", c.o, err, c.want)
		}
	}
}

// A Hilbert curve goes through all cubes of a grid, from each to a neighbor.
func TestCurve(t *testing.T) {
	for dim, side := range map[int]int{1: 64, 2: 16, 3: 8} {
		var at []float64
		n := int(math.Pow(float64(side), float64(dim)))
		for e := range n {
			for range dim {
				at = append(at, float64(e%side))
				e /= side
			}
		}
		places := along(order.Points{Values: at, Dim: dim})
		by := make([]int, n)
		for e := range by {
			by[e] = e
		}
		slices.SortFunc(by, func(a, b int) int {
			if places[a] < places[b] {
				return -1
			}
			return 1
		})
		for i := 1; i < n; i++ {
			distance := 0.0
			for d := range dim {
				distance += math.Abs(at[by[i]*dim+d] - at[by[i-1]*dim+d])
			}
			if distance != 1 {
				t.Fatalf("%d dimensions: step %d goes to a distance of %v", dim, i, distance)
			}
		}
	}
	// Points that are far apart, close together, or all in one place.
	for _, at := range [][]float64{{-1.7e308, 1.7e308, 0}, {0, 5e-324, 5e-324}, {3, 3, 3}} {
		for _, place := range along(order.Points{Values: at, Dim: 1}) {
			if !(place >= 0 && place <= math.MaxFloat64) {
				t.Errorf("%v: a place at %v", at, place)
			}
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		n       int
		weights []float64
		want    []int
	}{
		{10, []float64{1, 1, 2}, []int{3, 5, 10}},
		{3, []float64{1, 100, 1}, []int{1, 2, 3}},
		{2, []float64{1, 1, 1}, []int{1, 1, 2}},
		{4, []float64{0, 1, 0, 1000, 1, 0}, []int{0, 1, 1, 3, 4, 4}},
		{0, []float64{1, 2}, []int{0, 0}},
		{5, []float64{1e-300, 1}, []int{1, 5}},
	} {
		if got := cut(c.n, c.weights); !slices.Equal(got, c.want) {
			t.Errorf("%d elements by %v end at %v, not %v", c.n, c.weights, got, c.want)
		}
	}
}

func BenchmarkWhole(b *testing.B) {
	m := newGrid(1200, 600)
	for _, method := range Methods {
		b.Run(method, func(b *testing.B) {
			for b.Loop() {
				if _, err := Whole(m, Options{Parts: 2, Method: method, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
