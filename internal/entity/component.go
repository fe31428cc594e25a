package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// A component of a dat is for arguments of loops, which pass the dat itself, and say which value of each element they mean: its
// storage, its halo and its colors are those of the dat. Arithmetic consists of such loops. For all else a component is a dat
// that could not be declared.

// Component returns one value of each element of a dat. It may be called at any time.
func (d *Data) Component(i int) *Data {
	if i == 0 && d.whole != nil || d.whole == nil && d.rt.failed != nil {
		return d
	}
	layers := d.Layers()
	c := &Data{kind: loop.Dat, set: d.set, column: d.column, scalar: d.scalar, values: d.values, dim: d.values.words() * layers, name: fmt.Sprintf("%s[%d]", d.name, i), site: d.site}
	switch {
	case i < 0 || i >= d.Dim()/layers:
		err := &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("component %d was asked for, it has %s", i, problem.ComponentRange(d.Dim()/layers))}
		c.rt = d.Operand().rt.Lack(err)
		return c
	}
	c.whole, c.component = d, i
	c.rt = &Runtime{closed: true, failed: noDat{c}, lackedBy: d.rt}
	return c
}

// noDat is the error for what is done with a component that only a dat is for.
type noDat struct{ component *Data }

func (e noDat) Error() string {
	c := e.component
	return fmt.Sprintf("op2: %s is a component of a dat, for arguments of loops and for arithmetic alone\n  hint: use a dat of dim 1 that has its values, by y.Copy(%s.Component(%d))", c.name, c.whole.name, c.component)
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

// Whole returns the dat that a component is one of; nil for others.
func (d *Data) Whole() *Data { return d.whole }
