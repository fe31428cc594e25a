package sparse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive returns the pattern by definition.
func naive(pairs []Pair, rows, cols int, diagonal bool) *Pattern {
	there := make([]map[int32]bool, rows)
	for r := range there {
		there[r] = map[int32]bool{}
		if diagonal {
			there[r][int32(r)] = true
		}
	}
	for _, p := range pairs {
		for i, r := range p.Rows.Values {
			e := i / p.Rows.Arity
			for _, c := range p.Cols.Values[e*p.Cols.Arity : (e+1)*p.Cols.Arity] {
				if r >= 0 && c >= 0 {
					there[r][c] = true
				}
			}
		}
	}
	p := &Pattern{Rows: rows, Cols: cols, RowPtr: []int32{0}}
	for r := range there {
		for c := range int32(cols) {
			if there[r][c] {
				p.ColIdx = append(p.ColIdx, c)
			}
		}
		p.RowPtr = append(p.RowPtr, int32(len(p.ColIdx)))
	}
	return p
}

// anywhere returns a map to targets, with some masked.
func anywhere(r *rand.Rand, elements, arity, targets int, masked bool) *Map {
	m := &Map{Arity: arity, Values: make([]int32, elements*arity)}
	for i := range m.Values {
		m.Values[i] = int32(r.IntN(targets))
		if masked && r.IntN(3) == 0 {
			m.Values[i] = -1
		}
	}
	return m
}

func equal(p, q *Pattern) bool {
	return p.Rows == q.Rows && p.Cols == q.Cols && slices.Equal(p.RowPtr, q.RowPtr) && slices.Equal(p.ColIdx, q.ColIdx)
}

// build must succeed, with the same result in any order and on any number of workers.
func build(t testing.TB, pairs []Pair, rows, cols int, diagonal bool) *Pattern {
	t.Helper()
	var first *Pattern
	for workers := range 5 {
		p, err := Build(pairs, rows, cols, diagonal, workers)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !equal(p, first) {
			t.Fatalf("another pattern on %d workers, or by another order of pairs", workers)
		}
		first = p
		pairs = append(slices.Clone(pairs[1:]), pairs[0], pairs[len(pairs)-1])
	}
	return first
}

func TestBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct {
		name       string
		rows, cols int
		diagonal   bool
		maps       [][3]int // elements, arity to rows, arity to columns
	}{
		{"nothing", 0, 0, true, [][3]int{{0, 3, 3}}},
		{"no elements", 5, 5, true, [][3]int{{0, 3, 3}}},
		{"no elements and no diagonal", 5, 4, false, [][3]int{{0, 3, 3}}},
		{"one", 1, 1, true, [][3]int{{1, 1, 1}}},
		{"thin", 300, 300, true, [][3]int{{100, 2, 2}}},
		{"mesh", 300, 300, true, [][3]int{{600, 3, 3}}},
		{"without diagonal", 300, 300, false, [][3]int{{600, 3, 3}}},
		{"tall", 500, 7, false, [][3]int{{300, 2, 1}}},
		{"wide", 7, 500, false, [][3]int{{300, 1, 4}}},
		{"full", 40, 40, true, [][3]int{{3000, 3, 2}}},
		{"several", 200, 200, true, [][3]int{{100, 2, 1}, {0, 1, 1}, {50, 1, 5}, {300, 2, 2}}},
		{"large", 4500, 4500, true, [][3]int{{9000, 3, 3}, {4000, 1, 2}}},
	} {
		for _, masked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s masked=%v", test.name, masked), func(t *testing.T) {
				var pairs []Pair
				for _, m := range test.maps {
					rows := anywhere(r, m[0], m[1], max(1, test.rows), masked)
					pairs = append(pairs, Pair{rows, anywhere(r, m[0], m[2], max(1, test.cols), masked)})
					if len(pairs) == 4 { // a row map with two column maps
						pairs = append(pairs, Pair{rows, anywhere(r, m[0], 1, test.cols, masked)})
					}
				}
				if got, want := build(t, pairs, test.rows, test.cols, test.diagonal), naive(pairs, test.rows, test.cols, test.diagonal); !equal(got, want) {
					t.Errorf("got %v %v, want %v %v", got.RowPtr, got.ColIdx, want.RowPtr, want.ColIdx)
				}
			})
		}
	}
}

// Rows that are far longer than those of a mesh.
func TestBuildLongRows(t *testing.T) {
	const n = 40_000
	hub := &Map{Arity: 2, Values: make([]int32, 2*n)}
	for e := range n {
		hub.Values[2*e+1] = int32((e * 7919) % n) // a prime that does not divide n
	}
	p := build(t, []Pair{{hub, hub}}, n, n, true)
	if got := len(p.Row(0)); got != n {
		t.Errorf("the row of the hub has %d nonzeros, want %d", got, n)
	}
	if !slices.IsSorted(p.Row(0)) || !slices.Equal(p.Row(n-1), []int32{0, n - 1}) {
		t.Errorf("got %v and %v", p.Row(0)[:5], p.Row(n-1))
	}
	same := &Map{Arity: 3, Values: make([]int32, 3*n)}
	if p := build(t, []Pair{{same, same}}, 1, 1, true); p.Nonzeros() != 1 {
		t.Errorf("%d nonzeros, want 1", p.Nonzeros())
	}
}

func TestBuildTooLarge(t *testing.T) {
	m := &Map{Arity: 2, Values: []int32{0, 1, 1, 2}}
	for most, want := range map[int64]string{7: "", 6: "too many nonzeros: 7, they are numbered up to 6"} {
		b := &builder{groups: group([]Pair{{m, m}}), diagonal: true, workers: 1, pattern: &Pattern{Rows: 3, Cols: 3, RowPtr: make([]int32, 4)}}
		got := ""
		if _, err := b.build(most); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := anywhere(r, 400, 3, 60, false)
	p := build(t, []Pair{{m, m}}, 60, 60, false)
	for row := range int32(60) {
		for c := range int32(60) {
			want := int32(slices.Index(p.Row(int(row)), c))
			if want >= 0 {
				want += p.RowPtr[row]
			}
			if got := p.Find(row, c); got != want {
				t.Fatalf("(%d, %d) is nonzero %d, want %d", row, c, got, want)
			}
		}
	}
}

func TestPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const n = 10_000
	rows, cols := anywhere(r, n, 3, 500, true), anywhere(r, n, 2, 300, true)
	p := build(t, []Pair{{rows, cols}}, 500, 300, false)
	table, ok := p.Positions(rows, cols, p.Rows, 3)
	if !ok {
		t.Fatal("nonzeros are missing")
	}
	for e := range n {
		for i := range 3 {
			for j := range 2 {
				at, row, col := table[e*6+i*2+j], rows.Values[e*3+i], cols.Values[e*2+j]
				switch {
				case row < 0 || col < 0:
					if at != -1 {
						t.Fatalf("element %d: a masked nonzero has position %d", e, at)
					}
				case p.ColIdx[at] != col || at < p.RowPtr[row] || at >= p.RowPtr[row+1]:
					t.Fatalf("element %d: position %d is not (%d, %d)", e, at, row, col)
				}
			}
		}
	}
	other := anywhere(r, n, 3, 500, false)
	if _, ok := p.Positions(other, cols, p.Rows, 3); ok {
		t.Error("nonzeros that are not there were found")
	}
	if table, ok := p.Positions(other, cols, 0, 3); !ok || !slices.Contains(table, -1) {
		t.Error("rows that are not complete have all nonzeros")
	}
}

func TestLastWriters(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n, per = 700, 4
	m := anywhere(r, n, 2, 80, true)
	p := build(t, []Pair{{m, m}}, 80, 80, true)
	table, _ := p.Positions(m, m, p.Rows, 1)
	var some []int32
	for e := range int32(n) {
		if r.IntN(3) == 0 {
			some = append(some, e)
		}
	}
	for _, subset := range [][]int32{nil, some, {}} {
		last := LastWriters(p.Nonzeros(), table, per, subset)
		want := make([]int, p.Nonzeros()) // index in the table, plus 1, in the order of elements
		for e := range int32(n) {
			for i := int(e) * per; i < int(e+1)*per; i++ {
				if table[i] >= 0 && (subset == nil || slices.Contains(subset, e)) {
					want[table[i]] = i + 1
				}
			}
		}
		for i, at := range last {
			if isLast := table[i] >= 0 && want[table[i]] == i+1; isLast != (at >= 0) || isLast && at != table[i] {
				t.Fatalf("place %d of position %d: got %d", i, table[i], at)
			}
		}
	}
}

// triangles returns the map of a square grid of n by n quadrilaterals, each cut in two, in rows.
func triangles(n int) (m *Map, nodes int) {
	m = &Map{Arity: 3}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			m.Values = append(m.Values, a, b, d, a, d, c)
		}
	}
	return m, (n + 1) * (n + 1)
}

// shuffled returns a map with elements and targets in random order.
func shuffled(m *Map, targets int) *Map {
	r := rand.New(rand.NewPCG(1, 2))
	number := r.Perm(targets)
	s := &Map{Arity: m.Arity}
	for _, e := range r.Perm(m.elements()) {
		for _, v := range m.Values[e*m.Arity : (e+1)*m.Arity] {
			s.Values = append(s.Values, int32(number[v]))
		}
	}
	return s
}

// The pattern of a million triangles, and the table of positions.
func BenchmarkMillionTriangles(b *testing.B) {
	m, nodes := triangles(707)
	for _, c := range []struct {
		name string
		m    *Map
	}{{"in rows", m}, {"in random order", shuffled(m, nodes)}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/pattern/%d", c.name, workers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p, err := Build([]Pair{{c.m, c.m}}, nodes, nodes, true, workers)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(p.Bytes()), "pattern-B")
				}
			})
			p, err := Build([]Pair{{c.m, c.m}}, nodes, nodes, true, workers)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/positions/%d", c.name, workers), func(b *testing.B) {
				for b.Loop() {
					p.Positions(c.m, c.m, nodes, workers)
				}
			})
			x, y, values := make([]float64, nodes), make([]float64, nodes), make([]float64, p.Nonzeros())
			b.Run(fmt.Sprintf("%s/multiply/%d", c.name, workers), func(b *testing.B) {
				for b.Loop() {
					Multiply(p, Blocks{1, 1}, values, x, y, workers)
				}
			})
		}
	}
}
