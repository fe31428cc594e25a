package op2

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/solve"
)

// MixedOperator is a square linear operator on mixed dats, for a MixedSolver: a *MixedMat[float64], a
// *MixedFuncOperator, which NewMixedOperator makes from a function, or a type of the program's own.
//
// Jacobi's preconditioner takes the diagonal from a method Diagonal(to *MixedDat[float64]) error, if
// the operator has one.
type MixedOperator interface {
	// Mul sets y to the operator times x. The solver calls it while it does not hold the runtime, so
	// that it can run loops.
	Mul(y, x *MixedDat[float64]) error
	// Domain returns the sets and the dims of the parts of the mixed dats that the operator acts on.
	Domain() (set *MixedSet, dims []int)
	// Name returns the operator's name, for messages.
	Name() string
}

// MixedFuncOperator is a matrix-free MixedOperator.
type MixedFuncOperator struct {
	set   *MixedSet
	dims  []int
	apply func(y, x *MixedDat[float64]) error
	name  string
}

// NewMixedOperator declares the operator that apply applies, usually by loops: apply sets all of y to
// the operator times x, for mixed dats on the set with these dims.
func NewMixedOperator(set *MixedSet, dims []int, apply func(y, x *MixedDat[float64]) error, name string) *MixedFuncOperator {
	what := "mixed operator " + name
	return core.Declare(core.Declaration{On: []*core.Runtime{set.runtime()}, What: what, Of: "mixed set"}, func() (*MixedFuncOperator, error) {
		switch {
		case apply == nil:
			return nil, fmt.Errorf("op2: %s: there is no function", what)
		case len(dims) != set.Len():
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has %s, %s given", set.Name(), problem.Count(set.Len(), "part"), problem.Count(len(dims), "dim"))}
		}
		for i, dim := range dims {
			if dim < 1 {
				return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d: a dim of at least 1 is needed, %d was given", i, dim)}
			}
		}
		return &MixedFuncOperator{set, dims, apply, name}, nil
	}, func(failed *core.Runtime) *MixedFuncOperator {
		return &MixedFuncOperator{set: (*MixedSet)(core.InertMixedSet(failed, "")), dims: []int{1}, name: name}
	})
}

// Err returns why the operator could not be declared; nil if it was.
func (o *MixedFuncOperator) Err() error {
	return orEmpty(o).set.runtime().Made("mixed operator", "NewMixedOperator")
}

// Mul sets y to the operator times x. The function may use the runtime like any other code of the
// program.
func (o *MixedFuncOperator) Mul(y, x *MixedDat[float64]) error {
	if err := o.Err(); err != nil {
		return err
	}
	for _, d := range []*MixedDat[float64]{y, x} {
		if err := partsFit(d, "mixed operator "+o.name, "Mul", partsOf(o.set, o.dims)); err != nil {
			return err
		}
	}
	return o.apply(y, x)
}

// Domain returns the sets and the dims of the parts of the mixed dats that the operator acts on.
func (o *MixedFuncOperator) Domain() (set *MixedSet, dims []int) {
	return orEmpty(o).set, orEmpty(o).dims
}

// Name returns the name the operator was declared with.
func (o *MixedFuncOperator) Name() string { return orEmpty(o).name }

// Domain returns the sets and the dims of the parts of the mixed dats that the matrix is multiplied
// with: those of its columns.
func (m *MixedMat[T]) Domain() (set *MixedSet, dims []int) {
	if m.Err() != nil {
		return nil, nil
	}
	sets := make([]*core.Set, len(m.matrix.Cols))
	for i, p := range m.matrix.Cols {
		sets[i] = p.Set
		dims = append(dims, p.Dim)
	}
	of, _ := core.NewMixedSet(sets, m.name) // they are of one runtime
	return (*MixedSet)(of), dims
}

func partsOf(set *MixedSet, dims []int) []algebra.Part {
	var parts []algebra.Part
	for i, s := range set.Parts() {
		parts = append(parts, algebra.Part{Set: s.core(), Dim: dims[i]})
	}
	return parts
}

// MixedSolver solves linear systems on mixed dats with one operator.
type MixedSolver struct {
	solver *solve.Solver
}

// NewMixedSolver prepares a solver for systems with the operator a: a *MixedMat[float64] whose rows
// have the parts of its columns, or the result of NewMixedOperator. Options are those of [NewSolver],
// and those of the preconditioner fieldsplit: see [WithFieldSplit].
//
// Without options, it uses fgmres with the preconditioner fieldsplit, of the kind multiplicative, for
// a matrix, and with none for other operators, to a relative tolerance of 1e-7.
func NewMixedSolver(a MixedOperator, options ...SolverOption) *MixedSolver {
	operator, wrong := mixedOperatorOf(a)
	defaults := solve.Defaults()
	defaults.Method, defaults.Preconditioner = "fgmres", "none"
	if operator.Matrix != nil {
		defaults.Preconditioner = "fieldsplit"
	}
	return &MixedSolver{newSolver(operator, wrong, defaults, options)}
}

// Err returns why the solver could not be prepared; nil if it was.
func (s *MixedSolver) Err() error { return s.core().Runtime().Made("solver", "NewMixedSolver") }

// mixedOperatorOf returns an operator for the engines.
func mixedOperatorOf(a MixedOperator) (o solve.Operator, err error) {
	none := errors.New("op2: NewMixedSolver: there is no operator")
	if a == nil {
		return o, none
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && v.IsNil() {
		return o, none
	}
	set, dims := a.Domain()
	if m, is := a.(*MixedMat[float64]); is && m.Err() != nil {
		return o, m.Err()
	}
	if set.Len() == 0 || len(dims) != set.Len() {
		return o, none
	}
	o = solve.Operator{Name: a.Name(), Parts: partsOf(set, dims)}
	mixed := func(v []algebra.Vector) *MixedDat[float64] {
		parts := make([]*core.Data, len(v))
		for i := range v {
			parts[i] = v[i].Data
		}
		d, _ := core.NewMixedData(parts, "solver") // they are different, and of one runtime
		return (*MixedDat[float64])(d)
	}
	if m, is := a.(*MixedMat[float64]); is {
		if len(m.matrix.Rows) != len(m.matrix.Cols) {
			return o, &problem.ShapeError{What: "mixed mat " + m.name, Msg: fmt.Sprintf("a solver takes a square matrix, this one has %s of the rows and %d of the columns",
				problem.Count(len(m.matrix.Rows), "part"), len(m.matrix.Cols))}
		}
		for i, r := range m.matrix.Rows {
			if c := m.matrix.Cols[i]; c != r {
				return o, &problem.ShapeError{What: "mixed mat " + m.name, Msg: fmt.Sprintf("a solver takes a square matrix, part %d has rows on %s with dim %d, and columns on %s with dim %d",
					i, r.Set.Name(), r.Dim, c.Set.Name(), c.Dim)}
			}
		}
		o.Matrix = m.matrix
		return o, nil
	}
	o.Apply = func(y, x []algebra.Vector) error { return a.Mul(mixed(y), mixed(x)) }
	if a, ok := a.(interface {
		Diagonal(*MixedDat[float64]) error
	}); ok {
		o.Measure = func(to []algebra.Vector) error { return a.Diagonal(mixed(to)) }
	}
	return o, nil
}

// Solve solves A x = b, as [Solver.Solve] does.
func (s *MixedSolver) Solve(x, b *MixedDat[float64]) (Convergence, error) {
	if err := s.Err(); err != nil {
		return Convergence{}, err
	}
	for _, d := range []*MixedDat[float64]{x, b} {
		if err := s.core().Runtime().Report(partsFit(d, s.core().Describe(), "Solve", s.core().Parts())); err != nil {
			return Convergence{}, err
		}
	}
	return solved(s.core(), mixedVectors(x), mixedVectors(b))
}

func (s *MixedSolver) core() *solve.Solver { return orEmpty(s).solver }

// ReusePreconditioner makes Solve keep the last preconditioner, although the operator may have
// changed, until it is called with false.
func (s *MixedSolver) ReusePreconditioner(on bool) {
	if s.core() != nil {
		s.core().Reuse(on)
	}
}

// Close releases what the solver holds. Closing twice is allowed, and so is closing nil.
func (s *MixedSolver) Close() error {
	if s.core().Runtime() == nil {
		return nil
	}
	return s.core().Close()
}
