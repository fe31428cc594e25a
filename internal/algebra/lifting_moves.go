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
		if err := l.lastFromDevice(); err != nil {
			return nil, err
		}
		if err := l.kept.Bring(false); err != nil {
			return nil, err
		}
		for _, from := range [besides][]byte{entity.Host[byte](l.kept.Data), l.last.before, l.last.after} {
			values, err := entity.NewMat(m.data.Sparsity(), m.data.Scalar(), "columns of "+m.data.Name())
			if err != nil {
				return nil, err
			}
			if err := values.Bring(true); err != nil {
				return nil, err
			}
			if from != nil {
				types[m.data.Scalar()].put(entity.Host[byte](values), from, l.at)
			}
			list = append(list, values)
		}
	}
	m.lifted = left
	return list, nil
}

// Arrive implements entity.Beside.
func (m *Matrix) Arrive(list []*entity.Data) error {
	b, size := m.data.Sparsity().Block(), m.data.Scalar().Size()
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
		l.last = lifted{make([]byte, len(l.at)*size), make([]byte, len(l.at)*size)}
		to := [besides][]byte{entity.Overwriting[byte](l.kept.Data), l.last.before, l.last.after}
		for k, values := range list[besides*i : besides*(i+1)] {
			if err := values.Bring(false); err != nil {
				return problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
			}
			types[m.data.Scalar()].pick(to[k], entity.Host[byte](values), l.at)
		}
		m.lifted[i] = l
	}
	return nil
}

// lastFromDevice brings the last right-hand side to the host, if a device has it.
func (l *lifting) lastFromDevice() error {
	if !l.there {
		return nil
	}
	var lists [2][]byte
	for i, v := range []Vector{l.device.before, l.device.after} {
		if err := v.Bring(false); err != nil {
			return err
		}
		lists[i] = append([]byte{}, entity.Host[byte](v.Data)...)
	}
	l.last, l.there = lifted{lists[0], lists[1]}, false
	return nil
}

// lastToDevice gives a device the last right-hand side that the host has.
func (l *lifting) lastToDevice() {
	if !l.there && l.last.before != nil {
		copy(entity.Overwriting[byte](l.device.before.Data), l.last.before)
		copy(entity.Overwriting[byte](l.device.after.Data), l.last.after)
	}
	l.there = true
}
