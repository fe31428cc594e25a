package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/problem"
)

// petscPrefixes numbers the solvers that have options of their own: PETSc's options database is
// global to the process.
var petscPrefixes atomic.Int64

func newPETSc(s *Solver) (*petscEngine, error) {
	c := s.config
	on, err := s.ranks()
	if err != nil {
		return nil, err
	}
	library, err := petsc.Open(jit.Config{CacheDir: s.rt.Config().Backend.CacheDir, Warn: s.rt.Config().Backend.Warn}, on)
	if err = s.rt.Agree(err); err != nil {
		return nil, petscUnavailable(err)
	}
	canonical(&c.Method, petscNames)
	canonical(&c.Preconditioner, petscNames)
	splits, err := splitOptions(&c, len(s.space))
	if err != nil {
		return nil, err
	}
	prefix := ""
	if c.PETSc != "" || splits != "" {
		prefix = fmt.Sprintf("op2_%d_", petscPrefixes.Add(1))
	}
	e := &petscEngine{solver: s, prefix: prefix, on: on}
	e.setUp = s.rt.Profile().Counter("petsc set-up of "+s.operator.Name, s.space[0].Set.Name())
	e.solving = s.rt.Profile().Counter("petsc solution of "+s.operator.Name, s.space[0].Set.Name())
	nearNull, err := s.vectors("WithNearNullSpace", s.space, c.NearNull)
	if err != nil {
		return nil, err
	}
	null, err := s.nullSpace(s.space, c.Null)
	if err != nil {
		return nil, err
	}
	parameters := petsc.Parameters{
		Method: c.Method, Preconditioner: c.Preconditioner, RTol: c.RTol, ATol: c.ATol, DivTol: c.DivTol,
		MaxIterations: min(c.MaxIterations, math.MaxInt32), Restart: min(c.Restart, math.MaxInt32), Guess: c.InitialGuess,
		Prefix: prefix, Options: c.PETSc, Defaults: splits, NearNull: nearNull, Null: null.values,
		NullTransposed: slices.Contains(symmetricMethods, c.Method), Monitor: s.monitor(&s.config),
	}
	system, err := e.system(library, parameters)
	if err != nil {
		return nil, err
	}
	if e.inner, err = library.NewSolver(system, parameters); err == nil {
		e.types, err = e.inner.Types()
	}
	if err != nil {
		return nil, problem.Errorf("PETSc: %w", err)
	}
	return e, nil
}

// petscUnavailable marks an error as due to PETSc, or something it needs, not being available.
func petscUnavailable(err error) error {
	var unsuitable *petsc.UnsuitableError
	if errors.As(err, &unsuitable) {
		err = problem.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return problem.Errorf("engine petsc: %w", backend.Unavailable(err))
}

// ranks returns the ranks of the runtime to PETSc; nil on one process.
func (s *Solver) ranks() (*petsc.Ranks, error) {
	c := s.rt.Comm()
	if !s.rt.Several() {
		return nil, s.finalizeAtClose()
	}
	m, ok := c.(*mpi.Comm)
	if !ok {
		return nil, fmt.Errorf("engine petsc: it needs ranks of MPI, these are %s\n  hint: solver.Native works on any", c.Name())
	}
	return &petsc.Ranks{Communicator: m.Handle(), Rank: m.Rank(), Size: m.Size(), MPI: string(m.Library().Family)}, nil
}

// finalizeAtClose keeps the MPI that PETSc uses until the runtime is closed, if a launcher has started
// the process, and it alone: the launcher takes an end without MPI_Finalize for a crash.
func (s *Solver) finalizeAtClose() error {
	type key struct{}
	installation, err := petsc.Find()
	launched, is := launch.Detect()
	if !is || err != nil || launched.Family != launch.AnyMPI && string(launched.Family) != installation.MPI {
		return nil
	}
	_, err = entity.Keep(s.rt, key{}, func() (bool, error) {
		release, err := mpi.Retain()
		if err == nil {
			s.rt.AtClose(release)
		}
		return true, err
	})
	return err
}

// system returns the operator for PETSc. A matrix of values on one process stays in its own memory;
// of others, PETSc has a copy.
func (e *petscEngine) system(library *petsc.Library, p petsc.Parameters) (petsc.System, error) {
	s := e.solver
	system := petsc.System{On: e.on, Rows: s.space.here(), Block: 1}
	if len(s.space) == 1 {
		system.Block = s.space[0].Dim
	}
	switch m := s.operator.single(); {
	case m != nil:
		err := e.matrix(library, p, m, &system)
		return system, err
	case s.operator.Matrix != nil:
		err := e.blocks(library, p, s.operator.Matrix, &system)
		return system, err
	}
	var err error
	if e.x, err = s.space.newVector("solver1"); err == nil {
		e.y, err = s.space.newVector("solver2")
	}
	if err != nil {
		return system, err
	}
	system.Apply = e.apply
	if s.operator.Diagonal != nil {
		if len(s.space) > 1 {
			e.diagonal = make([]float64, s.space.here())
			system.Diagonal = e.diagonal
			return system, s.space.gather(e.diagonal, s.operator.Diagonal)
		}
		system.Diagonal, err = entity.Reading[float64](s.operator.Diagonal[0].Data)
	}
	return system, err
}

// matrix adds a matrix of one part to the system.
func (e *petscEngine) matrix(library *petsc.Library, p petsc.Parameters, m *Matrix, system *petsc.System) error {
	nonzeros, err := nonzerosOf(m)
	if err != nil {
		return err
	}
	if e.on == nil && nonzeros.Dim == 1 {
		system.CSR = petsc.CSR{RowOffsets: nonzeros.RowPtr, Columns: nonzeros.ColIdx, Values: nonzeros.Values}
		return nil
	}
	if system.Blocked, err = e.inBlocks(library, p); err != nil {
		return err
	}
	if nonzeros.Dim > 1 && !system.Blocked {
		system.Rows, system.CSR, system.Fill, err = e.whole(library, e.solver.operator.Matrix, false)
		return e.solver.rt.Agree(err)
	}
	numbers, err := e.numbers(library)
	if err != nil {
		return err
	}
	copied := newSplit(nonzeros, numbers)
	system.CSR, system.Fill = copied.pattern(numbers), copied.fill
	return nil
}

// apply applies the operator to PETSc's vectors, through dats.
func (e *petscEngine) apply(x, y []float64) error {
	start := time.Now()
	defer func() { e.elsewhere += time.Since(start) }()
	s := e.solver
	s.space.scatter(e.x, x)
	if err := s.rt.Agree(s.apply(e.y, e.x)); err != nil {
		return err
	}
	return s.space.gather(y, e.y)
}

// place returns the memory of the right-hand side and the solution for PETSc.
func (e *petscEngine) place(x, b []Vector) (solution, right []float64, err error) {
	in := e.solver.space
	if len(in) == 1 {
		if right, err = entity.Reading[float64](b[0].Data); err == nil {
			solution, err = entity.Writing[float64](x[0].Data)
		}
		return solution, right, err
	}
	if e.right == nil {
		e.right, e.solution = make([]float64, in.here()), make([]float64, in.here())
	}
	if err = in.gather(e.right, b); err == nil {
		err = in.gather(e.solution, x)
	}
	return e.solution, e.right, err
}

// prepare makes the values of the operator up to date where PETSc reads them.
func (e *petscEngine) prepare(keep bool) error {
	s := e.solver
	for _, m := range []*Blocks{s.operator.Matrix, e.schur} {
		if m == nil {
			continue
		}
		for block := range m.All {
			if err := block.Data().Bring(false); err != nil {
				return err
			}
		}
	}
	d := s.operator.Diagonal
	if d == nil {
		return nil
	}
	if !keep {
		if err := s.measure(); err != nil {
			return err
		}
	}
	if len(d) == 1 {
		return d[0].Bring(false)
	}
	return s.space.gather(e.diagonal, d)
}

func (e *petscEngine) solve(x, b []Vector, keep bool) (krylov.Outcome, string, error) {
	if err := e.prepare(keep); err != nil {
		return krylov.Outcome{}, "", err
	}
	solution, right, err := e.place(x, b)
	if err != nil {
		return krylov.Outcome{}, "", err
	}
	start := time.Now()
	e.elsewhere = 0
	out, err := e.inner.Solve(solution, right, keep)
	e.count(time.Since(start)-e.elsewhere, out.SetUp)
	if err != nil {
		var failed *petsc.Error
		if errors.As(err, &failed) {
			err = problem.Errorf("PETSc: %w", err)
		}
		return krylov.Outcome{}, "", err
	}
	if len(x) > 1 {
		e.solver.space.scatter(x, solution)
	}
	if out.Unused != "" && out.Unused != e.warned {
		given := strings.ReplaceAll(out.Unused, "-"+e.prefix, "-")
		e.solver.rt.Config().Backend.Warn(fmt.Sprintf("%s: PETSc does not use the options %s", e.solver.what, given))
		e.warned = out.Unused
	}
	c := krylov.Outcome{Iterations: out.Iterations, Residuals: out.Residuals, Reason: krylov.Reason(out.Reason)}
	if c.Reason == "CONVERGED_ITS" { // without a norm PETSc does not see it
		bad, err := e.solver.rt.AnyRank(entity.FindNotFinite(solution[:e.solver.space.here()]) >= 0)
		if err != nil {
			return c, "", err
		}
		if bad {
			c.Reason = krylov.DivergedNaNOrInf
		}
	}
	return c, out.Failure, nil
}
