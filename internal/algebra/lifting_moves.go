package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// What conditions took out of a matrix, and the last right-hand side, are values of couplings, each of which has its place
// among the values of the matrix. When rows move to other ranks, they go there in three matrices of the same pattern.

// besides is the number of these matrices.
const besides = 3

// Leave implements entity.Beside. Conditions that some rank cannot reach any more are forgotten on all.
func (m *Matrix) Leave() (list []*entity.Data, err error) {
	if m.liftings == 0 {
		return nil, nil
	}
	present := make([]int64, m.liftings)
	for _, l := range m.lifted {
		if l.conditions = l.by.Value(); l.conditions != nil {
			present[l.number] = 1
		}
	}
	if present, err = entity.Combine(m.data.Runtime(), loop.Min, present...); err != nil {
		return nil, err
	}
	var left []*lifting
	for _, l := range m.lifted {
		if present[l.number] == 0 {
			continue
		}
		left = append(left, l)
		if err := l.keepLast(); err != nil {
			return nil, err
		}
		for _, from := range [besides]Vector{l.kept, l.before, l.after} {
			values, err := entity.NewMat(m.data.Sparsity(), m.data.Scalar(), "columns of "+m.data.Name())
			if err != nil {
				return nil, err
			}
			if err := edit(false, "Copy", l.kept.Set().All(), &l.at, values.Write(), from.Read()); err != nil {
				return nil, err
			}
			list = append(list, values)
		}
	}
	m.lifted = left
	return list, nil
}

// Arrive implements entity.Beside.
func (m *Matrix) Arrive(list []*entity.Data) error {
	b := m.data.Sparsity().Block()
	for i, before := range m.lifted {
		d, dim := before.conditions, b.Rows
		if before.side == colSide {
			dim = b.Cols
		}
		if err := d.prepare(dim); err != nil {
			return err
		}
		l, err := m.newLifting(d, before.side)
		if err != nil {
			return err
		}
		l.number, l.applied, l.scale = before.number, before.applied, before.scale
		if err := l.keepLast(); err != nil {
			return err
		}
		for k, to := range [besides]Vector{l.kept, l.before, l.after} {
			if err := edit(false, "Copy", l.kept.Set().All(), &l.at, to.Write(), list[besides*i+k].Read()); err != nil {
				return problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
			}
		}
		m.lifted[i] = l
	}
	return nil
}
