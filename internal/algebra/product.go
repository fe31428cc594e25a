package algebra

import (
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// Mul sets y to the product with x.
func (m *Matrix[T]) Mul(y, x Vector[T]) error {
	if err := m.prepareProduct(); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
	}
	start := time.Now()
	if err := m.multiply(y, x); err != nil {
		return err
	}
	if m.product == nil || m.data.Storage().Mirror() == nil {
		m.products.Time += time.Since(start)
	}
	m.products.Calls++
	m.products.Bytes += m.data.Sparsity().Pattern().Bytes() + int64(m.data.Storage().Bytes()+x.Storage().Bytes()+y.Storage().Bytes())
	return nil
}

func (m *Matrix[T]) multiply(y, x Vector[T]) error {
	if m.product != nil {
		if m.data.Storage().Mirror() != nil {
			m.data.Runtime().Sweep()
		}
		y.Storage().Wrote()
		if err := m.product.Run(y.Vector(), x.Vector()); err != nil {
			return problem.Errorf("op2: product of mat %s: %w", m.data.Name(), err)
		}
		return nil
	}
	if err := m.onHost(y, x); err != nil {
		return err
	}
	sparse.Multiply(m.data.Sparsity().Pattern(), m.data.Sparsity().Block(), m.Host(), x.Host(), y.Host(), m.data.Sparsity().Threads())
	return nil
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
	s := m.data.Sparsity()
	stats := m.data.Runtime().Profile().Counter("product of "+m.data.Name(), s.Rows().Name())
	if b, ok := m.data.Runtime().Backend().(backend.Multiplier); ok {
		product, err := b.PrepareProduct(backend.Matrix{Scalar: m.data.Scalar(), RowDim: s.Block().Rows, ColDim: s.Block().Cols,
			RowPtr: s.Pattern().RowPtr, ColIdx: s.Pattern().ColIdx, Cols: s.Cols().Total(), Values: m.data.Storage().Host(), Mirror: m.data.Storage().Mirror(),
			ReportTime: func(d time.Duration) { stats.Time += d },
			ReportHow:  func(how string) { stats.How = how }})
		if err == nil {
			err = product.Ready()
		}
		if err != nil {
			return err
		}
		m.product = product
	} else {
		stats.How = "Go"
		if n := s.Threads(); n > 1 {
			stats.How += fmt.Sprintf(", %d goroutines", n)
		}
	}
	m.products = stats
	return nil
}

// MulTranspose sets y to the product of the transposed matrix with x.
func (m *Matrix[T]) MulTranspose(y, x Vector[T]) error {
	if err := m.onHost(y, x); err != nil {
		return err
	}
	s := m.data.Sparsity()
	sparse.MultiplyTransposed(s.Transposed(), s.Block(), m.Host(), x.Host(), y.Host(), s.Threads())
	return nil
}
