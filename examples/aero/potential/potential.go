// Package potential computes the steady potential flow around an airfoil with bilinear
// finite elements on quadrilaterals: OP2's classic program. The density depends on the
// speed, so that Newton's method is needed, with conjugate gradients inside.
// kernels.go is what is computed for a cell or a node; this file declares the mesh and
// calls the loops.
package potential

import (
	_ "embed"
	"errors"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed kernels.go
var source string

// Mach is the Mach number of the free stream.
const Mach = 0.1

// Method says what becomes of the cells' matrices.
type Method string

// The methods.
const (
	MatrixFree Method = "matrix-free" // they are kept, and multiplied cell by cell
	Assembled  Method = "assembled"   // into one sparse matrix
)

// Flow is the solution on one mesh, and what advances it.
type Flow struct {
	rt    *op2.Runtime
	nodes int

	phi        *op2.Dat[float64] // the potential: [nodes]
	load, step *op2.Dat[float64]
	speed      *op2.Dat[float64] // [cells]
	sum        *op2.Global[float64]

	linearise        []func() error // about the present potential
	update, getSpeed *op2.Loop
	solver           *op2.Solver
}

// New declares the mesh in the runtime and sets the flow to the free stream.
func New(rt *op2.Runtime, m *mesh.Elements, method Method) (*Flow, error) {
	gm1, machSquared = 0.4, Mach*Mach
	nodes, err1 := rt.NewSet(m.Nodes, "nodes")
	cells, err2 := rt.NewSet(m.Cells, "cells")
	if err := errors.Join(err1, err2, op2.NewConst(rt, "gm1", &gm1), op2.NewConst(rt, "machSquared", &machSquared)); err != nil {
		return nil, err
	}
	farField, err1 := op2.NewSubset(nodes, m.FarField, "far field")
	cell2node, err2 := op2.NewMap(cells, nodes, 4, m.CellNodes, "cell2node")
	x, err3 := op2.NewDat(nodes, 2, m.XY, "x")
	sum, err4 := op2.NewGlobal(rt, []float64{0}, "sum")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	f := &Flow{rt: rt, nodes: m.Nodes, sum: sum}
	for _, d := range []struct {
		dat  **op2.Dat[float64]
		set  *op2.Set
		name string
	}{{&f.phi, nodes, "phi"}, {&f.load, nodes, "load"}, {&f.step, nodes, "step"}, {&f.speed, cells, "speed"}} {
		var err error
		if *d.dat, err = op2.NewDat[float64](d.set, 1, nil, d.name); err != nil {
			return nil, err
		}
	}

	kernels := op2.Kernels(source)
	if err := op2.ParLoop(kernels.Func(freeStream), nodes, x.Read(), f.phi.Write()); err != nil {
		return nil, err
	}
	l := &linear{Flow: f, kernels: kernels, nodes: nodes, cells: cells, farField: farField, cell2node: cell2node, x: x}
	var operator op2.Operator
	var err error
	if method == Assembled {
		operator, err = l.assembled()
	} else {
		operator, err = l.matrixFree()
	}
	if err != nil {
		return nil, err
	}
	f.update, err1 = op2.NewLoop(kernels.Func(update), nodes, f.phi.RW(), f.load.Write(), f.step.Read(), sum.Inc())
	f.getSpeed, err2 = op2.NewLoop(kernels.Func(speed), cells, x.Read(cell2node), f.phi.Read(cell2node), f.speed.Write())
	// A tenth is enough: the next step of Newton's method begins with another matrix.
	f.solver, err3 = op2.NewSolver(operator, op2.WithMethod("cg"), op2.WithPreconditioner("none"),
		op2.WithRTol(0.1), op2.WithMaxIterations(200), op2.WithErrorIfNotConverged(false))
	return f, errors.Join(err1, err2, err3)
}

// linear is what both methods need.
type linear struct {
	*Flow
	kernels      *op2.Source
	nodes, cells *op2.Set
	farField     *op2.Subset
	cell2node    *op2.Map
	x            *op2.Dat[float64]
}

// assembled has a loop that adds the cells to one matrix.
func (l *linear) assembled() (op2.Operator, error) {
	sparsity, err := op2.NewSparsity([]op2.MapPair{{Rows: l.cell2node, Cols: l.cell2node}}, 1, 1, "stiffness")
	if err != nil {
		return nil, err
	}
	k, err := op2.NewMat[float64](sparsity, "stiffness")
	if err != nil {
		return nil, err
	}
	assemble, err1 := op2.NewLoop(l.kernels.Func(assemble), l.cells,
		l.x.Read(l.cell2node), l.phi.Read(l.cell2node), k.Inc(l.cell2node, l.cell2node), l.load.Inc(l.cell2node))
	fixed, err2 := op2.NewLoop(l.kernels.Func(clear), l.farField, l.load.Write())
	l.linearise = []func() error{k.Zero, assemble.Compute, fixed.Compute,
		func() error { return k.ZeroRows(l.farField, 1) }}
	return k, errors.Join(err1, err2)
}

// matrixFree has a loop that keeps the cells' matrices, and one that multiplies.
func (l *linear) matrixFree() (op2.Operator, error) {
	k, err := op2.NewDat[float64](l.cells, 10, nil, "k")
	if err != nil {
		return nil, err
	}
	keep, err1 := op2.NewLoop(l.kernels.Func(keep), l.cells,
		l.x.Read(l.cell2node), l.phi.Read(l.cell2node), k.Write(), l.load.Inc(l.cell2node))
	fixed, err2 := op2.NewLoop(l.kernels.Func(clear), l.farField, l.load.Write())
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	l.linearise = []func() error{keep.Compute, fixed.Compute}
	clear, multiply := l.kernels.Func(clear), l.kernels.Func(multiply)
	apply := func(y, p *op2.Dat[float64]) error {
		return errors.Join(
			op2.ParLoop(clear, l.nodes, y.Write()),
			op2.ParLoop(multiply, l.cells, k.Read(), p.Read(l.cell2node), y.Inc(l.cell2node)),
			op2.ParLoop(clear, l.farField, y.Write()))
	}
	return op2.NewOperator(l.nodes, 1, apply, nil, "stiffness")
}

// Iterate takes one step of Newton's method. It returns how many iterations of the
// linear solver that took, and the root of the mean square of the change.
func (f *Flow) Iterate() (linear int, rms float64, err error) {
	for _, do := range f.linearise {
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

// Potential is the solution, in each node.
func (f *Flow) Potential() ([]float64, error) { return f.phi.DataRO() }

// Speed is the speed in each cell, over that of the free stream.
func (f *Flow) Speed() ([]float64, error) {
	if err := f.getSpeed.Compute(); err != nil {
		return nil, err
	}
	values, err := f.speed.DataRO()
	if err != nil {
		return nil, err
	}
	relative := make([]float64, len(values))
	for i, v := range values {
		relative[i] = v / Mach
	}
	return relative, nil
}
