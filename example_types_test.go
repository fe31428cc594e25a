package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/go-op2/op2"
)

//go:embed example_types_test.go
var exampleKernels string

// open opens a runtime on Go alone.
func open(options ...op2.Option) *op2.Runtime {
	rt, err := op2.Open(append(options, op2.WithBackend("go"))...)
	if err != nil {
		log.Fatal(err)
	}
	return rt
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func double(x *float64) { *x *= 2 }

func span(length *float64, x *[2]float64) { *length = x[1] - x[0] }

func total(length, sum, longest *float64) {
	*sum += *length
	*longest = max(*longest, *length)
}

func halves(length *float64, x *[2]float64) {
	x[0] += *length / 2
	x[1] += *length / 2
}

func rule(number *int, x *float64) { *x = float64(*number) / 10 }

// A line of four nodes.
func line(rt *op2.Runtime) (nodes, edges *op2.Set, ends *op2.Map, x *op2.Dat[float64]) {
	nodes, edges = rt.NewSet(4, "nodes"), rt.NewSet(3, "edges")
	ends = op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3}, "ends")
	x = op2.NewDat(nodes, 1, []float64{0, 1, 3, 7}, "x")
	check(rt.Err())
	return nodes, edges, ends, x
}

func ExampleOpen() {
	rt, err := op2.Open(op2.WithBackend("go")) // or "auto", the fastest here, which is the default
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	fmt.Println(rt.Backend(), "on", rt.Ranks(), "rank")
	// Output: go on 1 rank
}

func ExampleSet() {
	rt := open()
	defer rt.Close()
	cells := rt.NewSet(1000, "cells")
	fmt.Println(cells.Size(), cells.Name())
	// Output: 1000 cells
}

func ExampleMap() {
	rt := open()
	defer rt.Close()
	nodes, cells := rt.NewSet(4, "nodes"), rt.NewSet(2, "cells")
	corners := op2.NewMap(cells, nodes, 3, []int32{0, 1, 2, 0, 2, 3}, "corners")
	check(rt.Err())
	fmt.Println(corners.Arity(), corners.From().Name(), corners.To().Name(), corners.InDeclaredOrder())

	// A target that is not there is an error, with the line of the declaration.
	wrong := op2.NewMap(cells, nodes, 3, []int32{0, 1, 2, 0, 2, 4}, "wrong")
	fmt.Println(wrong.Err() != nil)
	// Output:
	// 3 cells nodes [0 1 2 0 2 3]
	// true
}

func ExampleDat() {
	rt := open()
	defer rt.Close()
	cells := rt.NewSet(2, "cells")
	q := op2.NewDat(cells, 3, []float64{1, 2, 3, 4, 5, 6}, "q") // a copy
	check(rt.Err())
	values, err := q.Data()
	check(err)
	values[0] = 10
	check(q.Scale(2))
	values, err = q.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [20 4 6 8 10 12]
}

func ExampleGlobal() {
	rt := open()
	defer rt.Close()
	_, edges, ends, x := line(rt)
	length := op2.NewDat[float64](edges, 1, nil, "length")
	sum, longest := op2.NewGlobal(rt, []float64{0}, "sum"), op2.NewGlobal(rt, []float64{0}, "longest")
	kernels := op2.Kernels(exampleKernels)
	check(op2.ParLoop(kernels.Func(span), edges, length.Write(), x.Read(ends)))
	check(op2.ParLoop(kernels.Func(total), edges, length.Read(), sum.Inc(), longest.Max()))
	s, err1 := sum.Value()
	l, err2 := longest.Value()
	check(errors.Join(err1, err2))
	fmt.Println(s, l)
	// Output: 7 4
}

func ExampleSubset() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	inner := op2.NewSubset(nodes, []int{1, 2}, "inner nodes")
	check(op2.ParLoop(op2.Kernels(exampleKernels).Func(double), inner, x.RW()))
	values, err := x.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [0 2 6 7]
}

func ExampleIndex() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	check(op2.ParLoop(op2.Kernels(exampleKernels).Func(rule), nodes, op2.Index(), x.Write()))
	values, err := x.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [0 0.1 0.2 0.3]
}

// A loop that runs often is prepared once.
func ExampleLoop() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	twice := op2.NewLoop(op2.Kernels(exampleKernels).Func(double), nodes, x.RW())
	for range 3 {
		check(twice.Compute())
	}
	values, err := x.DataRO()
	check(err)
	fmt.Println(values, twice.Stats().Calls)
	// Output: [0 8 24 56] 3
}

// A choice for the loops of one kernel.
func ExampleKernel_With() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	careful := op2.Kernels(exampleKernels).Func(double).With(op2.WithThreads(1), op2.WithBlockSize(64))
	check(op2.ParLoop(careful, nodes, x.RW()))
	values, err := x.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [0 2 6 14]
}

// The loops of a step run as one call, fused or tiled where that pays.
func ExampleChain() {
	rt := open()
	defer rt.Close()
	nodes, edges, ends, x := line(rt)
	length := op2.NewDat[float64](edges, 1, nil, "length")
	kernels := op2.Kernels(exampleKernels)
	step := op2.NewChain(
		op2.NewLoop(kernels.Func(span), edges, length.Write(), x.Read(ends)),
		op2.NewLoop(kernels.Func(double), nodes, x.RW()),
		op2.NewLoop(kernels.Func(halves), edges, length.Read(), x.Inc(ends)),
	)
	check(step.Compute())
	values, err := x.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [0.5 3.5 9 16]
}

// What a function calls, written down to be called again.
func ExampleRecordChain() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	twice := op2.Kernels(exampleKernels).Func(double)
	step := op2.RecordChain(rt, func() error {
		return errors.Join(op2.ParLoop(twice, nodes, x.RW()), x.Scale(0.5), op2.ParLoop(twice, nodes, x.RW()))
	})
	check(step.Compute())
	values, err := x.DataRO()
	check(err)
	fmt.Println(values)
	// Output: [0 2 6 14]
}

// Where the matrix of a line of springs may have values other than zero.
func ExampleSparsity() {
	rt := open()
	defer rt.Close()
	_, _, ends, _ := line(rt)
	pattern := op2.NewSquareSparsity(ends, 1, "pattern")
	check(rt.Err())
	fmt.Println(pattern.Blocks())
	// Output: 10
}

// Velocity and pressure as one.
func ExampleMixedDat() {
	rt := open()
	defer rt.Close()
	nodes, cells := rt.NewSet(2, "nodes"), rt.NewSet(1, "cells")
	velocity := op2.NewDat(nodes, 2, []float64{3, 0, 0, 4}, "velocity")
	pressure := op2.NewDat(cells, 1, []float64{12}, "pressure")
	both := op2.NewMixedDat([]*op2.Dat[float64]{velocity, pressure}, "both")
	check(rt.Err())
	norm, err := both.Norm()
	check(err)
	fmt.Println(norm)
	// Output: 13
}

// Two ranks that are goroutines, in a test, say. Each declares the whole mesh; the library divides it.
func ExampleRunRanks() {
	err := op2.RunRanks(2, func(rank op2.Option) error {
		rt := open(rank)
		defer rt.Close()
		nodes := rt.NewSet(4, "nodes")
		x := op2.NewDat(nodes, 1, []float64{0, 1, 3, 7}, "x")
		if err := op2.ParLoop(op2.Kernels(exampleKernels).Func(double), nodes, x.RW()); err != nil {
			return err
		}
		norm, err := x.Norm() // over both
		if err == nil && rt.Rank() == 0 {
			fmt.Printf("%.3f\n", norm)
		}
		return err
	})
	check(err)
	// Output: 15.362
}

func reciprocal(table *[3]float64, at *int32) { table[*at] = 1 }

// What panics in a kernel is an error on every backend.
func ExampleFaultError() {
	rt := open()
	defer rt.Close()
	cells := rt.NewSet(2, "cells")
	table := op2.NewDat[float64](cells, 3, nil, "table")
	at := op2.NewDat(cells, 1, []int32{2, 3}, "at")
	err := op2.ParLoop(op2.Kernels(exampleKernels).Func(reciprocal), cells, table.RW(), at.Read())
	var fault *op2.FaultError
	fmt.Println(errors.As(err, &fault))
	// Output: true
}

type candidate struct {
	Distance float64
	Node     int32
}

func better(a, b *candidate) {
	if b.Distance < a.Distance {
		*a = *b
	}
}

func distance(x *float64, number *int, n *candidate) {
	n.Distance, n.Node = math.Abs(*x-2.5), int32(*number)
}

// A reduction by an operation of the program's own: which node is nearest to 2.5.
func ExampleGlobal_Reduce() {
	rt := open()
	defer rt.Close()
	nodes, _, _, x := line(rt)
	kernels := op2.Kernels(exampleKernels)
	none := candidate{math.MaxFloat64, -1}
	best := op2.NewGlobal(rt, []candidate{none}, "best")
	check(op2.ParLoop(kernels.Func(distance), nodes, x.Read(), op2.Index(), best.Reduce(kernels.Func(better), none)))
	n, err := best.Value()
	check(err)
	fmt.Println(n.Node, n.Distance)
	// Output: 2 0.5
}
