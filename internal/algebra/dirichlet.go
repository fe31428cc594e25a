package algebra

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Condition fixes values of the unknowns at some elements of a set, all values or those of some
// components.
type Condition struct {
	on         entity.Range
	components []int // nil: all
	scalar     loop.Scalar
	values     []byte // one value for all components, or one for each; nil if a vector holds them
	from       Vector // undeclared if the values are constant
	version    int    // of the values
	part       int    // of the unknowns; AnyPart: the one on the set
}

// AnyPart stands for the only part of the unknowns that comes into question.
const AnyPart = math.MinInt

// Fix returns the condition that the values are constant, given as their bytes.
func Fix(on entity.Range, s loop.Scalar, values []byte) *Condition {
	return &Condition{on: on, scalar: s, values: append([]byte{}, values...), version: 1, part: AnyPart}
}

// FixTo returns the condition that the values are those of a vector.
func FixTo(on entity.Range, s loop.Scalar, values Vector) *Condition {
	return &Condition{on: on, scalar: s, from: values, part: AnyPart}
}

// On returns the elements whose values the condition fixes.
func (c *Condition) On() entity.Range { return c.on }

// Restricted returns the condition on some components alone.
func (c *Condition) Restricted(components []int) *Condition {
	to := c.clone()
	to.components = append([]int{}, components...)
	return to
}

// OfPart returns the condition on a part of the unknowns.
func (c *Condition) OfPart(i int) *Condition {
	to := c.clone()
	to.part = i
	return to
}

func (c *Condition) clone() *Condition {
	to := *c
	to.values = slices.Clone(c.values)
	return &to
}

// Set changes constant values, of which there are as many as before.
func (c *Condition) Set(values []byte) error {
	if i := notFinite(c.scalar, values); i >= 0 {
		return fmt.Errorf("op2: condition on %s: Set: value %d is %v", c.on.Name(), i, floatAt(c.scalar, values, i))
	}
	copy(c.values, values)
	c.version++
	return nil
}

// notFinite returns the index of the first infinite or NaN value; -1 if there is none.
func notFinite(s loop.Scalar, values []byte) int {
	switch s {
	case loop.Float64:
		return entity.FindNotFinite(store.As[float64](values))
	case loop.Float32:
		return entity.FindNotFinite(store.As[float32](values))
	}
	return -1
}

// floatAt returns value i, which is a float.
func floatAt(s loop.Scalar, values []byte, i int) float64 {
	if s == loop.Float32 {
		return float64(store.As[float32](values)[i])
	}
	return store.As[float64](values)[i]
}

// Runtimes returns those of the elements and of the values; nil for elements without one.
func (c *Condition) Runtimes() []*entity.Runtime {
	if c == nil {
		return nil
	}
	runtimes := []*entity.Runtime{c.on.Set.Runtime()}
	if c.from.Data.Made() {
		runtimes = append(runtimes, c.from.Runtime())
	}
	return runtimes
}

// Check returns an error unless the condition is of that many constant values.
func (c *Condition) Check(values int) error {
	switch {
	case !c.constant():
		return fmt.Errorf("op2: condition on %s: Set: it takes its values from the dat %s", c.on.Name(), c.from.Name())
	case values != c.given():
		return &problem.ShapeError{What: "condition on " + c.on.Name(), Msg: fmt.Sprintf("Set takes as many values as Fix, %d; %d %s given", c.given(), values, problem.Were(values))}
	}
	return nil
}

// given returns the number of constant values, or of those that a vector has for each element.
func (c *Condition) given() int {
	if c.constant() {
		return len(c.values) / c.scalar.Size()
	}
	return c.from.Dim()
}

// constant reports whether the values are constant.
func (c *Condition) constant() bool { return c.from.Data == nil }

// Dirichlet holds boundary conditions that fix values of one part of the unknowns of a linear system.
type Dirichlet struct {
	set        *entity.Set // flat, of conditions on columns
	part       int         // of the unknowns; AnyPart: the one on the set
	conditions []*Condition
	seen       []int // the version of each condition in values
	scalar     loop.Scalar
	scale      []byte  // a value
	diagonal   float64 // the same, as the program has set it
	what       string  // for messages
	name       string  // by which checkpoints find them; "" if they do not

	in *Boundary

	// Set on first use, when the dim of the unknowns is known.
	dim    int
	owner  Vector         // of int32, [set][dim]: the condition that fixes the value, counted from 1, or 0
	values Vector         // [set][dim]: the fixed values
	over   []entity.Range // the elements of each condition
	fixed  *entity.Subset // the elements with fixed values
	takes  []take         // by condition
}

// take is what copies a condition's values into those of all.
type take struct {
	constant *entity.Data // the values, if they are constant; nil otherwise
	args     []entity.Arg
}

// newDirichlet combines conditions on one part of the unknowns.
func newDirichlet(s loop.Scalar, conditions []*Condition) *Dirichlet {
	first := conditions[0]
	d := &Dirichlet{set: first.on.FlatSet(), part: first.part, conditions: conditions, seen: make([]int, len(conditions)), scalar: s, scale: slices.Clone(types[s].one), diagonal: 1,
		what: describe(conditions)}
	entity.Follow(d.set.Runtime(), d)
	entity.DeclareConditions(d.set.Runtime(), d)
	return d
}

// describe returns a description of conditions for messages: "conditions on inflow, walls".
func describe(conditions []*Condition) string {
	var names []string
	for _, c := range conditions {
		if name := c.on.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return "conditions on " + strings.Join(names, ", ")
}

// check returns an error if something is wrong with condition i.
func (c *Condition) check(i int) error {
	what := fmt.Sprintf("NewDirichlet: condition %d", i+1)
	if c == nil {
		return fmt.Errorf("op2: %s is nil", what)
	}
	set := c.on.FlatSet()
	if set == nil || set.Runtime() == nil {
		return fmt.Errorf("op2: %s: the set is nil, or was not made by NewSet", what)
	}
	what += " (" + c.on.Name() + ")"
	if !c.constant() {
		c.from = Vector{Data: c.from.Flat()}.on(set)
	}
	switch {
	case c.on.Layers.NotElements() != "":
		return fmt.Errorf("op2: %s: %s", what, c.on.Layers.NotElements())
	case c.values == nil && c.constant():
		return fmt.Errorf("op2: %s: the dat is nil", what)
	case !c.constant() && c.from.Set() != set:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the values must be on %s, %s is on %s", set.Besides(c.from.Set()), c.from.Name(), c.from.Set().Besides(set))}
	case c.constant() && len(c.values) == 0:
		return &problem.ShapeError{What: what, Msg: "it has no values"}
	case c.components != nil && len(c.components) == 0:
		return &problem.ShapeError{What: what, Msg: "it has no components", Hint: "leave Components out to mean all"}
	case c.constant() && c.components != nil && c.given() != 1 && c.given() != len(c.components):
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("Fix takes %s, %d %s given", problem.OneOr(len(c.components)), c.given(), problem.Were(c.given()))}
	case notFinite(c.scalar, c.values) >= 0:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("a value is %v", floatAt(c.scalar, c.values, notFinite(c.scalar, c.values)))}
	case c.part < 0 && c.part != AnyPart:
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("parts are numbered from 0, %d was given", c.part)}
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

// constrain applies the conditions, on unknowns of the given dim, to the rows or columns of a matrix.
func (d *Dirichlet) constrain(m *Matrix, dim int, s side) error {
	if err := d.prepare(dim); err != nil {
		return err
	}
	l, err := m.liftingBy(d, s)
	if err != nil {
		return err
	}
	return l.constrain(m, d.scale)
}

// applyRHS applies the conditions to a right-hand side of a matrix that has them.
func (d *Dirichlet) applyRHS(m *Matrix, b Vector) error {
	l, err := d.appliedTo(m, bothSides)
	if err != nil {
		return err
	}
	onDevice := b.OnDevice() && m.data.Numberable()
	if err := d.update(onDevice); err != nil {
		return err
	}
	if err := l.lift(d, b, false, onDevice); err != nil {
		return err
	}
	return d.place(b, l.scale, onDevice)
}

// appliedTo returns the conditions' effect on a matrix that they have been applied to.
func (d *Dirichlet) appliedTo(m *Matrix, s side) (*lifting, error) {
	if err := m.data.Storage().Use(false); err != nil { // which has what was taken out
		return nil, err
	}
	l := m.liftingOf(d, s)
	if l == nil || !l.applied {
		return nil, fmt.Errorf("op2: mat %s: ApplyRHS: the %s have not been applied to it since it was zeroed\n  hint: Apply applies them, once the matrix has been assembled", m.data.Name(), d.what)
	}
	if m.data.Runtime().Config().Backend.Poison {
		if n, err := l.nonzeros(m); err != nil || n[0] > 0 {
			return nil, cmp.Or(err, fmt.Errorf("op2: mat %s: ApplyRHS: the %s no longer hold, since something was added to it after Apply\n  hint: Apply applies them again", m.data.Name(), d.what))
		}
	}
	return l, nil
}

// prepare lists the fixed values of unknowns of the given dim.
func (d *Dirichlet) prepare(dim int) error {
	if d.dim == dim {
		return nil
	}
	if d.dim != 0 {
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they have been applied to unknowns of dim %d, these have dim %d", d.dim, dim)}
	}
	d.over = nil
	owner := make([]int32, d.set.Total()*dim)
	for k, c := range d.conditions {
		if err := c.fit(d.what, dim); err != nil {
			return err
		}
		d.over = append(d.over, c.on.Flat())
		for _, e := range d.over[k].Here() {
			eachComponent(dim, c.components, func(i int) { owner[int(e)*dim+i] = int32(k + 1) })
		}
	}
	var elements []int32
	for i, o := range owner {
		if o == 0 {
			continue
		}
		if e := int32(i / dim); len(elements) == 0 || elements[len(elements)-1] != e {
			elements = append(elements, e)
		}
	}
	var err error
	if d.owner.Data, err = entity.NewDatHere(d.set, dim, owner, "owner"); err != nil {
		return err
	}
	if d.values, err = newZeros(d.set, dim, d.scalar, "fixed"); err != nil {
		return err
	}
	if d.fixed, err = entity.NewSubsetHere(d.set, elements, "fixed"); err != nil {
		return err
	}
	if err := d.prepareTakes(dim); err != nil {
		return err
	}
	d.dim = dim
	return nil
}

// prepareTakes prepares to copy the values of the conditions on unknowns of the given dim.
func (d *Dirichlet) prepareTakes(dim int) error {
	rt := d.set.Runtime()
	d.takes = nil
	for k, c := range d.conditions {
		var t take
		place, err := entity.NewGlobal(rt, c.places(dim), "place")
		if err != nil {
			return err
		}
		number, err := entity.NewGlobal(rt, []int32{int32(k + 1)}, "condition")
		if err != nil {
			return err
		}
		from := c.from.Data
		if c.constant() {
			if t.constant, err = entity.NewScalars(rt, d.scalar, c.given(), "constant"); err != nil {
				return err
			}
			from = t.constant
		}
		t.args = []entity.Arg{d.values.RW(), d.owner.Read(), from.Read(), place.Read(), number.Read()}
		d.takes = append(d.takes, t)
	}
	return nil
}

// fit checks that the condition fits unknowns with the given dim.
func (c *Condition) fit(what string, dim int) error {
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
	if n := c.given(); c.constant() && n != 1 && n != many {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("Fix takes %s, %d %s given", problem.OneOr(many), n, problem.Were(n))}
	}
	return nil
}

// places returns the index of each component of the unknowns among the condition's values.
func (c *Condition) places(dim int) []int32 {
	places := make([]int32, dim)
	given, k := c.given(), 0
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
func (d *Dirichlet) update(onDevice bool) error {
	for k, c := range d.conditions {
		if c.constant() && d.seen[k] == c.version {
			continue
		}
		t := d.takes[k]
		if c.constant() {
			Assign(t.constant, c.values...)
		} else if !onDevice {
			if err := d.checkFinite(k); err != nil {
				return err
			}
		}
		if err := edit(onDevice, "Take", d.over[k], nil, t.args...); err != nil {
			return err
		}
		d.seen[k] = c.version
	}
	return d.values.Update()
}

// checkFinite returns an error if a value that condition k takes from a vector is not finite.
func (d *Dirichlet) checkFinite(k int) error {
	c := d.conditions[k]
	if err := c.from.Bring(false); err != nil {
		return err
	}
	owner, err := entity.Reading[int32](d.owner.Data)
	if err != nil {
		return err
	}
	from, places := hostValuesOf(c.from.Data), c.places(d.dim)
	over := d.over[k]
	for _, e := range over.Here()[:over.Size()] {
		for i, place := range places {
			value := from.at(int(e)*c.from.Dim() + int(place))
			if owner[int(e)*d.dim+i] == int32(k+1) && notFinite(d.scalar, value) >= 0 {
				return fmt.Errorf("op2: %s: that on %s: %s holds %v, at element %d of %s", d.what, c.on.Name(), c.from.Name(), floatAt(d.scalar, value, 0), d.set.Known(int(e)), d.set.Name())
			}
		}
	}
	return nil
}

// place sets the fixed values of a vector, times scale.
func (d *Dirichlet) place(u Vector, scale []byte, onDevice bool) error {
	times, err := factor(u.Data, scale)
	if err != nil {
		return err
	}
	return edit(onDevice, "Place", d.fixed.All(), nil, u.RW(), d.values.Read(), d.owner.Read(), times.Read())
}
