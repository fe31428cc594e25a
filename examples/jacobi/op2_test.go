package main

import (
	_ "embed"
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// OP2's own small programs, apps/c of OP2-Common, with the figures that they check: jac1 on float64,
// with the numbers of elements as arguments, and on float32; jac2, where one value of several is used, and
// the matrix is of another type; reduction, which counts.

//go:embed op2_test.go
var op2Source string

var alpha32 float32 = 1

func residualNumbered(a, u, du, beta *float64, edge *int, ends *[2]int32, row, column *int32, wrong *int32) {
	*du += *beta * *a * *u
	if ends[0] != *row || ends[1] != *column || *edge < 0 {
		*wrong++
	}
}

func residual32(a, u, du, beta *float32) { *du += *beta * *a * *u }

func update32(r, du, u, sum, largest *float32) {
	*u += *du + alpha32**r
	*du = 0
	*sum += *u * *u
	*largest = max(*largest, *u)
}

func residualStrided(a *[3]float64, u *[2]float32, du *[3]float32, beta *float32) {
	du[0] += float32(float64(*beta) * a[0] * float64(u[0]))
}

func updateStrided(r *[2]float32, du *[3]float32, u *[2]float32, sum, largest *float32) {
	u[0] += du[0] + alpha32*r[0]
	du[0] = 0
	*sum += u[0] * u[0]
	*largest = max(*largest, u[0])
}

func countEdge(res *[4]float64, count *int32) {
	res[0] = 0
	*count++
}

func countCell(res *[4]float64, count *int32) {
	res[0] = 0
	*count++
}

// figures are the largest value and the root of the mean square after each of two iterations.
const figures = "0.500000 0.264575, 0.625000 0.386491"

func TestJac1(t *testing.T) {
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		j := newJacobi[float64, float64](t, rt, 1, 1, 1)
		numbers := make([]int32, len(j.g.r))
		for i := range numbers {
			numbers[i] = int32(i)
		}
		ends := op2.NewDat(j.edges, 2, j.g.edges, "ends")
		number := op2.NewDat(j.nodes, 1, numbers, "number")
		wrong := op2.NewGlobal(rt, []int32{0}, "wrong")
		op2.NewConst(rt, "alpha", &alpha)
		row, column := j.edge2node.At(0), j.edge2node.At(1)
		j.check(t, op2.Kernels(op2Source).Func(residualNumbered), op2.Kernels(source).Func(update), 1e-12,
			op2.Index(), ends.Read(), number.Read(row), number.Read(column), wrong.Inc())
		if n := optest.Must(wrong.Value()); n != 0 {
			t.Errorf("%d edges had wrong numbers", n)
		}
	})
}

func TestJac1Float32(t *testing.T) {
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		op2.NewConst(rt, "alpha32", &alpha32)
		k := op2.Kernels(op2Source)
		newJacobi[float32, float32](t, rt, 1, 1, 1).check(t, k.Func(residual32), k.Func(update32), 1e-6)
	})
}

func TestJac2(t *testing.T) {
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		op2.NewConst(rt, "alpha32", &alpha32)
		k := op2.Kernels(op2Source)
		newJacobi[float64, float32](t, rt, 3, 2, 3).check(t, k.Func(residualStrided), k.Func(updateStrided), 1e-6)
	})
}

func TestReduction(t *testing.T) {
	m := optest.Must(mesh.NACA0012(20, 30))
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		steps := optest.Steps(rt)
		edges, cells := rt.NewSet(m.Given.Interior.Len(), "edges"), rt.NewSet(m.Cells(), "cells")
		pecell := op2.NewMap(edges, cells, 2, m.Given.Interior.Cells, "pecell")
		res := op2.NewDat[float64](cells, 4, nil, "res")
		edgeCount, cellCount := op2.NewGlobal(rt, []int32{0}, "edgeCount"), op2.NewGlobal(rt, []int32{0}, "cellCount")
		k := op2.Kernels(op2Source)
		steps.Check(op2.ParLoop(k.Func(countEdge), edges, res.Inc(pecell.At(0)), edgeCount.Inc()))
		steps.Check(op2.ParLoop(k.Func(countCell), cells, res.RW(), cellCount.Inc()))
		must(t, steps.Err())
		if e, c := optest.Must(edgeCount.Value()), optest.Must(cellCount.Value()); int(e) != edges.Size() || int(c) != cells.Size() {
			t.Errorf("%d edges and %d cells, want %d and %d", e, c, edges.Size(), cells.Size())
		}
	})
}

type float interface{ float32 | float64 }

// jacobi is the grid of OP2's programs, with a matrix of type A and unknowns of type T.
type jacobi[A, T float] struct {
	g            grid
	nodes, edges *op2.Set
	edge2node    *op2.Map
	a            *op2.Dat[A]
	r, u, du     *op2.Dat[T]
	beta         *op2.Global[T]
	sum, largest *op2.Global[T]
	uDim         int
}

func newJacobi[A, T float](t *testing.T, rt *op2.Runtime, aDim, uDim, duDim int) *jacobi[A, T] {
	j := &jacobi[A, T]{g: newGrid(6), uDim: uDim}
	j.nodes, j.edges = rt.NewSet(len(j.g.r), "nodes"), rt.NewSet(len(j.g.a), "edges")
	j.edge2node = op2.NewMap(j.edges, j.nodes, 2, j.g.edges, "ppedge")
	j.a = op2.NewDat(j.edges, aDim, spread[A](j.g.a, aDim), "a")
	j.r = op2.NewDat(j.nodes, uDim, spread[T](j.g.r, uDim), "r")
	j.u = op2.NewDat[T](j.nodes, uDim, nil, "u")
	j.du = op2.NewDat[T](j.nodes, duDim, nil, "du")
	j.beta = op2.NewGlobal(rt, []T{1}, "beta")
	j.sum, j.largest = op2.NewGlobal(rt, []T{0}, "sum"), op2.NewGlobal(rt, []T{0}, "largest")
	must(t, rt.Err())
	return j
}

// spread returns values as the first of dim for each element.
func spread[T float](values []float64, dim int) []T {
	all := make([]T, dim*len(values))
	for i, v := range values {
		all[dim*i] = T(v)
	}
	return all
}

// check runs two iterations, and compares the figures and the values of the nodes.
func (j *jacobi[A, T]) check(t *testing.T, residual, update *op2.Kernel, tolerance float64, more ...op2.Arg) {
	t.Helper()
	got := ""
	for i := range 2 {
		must(t, op2.ParLoop(residual, j.edges, append([]op2.Arg{
			j.a.Read(), j.u.Read(j.edge2node.At(1)), j.du.Inc(j.edge2node.At(0)), j.beta.Read()}, more...)...))
		must(t, j.sum.Set(0))
		must(t, j.largest.Set(0))
		must(t, op2.ParLoop(update, j.nodes, j.r.Read(), j.du.RW(), j.u.RW(), j.sum.Inc(), j.largest.Max()))
		got += []string{"", ", "}[i] + fmt.Sprintf("%.6f %.6f", float64(optest.Must(j.largest.Value())),
			math.Sqrt(float64(optest.Must(j.sum.Value()))/float64(len(j.g.r))))
	}
	if got != figures {
		t.Errorf("the figures are %s, want %s", got, figures)
	}
	// By distance from the two nearest sides.
	want := [3][3]float64{{0.625, 0.4375, 0.375}, {0.4375, 0.125, 0.0625}, {0.375, 0.0625, 0}}
	values := optest.Must(j.u.InDeclaredOrder())
	for row := range 5 {
		for column := range 5 {
			v, w := float64(values[j.uDim*(5*row+column)]), want[min(row, 4-row)][min(column, 4-column)]
			if !(math.Abs(v-w) <= tolerance) {
				t.Errorf("row %d, column %d: %v, want %v", row, column, v, w)
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
