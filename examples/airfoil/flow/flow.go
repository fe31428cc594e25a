// Package flow computes the inviscid flow around an airfoil: OP2's classic program, finite volumes
// on the Euler equations, marched to the steady state with local time steps. kernels.go contains
// the computations for a cell or an edge, conserved.go the same with structs; this file declares the
// mesh and calls the loops.
package flow

import (
	_ "embed"
	"math"
	"sync"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

var (
	//go:embed kernels.go
	source string
	//go:embed conserved.go
	structs string
)

// The free stream: its Mach number and, in radians, the angle of attack that the classic program
// declares. Its free stream is along the x axis nevertheless.
var (
	mach  = float64(float32(0.4))
	alpha = 3 * math.Atan(1) / 45
)

// Flow is the solution on one mesh, with the loops that advance it.
type Flow struct {
	rt           *op2.Runtime
	cells, edges int

	inOrder func() ([]float64, error)         // density, momentum in x and y, energy: [cells][4]
	gather  func(rank int) ([]float64, error) // the same
	rms     *op2.Global[float64]

	saveSoln, adtCalc, resCalc, bresCalc, update *op2.Loop
	iteration                                    *op2.Chain
}

// Numbering selects the order of the mesh.
type Numbering int

// The numberings: the mesh's own, which is fine if the mesh is in good order, or Renumber's, using
// the coordinates of the nodes or only the maps.
const (
	AsGiven Numbering = iota
	ByCoordinates
	ByMaps
)

// form is how a program holds density, momentum and energy of a cell: dim values of type T.
type form[T any] struct {
	dim                                          int
	kernels                                      *op2.Source
	saveSoln, adtCalc, resCalc, bresCalc, update any
	of                                           func(q [4]float64) []T
	flat                                         func(values []T) []float64
}

var (
	arrays = form[float64]{
		dim: 4, kernels: op2.Kernels(source),
		saveSoln: saveSoln, adtCalc: adtCalc, resCalc: resCalc, bresCalc: bresCalc, update: update,
		of:   func(q [4]float64) []float64 { return q[:] },
		flat: func(values []float64) []float64 { return values },
	}
	records = form[Conserved]{
		dim: 1, kernels: op2.Kernels(source, structs),
		saveSoln: saveConserved, adtCalc: adtConserved, resCalc: resConserved, bresCalc: bresConserved, update: updateConserved,
		of: func(q [4]float64) []Conserved { return []Conserved{{q[0], q[1], q[2], q[3]}} },
		flat: func(values []Conserved) (all []float64) {
			for _, q := range values {
				all = append(all, q.Rho, q.RhoU, q.RhoV, q.RhoE)
			}
			return all
		},
	}
)

// New declares the mesh in the runtime, sets the flow to the free stream, and
// prepares the loops.
func New(rt *op2.Runtime, m *mesh.Mesh, numbering Numbering) (*Flow, error) {
	return whole(rt, m, numbering, arrays)
}

// NewConserved is New with the kernels of conserved.go, which get structs.
func NewConserved(rt *op2.Runtime, m *mesh.Mesh, numbering Numbering) (*Flow, error) {
	return whole(rt, m, numbering, records)
}

// NewShare is New for a mesh of which each rank has a share, as mesh.NACA0012Share returns it.
func NewShare(rt *op2.Runtime, m *mesh.Mesh) (*Flow, error) {
	return declare(rt, (*op2.Runtime).NewSetShare, m, m.Given, AsGiven, arrays)
}

func whole[T any](rt *op2.Runtime, m *mesh.Mesh, numbering Numbering, as form[T]) (*Flow, error) {
	f, err := m.Facets()
	if err != nil {
		return nil, err
	}
	return declare(rt, (*op2.Runtime).NewSet, m, f, numbering, as)
}

// declare declares the mesh and its edges, with sets made by set, and prepares the loops. Once the mesh is
// distributed, nothing here needs m, and what is zero has never had memory for the whole mesh.
// The kernels are those of OP2, for which the first cell of an edge is to the right.
func declare[T any](rt *op2.Runtime, set func(rt *op2.Runtime, size int, name string) *op2.Set, m *mesh.Mesh, sides *mesh.Facets, numbering Numbering, as form[T]) (*Flow, error) {
	bounds, err := sides.BoundaryGroups("wall", "far") // 1 and 2
	if err != nil {
		return nil, err
	}
	nodes := set(rt, m.Nodes(), "nodes")
	edges := set(rt, sides.Interior.Len(), "edges")
	bedges := set(rt, sides.Boundary.Len(), "bedges")
	cells := set(rt, m.Cells(), "cells")

	edge2node := op2.NewMap(edges, nodes, 2, sides.Interior.Reversed(), "edge2node")
	edge2cell := op2.NewMap(edges, cells, 2, sides.Interior.Cells, "edge2cell")
	bedge2node := op2.NewMap(bedges, nodes, 2, sides.Boundary.Reversed(), "bedge2node")
	bedge2cell := op2.NewMap(bedges, cells, 1, sides.Boundary.Cells, "bedge2cell")
	cell2node := op2.NewMap(cells, nodes, 4, m.Blocks[0].Nodes, "cell2node")

	x := op2.NewDat(nodes, 2, m.Points, "x")
	bound := op2.NewDat(bedges, 1, bounds, "bound")
	q := op2.NewDat[T](cells, as.dim, nil, "q")
	qold := op2.NewDat[T](cells, as.dim, nil, "qold")
	res := op2.NewDat[T](cells, as.dim, nil, "res")
	adt := op2.NewDat[float64](cells, 1, nil, "adt")
	rms := op2.NewGlobal(rt, []float64{0}, "rms")

	op2.NewConst(rt, "gam", &gam)
	op2.NewConst(rt, "gm1", &gm1)
	op2.NewConst(rt, "cfl", &cfl)
	op2.NewConst(rt, "eps", &eps)
	op2.NewConst(rt, "mach", &mach)
	op2.NewConst(rt, "alpha", &alpha)
	op2.NewConst(rt, "qinf", &qinf)

	if err := rt.Err(); err != nil {
		return nil, err
	}
	switch numbering {
	case ByCoordinates:
		err = rt.Renumber(x)
	case ByMaps:
		err = rt.Renumber()
	}
	if err != nil {
		return nil, err
	}
	if err := rt.Partition(x); err != nil {
		return nil, err
	}
	once.Do(freeStream)
	if err := q.Fill(as.of(qinf)...); err != nil {
		return nil, err
	}

	f := &Flow{rt: rt, cells: cells.Size(), edges: edges.Size(), rms: rms}
	f.inOrder = func() ([]float64, error) { values, err := q.InDeclaredOrder(); return as.flat(values), err }
	f.gather = func(rank int) ([]float64, error) { values, err := q.Gather(rank); return as.flat(values), err }
	f.saveSoln = op2.NewLoop(as.kernels.Func(as.saveSoln), cells, q.Read(), qold.Write())
	f.adtCalc = op2.NewLoop(as.kernels.Func(as.adtCalc), cells,
		x.Read(cell2node.At(0)), x.Read(cell2node.At(1)), x.Read(cell2node.At(2)), x.Read(cell2node.At(3)),
		q.Read(), adt.Write())
	f.resCalc = op2.NewLoop(as.kernels.Func(as.resCalc), edges,
		x.Read(edge2node.At(0)), x.Read(edge2node.At(1)),
		q.Read(edge2cell.At(0)), q.Read(edge2cell.At(1)),
		adt.Read(edge2cell.At(0)), adt.Read(edge2cell.At(1)),
		res.Inc(edge2cell.At(0)), res.Inc(edge2cell.At(1)))
	f.bresCalc = op2.NewLoop(as.kernels.Func(as.bresCalc), bedges,
		x.Read(bedge2node.At(0)), x.Read(bedge2node.At(1)),
		q.Read(bedge2cell.At(0)), adt.Read(bedge2cell.At(0)), res.Inc(bedge2cell.At(0)),
		bound.Read())
	updateOf := func(rms *op2.Global[float64]) *op2.Loop {
		return op2.NewLoop(as.kernels.Func(as.update), cells, qold.Read(), q.Write(), res.RW(), adt.Read(), rms.Inc())
	}
	f.update = updateOf(rms)
	first := updateOf(op2.NewGlobal(rt, []float64{0}, "rms of the first step")) // which nobody reads
	f.iteration = op2.NewChain(f.saveSoln,
		f.adtCalc, f.resCalc, f.bresCalc, first,
		f.adtCalc, f.resCalc, f.bresCalc, f.update)
	return f, rt.Err()
}

var once sync.Once

// freeStream sets qinf for density 1 and pressure 1.
func freeStream() {
	const p, r = 1, 1
	u := math.Sqrt(gam*p/r) * mach
	e := p/(r*gm1) + 0.5*u*u
	qinf = [4]float64{r, r * u, 0, r * e}
}

// Loops returns the loops of an iteration, in order.
func (f *Flow) Loops() []*op2.Loop {
	return []*op2.Loop{f.saveSoln, f.adtCalc, f.resCalc, f.bresCalc, f.update}
}

// Edges returns the number of edges between two cells.
func (f *Flow) Edges() int { return f.edges }

// Iteration returns the chain of an iteration's loops.
func (f *Flow) Iteration() *op2.Chain { return f.iteration }

// Iterate advances the flow by one iteration of two steps and returns the root mean square of the
// changes in the second.
func (f *Flow) Iterate() (rms float64, err error) {
	if err := f.Advance(); err != nil {
		return 0, err
	}
	sum, err := f.rms.Value()
	return math.Sqrt(sum / float64(f.cells)), err
}

// Advance does the same as Iterate but returns no residual, which would have to wait for a device.
func (f *Flow) Advance() error {
	if err := f.rms.Set(0); err != nil {
		return err
	}
	return f.iteration.Compute()
}

// Q returns the solution: density, momentum in x and y, and energy of each cell, in the numbering
// of the mesh that New was given. It is collective, as are the following two.
func (f *Flow) Q() ([]float64, error) { return f.inOrder() }

// MachNumber returns the Mach number in each cell, on rank 0.
func (f *Flow) MachNumber() ([]float64, error) {
	return f.derived(func(r, u, v, p float64) float64 {
		return math.Sqrt((u*u + v*v) / (gam * p / r))
	})
}

// PressureCoefficient returns, for each cell, the pressure above that of the free stream, divided
// by the free stream's dynamic pressure, on rank 0.
func (f *Flow) PressureCoefficient() ([]float64, error) {
	return f.derived(func(_, _, _, p float64) float64 {
		return (p - 1) / (0.5 * qinf[1] * qinf[1])
	})
}

// derived computes a quantity of each cell from density, velocity and pressure.
func (f *Flow) derived(of func(r, u, v, p float64) float64) ([]float64, error) {
	q, err := f.gather(0)
	if q == nil || err != nil {
		return nil, err
	}
	values := make([]float64, f.cells)
	for c := range values {
		r, u, v := q[4*c], q[4*c+1]/q[4*c], q[4*c+2]/q[4*c]
		p := gm1 * (q[4*c+3] - 0.5*r*(u*u+v*v))
		values[c] = of(r, u, v, p)
	}
	return values, nil
}
