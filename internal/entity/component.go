package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// A component of a dat is for arguments of loops, which pass the dat itself, and say which value of each element they mean: its
// storage, its halo and its colors are those of the dat. Arithmetic consists of such loops. For all else a component is a dat
// that could not be declared.

// Component returns one value of each element of a dat.
func (d *Data) Component(i int) *Data {
	switch {
	case d.whole != nil && i != 0:
		c := *d
		c.whole, c.rt = nil, d.whole.rt.Lack(d.noComponent(i))
		return &c
	case d.rt.failed != nil: // or is a component already
		return d
	}
	if c := d.components[i]; c != nil {
		return c
	}
	c := &Data{kind: loop.Dat, set: d.set, scalar: d.scalar, values: d.values, dim: d.values.words(), name: fmt.Sprintf("%s[%d]", d.name, i), site: d.site}
	switch {
	case i < 0 || i >= d.Dim():
		c.rt = d.rt.Lack(d.noComponent(i))
		return c
	case d.column != nil:
		c.rt = d.rt.Lack(fmt.Errorf("op2: %s: components of dats on extruded sets are not passed alone\n  hint: pass all of it", c.Describe()))
		return c
	}
	c.whole, c.component = d, i
	c.rt = d.rt.Lack(fmt.Errorf("op2: %s: it is a component of a dat, which is for arguments of loops and for arithmetic\n  hint: copy it into a dat of dim 1, by Copy or a loop", c.Describe()))
	if d.components == nil {
		d.components = map[int]*Data{}
	}
	d.components[i] = c
	return c
}

// Operand returns data as an operand of arithmetic, which loops compute: a component of numbers is one, too.
func (d *Data) Operand() *Data {
	if d == nil || d.whole == nil || d.values.composite() != nil || d.scalar == loop.Bool {
		return d
	}
	live := *d
	live.rt = d.whole.rt
	return &live
}

// noComponent returns the error for a component that there is not.
func (d *Data) noComponent(i int) error {
	return &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("component %d was asked for, it has %s", i, problem.ComponentRange(d.Dim()))}
}

// Whole returns the dat that a component is one of; nil for others.
func (d *Data) Whole() *Data { return d.whole }
