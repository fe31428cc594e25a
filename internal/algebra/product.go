package algebra

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/sparse"
)

// Mul sets y to the product with x.
func (m *Matrix) Mul(y, x Vector) error {
	if err := m.prepareProduct(); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
	}
	return m.timed(m.stages, y, x)
}

// MulDot sets y to the product of a square matrix with x and returns their inner product, if the backend
// can compute both at once. It reports whether it did.
func (m *Matrix) MulDot(y, x Vector) (dot float64, ok bool, err error) {
	if err := m.prepareDot(); err != nil {
		return 0, false, problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
	}
	if len(m.dotting.stages) == 0 {
		return 0, false, nil
	}
	if err := m.timed(m.dotting.stages, y, x); err != nil {
		return 0, false, err
	}
	for _, v := range m.dotting.dots {
		dot += v
	}
	sum, err := entity.Combine(m.data.Runtime(), loop.Inc, dot)
	if err != nil {
		return 0, false, err
	}
	return sum[0], true, nil
}

// timed multiplies, and counts the product.
func (m *Matrix) timed(stages []stage, y, x Vector) error {
	start := time.Now()
	if err := m.multiply(stages, y, x); err != nil {
		return err
	}
	if stages[0].product == nil || m.data.Storage().Mirror() == nil {
		m.products.Time += time.Since(start)
	}
	m.products.Calls++
	m.products.Bytes += m.data.Sparsity().Pattern().Bytes() + int64(m.data.Storage().Bytes()+x.Storage().Bytes()+y.Storage().Bytes())
	return nil
}

func (m *Matrix) multiply(stages []stage, y, x Vector) error {
	compiled := stages[0].product != nil
	if !compiled {
		if err := m.onHost(y, x); err != nil {
			return err
		}
	} else {
		for _, d := range []*entity.Data{m.data, x.Data} {
			if err := d.Storage().Use(false); err != nil {
				return problem.Errorf("op2: product of mat %s: %w", m.data.Name(), problem.Bare(err))
			}
		}
		if err := y.Storage().Use(true); err != nil {
			return err
		}
		if m.data.Storage().Mirror() != nil {
			m.data.Runtime().Sweep()
		}
	}
	update, err := x.StartUpdate()
	if err != nil {
		return err
	}
	for i, s := range stages {
		if i == len(stages)-1 {
			if err := m.finish(update); err != nil {
				return err
			}
		}
		if !compiled && m.data.Runtime().Config().Backend.SameBits {
			types[m.data.Scalar()].multiplyInOrder(m, y, x, s.rows)
			continue
		}
		if !compiled {
			types[m.data.Scalar()].multiply(m, y, x, s.rows)
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
func (m *Matrix) finish(u *entity.Update) error {
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
func (m *Matrix) onHost(y, x Vector) error {
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
func (m *Matrix) prepareProduct() error {
	if m.products != nil {
		return nil
	}
	if err := m.orderProduct(); err != nil {
		return err
	}
	return run.ShareOrdered(m.data.Runtime())
}

// orderProduct makes the backend start to prepare the product.
func (m *Matrix) orderProduct() error {
	s, rt := m.data.Sparsity(), m.data.Runtime()
	stats := rt.Profile().Counter("product of "+m.data.Name(), s.Rows().Name())
	b, compiles := rt.Backend().(backend.Multiplier)
	m.order = s.ColumnOrder()
	if compiles && m.order == nil {
		var err error
		if m.stages, err = m.compile(stats, func(_ int, of backend.Matrix) (backend.Product, error) { return b.PrepareProduct(of) }); err == nil {
			m.products = stats
		}
		if !errors.Is(err, backend.ErrUnavailable) { // as code is that was not translated, without a compiler
			return err
		}
	}
	for _, rows := range m.runs() {
		m.stages = append(m.stages, stage{rows: s.Owned().Divide(rows, s.Threads())})
	}
	stats.How = "Go"
	if m.order != nil {
		stats.How = "Go, in declared order"
	}
	if n := s.Threads(); n > 1 {
		stats.How += fmt.Sprintf(", %d goroutines", n)
	}
	m.products = stats
	return nil
}

// prepareDot prepares a product that also computes an inner product; without stages, if that is not
// possible.
func (m *Matrix) prepareDot() error {
	if m.dotting != nil {
		return nil
	}
	if err := m.prepareProduct(); err != nil {
		return err
	}
	d := &dotting{}
	if b, ok := m.data.Runtime().Backend().(backend.DotMultiplier); ok && m.addsInAnyOrder() {
		d.dots = make([]float64, len(m.runs()))
		var err error
		if d.stages, err = m.compile(m.products, func(i int, of backend.Matrix) (backend.Product, error) { return b.PrepareDotProduct(of, &d.dots[i]) }); err != nil && !errors.Is(err, backend.ErrUnavailable) {
			return err
		}
	}
	m.dotting = d
	return run.ShareOrdered(m.data.Runtime())
}

// addsInAnyOrder reports whether inner products with the matrix are sums of float64 that need not be
// exact.
func (m *Matrix) addsInAnyOrder() bool {
	return m.data.Scalar() == loop.Float64 && m.order == nil && !m.data.Runtime().Config().Backend.SameBits
}

// compile makes the backend prepare the stages of a product.
func (m *Matrix) compile(stats *profile.Stats, prepare func(i int, of backend.Matrix) (backend.Product, error)) ([]stage, error) {
	s, runs := m.data.Sparsity(), m.runs()
	stages := make([]stage, len(runs))
	for i := len(runs) - 1; i >= 0; i-- { // the first one has most rows, and says how
		product, err := prepare(i, backend.Matrix{Scalar: m.data.Scalar(), RowDim: s.Block().Rows, ColDim: s.Block().Cols,
			RowPtr: s.Owned().RowPtr, ColIdx: s.Owned().ColIdx, Cols: s.Cols().Total(), Rows: runs[i],
			Values: m.data.Storage().Host(), Mirror: m.data.Storage().Mirror(),
			ReportTime: func(d time.Duration) { stats.Time += d },
			ReportHow:  func(how string) { stats.How = how }})
		if err == nil {
			err = product.Ready()
		}
		if err != nil {
			return nil, err
		}
		stages[i].product = product
	}
	return stages, nil
}

// runs returns the rows of each stage: nil for all, in one.
func (m *Matrix) runs() [][]sparse.Run {
	s := m.data.Sparsity()
	switch {
	case m.data.Storage().Mirror() != nil:
		return [][]sparse.Run{nil}
	case !m.data.Runtime().Several():
		return [][]sparse.Run{sparse.AllRows(s.Owned().Rows)}
	}
	inner, outer := s.Owned().Split(s.Cols().Size())
	return [][]sparse.Run{append([]sparse.Run{}, inner...), append([]sparse.Run{}, outer...)}
}

// MulTranspose sets y to the product of the transposed matrix with x. Ranks add what their rows
// contribute to columns of others to these.
func (m *Matrix) MulTranspose(y, x Vector) error {
	if err := m.data.Runtime().CheckOrder("mat " + m.data.Name() + ": MulTranspose"); err != nil {
		return err
	}
	if err := m.onHost(y, x); err != nil {
		return err
	}
	types[m.data.Scalar()].multiplyTransposed(m, y, x)
	return y.AddHalo()
}
