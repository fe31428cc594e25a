package op2

import (
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// Mul sets y to the matrix–vector product with x. x is on the set of the columns, with as many
// values per element as blocks have columns, y likewise on that of the rows; they must be different
// dats. It runs on all threads of the runtime, compiled where loops are, and the result does not
// depend on the number of threads.
func (m *Mat[T]) Mul(y, x *Dat[T]) error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	return m.mul(y, x)
}

func (m *Mat[T]) mul(y, x *Dat[T]) error {
	s := m.sparsity()
	if err := m.checkProduct("Mul", y, s.Rows(), s.Block().Rows, x, s.Cols(), s.Block().Cols); err != nil {
		return err
	}
	if err := m.prepareProduct(); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.name(), err)
	}
	start := time.Now()
	if err := m.multiply(y, x); err != nil {
		return err
	}
	if m.product == nil || m.storage().Mirror() == nil {
		m.products.Time += time.Since(start)
	}
	m.products.Calls++
	m.products.Bytes += s.Pattern().Bytes() + m.NBytes() + x.NBytes() + y.NBytes()
	return nil
}

func (m *Mat[T]) multiply(y, x *Dat[T]) error {
	if m.product != nil {
		if m.storage().Mirror() != nil {
			m.rt().Sweep()
		}
		y.data().Storage().Wrote()
		if err := m.product.Run(y.data().Vector(), x.data().Vector()); err != nil {
			return problem.Errorf("op2: product of mat %s: %w", m.name(), err)
		}
		return nil
	}
	if err := m.onHost(y, x); err != nil {
		return err
	}
	sparse.Multiply(m.sparsity().Pattern(), m.sparsity().Block(), m.values(), x.values(), y.values(), m.sparsity().Threads())
	return nil
}

// onHost transfers everything to the host, where goroutines multiply.
func (m *Mat[T]) onHost(y, x *Dat[T]) error {
	if err := m.bring(false); err != nil {
		return err
	}
	if err := x.bring(false); err != nil {
		return err
	}
	y.data().Storage().Discard()
	return nil
}

// prepareProduct makes the product run where the runtime's loops do, if the backend supports that.
func (m *Mat[T]) prepareProduct() error {
	if m.products != nil {
		return nil
	}
	s := m.sparsity()
	stats := m.rt().Profile().Counter("product of "+m.name(), s.Rows().Name())
	if b, ok := m.rt().Backend().(backend.Multiplier); ok {
		product, err := b.PrepareProduct(backend.Matrix{Scalar: m.scalar(), RowDim: s.Block().Rows, ColDim: s.Block().Cols,
			RowPtr: s.Pattern().RowPtr, ColIdx: s.Pattern().ColIdx, Cols: s.Cols().Total(), Values: m.storage().Host(), Mirror: m.storage().Mirror(),
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

// MulTranspose sets y to the product of the transposed matrix with x: x is on the set of the rows,
// y on that of the columns. The first call builds a transposed pattern, which the sparsity keeps,
// of 8 bytes for each block.
func (m *Mat[T]) MulTranspose(y, x *Dat[T]) error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	s := m.sparsity()
	if err := m.checkProduct("MulTranspose", y, s.Cols(), s.Block().Cols, x, s.Rows(), s.Block().Rows); err != nil {
		return err
	}
	if err := m.onHost(y, x); err != nil {
		return err
	}
	sparse.MultiplyTransposed(s.Transposed(), s.Block(), m.values(), x.values(), y.values(), s.Threads())
	return nil
}

func (m *Mat[T]) checkProduct(operation string, y *Dat[T], ySet *core.Set, yDim int, x *Dat[T], xSet *core.Set, xDim int) error {
	if err := m.checkVector(operation+" into y", y, ySet, yDim); err != nil {
		return err
	}
	if err := m.checkVector(operation+" of x", x, xSet, xDim); err != nil {
		return err
	}
	if x == y {
		return fmt.Errorf("op2: mat %s: %s: x and y are one dat, %s", m.name(), operation, x.name())
	}
	return nil
}
