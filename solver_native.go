package op2

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/tune"
)

// nativeEngine solves with the methods of package krylov, and is their Space: each operation is one
// loop over all values of the vectors, which runs wherever the runtime's loops do.
type nativeEngine struct {
	solver  *Solver
	method  krylov.Method
	vectors []vector // by krylov.Vector; the first two are x and b
	loops   map[operation]*core.Loop
	values  *core.Set // one element for each value of a vector
	axpy    *given.Kernel

	one   *Global[float64] // a parameter
	two   *Global[float64]
	four  *Global[float64]
	sum   *Global[float64] // a result
	sums  *Global[float64]
	dots  *Global[float64]
	inner preconditioner
	null  *nullSpace // nil if the operator is regular
}

// vector is a dat of the operator's shape, and a view of its values on the set of values: the
// kernels work on single values, whatever the dim.
type vector struct {
	dat, flat *Dat[float64]
}

const (
	vectorX krylov.Vector = 0
	vectorB krylov.Vector = 1
)

// operation identifies a kernel on certain vectors; -1 stands for no vector.
type operation struct {
	kernel  *given.Kernel
	vectors [6]krylov.Vector
}

// newMethods are the constructors of the methods.
var newMethods = map[string]func(krylov.Space, krylov.Limits) (krylov.Method, error){
	"cg": krylov.NewCG, "bicgstab": krylov.NewBiCGStab, "gmres": krylov.NewGMRES,
}

func newNativeEngine(s *Solver) (*nativeEngine, error) {
	e := &nativeEngine{solver: s, vectors: make([]vector, 2), loops: map[operation]*core.Loop{}, values: s.set}
	var err error
	if s.dim > 1 {
		if e.values, err = s.rt.NewSet(s.set.Extents().Times(s.dim), s.set.Name()); err != nil {
			return nil, err
		}
	}
	for _, g := range []struct {
		global **Global[float64]
		dim    int
	}{{&e.one, 1}, {&e.two, 2}, {&e.four, 4}, {&e.sum, 1}, {&e.sums, 2}, {&e.dots, 4}} {
		if *g.global, err = newGlobal(s.rt, make([]float64, g.dim), "solver"); err != nil {
			return nil, err
		}
	}
	a, err := arithmeticOf[float64](s.rt)
	if err != nil {
		return nil, err
	}
	e.axpy = a.kernel("axpy", 1)
	if e.inner, err = e.newPreconditioner(); err != nil {
		return nil, err
	}
	if e.null, err = e.newNullSpace(); err != nil {
		return nil, err
	}
	e.method, err = newMethods[s.config.method](e, e.limits())
	return e, err
}

func (e *nativeEngine) limits() krylov.Limits {
	c := &e.solver.config
	return krylov.Limits{RTol: c.rtol, ATol: c.atol, DivTol: c.divtol, MaxIterations: c.iterations, Restart: c.restart,
		Guess: c.guess, Monitor: e.solver.monitor()}
}

func (e *nativeEngine) name() string {
	return e.solver.config.method + " + " + e.solver.config.preconditioner
}

func (e *nativeEngine) close() error { return nil }

func (e *nativeEngine) solve(x, b *Dat[float64], keep bool) (Convergence, string, error) {
	e.bind(vectorX, x)
	e.bind(vectorB, b)
	if err := e.inner.update(keep); err != nil {
		var pivot *precondition.PivotError
		if errors.As(err, &pivot) {
			return Convergence{Reason: krylov.DivergedPCFailed}, e.describe(pivot), nil
		}
		return Convergence{}, "", err
	}
	c, err := e.method.Solve(vectorX, vectorB, e.limits())
	return Convergence(c), "", err
}

// describe describes the element of a row without a pivot.
func (e *nativeEngine) describe(p *precondition.PivotError) string {
	s := e.solver
	where := fmt.Sprintf("element %d of %s", p.Row/s.dim, s.set.Name())
	if s.dim > 1 {
		where = fmt.Sprintf("value %d of %s", p.Row%s.dim, where)
	}
	if p.Missing {
		return "there is no entry on the diagonal at " + where
	}
	return "the preconditioner " + s.config.preconditioner + " has a pivot of zero at " + where
}

// bind makes d the dat of a vector. Loops over the previous one are dropped.
func (e *nativeEngine) bind(v krylov.Vector, d *Dat[float64]) {
	if e.vectors[v].dat == d {
		return
	}
	e.vectors[v] = e.vector(d)
	for op := range e.loops {
		for _, used := range op.vectors {
			if used == v {
				delete(e.loops, op)
			}
		}
	}
}

// vector returns a dat as a vector. The kernels see its values in the host's order.
func (e *nativeEngine) vector(d *Dat[float64]) vector {
	if e.values == d.set() {
		return vector{d, d}
	}
	d.data().SetLayout(tune.AoS)
	flat := (*Dat[float64])(d.data().View(e.values, 1))
	return vector{d, flat}
}

func (e *nativeEngine) New() (krylov.Vector, error) {
	d, err := newDat[float64](e.solver.set, e.solver.dim, nil, fmt.Sprintf("solver%d", len(e.vectors)))
	if err != nil {
		return 0, err
	}
	e.vectors = append(e.vectors, e.vector(d))
	return krylov.Vector(len(e.vectors) - 1), nil
}

// run runs a kernel over vectors, with accesses by letter (r: read, w: write, u: update)
// and the globals after them: a parameter, and a result, either of which may be nil.
func (e *nativeEngine) run(k *given.Kernel, access string, parameter, result *Global[float64], vectors ...krylov.Vector) error {
	op := operation{kernel: k, vectors: [6]krylov.Vector{-1, -1, -1, -1, -1, -1}}
	copy(op.vectors[:], vectors)
	l := e.loops[op]
	if l == nil {
		var args []core.Arg
		for i, v := range vectors {
			flat := e.vectors[v].flat
			switch access[i] {
			case 'r':
				args = append(args, flat.data().Read())
			case 'w':
				args = append(args, flat.data().Write())
			default:
				args = append(args, flat.data().RW())
			}
		}
		if parameter != nil {
			args = append(args, parameter.data().Read())
		}
		if result != nil {
			args = append(args, result.data().Inc())
		}
		var err error
		if l, err = core.NewLoop(k, e.values.All(), args...); err != nil {
			return err
		}
		e.loops[op] = l
	}
	if result != nil {
		if err := result.clear(); err != nil {
			return err
		}
	}
	return l.Run()
}

// with runs a kernel as run does, after it has set the parameter.
func (e *nativeEngine) with(parameter *Global[float64], values []float64, k *given.Kernel, access string, result *Global[float64], vectors ...krylov.Vector) error {
	parameter.assign(values...)
	return e.run(k, access, parameter, result, vectors...)
}

// bothSums returns the two sums of a loop, if it ran without an error.
func (e *nativeEngine) bothSums(err error) (float64, float64, error) {
	if err != nil {
		return 0, 0, err
	}
	sums, err := e.sums.dataRO()
	if err != nil {
		return 0, 0, err
	}
	return sums[0], sums[1], nil
}

func (e *nativeEngine) Zero(x krylov.Vector) error {
	return e.run(solverKernels.zero, "w", nil, nil, x)
}

func (e *nativeEngine) Apply(y, x krylov.Vector) error {
	return e.solver.apply(e.vectors[y].dat, e.vectors[x].dat)
}

func (e *nativeEngine) Scale(y, x krylov.Vector, a float64) error {
	return e.with(e.one, []float64{a}, solverKernels.scale, "wr", nil, y, x)
}

func (e *nativeEngine) Add(z, x, y krylov.Vector, a float64) error {
	return e.with(e.one, []float64{a}, solverKernels.add, "wrr", nil, z, x, y)
}

func (e *nativeEngine) Dots(x, y krylov.Vector) (xy, xx float64, err error) {
	return e.bothSums(e.run(solverKernels.dots, "rr", nil, e.sums, x, y))
}

func (e *nativeEngine) UpdateResidual(r, z, w krylov.Vector, alpha float64) (zr, zz float64, err error) {
	if d, ok := e.inner.(*diagonalPreconditioner); ok && e.null == nil { // all of a step in one loop
		return e.bothSums(e.with(e.one, []float64{alpha}, solverKernels.descend, "uwrr", e.sums, r, z, d.inverse, w))
	}
	if err := e.with(e.one, []float64{-alpha}, e.axpy, "ur", nil, r, w); err != nil {
		return 0, 0, err
	}
	if err := e.Precondition(z, r); err != nil {
		return 0, 0, err
	}
	return e.Dots(z, r)
}

func (e *nativeEngine) UpdateSolution(x, p, z krylov.Vector, alpha, beta float64) error {
	return e.with(e.two, []float64{alpha, beta}, solverKernels.advance, "uur", nil, x, p, z)
}

func (e *nativeEngine) UpdateDirection(p, r, v krylov.Vector, beta, omega float64) error {
	return e.with(e.two, []float64{beta, omega}, solverKernels.direct, "urr", nil, p, r, v)
}

func (e *nativeEngine) Stabilize(x, r, p, s, t, q krylov.Vector, alpha, omega float64) (rq, rr float64, err error) {
	return e.bothSums(e.with(e.two, []float64{alpha, omega}, solverKernels.stabilize, "uwrrrr", e.sums, x, r, p, s, t, q))
}

// few is the number of directions that one loop handles.
const few = 4

func (e *nativeEngine) Project(w krylov.Vector, vs []krylov.Vector, dots []float64) error {
	for first := 0; first < len(vs); first += few {
		v := fewOf(vs[first:])
		if err := e.run(solverKernels.project, "rrrrr", nil, e.dots, w, v[0], v[1], v[2], v[3]); err != nil {
			return err
		}
		found, err := e.dots.dataRO()
		if err != nil {
			return err
		}
		copy(dots[first:], found)
	}
	return nil
}

func (e *nativeEngine) Combine(w krylov.Vector, vs []krylov.Vector, a []float64) (ww float64, err error) {
	for first := 0; first < len(vs); first += few {
		v := fewOf(vs[first:])
		var weights [few]float64
		copy(weights[:], a[first:])
		if err := e.with(e.four, weights[:], solverKernels.combine, "urrrr", e.sum, w, v[0], v[1], v[2], v[3]); err != nil {
			return 0, err
		}
	}
	return e.sum.value()
}

// fewOf returns the first few vectors, padded with the first one.
func fewOf(vs []krylov.Vector) [few]krylov.Vector {
	var v [few]krylov.Vector
	for i := range v {
		v[i] = vs[0]
	}
	copy(v[:], vs)
	return v
}
