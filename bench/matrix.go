package main

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"text/tabwriter"
	"time"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/sparse"
)

var (
	//go:embed matrix.go
	matrixSource string
	//go:embed reference/mass.c
	massSource string
)

// massP1 computes the mass matrix of a triangle with linear elements.
func massP1(a *[3][3]float64, x *[3][2]float64) {
	area := ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	for i := range 3 {
		for j := range 3 {
			a[i][j] = area / 12
		}
		a[i][i] = area / 6
	}
}

// triangles is a mesh of a unit square: n by n squares, each cut in two.
type triangles struct {
	nodes int
	of    []int32   // three nodes for each
	xy    []float64 // of the nodes
}

func newTriangles(n int) *triangles {
	m := &triangles{nodes: (n + 1) * (n + 1)}
	for j := range n + 1 {
		for i := range n + 1 {
			m.xy = append(m.xy, float64(i)/float64(n), float64(j)/float64(n))
		}
	}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			m.of = append(m.of, a, b, d, a, d, c)
		}
	}
	return m
}

// shuffle renumbers nodes and triangles at random.
func (m *triangles) shuffle() {
	r := rand.New(rand.NewPCG(1, 2))
	old := *m
	m.xy, m.of = make([]float64, len(old.xy)), nil
	number := r.Perm(m.nodes)
	for i, n := range number {
		copy(m.xy[2*n:2*n+2], old.xy[2*i:])
	}
	for _, t := range r.Perm(len(old.of) / 3) {
		for _, v := range old.of[3*t : 3*t+3] {
			m.of = append(m.of, int32(number[v]))
		}
	}
}

// matrices measures how long it takes to build the pattern and to assemble the values of a mass
// matrix, and its product with a vector, in C and on each backend.
func (r *reference) matrices(n, rounds int) error {
	for _, order := range []string{"row by row", "in random order"} {
		m := newTriangles(n)
		if order != "row by row" {
			m.shuffle()
		}
		fmt.Printf("\nmass matrix, %d triangles %s\n", len(m.of)/3, order)
		if err := r.mass(m, rounds); err != nil {
			return err
		}
	}
	return nil
}

func (r *reference) mass(m *triangles, rounds int) error {
	c, err := r.newMass(m)
	if err != nil {
		return err
	}
	var backends []*massOn
	for _, b := range []struct {
		name    string
		threads int
	}{{"sequential", 1}, {"openmp", runtime.NumCPU()}, {"go", 1}} {
		on, err := newMassOn(m, op2.WithBackend(b.name), op2.WithThreads(b.threads))
		if err != nil {
			return err
		}
		on.name, on.threads = b.name, b.threads
		defer on.rt.Close()
		backends = append(backends, on)
	}
	triangles := float64(len(m.of) / 3)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tpattern ms\ttable ms\tassembly ns/triangle\t/ C\tby search ns/triangle\t/ C\tproduct ms\t/ C\t")
	var table, search, product []float64
	for range rounds {
		table = append(table, timeCalls(1, func() error { c.table.call(); return nil }))
		search = append(search, timeCalls(1, func() error { c.search.call(); return nil }))
		product = append(product, timeCalls(5, func() error { c.multiply.call(); return nil }))
		for _, b := range backends {
			b.measure(m)
		}
	}
	fmt.Fprintf(t, "C\t\t\t%.1f\t\t%.1f\t\t%.2f\t\t\n", 1e9*median(table)/triangles, 1e9*median(search)/triangles, 1e3*median(product))
	for _, b := range backends {
		fmt.Fprintf(t, "%s, %d threads\t%.0f\t%.0f\t%.1f\t%.2f\t%.1f\t%.2f\t%.2f\t%.2f\t\n", b.name, b.threads,
			1e3*median(b.pattern), 1e3*median(b.table),
			1e9*median(b.assembly)/triangles, ratio(b.assembly, table),
			1e9*median(b.search)/triangles, ratio(b.search, search),
			1e3*median(b.product), ratio(b.product, product))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	s := backends[0].mat.Sparsity()
	fmt.Printf("%d nonzeros; pattern %.1f MB\n", s.Blocks(), 4e-6*float64(backends[0].mat.Rows()+1+s.Blocks()))
	return c.check(backends)
}

// cMass is the assembly in C.
type cMass struct {
	table, search, multiply *cFunction
	values                  []float64
}

func (r *reference) newMass(m *triangles) (*cMass, error) {
	maps := &sparse.Map{Arity: 3, Values: m.of}
	p, err := sparse.Build([]sparse.Pair{{Rows: maps, Cols: maps}}, m.nodes, m.nodes, true, 1)
	if err != nil {
		return nil, err
	}
	table, _ := p.Positions(maps, maps, m.nodes, 1)
	c := &cMass{values: aligned(p.Nonzeros())}
	x, y := aligned(m.nodes), aligned(m.nodes)
	for i := range x { // pages that were never written all map to the same one
		x[i], y[i] = 1, 1
	}
	f := func(s []float64) unsafe.Pointer { return unsafe.Pointer(&s[0]) }
	i := func(s []int32) unsafe.Pointer { return unsafe.Pointer(&s[0]) }
	if c.table, err = newCFunction(r.matrix, "mass_table", len(m.of)/3, i(m.of), f(m.xy), i(table), f(c.values)); err != nil {
		return nil, err
	}
	if c.search, err = newCFunction(r.matrix, "mass_search", len(m.of)/3, i(m.of), f(m.xy), i(p.RowPtr), i(p.ColIdx), f(c.values)); err != nil {
		return nil, err
	}
	c.multiply, err = newCFunction(r.matrix, "mass_multiply", m.nodes, i(p.RowPtr), i(p.ColIdx), f(c.values), f(x), f(y))
	return c, err
}

// check verifies that all have assembled the same matrix.
func (c *cMass) check(backends []*massOn) error {
	clear(c.values)
	c.table.call()
	for _, b := range backends {
		if err := b.mat.Zero(); err != nil {
			return err
		}
		if err := b.loop.Compute(); err != nil {
			return err
		}
		a, err := b.mat.CSR()
		if err != nil {
			return err
		}
		for k, v := range a.Values {
			if math.Abs(v-c.values[k]) > 1e-12*math.Abs(v) {
				return fmt.Errorf("value %d on %s is %v, in C %v", k, b.name, v, c.values[k])
			}
		}
	}
	return nil
}

// massOn is the assembly on one backend, and its times in seconds by round.
type massOn struct {
	name    string
	threads int
	rt      *op2.Runtime
	cells   *op2.Map
	mat     *op2.Mat[float64]
	loop    *op2.Loop
	finding *op2.Loop // the same with searching
	x, y    *op2.Dat[float64]

	pattern, table, assembly, search, product []float64
}

func newMassOn(m *triangles, options ...op2.Option) (*massOn, error) {
	rt, err := op2.Open(options...)
	if err != nil {
		return nil, err
	}
	nodes, cells := rt.NewSet(m.nodes, "nodes"), rt.NewSet(len(m.of)/3, "cells")
	b := &massOn{rt: rt, cells: op2.NewMap(cells, nodes, 3, m.of, "cell2node")}
	xy := op2.NewDat(nodes, 2, m.xy, "xy")
	b.x, b.y = op2.NewDat[float64](nodes, 1, nil, "x"), op2.NewDat[float64](nodes, 1, nil, "y")
	if err := errors.Join(b.x.Fill(1), b.y.Fill(1)); err != nil {
		return nil, err
	}
	k := op2.Kernels(matrixSource).Func(massP1)
	b.mat = op2.NewMat[float64](b.sparsity(), "mass")
	for _, l := range []**op2.Loop{&b.loop, &b.finding} {
		b.mat.Sparsity().SetSearch(l == &b.finding)
		*l = op2.NewLoop(k, cells, b.mat.Inc(b.cells, b.cells), xy.Read(b.cells))
		if err := (*l).Compute(); err != nil {
			return nil, err
		}
	}
	b.mat.Sparsity().SetSearch(false)
	return b, nil
}

func (b *massOn) sparsity() *op2.Sparsity {
	return op2.NewSparsity([]op2.MapPair{{Rows: b.cells, Cols: b.cells}}, 1, 1, "sparsity")
}

// measure adds a round.
func (b *massOn) measure(m *triangles) {
	start := time.Now()
	b.sparsity()
	b.pattern = append(b.pattern, time.Since(start).Seconds())
	a, _ := b.mat.CSR() // of a matrix that has been assembled
	p := &sparse.Pattern{Rows: a.Rows, Cols: a.Cols, RowPtr: a.RowPtr, ColIdx: a.ColIdx}
	maps := &sparse.Map{Arity: 3, Values: m.of}
	start = time.Now()
	p.Positions(maps, maps, p.Rows, b.threads)
	b.table = append(b.table, time.Since(start).Seconds())
	runtime.GC()
	b.assembly = append(b.assembly, timeCalls(2, b.loop.Compute))
	b.search = append(b.search, timeCalls(1, b.finding.Compute))
	b.product = append(b.product, timeCalls(5, func() error { return b.mat.Mul(b.y, b.x) }))
}
