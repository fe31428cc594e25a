package op2

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Condition fixes values of the unknowns at some elements of a set, all values or those of some
// components. [Fix] and [FixTo] create conditions for [NewDirichlet].
type Condition[T Scalar] struct {
	on         IterationSet
	components []int   // nil: all
	values     []T     // one for all components, or one for each; nil if a dat holds them
	from       *Dat[T] // nil if the values are constant
	version    int     // of the values
}

// Fix returns the condition that values on a subset or a set are constant: one value for all
// components, or one for each. Constants determine the type: 0.0, not 0.
func Fix[T Scalar](on IterationSet, values ...T) *Condition[T] {
	return &Condition[T]{on: on, values: append([]T{}, values...), version: 1}
}

// FixTo returns the condition that values on a subset or a set equal those of a dat on that set, as
// they are whenever the condition is applied. The dat has the dim of the unknowns, or as many
// values per element as there are [Condition.Components].
func FixTo[T Scalar](on IterationSet, values *Dat[T]) *Condition[T] {
	return &Condition[T]{on: on, from: values}
}

// Components restricts the condition to some components of each element's values, such as 0 for u_x
// = 0 on a plane of symmetry. It returns the condition.
func (c *Condition[T]) Components(components ...int) *Condition[T] {
	if rt := c.runtime(); rt != nil {
		rt.MustEnter()
		defer rt.Leave()
	}
	c.components = append([]int{}, components...)
	return c
}

// Set changes the values of a condition that [Fix] made, from its next application on. Their number
// must not change.
func (c *Condition[T]) Set(values ...T) error {
	switch {
	case c == nil || c.on == nil:
		return fmt.Errorf("op2: condition: Set: it was made by neither Fix nor FixTo")
	case c.from != nil:
		return fmt.Errorf("op2: condition on %s: Set: it takes its values from the dat %s", c.on.Name(), c.from.name())
	case len(values) != len(c.values):
		return &problem.ShapeError{What: "condition on " + c.on.Name(), Msg: fmt.Sprintf("Set takes as many values as Fix, %d; %d %s given", len(c.values), len(values), problem.Were(len(values)))}
	}
	if rt := c.runtime(); rt != nil {
		if err := rt.Enter(); err != nil {
			return err
		}
		defer rt.Leave()
	}
	copy(c.values, values)
	c.version++
	return nil
}

// runtime returns the runtime of the condition's set, or nil if it has none.
func (c *Condition[T]) runtime() *core.Runtime {
	return iteration(c.on).Set.Runtime()
}

// Dirichlet holds boundary conditions that fix values of the unknowns of a linear system. It
// applies them such that a symmetric matrix stays symmetric, for cg, cholesky and multigrid: rows
// and columns of the fixed values become zero, their diagonal one, and the columns' contributions
// move to the right-hand side.
//
// It can be applied to any number of matrices and right-hand sides.
type Dirichlet[T Scalar] struct {
	set        *core.Set
	conditions []*Condition[T]
	seen       []int // the version of each condition in values
	scale      T
	what       string // for messages

	// Set on first use, when the dim of the unknowns is known.
	dim    int
	owner  *Dat[int32]  // [set][dim]: the condition that fixes the value, counted from 1, or 0
	values *Dat[T]      // [set][dim]: the fixed values
	fixed  *core.Subset // the elements with fixed values

	there *dirichletLoops[T] // nil until a device needs it
}

// NewDirichlet combines conditions, all on one set. If several fix the same value, the last one
// wins. Conditions that overlap must be in one Dirichlet.
func NewDirichlet[T Scalar](conditions ...*Condition[T]) (*Dirichlet[T], error) {
	if len(conditions) == 0 {
		return nil, fmt.Errorf("op2: NewDirichlet: there are no conditions")
	}
	if c := conditions[0]; c != nil && c.runtime() != nil {
		rt := c.runtime()
		if err := rt.Declare("conditions on", c.on.Name()); err != nil {
			return nil, err
		}
		defer rt.Leave()
	}
	d := &Dirichlet[T]{conditions: slices.Clone(conditions), seen: make([]int, len(conditions)), scale: 1}
	var names []string
	for i, c := range conditions {
		if err := d.join(i, c); err != nil {
			return nil, err
		}
		if name := c.on.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	d.what = "conditions on " + strings.Join(names, ", ")
	return d, nil
}

// join checks condition i, and that it is on the same set as the previous ones.
func (d *Dirichlet[T]) join(i int, c *Condition[T]) error {
	what := fmt.Sprintf("NewDirichlet: condition %d", i+1)
	if c == nil {
		return fmt.Errorf("op2: %s is nil", what)
	}
	set := iteration(c.on).Set
	if set == nil || set.Runtime() == nil {
		return fmt.Errorf("op2: %s: the set is nil, or was not made by NewSet", what)
	}
	what += " (" + c.on.Name() + ")"
	if i == 0 {
		d.set = set
	}
	switch {
	case set != d.set:
		return fmt.Errorf("op2: %s: it is on %s, the first is on %s", what, set.Besides(d.set), d.set.Besides(set))
	case c.values == nil && c.from == nil:
		return fmt.Errorf("op2: %s: the dat is nil", what)
	case c.from != nil && c.from.set() != set:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the values must be on %s, %s is on %s", set.Besides(c.from.set()), c.from.name(), c.from.set().Besides(set))}
	case c.from == nil && len(c.values) == 0:
		return &problem.ShapeError{What: what, Msg: "it has no values"}
	case c.components != nil && len(c.components) == 0:
		return &problem.ShapeError{What: what, Msg: "it has no components", Hint: "leave Components out to mean all"}
	}
	for k, component := range c.components {
		if component < 0 {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("components are numbered from 0, %d was given", component)}
		}
		if slices.Contains(c.components[:k], component) {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("component %d is given twice", component)}
		}
	}
	return nil
}

// SetDiagonal sets the diagonal value for the rows of fixed values, from the next application to a
// matrix on; the right-hand side there becomes that multiple of the fixed value. Default: 1. A
// negative definite matrix needs a negative one.
func (d *Dirichlet[T]) SetDiagonal(value T) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.set.Runtime().Leave()
	switch v := float64(value); {
	case v == 0:
		return &problem.ShapeError{What: d.what, Msg: "the diagonal cannot be 0", Hint: "the matrix would be singular"}
	case math.IsNaN(v) || math.IsInf(v, 0):
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("the diagonal cannot be %v", v)}
	}
	d.scale = value
	return nil
}

// Apply applies the conditions to an assembled matrix, and to the right-hand side b: the solution
// of the system then has the fixed values, and satisfies the other equations. The matrix keeps its
// pattern. For right-hand sides, and values of the conditions, that change while the matrix stays,
// use [Dirichlet.ApplyRHS].
//
// A matrix that is assembled again, after [Mat.Zero] or by loops that write it, needs Apply again;
// so does one that was added to, whose columns then accumulate. A *Mat that was changed through
// [Mat.CSR] counts as assembled again if some zeroed value is no longer zero.
//
// Apply may be called again for the same system: a right-hand side that is unchanged since the last
// call is not lifted twice. One that has changed counts as assembled again.
func (d *Dirichlet[T]) Apply(m *Mat[T], b *Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.set.Runtime().Leave()
	if err := d.fitsMat(m); err != nil {
		return err
	}
	if err := fits(d.what, "Apply", d.set, m.dim(), b); err != nil {
		return err
	}
	if err := d.applyMat(m); err != nil {
		return err
	}
	return d.applyRHS(m, b)
}

// ApplyMat is Apply without a right-hand side.
func (d *Dirichlet[T]) ApplyMat(m *Mat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.set.Runtime().Leave()
	if err := d.fitsMat(m); err != nil {
		return err
	}
	return d.applyMat(m)
}

func (d *Dirichlet[T]) applyMat(m *Mat[T]) error {
	if err := d.prepare(m.dim()); err != nil {
		return err
	}
	l, err := m.liftingBy(d)
	if err != nil {
		return err
	}
	return l.constrain(m, d.scale)
}

// ApplyRHS applies the conditions, with their current values, to another right-hand side of a
// matrix that they have been applied to: it subtracts the contributions of the matrix's original
// columns, and sets the fixed values. In a right-hand side that is unchanged since the last call,
// it replaces the previous values of the conditions by the current ones; any other right-hand side
// must be newly assembled, without the previous subtraction.
func (d *Dirichlet[T]) ApplyRHS(m *Mat[T], b *Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.set.Runtime().Leave()
	if err := d.fitsMat(m); err != nil {
		return err
	}
	if err := fits(d.what, "ApplyRHS", d.set, m.dim(), b); err != nil {
		return err
	}
	return d.applyRHS(m, b)
}

func (d *Dirichlet[T]) applyRHS(m *Mat[T], b *Dat[T]) error {
	l := m.liftingOf(d)
	if l == nil || !l.applied {
		return wrap("mat "+m.name(), fmt.Errorf("ApplyRHS: the %s have not been applied to it since it was zeroed\n  hint: Apply takes the matrix and the right-hand side", d.what))
	}
	there := b.there() && m.numberable()
	if err := d.update(there); err != nil {
		return err
	}
	if err := l.lift(m, d, b, there); err != nil {
		return err
	}
	return d.place(b, l.scale, there)
}

// ApplyTo sets the fixed values in a dat of the unknowns, such as an initial guess.
func (d *Dirichlet[T]) ApplyTo(u *Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.set.Runtime().Leave()
	if u == nil {
		return fmt.Errorf("op2: %s: ApplyTo: the dat is nil", d.what)
	}
	if err := fits(d.what, "ApplyTo", d.set, u.dim(), u); err != nil {
		return err
	}
	if err := d.prepare(u.dim()); err != nil {
		return err
	}
	there := u.there()
	if err := d.update(there); err != nil {
		return err
	}
	return d.place(u, 1, there)
}

// begin enters the runtime, unless the conditions are nil or failed to be declared.
func (d *Dirichlet[T]) begin() error {
	if d == nil || d.set == nil {
		return fmt.Errorf("op2: the conditions are nil, or were not made by NewDirichlet")
	}
	return d.set.Runtime().EnterData()
}

// fitsMat checks that m is a square matrix of unknowns on the set.
func (d *Dirichlet[T]) fitsMat(m *Mat[T]) error {
	if err := m.made(); err != nil {
		return err
	}
	if err := m.needsDiagonal("Dirichlet"); err != nil {
		return err
	}
	if m.sparsity().Rows() != d.set {
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they are on %s, the rows of %s are %s", d.set.Name(), m.name(), m.sparsity().Rows().Name())}
	}
	return nil
}

// prepare lists the fixed values of unknowns of the given dim.
func (d *Dirichlet[T]) prepare(dim int) error {
	if d.dim == dim {
		return nil
	}
	if d.dim != 0 {
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they have been applied to unknowns of dim %d, these have dim %d", d.dim, dim)}
	}
	owner := make([]int32, d.set.Total()*dim)
	for k, c := range d.conditions {
		if err := c.fit(d.what, dim); err != nil {
			return err
		}
		iteration(c.on).Each(func(e int) {
			eachComponent(dim, c.components, func(i int) { owner[e*dim+i] = int32(k + 1) })
		})
	}
	var elements []int32
	for e := range d.set.Total() {
		if slices.ContainsFunc(owner[e*dim:(e+1)*dim], func(o int32) bool { return o != 0 }) {
			elements = append(elements, int32(e))
		}
	}
	var err error
	if d.owner, err = newDat(d.set, dim, owner, "owner"); err != nil {
		return err
	}
	if d.values, err = newDat[T](d.set, dim, nil, "fixed"); err != nil {
		return err
	}
	if d.fixed, err = core.NewSubset(d.set.All(), elements, "fixed"); err != nil {
		return err
	}
	d.dim = dim
	return nil
}

// fit checks that the condition fits unknowns with the given dim.
func (c *Condition[T]) fit(what string, dim int) error {
	what += ": that on " + c.on.Name()
	many := dim
	if c.components != nil {
		many = len(c.components)
	}
	for _, i := range c.components {
		if i >= dim {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the unknowns have %s, not %d", problem.ComponentRange(dim), i)}
		}
	}
	if c.from != nil && c.from.dim() != dim && c.from.dim() != many {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%d values for each element are needed, %s has dim %d", many, c.from.name(), c.from.dim())}
	}
	if c.from == nil && len(c.values) != 1 && len(c.values) != many {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("Fix takes %s, %d %s given", problem.OneOr(many), len(c.values), problem.Were(len(c.values)))}
	}
	return nil
}

// places returns the index of each component of the unknowns among the condition's values.
func (c *Condition[T]) places(dim int) []int32 {
	places := make([]int32, dim)
	given := len(c.values)
	if c.from != nil {
		given = c.from.dim()
	}
	k := 0
	eachComponent(dim, c.components, func(i int) {
		switch {
		case c.from != nil && given == dim:
			places[i] = int32(i)
		case given > 1:
			places[i] = int32(k)
		}
		k++
	})
	return places
}

// update reads the values of the conditions, on the device or on the host.
func (d *Dirichlet[T]) update(there bool) error {
	if there {
		return d.updateThere()
	}
	for k, c := range d.conditions {
		if d.current(k) {
			continue
		}
		from := c.values
		var err error
		if c.from != nil {
			if from, err = c.from.dataRO(); err != nil {
				return err
			}
		}
		owner, err := d.owner.dataRO()
		if err != nil {
			return err
		}
		values, err := d.values.dataRW()
		if err != nil {
			return err
		}
		places := c.places(d.dim)
		iteration(c.on).Each(func(e int) {
			of := from
			if c.from != nil {
				of = from[e*c.from.dim():]
			}
			for i := range d.dim {
				if owner[e*d.dim+i] == int32(k+1) {
					values[e*d.dim+i] = of[places[i]]
				}
			}
		})
		d.seen[k] = c.version
	}
	return nil
}

// current reports whether the constant values of condition k are unchanged.
func (d *Dirichlet[T]) current(k int) bool {
	c := d.conditions[k]
	return c.from == nil && d.seen[k] == c.version
}

// place sets the fixed values of a vector, times scale.
func (d *Dirichlet[T]) place(u *Dat[T], scale T, there bool) error {
	if there {
		return d.placeThere(u, scale)
	}
	owner, err := d.owner.dataRO()
	if err != nil {
		return err
	}
	values, err := d.values.dataRO()
	if err != nil {
		return err
	}
	to, err := u.dataRW()
	if err != nil {
		return err
	}
	for _, e := range d.fixed.List() {
		for i := int(e) * d.dim; i < (int(e)+1)*d.dim; i++ {
			if owner[i] != 0 {
				to[i] = scale * values[i]
			}
		}
	}
	return nil
}
