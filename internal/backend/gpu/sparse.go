package gpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// sparse is an engine's library, opened when the first product is prepared that it may be able to
// compute.
type sparse struct {
	library device.Sparse
	failed  error // error of opening the library
}

// open opens the library if necessary, and returns why it cannot compute a product with the matrix;
// or "".
func (s *sparse) open(e *engine, m *backend.Matrix) (why string) {
	switch {
	case m.RowDim > 1 || m.ColDim > 1:
		return fmt.Sprintf("the device's library does not support blocks of %d by %d", m.RowDim, m.ColDim)
	case m.Scalar != loop.Float32 && m.Scalar != loop.Float64:
		return "the device's library does not support " + m.Scalar.String()
	case len(m.ColIdx) == 0:
		return "there are no nonzeros"
	}
	if s.library == nil && s.failed == nil {
		s.library, s.failed = e.device.(device.Multiplier).OpenSparse()
		e.warn(s.failed)
	}
	return reason(s.failed)
}

// prepare prepares the current product.
func (s *sparse) prepare(p *product) (device.SparseProduct, error) {
	e, m := p.engine, &p.matrix
	var workspace []device.Buffer
	prepared, err := s.library.Prepare(device.SparseMatrix{
		Rows: int(p.rows), Cols: m.Cols, Nonzeros: len(m.ColIdx),
		First: p.pattern.first.buffer, Column: p.pattern.column.buffer, Values: p.values,
		Double: m.Scalar == loop.Float64, Deterministic: e.config.Choices.NoAtomics,
	}, p.y, p.x, func(bytes int) (device.Buffer, error) {
		b, err := e.alloc(bytes)
		if err == nil {
			workspace = append(workspace, b)
		}
		return b, err
	})
	if err != nil {
		for _, b := range workspace {
			e.device.Free(b)
		}
		return nil, err
	}
	device.LeaveTo(&e.garbage, p, workspace)
	return prepared, nil
}

// warn reports why an installed library is not used.
func (e *engine) warn(err error) {
	var missing *native.NotFoundError
	if absent := errors.As(err, &missing) && missing.Err == nil; err != nil && !absent && e.config.Warn != nil {
		e.config.Warn("matrix–vector products do not use " + e.info.Name + "'s own library: " + err.Error())
	}
}

// how describes the library in a few words.
func (s *sparse) how(deterministic bool) string {
	if deterministic {
		return s.library.Name() + ", deterministic"
	}
	return s.library.Name()
}

// reason returns the beginning of an error, short enough for a table.
func reason(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if end := strings.IndexAny(text, ":\n"); end >= 0 {
		text = text[:end]
	}
	return text
}

func (s *sparse) close() error {
	if s.library == nil {
		return nil
	}
	l := s.library
	s.library = nil
	return l.Close()
}
