package solve

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/run"
)

// newMethods are the constructors of the methods.
var newMethods = map[string]func(krylov.Space, krylov.Limits) krylov.Method{
	"cg": krylov.NewCG, "bicgstab": krylov.NewBiCGStab, "minres": krylov.NewMINRES,
	"gmres": krylov.NewGMRES, "fgmres": krylov.NewFGMRES, "preonly": krylov.NewPreOnly,
}

// newNative returns the engine of a solver.
func newNative(s *Solver) (*native, error) {
	o := &s.operator
	return newEngine(s, s.space, &s.config, system{name: o.Name, apply: s.apply, product: o.Matrix, measure: s.measure, diagonal: o.Diagonal, matrix: o.Matrix})
}

// newEngine returns an engine for a system in a space.
func newEngine(s *Solver, in space, c *Config, of system) (*native, error) {
	e := &native{solver: s, space: in, config: c, system: of, vectors: make([]vector, 2), adopted: map[*entity.Data]krylov.Vector{}, loops: map[operation][]*run.Loop{}}
	for _, p := range in {
		e.values = append(e.values, p.Set.Values(p.Dim))
	}
	var err error
	for _, g := range []struct {
		global *scalars
		dim    int
	}{{&e.one, 1}, {&e.two, 2}, {&e.four, 4}, {&e.sum, 1}, {&e.sums, 2}} {
		if *g.global, err = entity.NewGlobal(s.rt, make([]float64, g.dim), "solver"); err != nil {
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
	e.method = newMethods[c.Method](e, e.limits())
	return e, e.err
}

// newPreconditioner returns the engine's preconditioner.
func (e *native) newPreconditioner() (preconditioner, error) {
	kind := e.config.Preconditioner
	switch {
	case kind == "none":
		return identity{e}, nil
	case kind == "jacobi":
		return e.newDiagonal()
	case e.system.matrix == nil && e.system.scalar == nil:
		return nil, fmt.Errorf("the preconditioner %s needs a matrix, %s is only applied\n  hint: jacobi needs its diagonal, none needs nothing",
			kind, e.system.name)
	case kind == "fieldsplit":
		return e.newFieldSplit()
	case kind == "pbjacobi":
		return e.newPointBlocks()
	}
	scalar, err := e.scalar()
	if err != nil {
		return nil, err
	}
	p := &hostPreconditioner{engine: e, part: allParts, refill: scalar.refill, live: kind == "ssor"}
	p.count(kind, e.system.name)
	workers := e.solver.rt.Config().Backend.Threads
	switch kind {
	case "ilu":
		p.inner, err = precondition.NewILU(scalar.matrix)
	case "bjacobi":
		p.inner, err = precondition.NewBlocks(scalar.matrix, e.config.Blocks, workers)
	case "ssor":
		p.inner, err = precondition.NewSSOR(scalar.matrix)
	}
	return p, e.found(allParts, err)
}

func (e *native) limits() krylov.Limits {
	c := e.config
	return krylov.Limits{RTol: c.RTol, ATol: c.ATol, DivTol: c.DivTol, MaxIterations: c.MaxIterations, Restart: c.Restart,
		Guess: c.InitialGuess, Monitor: e.solver.monitor(c)}
}

func (e *native) name() string { return e.config.Method + " + " + e.config.Preconditioner }

func (e *native) close() error { return nil }

func (e *native) solve(x, b []Vector, keep bool) (krylov.Outcome, string, error) {
	e.bind(vectorX, x)
	e.bind(vectorB, b)
	err := e.update(keep)
	c := krylov.Outcome{}
	if err == nil {
		c, err = e.run(vectorX, vectorB)
	}
	if failed := (*unsolved)(nil); errors.As(err, &failed) { // on all ranks
		c.Reason = failed.reason
		return c, failed.why, nil
	}
	return c, "", err
}

// run runs the method.
func (e *native) run(x, b krylov.Vector) (krylov.Outcome, error) {
	e.err = nil
	return e.method.Solve(x, b, e.limits())
}

// update rebuilds the preconditioner for the current operator, or keeps it. It is collective; an
// *unsolved error is that of all ranks.
func (e *native) update(keep bool) error {
	err := e.inner.update(keep)
	failed := ""
	if p := (*badPivot)(nil); errors.As(err, &p) {
		failed, err = p.where, nil
	}
	if err != nil {
		return err
	}
	if failed, _, err = e.solver.rt.Tell(failed != "", failed); err == nil && failed != "" { // on some rank
		err = &unsolved{krylov.DivergedPCFailed, failed}
	}
	return err
}

// unsolved is the failure of a preconditioner, for the solve that needs it.
type unsolved struct {
	reason krylov.Reason
	why    string
}

func (u *unsolved) Error() string { return string(u.reason) + ": " + u.why }
