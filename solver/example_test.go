package solver_test

import (
	_ "embed"
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed example_test.go
var exampleSource string

// spring does the work for one spring of stiffness 2 between two nodes.
func spring(a *[2][2]float64) {
	a[0][0], a[0][1] = 2, -2
	a[1][0], a[1][1] = -2, 2
}

// ground holds a node by a spring of stiffness 1.
func ground(a *[1][1]float64) { a[0][0] = 1 }

// Three nodes in a row, held at both ends and pulled in the middle.
func ExampleNew() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	steps := optest.Steps(rt)
	nodes, springs, ends := rt.NewSet(3, "nodes"), rt.NewSet(2, "springs"), rt.NewSet(2, "ends")
	spring2node := op2.NewMap(springs, nodes, 2, []int32{0, 1, 1, 2}, "spring2node")
	end2node := op2.NewMap(ends, nodes, 1, []int32{0, 2}, "end2node")
	sparsity := op2.NewSparsity([]op2.MapPair{{Rows: spring2node, Cols: spring2node}, {Rows: end2node, Cols: end2node}}, 1, 1, "nodes")
	stiffness := op2.NewMat[float64](sparsity, "stiffness")
	force := op2.NewDat(nodes, 1, []float64{0, 2, 0}, "force")
	moved := op2.NewDat[float64](nodes, 1, nil, "moved")

	kernels := op2.Kernels(exampleSource)
	steps.Check(op2.ParLoop(kernels.Func(spring), springs, stiffness.Inc(spring2node, spring2node)))
	steps.Check(op2.ParLoop(kernels.Func(ground), ends, stiffness.Inc(end2node, end2node)))
	system := solver.New(stiffness, solver.CG, solver.WithRTol(1e-12))
	defer system.Close()
	if err := steps.Err(); err != nil {
		fmt.Println(err)
	}
	c, err := system.Solve(moved, force)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%v after %d iterations: %.3f\n", c.Reason.Converged(), c.Iterations, optest.Must(moved.DataRO()))
	// Output: true after 2 iterations: [1.000 1.500 1.000]
}

// The same without a matrix: the operator is a function.
func ExampleNewOperator() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	nodes, springs := rt.NewSet(3, "nodes"), rt.NewSet(2, "springs")
	spring2node := op2.NewMap(springs, nodes, 2, []int32{0, 1, 1, 2}, "spring2node")
	held := op2.NewDat(nodes, 1, []float64{1, 0, 1}, "held")
	force := op2.NewDat(nodes, 1, []float64{0, 2, 0}, "force")
	moved := op2.NewDat[float64](nodes, 1, nil, "moved")

	kernels := op2.Kernels(exampleSource)
	hold, pull := kernels.Func(hold), kernels.Func(pull)
	stiffness := solver.NewOperator(nodes, 1, func(y, x *op2.Dat[float64]) error {
		if err := op2.ParLoop(hold, nodes, y.Write(), x.Read(), held.Read()); err != nil {
			return err
		}
		return op2.ParLoop(pull, springs, y.Inc(spring2node), x.Read(spring2node))
	}, nil, "stiffness")
	system := solver.New(stiffness, solver.None, solver.WithRTol(1e-12))
	defer system.Close()
	if err := rt.Err(); err != nil {
		fmt.Println(err)
	}
	if _, err := system.Solve(moved, force); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.3f\n", optest.Must(moved.DataRO()))
	// Output: [1.000 1.500 1.000]
}

// hold computes the force of a node's own spring.
func hold(y, x, stiffness *float64) { *y = *stiffness * *x }

// pull adds the forces of a spring to those of its two nodes.
func pull(y, x *[2]float64) {
	f := 2 * (x[0] - x[1])
	y[0] += f
	y[1] -= f
}
