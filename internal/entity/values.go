package entity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// hold makes dim values of a type what a dat has for each element, or a global. The error says what
// of it is not plain.
func (d *Data) hold(dim int, of loop.Type) error {
	l, err := loop.LayoutFor(of)
	if err != nil {
		return &problem.ShapeError{What: d.Describe(), Msg: err.Error()}
	}
	d.values.layout = l
	d.scalar, d.values.each = l.Carrier()
	d.dim = dim * d.values.each
	return nil
}

// TypeName returns the type of the values as the program writes it: "Pressure", "[2]float64".
func (d *Data) TypeName() string {
	if d.values.layout == nil {
		return d.scalar.String()
	}
	return d.values.layout.String()
}

// place returns the component that one of an element's scalars belongs to, and the field of it: "Rho";
// "" if values are scalars.
func (d *Data) place(scalar int) (component int, field string) {
	l, each := d.values.composite(), d.values.words()
	if l == nil {
		return scalar, ""
	}
	return scalar / each, strings.TrimPrefix(l.Leaves()[scalar%each].Path, ".")
}

// Floats reports whether some of the values' scalars are floating-point numbers.
func (d *Data) Floats() bool {
	if l := d.values.composite(); l != nil && !d.scalar.Float() {
		return slices.ContainsFunc(l.Leaves(), func(leaf loop.Leaf) bool { return leaf.Scalar.Float() })
	}
	return d.scalar.Float()
}

// Combines reports whether values can be combined with others as the access does.
func (d *Data) Combines(access loop.Access) bool {
	l := d.values.layout
	switch {
	case l == nil:
		return true
	case access == loop.Inc:
		return !slices.ContainsFunc(l.Leaves(), func(leaf loop.Leaf) bool { return leaf.Scalar == loop.Bool })
	case access == loop.Min || access == loop.Max:
		for l.Elem != nil {
			l = l.Elem
		}
		return l.Scalar != loop.Invalid && l.Scalar != loop.Bool
	}
	return true
}

// NotCombined describes why values are not combined as the access does, and what to do instead.
func (d *Data) NotCombined(access loop.Access) (msg, hint string) {
	const reduce = "Reduce combines values by a function of the program"
	if access == loop.Inc {
		return fmt.Sprintf("%s holds %s, and bools have no sum", d.name, d.TypeName()), reduce
	}
	return fmt.Sprintf("%s holds %s, of which none is less than another", d.name, d.TypeName()), reduce
}

// ClearPadding zeroes the bytes on the host that no value uses.
func (d *Data) ClearPadding() { d.storage.ClearPadding(d.Bytes()) }

// Record returns the layout of values that are stored as words; nil if there are none.
func (d *Data) Record() *loop.Layout {
	if l := d.values.composite(); l != nil && !l.IsUniform() {
		return l
	}
	return nil
}
