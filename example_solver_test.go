package op2_test

import (
	_ "embed"
	"fmt"

	"github.com/go-op2/op2"
)

//go:embed example_solver_test.go
var exampleSolverSource string

// spring does the work for one spring of stiffness 2 between two nodes.
func spring(a *[2][2]float64) {
	a[0][0], a[0][1] = 2, -2
	a[1][0], a[1][1] = -2, 2
}

// ground holds a node by a spring of stiffness 1.
func ground(a *[1][1]float64) { a[0][0] = 1 }

// Three nodes in a row, held at both ends and pulled in the middle.
func ExampleNewSolver() {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d := op2.Declare(rt)
	nodes, springs, ends := d.Set(3, "nodes"), d.Set(2, "springs"), d.Set(2, "ends")
	spring2node := op2.DeclareMap(d, springs, nodes, 2, []int32{0, 1, 1, 2}, "spring2node")
	end2node := op2.DeclareMap(d, ends, nodes, 1, []int32{0, 2}, "end2node")
	sparsity := d.Sparsity([]op2.MapPair{{Rows: spring2node, Cols: spring2node}, {Rows: end2node, Cols: end2node}}, 1, 1, "nodes")
	stiffness := op2.DeclareMat[float64](d, sparsity, "stiffness")
	force := op2.DeclareDat(d, nodes, 1, []float64{0, 2, 0}, "force")
	moved := op2.DeclareDat[float64](d, nodes, 1, nil, "moved")

	kernels := op2.Kernels(exampleSolverSource)
	d.Check(op2.ParLoop(kernels.Func(spring), springs, stiffness.Inc(spring2node, spring2node)))
	d.Check(op2.ParLoop(kernels.Func(ground), ends, stiffness.Inc(end2node, end2node)))
	solver := d.Solver(stiffness, op2.WithMethod(op2.CG), op2.WithRTol(1e-12))
	defer solver.Close()
	if err := d.Err(); err != nil {
		fmt.Println(err)
	}
	c, err := solver.Solve(moved, force)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%v after %d iterations: %.3f\n", c.Reason.Converged(), c.Iterations, op2.Must(moved.DataRO()))
	// Output: true after 2 iterations: [1.000 1.500 1.000]
}

// The same without a matrix: the operator is a function.
func ExampleNewOperator() {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d := op2.Declare(rt)
	nodes, springs := d.Set(3, "nodes"), d.Set(2, "springs")
	spring2node := op2.DeclareMap(d, springs, nodes, 2, []int32{0, 1, 1, 2}, "spring2node")
	held := op2.DeclareDat(d, nodes, 1, []float64{1, 0, 1}, "held")
	force := op2.DeclareDat(d, nodes, 1, []float64{0, 2, 0}, "force")
	moved := op2.DeclareDat[float64](d, nodes, 1, nil, "moved")

	kernels := op2.Kernels(exampleSolverSource)
	hold, pull := kernels.Func(hold), kernels.Func(pull)
	stiffness := d.Operator(nodes, 1, func(y, x *op2.Dat[float64]) error {
		if err := op2.ParLoop(hold, nodes, y.Write(), x.Read(), held.Read()); err != nil {
			return err
		}
		return op2.ParLoop(pull, springs, y.Inc(spring2node), x.Read(spring2node))
	}, nil, "stiffness")
	solver := d.Solver(stiffness, op2.WithPreconditioner(op2.None), op2.WithRTol(1e-12))
	defer solver.Close()
	if err := d.Err(); err != nil {
		fmt.Println(err)
	}
	if _, err := solver.Solve(moved, force); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.3f\n", op2.Must(moved.DataRO()))
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
