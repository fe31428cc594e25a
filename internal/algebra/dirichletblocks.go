package algebra

import (
	"fmt"
	"weak"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// MixedDirichlet holds boundary conditions on the parts of the unknowns of a matrix of blocks.
type MixedDirichlet struct {
	Parts []*Dirichlet // nil: none on the part
}

// liftedBlocks is the last right-hand side of a matrix, before and after conditions were applied.
type liftedBlocks struct {
	by            weak.Pointer[MixedDirichlet]
	before, after []Vector
}

// each calls f for the conditions of each part that has any.
func (d *MixedDirichlet) each(f func(part int, of *Dirichlet) error) error {
	for i, of := range d.Parts {
		if of == nil {
			continue
		}
		if err := f(i, of); err != nil {
			return err
		}
	}
	return nil
}

// Fits returns an error unless the conditions are on parts of the unknowns of a matrix named what.
func (d *MixedDirichlet) Fits(what string, m *BlockMatrix) error {
	if len(d.Parts) != len(m.Rows) || len(m.Rows) != len(m.Cols) {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("the conditions are on %s, the rows have %d and the columns %d", problem.Count(len(d.Parts), "part"), len(m.Rows), len(m.Cols))}
	}
	return d.each(func(i int, of *Dirichlet) error {
		if m.Rows[i] != m.Cols[i] || m.Rows[i].Set != of.set {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d: the %s are on %s, the rows are %s and the columns %s", i, of.what, of.set.Name(), m.Rows[i].Set.Name(), m.Cols[i].Set.Name())}
		}
		if m.Blocks[i][i] == nil {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d: the %s need the block [%d][%d], which is absent", i, of.what, i, i)}
		}
		return nil
	})
}

// ApplyMat applies the conditions to an assembled matrix: rows and columns of fixed values become
// zero in all blocks.
func (d *MixedDirichlet) ApplyMat(m *BlockMatrix) error {
	return d.each(func(i int, of *Dirichlet) error {
		dim := m.Rows[i].Dim
		if err := of.ApplyMat(m.Blocks[i][i]); err != nil {
			return err
		}
		for j := range m.Rows {
			if b := m.Blocks[i][j]; b != nil && j != i {
				if err := of.constrain(b, dim, rowSide); err != nil {
					return err
				}
			}
			if b := m.Blocks[j][i]; b != nil && j != i {
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
func (d *MixedDirichlet) ApplyRHS(m *BlockMatrix, b []Vector) error {
	if err := d.restore(m, b); err != nil {
		return err
	}
	err := d.each(func(i int, of *Dirichlet) error {
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
			if err := l.lift(block, of, b[r], true, there); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = d.each(func(i int, of *Dirichlet) error {
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
func (d *MixedDirichlet) restore(m *BlockMatrix, b []Vector) error {
	l := m.lifted
	if l == nil || l.by != weak.Make(d) {
		l = &liftedBlocks{by: weak.Make(d)}
		for i, p := range m.Rows {
			before, err := newZeros(p.Set, p.Dim, b[i].Scalar(), "before")
			if err != nil {
				return err
			}
			after, err := newZeros(p.Set, p.Dim, b[i].Scalar(), "after")
			if err != nil {
				return err
			}
			before.SetLayout(b[i].Layout())
			after.SetLayout(b[i].Layout())
			l.before, l.after = append(l.before, before), append(l.after, after)
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
		all, err := core.Combine(b[0].Runtime(), loop.Inc, n)
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

// differences returns in how many values here two vectors differ.
func (d Vector) differences(other Vector) (int64, error) {
	if d.OnDevice() && other.OnDevice() {
		return d.differencesOnDevice(other)
	}
	if err := d.Bring(false); err != nil {
		return 0, err
	}
	if err := other.Bring(false); err != nil {
		return 0, err
	}
	return types[d.Scalar()].differences(core.Host[byte](d.Data), core.Host[byte](other.Data), d.Set().Size()*d.Dim(), nil), nil
}

func (d Vector) differencesOnDevice(other Vector) (int64, error) {
	n, err := core.NewGlobal(d.Runtime(), []int64{0}, "differences")
	if err != nil {
		return 0, err
	}
	if err := d.Runtime().ParLoop(sourceFor(d.Scalar()).Instance("datCompare", nil).Alone(), d.Set().All(), d.Read(), other.Read(), n.Inc()); err != nil {
		return 0, err
	}
	return Value[int64](n)
}
