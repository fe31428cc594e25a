package solver

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/solve"
)

// Operator is a square linear operator on dats, or on mixed dats, for a Solver: a *op2.Mat[float64], a
// *FuncOperator, which NewOperator makes from a function, or a type of the program's own.
//
// Preconditioners that need the diagonal take it from a method Diagonal(to op2.Vector[float64]) error, if
// the operator has one, as *Mat has: it sets all of a vector of the operator's domain.
type Operator interface {
	// Mul sets y to the operator times x: each a *op2.Dat[float64], or a *op2.MixedDat[float64] if the domain has several
	// parts. They differ. The solver calls it while it does not hold the runtime, so that it can run loops.
	Mul(y, x op2.Vector[float64]) error
	// Domain returns the set and the dim of each part of the vectors that the operator acts on: of a dat, one.
	Domain() (sets []*op2.Set, dims []int)
	// Name returns the operator's name, for messages.
	Name() string
}

// FuncOperator is a matrix-free Operator.
type FuncOperator struct {
	rt       *entity.Runtime
	parts    []algebra.Part
	apply    func(y, x op2.Vector[float64]) error
	diagonal []algebra.Vector // nil if there is none
	name     string
}

// NewOperator declares the operator that apply applies, usually by loops: apply sets all of y to
// the operator times x, for dats on the set with dim values per element, or mixed dats of parts on a list of sets, with a dim
// for each. Diagonal contains the operator's diagonal, which preconditioners may need; it may be nil.
func NewOperator[V *op2.Dat[float64] | *op2.MixedDat[float64], S *op2.Set | []*op2.Set, D int | []int](on S, dim D, apply func(y, x V) error, diagonal V, name string) *FuncOperator {
	o := &FuncOperator{name: name}
	var sets []*op2.Set
	switch on := any(on).(type) {
	case *op2.Set:
		sets = []*op2.Set{on}
	case []*op2.Set:
		sets = on
	}
	if apply != nil {
		o.apply = func(y, x op2.Vector[float64]) error { return apply(as[V](y), as[V](x)) }
	}
	d := entity.Declaration{What: "operator " + name, Of: "set"}
	for _, s := range sets {
		d.On = append(d.On, (*entity.Set)(s).Runtime())
	}
	var of op2.Vector[float64]
	if diagonal != nil {
		of = any(diagonal).(op2.Vector[float64])
		if parts := algebra.PartsOf(of); len(parts) > 0 && parts[0].Made() {
			d.On = append(d.On, parts[0].Runtime())
		}
	}
	var dims []int
	switch dim := any(dim).(type) {
	case int:
		dims = []int{dim}
	case []int:
		dims = dim
	}
	_, plain := any(diagonal).(*op2.Dat[float64])
	return entity.Declare(d, func() (*FuncOperator, error) {
		return o, o.complete(sets, dims, of, plain)
	}, func(failed *entity.Runtime) *FuncOperator {
		return &FuncOperator{rt: failed, parts: []algebra.Part{{Set: entity.InertSet(failed, ""), Dim: 1}}, name: name}
	})
}

// complete checks what the operator was declared with, and sets its parts and its diagonal; plain if the function
// takes dats.
func (o *FuncOperator) complete(sets []*op2.Set, dims []int, diagonal op2.Vector[float64], plain bool) error {
	what := "operator " + o.name
	switch {
	case o.apply == nil:
		return fmt.Errorf("op2: %s: there is no function", what)
	case len(sets) == 0:
		return fmt.Errorf("op2: %s: there is no set", what)
	case len(dims) != len(sets):
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("there are %s and %s", problem.Count(len(sets), "set"), problem.Count(len(dims), "dim"))}
	case plain && len(sets) != 1:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the function takes dats on one set, there are %d", len(sets)), Hint: "func(y, x *op2.MixedDat[float64]) error"}
	}
	o.rt = (*entity.Set)(sets[0]).Runtime()
	for i, dim := range dims {
		if rt := (*entity.Set)(sets[i]).Runtime(); rt != o.rt {
			return fmt.Errorf("op2: %s: %s belongs to %s, %s to %s", what, sets[i].Name(), rt.Besides(o.rt), sets[0].Name(), o.rt.Besides(rt))
		}
		if dim < 1 {
			if len(dims) > 1 {
				what += fmt.Sprintf(": part %d", i)
			}
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("a dim of at least 1 is needed, %d was given", dim)}
		}
		o.parts = append(o.parts, algebra.PartOn((*entity.Set)(sets[i]), dim))
	}
	if diagonal == nil {
		return nil
	}
	var err error
	o.diagonal, err = algebra.FitParts(diagonal, what, "the diagonal", o.parts)
	return err
}

// as returns a vector as a function of the program takes it.
func as[V *op2.Dat[float64] | *op2.MixedDat[float64]](v op2.Vector[float64]) V {
	if v, fits := any(v).(V); fits {
		return v
	}
	var of V
	if _, mixed := any(of).(*op2.MixedDat[float64]); mixed {
		return any(mixedOf(algebra.PartsOf(v))).(V)
	}
	return any(vectorOf(algebra.PartsOf(v))).(V)
}

// Err returns why the operator could not be declared; nil if it was.
func (o *FuncOperator) Err() error { return o.runtime().Made("operator", "solver.NewOperator") }

func (o *FuncOperator) runtime() *entity.Runtime {
	if o == nil {
		return nil
	}
	return o.rt
}

// Mul sets y to the operator times x. The function may use the runtime like any other code of the
// program.
func (o *FuncOperator) Mul(y, x op2.Vector[float64]) error {
	if err := o.Err(); err != nil {
		return err
	}
	if err := o.fits(y, x); err != nil {
		return entity.Called(err)
	}
	return o.apply(y, x)
}

// fits checks that the operator can be applied to x, and set y.
func (o *FuncOperator) fits(y, x op2.Vector[float64]) error {
	to, err := algebra.FitParts(y, "operator "+o.name, "Mul", o.parts)
	if err != nil {
		return err
	}
	of, err := algebra.FitParts(x, "operator "+o.name, "Mul", o.parts)
	if err != nil {
		return err
	}
	for i := range of {
		if of[i] == to[i] {
			return fmt.Errorf("op2: operator %s: Mul: %s is both the factor and the product", o.name, of[i].Name())
		}
	}
	return nil
}

// Domain returns the set and the dim of each part of the vectors that the operator acts on.
func (o *FuncOperator) Domain() (sets []*op2.Set, dims []int) {
	if o == nil {
		return nil, nil
	}
	for _, p := range o.parts {
		sets, dims = append(sets, (*op2.Set)(p.Set.Columns())), append(dims, p.Dim)
	}
	return sets, dims
}

// Name returns the name the operator was declared with.
func (o *FuncOperator) Name() string {
	if o == nil {
		return ""
	}
	return o.name
}

// operatorOf returns an operator for the engines.
func operatorOf(a Operator) (solve.Operator, error) {
	none := errors.New("op2: solver.New: there is no operator")
	if a == nil {
		return solve.Operator{}, none
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && v.IsNil() {
		return solve.Operator{}, none
	}
	sets, dims := a.Domain()
	if len(sets) == 0 || len(sets) != len(dims) {
		return solve.Operator{}, none
	}
	o := solve.Operator{Name: a.Name()}
	for i, set := range sets {
		if (*entity.Set)(set).Runtime() == nil {
			return solve.Operator{}, none
		}
		if dims[i] < 1 {
			return o, &problem.ShapeError{What: "operator " + o.Name, Msg: fmt.Sprintf("a dim of at least 1 is needed, Domain returns %d", dims[i])}
		}
		o.Parts = append(o.Parts, algebra.PartOn((*entity.Set)(set), dims[i]))
	}
	o.Apply = func(y, x []algebra.Vector) error { return a.Mul(vectorOf(y), vectorOf(x)) }
	switch a := a.(type) {
	case *op2.Mat[float64]:
		o.Apply, o.Matrix = nil, (*algebra.Mat)(a).Blocks()
		return o, isSquare((*algebra.Mat)(a).Blocks())
	case *FuncOperator:
		o.Diagonal = a.diagonal
	case interface {
		Diagonal(op2.Vector[float64]) error
	}:
		o.Measure = func(to []algebra.Vector) error { return a.Diagonal(vectorOf(to)) }
	}
	return o, nil
}

// isSquare returns an error unless the parts of the rows of a matrix are those of its columns.
func isSquare(m *algebra.BlockMatrix) error {
	what := "mat " + m.Name
	if len(m.Rows) != len(m.Cols) {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("a solver takes a square matrix, this one has %s of the rows and %d of the columns",
			problem.Count(len(m.Rows), "part"), len(m.Cols))}
	}
	for i, r := range m.Rows {
		if c := m.Cols[i]; c != r {
			which := "this one"
			if len(m.Rows) > 1 {
				which = fmt.Sprintf("part %d", i)
			}
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("a solver takes a square matrix, %s has rows on %s with dim %d, and columns on %s with dim %d",
				which, r.Set.Besides(c.Set), r.Dim, c.Set.Besides(r.Set), c.Dim)}
		}
	}
	return nil
}
