package solve

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/tune"
)

// native solves with the methods of package krylov, and is their Space: each operation is one
// loop over all values of the vectors, which runs wherever the runtime's loops do.
type native struct {
	solver  *Solver
	method  krylov.Method
	vectors []vector // by krylov.Vector; the first two are x and b
	loops   map[operation]*core.Loop
	values  *core.Set // one element for each value of a vector
	axpy    *given.Kernel

	one   scalars // a parameter
	two   scalars
	four  scalars
	sum   scalars // a result
	sums  scalars
	dots  []scalars // a result for each few directions
	inner preconditioner
	null  *nullSpace // nil if the operator is regular
}

// vector is a dat of the operator's shape, and a view of its values on the set of values: the
// kernels work on single values, whatever the dim.
type vector struct {
	dat, flat Vector
}

// scalars is a parameter or a result of an operation.
type scalars = algebra.Scalars[float64]

// none stands for no parameter and no result.
var none scalars

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

func newNative(s *Solver) (*native, error) {
	e := &native{solver: s, vectors: make([]vector, 2), loops: map[operation]*core.Loop{}, values: s.set.Values(s.dim)}
	var err error
	for _, g := range []struct {
		global *scalars
		dim    int
	}{{&e.one, 1}, {&e.two, 2}, {&e.four, 4}, {&e.sum, 1}, {&e.sums, 2}} {
		if *g.global, err = algebra.NewScalars(s.rt, make([]float64, g.dim), "solver"); err != nil {
			return nil, err
		}
	}
	if e.axpy, err = algebra.AXPY(s.rt); err != nil {
		return nil, err
	}
	if e.inner, err = e.newPreconditioner(); err != nil {
		return nil, err
	}
	if e.null, err = e.newNullSpace(); err != nil {
		return nil, err
	}
	e.method, err = newMethods[s.config.Method](e, e.limits())
	return e, err
}

func (e *native) limits() krylov.Limits {
	c := &e.solver.config
	return krylov.Limits{RTol: c.RTol, ATol: c.ATol, DivTol: c.DivTol, MaxIterations: c.MaxIterations, Restart: c.Restart,
		Guess: c.InitialGuess, Monitor: e.solver.monitor()}
}

func (e *native) name() string {
	return e.solver.config.Method + " + " + e.solver.config.Preconditioner
}

func (e *native) close() error { return nil }

func (e *native) solve(x, b Vector, keep bool) (krylov.Outcome, string, error) {
	e.bind(vectorX, x)
	e.bind(vectorB, b)
	err := e.inner.update(keep)
	failed := ""
	if pivot := (*precondition.PivotError)(nil); errors.As(err, &pivot) {
		failed, err = e.describe(pivot), nil
	}
	if err != nil {
		return krylov.Outcome{}, "", err
	}
	if failed, _, err = e.solver.rt.Tell(failed != "", failed); failed != "" || err != nil { // on some rank
		return krylov.Outcome{Reason: krylov.DivergedPCFailed}, failed, err
	}
	c, err := e.method.Solve(vectorX, vectorB, e.limits())
	return c, "", err
}

// declared returns an error with the declared number of the row, if it is a *PivotError with that
// of a row here.
func (e *native) declared(err error) error {
	if p := (*precondition.PivotError)(nil); errors.As(err, &p) {
		return &precondition.PivotError{Row: e.solver.declared(p.Row), Missing: p.Missing}
	}
	return err
}

// describe describes the element of a row without a pivot.
func (e *native) describe(p *precondition.PivotError) string {
	s := e.solver
	where := fmt.Sprintf("element %d of %s", p.Row/s.dim, s.set.Name())
	if s.dim > 1 {
		where = fmt.Sprintf("value %d of %s", p.Row%s.dim, where)
	}
	if p.Missing {
		return "there is no nonzero on the diagonal at " + where
	}
	return "the preconditioner " + s.config.Preconditioner + " has a pivot of zero at " + where
}

// bind makes d the dat of a vector. Loops over the previous one are dropped.
func (e *native) bind(v krylov.Vector, d Vector) {
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
func (e *native) vector(d Vector) vector {
	if e.values == d.Set() {
		return vector{d, d}
	}
	d.SetLayout(tune.AoS)
	flat := d.View(e.values, 1)
	return vector{d, flat}
}

func (e *native) New() (krylov.Vector, error) {
	d, err := algebra.NewVector[float64](e.solver.set, e.solver.dim, nil, fmt.Sprintf("solver%d", len(e.vectors)))
	if err != nil {
		return 0, err
	}
	e.vectors = append(e.vectors, e.vector(d))
	return krylov.Vector(len(e.vectors) - 1), nil
}

// use is one vector of an operation, and how the kernel uses it.
type use struct {
	vector krylov.Vector
	access loop.Access
}

func read(v krylov.Vector) use   { return use{v, loop.Read} }
func write(v krylov.Vector) use  { return use{v, loop.Write} }
func change(v krylov.Vector) use { return use{v, loop.RW} }

// run runs a kernel over vectors, followed by the globals: a parameter, and a result, either of
// which may be none. It uses a vector always in the same way.
func (e *native) run(k *given.Kernel, parameter, result scalars, uses ...use) error {
	op := operation{kernel: k, vectors: [6]krylov.Vector{-1, -1, -1, -1, -1, -1}}
	for i, u := range uses {
		op.vectors[i] = u.vector
	}
	l := e.loops[op]
	if l == nil {
		var args []core.Arg
		for _, u := range uses {
			args = append(args, core.Pass(loop.Dat, u.access, e.vectors[u.vector].flat.Data, core.Via{}))
		}
		if parameter != none {
			args = append(args, parameter.Read())
		}
		if result != none {
			args = append(args, result.Inc())
		}
		var err error
		if l, err = core.NewLoop(k, e.values.All(), args...); err != nil {
			return err
		}
		e.loops[op] = l
	}
	if result != none {
		if err := result.Zero(); err != nil {
			return err
		}
	}
	return l.Run()
}

// with runs a kernel as run does, after it has set the parameter.
func (e *native) with(parameter scalars, values []float64, k *given.Kernel, result scalars, uses ...use) error {
	parameter.Assign(values...)
	return e.run(k, parameter, result, uses...)
}

// bothSums returns the two sums of a loop, if it ran without an error.
func (e *native) bothSums(err error) (float64, float64, error) {
	if err != nil {
		return 0, 0, err
	}
	sums, err := e.sums.Reading()
	if err != nil {
		return 0, 0, err
	}
	return sums[0], sums[1], nil
}

func (e *native) Zero(x krylov.Vector) error {
	return e.run(kernels.zero, none, none, write(x))
}

func (e *native) Apply(y, x krylov.Vector) error {
	return e.solver.apply(e.vectors[y].dat, e.vectors[x].dat)
}

func (e *native) Scale(y, x krylov.Vector, a float64) error {
	return e.with(e.one, []float64{a}, kernels.scale, none, write(y), read(x))
}

func (e *native) Add(z, x, y krylov.Vector, a float64) error {
	return e.with(e.one, []float64{a}, kernels.add, none, write(z), read(x), read(y))
}

func (e *native) Dots(x, y krylov.Vector) (xy, xx float64, err error) {
	return e.bothSums(e.run(kernels.dots, none, e.sums, read(x), read(y)))
}

func (e *native) UpdateResidual(r, z, w krylov.Vector, alpha float64) (zr, zz float64, err error) {
	if d, ok := e.inner.(*diagonalPreconditioner); ok && e.null == nil { // all of a step in one loop
		return e.bothSums(e.with(e.one, []float64{alpha}, kernels.descend, e.sums, change(r), write(z), read(d.inverse), read(w)))
	}
	if err := e.with(e.one, []float64{-alpha}, e.axpy, none, change(r), read(w)); err != nil {
		return 0, 0, err
	}
	if err := e.Precondition(z, r); err != nil {
		return 0, 0, err
	}
	return e.Dots(z, r)
}

func (e *native) UpdateSolution(x, p, z krylov.Vector, alpha, beta float64) error {
	return e.with(e.two, []float64{alpha, beta}, kernels.advance, none, change(x), change(p), read(z))
}

func (e *native) UpdateDirection(p, r, v krylov.Vector, beta, omega float64) error {
	return e.with(e.two, []float64{beta, omega}, kernels.direct, none, change(p), read(r), read(v))
}

func (e *native) Stabilize(x, r, p, s, t, q krylov.Vector, alpha, omega float64) (rq, rr float64, err error) {
	return e.bothSums(e.with(e.two, []float64{alpha, omega}, kernels.stabilize, e.sums, change(x), write(r), read(p), read(s), read(t), read(q)))
}

// few is the number of directions that one loop handles.
const few = 4

// Project runs all loops before it reads a result, so that ranks combine them at the same time.
func (e *native) Project(w krylov.Vector, vs []krylov.Vector, dots []float64) error {
	for first := 0; first < len(vs); first += few {
		if first/few == len(e.dots) {
			result, err := algebra.NewScalars(e.solver.rt, make([]float64, few), "solver")
			if err != nil {
				return err
			}
			e.dots = append(e.dots, result)
		}
		v := fewOf(vs[first:])
		if err := e.run(kernels.project, none, e.dots[first/few], read(w), read(v[0]), read(v[1]), read(v[2]), read(v[3])); err != nil {
			return err
		}
	}
	for first := 0; first < len(vs); first += few {
		found, err := e.dots[first/few].Reading()
		if err != nil {
			return err
		}
		copy(dots[first:], found)
	}
	return nil
}

func (e *native) Combine(w krylov.Vector, vs []krylov.Vector, a []float64) (ww float64, err error) {
	for first := 0; first < len(vs); first += few {
		v := fewOf(vs[first:])
		var weights [few]float64
		copy(weights[:], a[first:])
		if err := e.with(e.four, weights[:], kernels.combine, e.sum, change(w), read(v[0]), read(v[1]), read(v[2]), read(v[3])); err != nil {
			return 0, err
		}
	}
	return e.sum.Value()
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
