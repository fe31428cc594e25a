package algebra

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Condition fixes values of the unknowns at some elements of a set, all values or those of some
// components.
type Condition[T loop.Number] struct {
	on         core.Range
	components []int     // nil: all
	values     []T       // one for all components, or one for each; nil if a vector holds them
	from       Vector[T] // undeclared if the values are constant
	version    int       // of the values
}

// Fix returns the condition that the values are constant.
func Fix[T loop.Number](on core.Range, values []T) *Condition[T] {
	return &Condition[T]{on: on, values: append([]T{}, values...), version: 1}
}

// FixTo returns the condition that the values are those of a vector.
func FixTo[T loop.Number](on core.Range, values Vector[T]) *Condition[T] {
	return &Condition[T]{on: on, from: values}
}

// On returns the elements whose values the condition fixes.
func (c *Condition[T]) On() core.Range { return c.on }

// Restrict restricts the condition to some components.
func (c *Condition[T]) Restrict(components []int) { c.components = append([]int{}, components...) }

// Set changes constant values.
func (c *Condition[T]) Set(values []T) {
	copy(c.values, values)
	c.version++
}

// Check returns an error unless the condition is of that many constant values.
func (c *Condition[T]) Check(values int) error {
	switch {
	case !c.constant():
		return fmt.Errorf("op2: condition on %s: Set: it takes its values from the dat %s", c.on.Name(), c.from.Name())
	case values != len(c.values):
		return &problem.ShapeError{What: "condition on " + c.on.Name(), Msg: fmt.Sprintf("Set takes as many values as Fix, %d; %d %s given", len(c.values), values, problem.Were(values))}
	}
	return nil
}

// constant reports whether the values are constant.
func (c *Condition[T]) constant() bool { return c.from.Data == nil }

// Dirichlet holds boundary conditions that fix values of the unknowns of a linear system, and
// applies them such that a symmetric matrix stays symmetric.
type Dirichlet[T loop.Number] struct {
	set        *core.Set
	conditions []*Condition[T]
	seen       []int // the version of each condition in values
	scale      T
	what       string // for messages

	// Set on first use, when the dim of the unknowns is known.
	dim    int
	owner  Vector[int32] // [set][dim]: the condition that fixes the value, counted from 1, or 0
	values Vector[T]     // [set][dim]: the fixed values
	fixed  *core.Subset  // the elements with fixed values

	device *dirichletLoops[T] // nil until a device needs it
}

// NewDirichlet combines conditions, all on one set.
func NewDirichlet[T loop.Number](conditions []*Condition[T]) (*Dirichlet[T], error) {
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

// InertDirichlet returns conditions that failed to be declared.
func InertDirichlet[T loop.Number](set *core.Set, what string) *Dirichlet[T] {
	return &Dirichlet[T]{set: set, what: what}
}

// Set returns the set that the conditions are on.
func (d *Dirichlet[T]) Set() *core.Set { return d.set }

// Describe returns a description for messages: "conditions on inflow, walls".
func (d *Dirichlet[T]) Describe() string { return d.what }

// join checks condition i, and that it is on the same set as the previous ones.
func (d *Dirichlet[T]) join(i int, c *Condition[T]) error {
	what := fmt.Sprintf("NewDirichlet: condition %d", i+1)
	if c == nil {
		return fmt.Errorf("op2: %s is nil", what)
	}
	set := c.on.Set
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
	case c.values == nil && c.constant():
		return fmt.Errorf("op2: %s: the dat is nil", what)
	case !c.constant() && c.from.Set() != set:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the values must be on %s, %s is on %s", set.Besides(c.from.Set()), c.from.Name(), c.from.Set().Besides(set))}
	case c.constant() && len(c.values) == 0:
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

// SetDiagonal sets the diagonal value for the rows of fixed values.
func (d *Dirichlet[T]) SetDiagonal(value T) error {
	switch v := float64(value); {
	case v == 0:
		return &problem.ShapeError{What: d.what, Msg: "the diagonal cannot be 0", Hint: "the matrix would be singular"}
	case math.IsNaN(v) || math.IsInf(v, 0):
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("the diagonal cannot be %v", v)}
	}
	d.scale = value
	return nil
}

// ApplyMat applies the conditions to an assembled matrix.
func (d *Dirichlet[T]) ApplyMat(m *Matrix[T]) error { return d.constrain(m, m.data.Dim(), bothSides) }

// constrain applies the conditions, on unknowns of the given dim, to the rows or columns of a matrix.
func (d *Dirichlet[T]) constrain(m *Matrix[T], dim int, s side) error {
	if err := d.prepare(dim); err != nil {
		return err
	}
	l, err := m.liftingBy(d, s)
	if err != nil {
		return err
	}
	return l.constrain(m, d.scale)
}

// ApplyRHS applies the conditions to a right-hand side of a matrix that has them.
func (d *Dirichlet[T]) ApplyRHS(m *Matrix[T], b Vector[T]) error {
	l, err := d.appliedTo(m, bothSides)
	if err != nil {
		return err
	}
	onDevice := b.OnDevice() && m.data.Numberable()
	if err := d.update(onDevice); err != nil {
		return err
	}
	if err := l.lift(m, d, b, false, onDevice); err != nil {
		return err
	}
	return d.place(b, l.scale, onDevice)
}

// appliedTo returns the conditions' effect on a matrix that they have been applied to.
func (d *Dirichlet[T]) appliedTo(m *Matrix[T], s side) (*lifting[T], error) {
	l := m.liftingOf(d, s)
	if l == nil || !l.applied {
		return nil, fmt.Errorf("op2: mat %s: ApplyRHS: the %s have not been applied to it since it was zeroed\n  hint: Apply takes the matrix and the right-hand side", m.data.Name(), d.what)
	}
	return l, nil
}

// ApplyTo sets the fixed values in a vector of the unknowns.
func (d *Dirichlet[T]) ApplyTo(u Vector[T]) error {
	if err := d.prepare(u.Dim()); err != nil {
		return err
	}
	onDevice := u.OnDevice()
	if err := d.update(onDevice); err != nil {
		return err
	}
	return d.place(u, 1, onDevice)
}

// Fits checks that m is a square matrix of unknowns on the set.
func (d *Dirichlet[T]) Fits(m *Matrix[T]) error {
	if err := m.NeedsDiagonal("Dirichlet"); err != nil {
		return err
	}
	if m.data.Sparsity().Rows() != d.set {
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they are on %s, the rows of %s are %s", d.set.Name(), m.data.Name(), m.data.Sparsity().Rows().Name())}
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
		for _, e := range c.on.Here() {
			eachComponent(dim, c.components, func(i int) { owner[int(e)*dim+i] = int32(k + 1) })
		}
	}
	var elements []int32
	for e := range d.set.Total() {
		if slices.ContainsFunc(owner[e*dim:(e+1)*dim], func(o int32) bool { return o != 0 }) {
			elements = append(elements, int32(e))
		}
	}
	var err error
	if d.owner, err = NewVectorHere(d.set, dim, owner, "owner"); err != nil {
		return err
	}
	if d.values, err = NewVector[T](d.set, dim, nil, "fixed"); err != nil {
		return err
	}
	if d.fixed, err = core.NewSubsetHere(d.set, elements, "fixed"); err != nil {
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
	if !c.constant() && c.from.Dim() != dim && c.from.Dim() != many {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%d values for each element are needed, %s has dim %d", many, c.from.Name(), c.from.Dim())}
	}
	if c.constant() && len(c.values) != 1 && len(c.values) != many {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("Fix takes %s, %d %s given", problem.OneOr(many), len(c.values), problem.Were(len(c.values)))}
	}
	return nil
}

// places returns the index of each component of the unknowns among the condition's values.
func (c *Condition[T]) places(dim int) []int32 {
	places := make([]int32, dim)
	given := len(c.values)
	if !c.constant() {
		given = c.from.Dim()
	}
	k := 0
	eachComponent(dim, c.components, func(i int) {
		switch {
		case !c.constant() && given == dim:
			places[i] = int32(i)
		case given > 1:
			places[i] = int32(k)
		}
		k++
	})
	return places
}

// update reads the values of the conditions, on the device or on the host. Those of the halo, which
// liftings read, come from the ranks that own them.
func (d *Dirichlet[T]) update(onDevice bool) error {
	update := d.updateOnHost
	if onDevice {
		update = d.updateOnDevice
	}
	if err := update(); err != nil {
		return err
	}
	return d.values.Update()
}

func (d *Dirichlet[T]) updateOnHost() error {
	for k, c := range d.conditions {
		if d.current(k) {
			continue
		}
		from := c.values
		var err error
		if !c.constant() {
			if from, err = c.from.Reading(); err != nil {
				return err
			}
		}
		owner, err := d.owner.Reading()
		if err != nil {
			return err
		}
		values, err := d.values.Writing()
		if err != nil {
			return err
		}
		places := c.places(d.dim)
		for _, element := range c.on.Here() {
			e, of := int(element), from
			if !c.constant() {
				of = from[e*c.from.Dim():]
			}
			for i := range d.dim {
				if owner[e*d.dim+i] == int32(k+1) {
					values[e*d.dim+i] = of[places[i]]
				}
			}
		}
		d.seen[k] = c.version
	}
	return nil
}

// current reports whether the constant values of condition k are unchanged.
func (d *Dirichlet[T]) current(k int) bool {
	c := d.conditions[k]
	return c.constant() && d.seen[k] == c.version
}

// place sets the fixed values of a vector, times scale.
func (d *Dirichlet[T]) place(u Vector[T], scale T, onDevice bool) error {
	if onDevice {
		return d.placeOnDevice(u, scale)
	}
	owner, err := d.owner.Reading()
	if err != nil {
		return err
	}
	values, err := d.values.Reading()
	if err != nil {
		return err
	}
	to, err := u.Writing()
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
