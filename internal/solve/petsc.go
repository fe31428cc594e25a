package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
)

// petscEngine solves with PETSc, in the dats' own memory.
type petscEngine struct {
	solver *Solver
	inner  *petsc.Solver
	types  string
	matrix *Matrix // nil for a matrix-free operator
	x, y   Vector  // operand and result of such an operator
	warned string
	on     *petsc.Ranks // nil: this process alone

	prefix         string // of the solver's options, generated or the program's
	setUp, solving *profile.Stats
	elsewhere      time.Duration // time in the operator, whose loops are counted separately
}

// petscNames maps op2's names to PETSc's, where they differ.
var petscNames = map[string]string{"bicgstab": "bcgs", "ssor": "sor"}

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
	if c.PETSc != "" && c.Prefix == "" {
		c.Prefix = fmt.Sprintf("op2_%d_", petscPrefixes.Add(1))
	}
	e := &petscEngine{solver: s, prefix: c.Prefix, on: on}
	e.setUp = s.rt.Profile().Counter("petsc set-up of "+s.operator.Name, s.set.Name())
	e.solving = s.rt.Profile().Counter("petsc solution of "+s.operator.Name, s.set.Name())
	nearNull, err := s.vectors("WithNearNullSpace", c.NearNull)
	if err != nil {
		return nil, err
	}
	null, err := s.nullSpace()
	if err != nil {
		return nil, err
	}
	parameters := petsc.Parameters{
		Method: c.Method, Preconditioner: c.Preconditioner, RTol: c.RTol, ATol: c.ATol, DivTol: c.DivTol,
		MaxIterations: min(c.MaxIterations, math.MaxInt32), Restart: min(c.Restart, math.MaxInt32), Guess: c.InitialGuess,
		Prefix: c.Prefix, Options: c.PETSc, NearNull: nearNull, Null: null,
		NullTransposed: slices.Contains(symmetricMethods, c.Method), Monitor: s.monitor(),
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
	var missing *petsc.NotFoundError
	var unsuitable *petsc.UnsuitableError
	var compiler *jit.NotFoundError
	if errors.As(err, &missing) || errors.As(err, &unsuitable) || errors.As(err, &compiler) || errors.Is(err, errors.ErrUnsupported) {
		err = problem.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return problem.Errorf("engine petsc: %w", err)
}

// ranks returns the ranks of the runtime to PETSc; nil on one process.
func (s *Solver) ranks() (*petsc.Ranks, error) {
	c := s.rt.Comm()
	if c == nil {
		return nil, s.finalizeAtClose()
	}
	m, ok := c.(*mpi.Comm)
	if !ok {
		return nil, fmt.Errorf("engine petsc: it needs ranks of MPI, these are %s\n  hint: op2.WithEngine(\"native\") works on any", c.Name())
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
	_, err = core.Keep(s.rt, key{}, func() (bool, error) {
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
	system := petsc.System{On: e.on, Rows: s.here(), Block: s.dim}
	if m := s.operator.Matrix; m != nil {
		nonzeros, err := nonzerosOf(m)
		if err != nil {
			return system, err
		}
		e.matrix = m
		if e.on == nil && s.dim == 1 {
			system.CSR = petsc.CSR{RowOffsets: nonzeros.RowPtr, Columns: nonzeros.ColIdx, Values: nonzeros.Values}
			return system, nil
		}
		numbers, err := e.numbers(library)
		if err != nil {
			return system, err
		}
		if system.Blocked, err = e.inBlocks(library, p); err != nil {
			return system, err
		}
		copied := newSplit(nonzeros, numbers, system.Blocked)
		system.Fill = copied.fill
		system.CSR, err = copied.pattern(numbers)
		return system, s.rt.Agree(err)
	}
	var err error
	if e.x, err = algebra.NewVector[float64](s.set, s.dim, nil, "solver1"); err == nil {
		e.y, err = algebra.NewVector[float64](s.set, s.dim, nil, "solver2")
	}
	if err != nil {
		return system, err
	}
	system.Apply = e.apply
	if s.operator.Diagonal.Data != nil {
		system.Diagonal, err = s.operator.Diagonal.Reading()
	}
	return system, err
}

// apply applies the operator to PETSc's vectors, through dats.
func (e *petscEngine) apply(x, y []float64) error {
	start := time.Now()
	defer func() { e.elsewhere += time.Since(start) }()
	own := e.x.Overwriting()
	copy(own, x)
	if err := e.solver.rt.Agree(e.solver.apply(e.y, e.x)); err != nil {
		return err
	}
	product, err := e.y.Reading()
	copy(y, product)
	return err
}

func (e *petscEngine) name() string { return "petsc " + e.types }

func (e *petscEngine) solve(x, b Vector, keep bool) (krylov.Outcome, string, error) {
	right, err := b.Reading()
	if err != nil {
		return krylov.Outcome{}, "", err
	}
	if e.matrix != nil {
		if err := e.matrix.Data().Bring(false); err != nil {
			return krylov.Outcome{}, "", err
		}
	}
	if d := e.solver.operator.Diagonal; d.Data != nil {
		if !keep {
			if err := e.solver.measure(); err != nil {
				return krylov.Outcome{}, "", err
			}
		}
		if err := d.Bring(false); err != nil { // where PETSc reads it
			return krylov.Outcome{}, "", err
		}
	}
	solution, err := x.Writing()
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
	if out.Unused != "" && out.Unused != e.warned {
		given := strings.ReplaceAll(out.Unused, "-"+e.prefix, "-")
		e.solver.rt.Config().Backend.Warn(fmt.Sprintf("%s: PETSc does not use the options %s", e.solver.what, given))
		e.warned = out.Unused
	}
	c := krylov.Outcome{Iterations: out.Iterations, Residuals: out.Residuals, Reason: krylov.Reason(out.Reason)}
	if c.Reason == "CONVERGED_ITS" { // without a norm PETSc does not see it
		bad, err := e.solver.rt.AnyRank(core.FindNotFinite(solution[:e.solver.here()]) >= 0)
		if err != nil {
			return c, "", err
		}
		if bad {
			c.Reason = krylov.DivergedNaNOrInf
		}
	}
	return c, out.Failure, nil
}

// count records the time of a solve, and how much of it went into building the preconditioner.
func (e *petscEngine) count(took, setUp time.Duration) {
	e.setUp.Calls++
	e.setUp.Time += setUp
	e.solving.Calls++
	e.solving.Time += max(0, took-setUp)
	e.setUp.How, e.solving.How = e.types, e.types
}

func (e *petscEngine) close() error { return e.inner.Close() }
