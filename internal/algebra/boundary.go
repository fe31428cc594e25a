package algebra

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"weak"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Boundary holds boundary conditions on the parts of the unknowns of a linear system, and applies them such that
// a symmetric matrix stays symmetric.
type Boundary struct {
	parts []*Dirichlet // one for each part with conditions
	what  string       // for messages
}

// NewBoundary combines conditions: those on one set, unless they name parts, are on one part of the unknowns.
func NewBoundary(s loop.Scalar, conditions []*Condition) (*Boundary, error) {
	if len(conditions) == 0 {
		return nil, fmt.Errorf("op2: NewDirichlet: there are no conditions")
	}
	var groups [][]*Condition
	for i, c := range conditions {
		if err := c.check(i); err != nil {
			return nil, err
		}
		k := slices.IndexFunc(groups, func(g []*Condition) bool { return g[0].on.FlatSet() == c.on.FlatSet() && g[0].part == c.part })
		if k < 0 {
			k, groups = len(groups), append(groups, nil)
		}
		groups[k] = append(groups[k], c)
	}
	b := &Boundary{what: describe(conditions)}
	for _, g := range groups {
		of := newDirichlet(s, g)
		of.in = b
		b.parts = append(b.parts, of)
	}
	return b, nil
}

// InertBoundary returns conditions that failed to be declared.
func InertBoundary(rt *entity.Runtime) *Boundary {
	return &Boundary{parts: []*Dirichlet{{set: entity.InertSet(rt, "")}}, what: "conditions"}
}

// Runtime returns the runtime of the conditions; nil if there are none.
func (d *Boundary) Runtime() *entity.Runtime {
	if d == nil || len(d.parts) == 0 {
		return nil
	}
	return d.parts[0].set.Runtime()
}

// Describe returns a description for messages: "conditions on inflow, walls".
func (d *Boundary) Describe() string { return d.what }

// From returns the dats that conditions take their values from.
func (d *Boundary) From() (list []*entity.Data) {
	for _, p := range d.parts {
		for _, c := range p.conditions {
			if !c.constant() {
				list = append(list, c.from.Columns())
			}
		}
	}
	return list
}

// SetDiagonal sets the diagonal value for the rows of fixed values, given also as its bytes.
func (d *Boundary) SetDiagonal(v float64, bytes []byte) error {
	switch {
	case v == 0:
		return &problem.ShapeError{What: d.what, Msg: "the diagonal cannot be 0", Hint: "the matrix would be singular"}
	case math.IsNaN(v) || math.IsInf(v, 0):
		return &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("the diagonal cannot be %v", v)}
	}
	for _, p := range d.parts {
		copy(p.scale, bytes)
		p.diagonal = v
	}
	return nil
}

// assign calls f with the conditions of each part of the unknowns of something that has any.
func (d *Boundary) assign(name string, unknowns []Part, f func(part int, of *Dirichlet) error) error {
	taken := make([]*Dirichlet, len(unknowns))
	for _, of := range d.parts {
		i, err := of.among(name, unknowns)
		if err != nil {
			return err
		}
		if taken[i] != nil {
			return fmt.Errorf("op2: %s: the %s are on part %d of %s, too\n  hint: name the part of all of them, or of none", of.what, taken[i].what, i, name)
		}
		taken[i] = of
	}
	for i, of := range taken {
		if of == nil {
			continue
		}
		if err := f(i, of); err != nil {
			return err
		}
	}
	return nil
}

// among returns the part of the unknowns of something that the conditions are on.
func (d *Dirichlet) among(name string, unknowns []Part) (int, error) {
	if d.part >= len(unknowns) {
		return 0, &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("there is no part %d: %s has %s, numbered from 0", d.part, name, problem.Count(len(unknowns), "part"))}
	}
	var sets []string
	found := AnyPart
	for i, p := range unknowns {
		sets = append(sets, p.Set.Besides(d.set))
		if p.Set != d.set || d.part != AnyPart && d.part != i {
			continue
		}
		if found != AnyPart {
			return 0, &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("parts %d and %d of %s are on %s", found, i, name, d.set.Name()), Hint: "Condition.Part names the part"}
		}
		found = i
	}
	switch {
	case found == AnyPart && d.part != AnyPart:
		return 0, &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they are on %s, part %d of %s is on %s", d.set.Besides(unknowns[d.part].Set), d.part, name, sets[d.part])}
	case found == AnyPart:
		return 0, &problem.ShapeError{What: d.what, Msg: fmt.Sprintf("they are on %s, %s is on %s", d.set.Besides(unknowns[0].Set), name, strings.Join(sets, ", "))}
	}
	return found, nil
}

// on calls f with the conditions of each part of the unknowns of a matrix that has any.
func (d *Boundary) on(m *BlockMatrix, f func(part int, of *Dirichlet) error) error {
	return d.assign(m.Name, m.Rows, f)
}

// Fits returns an error unless the conditions are on parts of the unknowns of a matrix.
func (d *Boundary) Fits(m *BlockMatrix) error {
	return d.on(m, func(i int, of *Dirichlet) error {
		_, err := m.OnDiagonal("Dirichlet", i)
		return err
	})
}

// ApplyTo sets the fixed values in a vector of the unknowns.
func (d *Boundary) ApplyTo(name string, u []Vector) error {
	unknowns := make([]Part, len(u))
	for i, v := range u {
		for _, p := range d.parts {
			v = v.on(p.set)
		}
		u[i], unknowns[i] = v, Part{Set: v.Set(), Dim: v.Dim()}
	}
	return d.assign(name, unknowns, func(i int, of *Dirichlet) error {
		if err := of.prepare(u[i].Dim()); err != nil {
			return err
		}
		onDevice := u[i].OnDevice()
		if err := of.update(onDevice); err != nil {
			return err
		}
		return of.place(u[i], types[of.scalar].one, onDevice)
	})
}

// ApplyMat applies the conditions to an assembled matrix: rows and columns of fixed values become
// zero in all blocks.
func (d *Boundary) ApplyMat(m *BlockMatrix) error {
	return d.on(m, func(i int, of *Dirichlet) error {
		dim := m.Rows[i].Dim
		if err := of.constrain(m.Blocks[i][i], dim, bothSides); err != nil {
			return err
		}
		for j, b := range m.Blocks[i] {
			if b != nil && j != i {
				if err := of.constrain(b, dim, rowSide); err != nil {
					return err
				}
			}
		}
		for j, row := range m.Blocks {
			if b := row[i]; b != nil && j != i {
				if err := of.constrain(b, dim, colSide); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// ApplyRHS applies the conditions to a right-hand side of a matrix that has them. One that still
// contains what the last call made of it is restored first.
func (d *Boundary) ApplyRHS(m *BlockMatrix, b []Vector) error {
	if len(m.Rows) == 1 { // a lifting of its own knows whether b is unchanged
		return d.parts[0].applyRHS(m.Blocks[0][0], b[0])
	}
	if err := d.restore(m, b); err != nil {
		return err
	}
	err := d.on(m, func(i int, of *Dirichlet) error {
		onDevice := b[i].OnDevice() && m.Blocks[i][i].data.Numberable()
		if err := of.update(onDevice); err != nil {
			return err
		}
		for r := range m.Rows {
			block, s := m.Blocks[r][i], colSide
			if r == i {
				s = bothSides
			}
			if block == nil {
				continue
			}
			l, err := of.appliedTo(block, s)
			if err != nil {
				return err
			}
			there := b[r].OnDevice() && block.data.Numberable()
			if there != onDevice {
				if err := of.update(there); err != nil {
					return err
				}
			}
			if err := l.lift(of, b[r], true, there); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = d.on(m, func(i int, of *Dirichlet) error {
		l, err := of.appliedTo(m.Blocks[i][i], bothSides)
		if err != nil {
			return err
		}
		return of.place(b[i], l.scale, b[i].OnDevice() && m.Blocks[i][i].data.Numberable())
	})
	if err != nil {
		return err
	}
	for i, after := range m.lifted.after {
		if err := after.Copy(b[i]); err != nil {
			return err
		}
	}
	return nil
}

// restore undoes what the last call of ApplyRHS did to b, if b is unchanged since, and keeps b as it is
// now.
func (d *Boundary) restore(m *BlockMatrix, b []Vector) error {
	l := m.lifted
	if l == nil || l.by != weak.Make(d) {
		var err error
		if l, err = d.newLifted(m); err != nil {
			return err
		}
		for i := range b {
			l.before[i].SetLayout(b[i].Layout())
			l.after[i].SetLayout(b[i].Layout())
		}
		m.lifted = l
	} else {
		n := int64(0)
		for i, after := range l.after {
			more, err := after.differences(b[i])
			if err != nil {
				return err
			}
			n += more
		}
		all, err := entity.Combine(b[0].Runtime(), loop.Inc, n)
		if err != nil {
			return err
		}
		if all[0] == 0 {
			for i, before := range l.before {
				if err := b[i].Copy(before); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for i, before := range l.before {
		if err := before.Copy(b[i]); err != nil {
			return err
		}
	}
	return nil
}

// newLifted returns room for the last right-hand side of a matrix.
func (d *Boundary) newLifted(m *BlockMatrix) (*liftedBlocks, error) {
	l := &liftedBlocks{by: weak.Make(d)}
	for _, p := range m.Rows {
		before, err := newZeros(p.Set, p.Dim, d.parts[0].scalar, "before")
		if err != nil {
			return nil, err
		}
		after, err := newZeros(p.Set, p.Dim, d.parts[0].scalar, "after")
		if err != nil {
			return nil, err
		}
		before.Columns().Carry()
		after.Columns().Carry()
		l.before, l.after = append(l.before, before), append(l.after, after)
	}
	return l, nil
}

// differences returns in how many values here two vectors differ.
func (d Vector) differences(other Vector) (int64, error) {
	n, err := count(d.OnDevice() && other.OnDevice(), "Compare", entity.Range{}, nil, d.Read(), other.Read())
	return n[0], err
}
