package cuda

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/cuda/cusparse"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// context is a device that lets other CUDA libraries work in its context.
type context interface {
	device.Device
	Within(f func(stream uintptr, major int) error) error
}

// sparse is cuSPARSE on a device.
type sparse struct {
	context context
	handle  *cusparse.Handle
}

// openSparse opens cuSPARSE, if it is installed.
func openSparse(d device.Device) (gpu.Sparse, error) {
	c, ok := d.(context)
	if !ok {
		return nil, fmt.Errorf("a %T has no context of CUDA", d)
	}
	s := &sparse{context: c}
	err := c.Within(func(stream uintptr, major int) (err error) {
		s.handle, err = cusparse.Open(major, stream)
		return err
	})
	var missing *native.NotFoundError
	if errors.As(err, &missing) && missing.Err == nil {
		return nil, fmt.Errorf("%w: %w", err, backend.ErrUnavailable)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *sparse) Name() string { return s.handle.Name() }

func (s *sparse) Close() error {
	return s.context.Within(func(uintptr, int) error { return s.handle.Close() })
}

// Prepare prepares products.
func (s *sparse) Prepare(m gpu.SparseMatrix, y, x device.Buffer, workspace func(bytes int) (device.Buffer, error)) (gpu.SparseProduct, error) {
	p := &product{sparse: s}
	err := s.context.Within(func(uintptr, int) (err error) {
		p.inner, err = s.handle.Prepare(cusparse.Matrix{
			Rows: m.Rows, Cols: m.Cols, Nonzeros: m.Nonzeros,
			First: uintptr(m.First), Column: uintptr(m.Column), Values: uintptr(m.Values),
			Double: m.Double, Deterministic: m.Deterministic,
		}, uintptr(y), uintptr(x), func(bytes int) (uintptr, error) {
			b, err := workspace(bytes)
			return uintptr(b), err
		})
		return err
	})
	return p, err
}

// product is a prepared product.
type product struct {
	sparse *sparse
	inner  *cusparse.Product
}

func (p *product) Run(y, x, values device.Buffer) error {
	return p.sparse.context.Within(func(uintptr, int) error {
		return p.inner.Multiply(uintptr(y), uintptr(x), uintptr(values))
	})
}
