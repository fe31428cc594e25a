// Package potential computes the steady potential flow around an airfoil with bilinear finite
// elements on quadrilaterals: OP2's classic program. The density depends on the speed, which
// requires Newton's method, with conjugate gradients inside. kernels.go contains the computations
// for a cell or a node; this file declares the mesh and calls the loops.
package potential

import (
	_ "embed"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels.go
var source string

// Mach is the Mach number of the free stream.
const Mach = 0.1

// Method says how the cells' matrices are used.
type Method string

// The methods.
const (
	MatrixFree Method = "matrix-free" // they are stored, and multiplied cell by cell
	Assembled  Method = "assembled"   // they are assembled into one sparse matrix
)

// Flow is the solution on one mesh, with the loops that advance it.
type Flow struct {
	nodes int

	phi        *op2.Dat[float64] // the potential: [nodes]
	load, step *op2.Dat[float64]
	speed      *op2.Dat[float64] // [cells]
	sum        *op2.Global[float64]

	linearize        []func() error // about the current potential
	update, getSpeed *op2.Loop
	solver           *solver.Solver
}

// New declares the mesh in the runtime and sets the flow to the free stream.
func New(rt *op2.Runtime, airfoil *mesh.Mesh, method Method) (*Flow, error) {
	op2.NewConst(rt, "gm1", &gm1)
	op2.NewConst(rt, "machSquared", &machSquared)
	m := airfoil.Declare(rt)
	l := &linear{Declared: m, kernels: op2.Kernels(source), farField: m.NodesOf("far")}
	f := &Flow{
		nodes: airfoil.Nodes(),
		phi:   op2.NewDat[float64](m.Nodes, 1, nil, "phi"),
		load:  op2.NewDat[float64](m.Nodes, 1, nil, "load"),
		step:  op2.NewDat[float64](m.Nodes, 1, nil, "step"),
		speed: op2.NewDat[float64](m.Cells, 1, nil, "speed"),
		sum:   op2.NewGlobal(rt, []float64{0}, "sum"),
	}
	l.Flow = f
	var operator solver.Operator
	if method == Assembled {
		operator = l.assembled()
	} else {
		operator = l.matrixFree()
	}
	f.update = op2.NewLoop(l.kernels.Func(update), l.Nodes, f.phi.RW(), f.load.Write(), f.step.Read(), f.sum.Inc())
	f.getSpeed = op2.NewLoop(l.kernels.Func(speed), l.Cells, l.X.Read(l.CellNodes), f.phi.Read(l.CellNodes), f.speed.Write())
	// A tenth is enough: the next Newton step has another matrix anyway.
	f.solver = solver.New(operator, solver.CG, solver.None,
		solver.WithRTol(0.1), solver.WithMaxIterations(200), solver.WithErrorIfNotConverged(false))
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return f, op2.ParLoop(l.kernels.Func(freeStream), l.Nodes, l.X.Read(), f.phi.Write())
}

// linear is the interface of both methods.
type linear struct {
	*Flow
	*mesh.Declared
	kernels  *op2.Source
	farField *op2.Subset
}

// assembled has a loop that adds the cells to one matrix.
func (l *linear) assembled() solver.Operator {
	sparsity := op2.NewSquareSparsity(l.CellNodes, 1, "stiffness")
	k := op2.NewMat[float64](sparsity, "stiffness")
	assemble := op2.NewLoop(l.kernels.Func(assemble), l.Cells,
		l.X.Read(l.CellNodes), l.phi.Read(l.CellNodes), k.Inc(l.CellNodes, l.CellNodes), l.load.Inc(l.CellNodes))
	fixed := op2.NewDirichlet(op2.Fix(l.farField, 0.0))
	l.linearize = []func() error{k.Zero, assemble.Compute, func() error { return fixed.Apply(k, l.load) }}
	return k
}

// matrixFree has a loop that stores the cells' matrices, and one that multiplies by them.
func (l *linear) matrixFree() solver.Operator {
	k := op2.NewDat[float64](l.Cells, 10, nil, "k")
	keep := op2.NewLoop(l.kernels.Func(keep), l.Cells,
		l.X.Read(l.CellNodes), l.phi.Read(l.CellNodes), k.Write(), l.load.Inc(l.CellNodes))
	fixed := op2.NewLoop(l.kernels.Func(clear), l.farField, l.load.Write())
	l.linearize = []func() error{keep.Compute, fixed.Compute}
	clear, multiply := l.kernels.Func(clear), l.kernels.Func(multiply)
	type pair [2]*op2.Dat[float64]
	chains := map[pair]*op2.Chain{} // the solver multiplies few
	apply := func(y, p *op2.Dat[float64]) error {
		c := chains[pair{y, p}]
		if c == nil {
			c = op2.NewChain(
				op2.NewLoop(clear, l.Nodes, y.Write()),
				op2.NewLoop(multiply, l.Cells, k.Read(), p.Read(l.CellNodes), y.Inc(l.CellNodes)),
				op2.NewLoop(clear, l.farField, y.Write()))
			chains[pair{y, p}] = c
		}
		return c.Compute()
	}
	return solver.NewOperator(l.Nodes, 1, apply, nil, "stiffness")
}

// Iterate takes one Newton step. It returns the number of iterations of the linear solver, and the
// root mean square of the change.
func (f *Flow) Iterate() (linear int, rms float64, err error) {
	for _, do := range f.linearize {
		if err := do(); err != nil {
			return 0, 0, err
		}
	}
	c, err := f.solver.Solve(f.step, f.load)
	if err != nil {
		return 0, 0, err
	}
	if err := f.sum.Set(0); err != nil {
		return 0, 0, err
	}
	if err := f.update.Compute(); err != nil {
		return 0, 0, err
	}
	sum, err := f.sum.Value()
	return c.Iterations, math.Sqrt(sum / float64(f.nodes)), err
}

// Potential returns the solution at each node. It is collective, as is Speed.
func (f *Flow) Potential() ([]float64, error) { return f.phi.InDeclaredOrder() }

// Speed returns the speed in each cell, relative to the free stream, on rank 0.
func (f *Flow) Speed() ([]float64, error) {
	if err := f.getSpeed.Compute(); err != nil {
		return nil, err
	}
	values, err := f.speed.Gather(0)
	if err != nil {
		return nil, err
	}
	relative := make([]float64, len(values))
	for i, v := range values {
		relative[i] = v / Mach
	}
	return relative, nil
}
