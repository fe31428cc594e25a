package algebra

import (
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// stage is the product of some rows. On several ranks, there are two stages: the rows that have
// columns of this rank alone, while the halo of the vector is on its way, and the others.
type stage struct {
	product backend.Product // nil if goroutines multiply
	rows    sparse.Division // for goroutines
}

// Mul sets y to the product with x.
func (m *Matrix[T]) Mul(y, x Vector[T]) error {
	if err := m.prepareProduct(); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
	}
	start := time.Now()
	if err := m.multiply(y, x); err != nil {
		return err
	}
	if m.stages[0].product == nil || m.data.Storage().Mirror() == nil {
		m.products.Time += time.Since(start)
	}
	m.products.Calls++
	m.products.Bytes += m.data.Sparsity().Pattern().Bytes() + int64(m.data.Storage().Bytes()+x.Storage().Bytes()+y.Storage().Bytes())
	return nil
}

func (m *Matrix[T]) multiply(y, x Vector[T]) error {
	compiled := m.stages[0].product != nil
	if !compiled {
		if err := m.onHost(y, x); err != nil {
			return err
		}
	} else if m.data.Storage().Mirror() != nil {
		m.data.Runtime().Sweep()
	}
	update, err := x.StartUpdate()
	if err != nil {
		return err
	}
	for i, s := range m.stages {
		if i == len(m.stages)-1 {
			if err := m.finish(update); err != nil {
				return err
			}
		}
		if !compiled && m.data.Runtime().Config().Backend.SameBits {
			sparse.MultiplyInOrder(m.data.Sparsity().Owned(), m.data.Sparsity().Block(), m.order, m.Host(), x.Host(), y.Host(), s.rows)
			continue
		}
		if !compiled {
			sparse.MultiplyRows(m.data.Sparsity().Owned(), m.data.Sparsity().Block(), m.Host(), x.Host(), y.Host(), s.rows)
			continue
		}
		if err := s.product.Run(y.Vector(), x.Vector()); err != nil {
			return problem.Errorf("op2: product of mat %s: %w", m.data.Name(), err)
		}
	}
	y.Storage().Wrote()
	y.Storage().Outdate()
	return nil
}

// finish waits for the halo of a vector.
func (m *Matrix[T]) finish(u *core.Update) error {
	if u == nil {
		return nil
	}
	err := u.Finish()
	messages, bytes, waited := u.Sent()
	m.products.Awaited += waited
	if m.data.Storage().Mirror() != nil { // the device's own time is all that is counted otherwise
		m.products.Time += waited
	}
	m.products.Messages += messages
	m.products.Sent += bytes
	return err
}

// onHost transfers everything to the host, where goroutines multiply.
func (m *Matrix[T]) onHost(y, x Vector[T]) error {
	if err := m.data.Bring(false); err != nil {
		return err
	}
	if err := x.Bring(false); err != nil {
		return err
	}
	y.Storage().Discard()
	return nil
}

// prepareProduct makes the product run where the runtime's loops do, if the backend supports that.
func (m *Matrix[T]) prepareProduct() error {
	if m.products != nil {
		return nil
	}
	s, rt := m.data.Sparsity(), m.data.Runtime()
	stats := rt.Profile().Counter("product of "+m.data.Name(), s.Rows().Name())
	runs := m.runs()
	stages := make([]stage, len(runs))
	b, compiles := rt.Backend().(backend.Multiplier)
	m.order = s.ColumnOrder()
	compiles = compiles && m.order == nil
	for i := len(runs) - 1; i >= 0; i-- { // the first one has most rows, and says how
		if !compiles {
			stages[i].rows = s.Owned().Divide(runs[i], s.Threads())
			continue
		}
		product, err := b.PrepareProduct(backend.Matrix{Scalar: m.data.Scalar(), RowDim: s.Block().Rows, ColDim: s.Block().Cols,
			RowPtr: s.Owned().RowPtr, ColIdx: s.Owned().ColIdx, Cols: s.Cols().Total(), Rows: runs[i],
			Values: m.data.Storage().Host(), Mirror: m.data.Storage().Mirror(),
			ReportTime: func(d time.Duration) { stats.Time += d },
			ReportHow:  func(how string) { stats.How = how }})
		if err == nil {
			err = product.Ready()
		}
		if err != nil {
			return err
		}
		stages[i].product = product
	}
	if !compiles {
		stats.How = "Go"
		if m.order != nil {
			stats.How = "Go, in declared order"
		}
		if n := s.Threads(); n > 1 {
			stats.How += fmt.Sprintf(", %d goroutines", n)
		}
	}
	m.stages, m.products = stages, stats
	return nil
}

// runs returns the rows of each stage: nil for all, in one.
func (m *Matrix[T]) runs() [][]sparse.Run {
	s := m.data.Sparsity()
	switch {
	case m.data.Storage().Mirror() != nil:
		return [][]sparse.Run{nil}
	case m.data.Runtime().Comm() == nil:
		return [][]sparse.Run{sparse.AllRows(s.Owned().Rows)}
	}
	inner, outer := s.Owned().Split(s.Cols().Size())
	return [][]sparse.Run{append([]sparse.Run{}, inner...), append([]sparse.Run{}, outer...)}
}

// MulTranspose sets y to the product of the transposed matrix with x. Ranks add what their rows
// contribute to columns of others to these.
func (m *Matrix[T]) MulTranspose(y, x Vector[T]) error {
	if err := m.data.Runtime().CheckOrder("mat " + m.data.Name() + ": MulTranspose"); err != nil {
		return err
	}
	if err := m.onHost(y, x); err != nil {
		return err
	}
	s := m.data.Sparsity()
	sparse.MultiplyTransposed(s.Transposed(), s.Block(), m.Host(), x.Host(), y.Host(), s.Threads())
	return y.AddHalo()
}
