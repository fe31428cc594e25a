package gpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// Sparse is the library that a device has of its own for sparse matrices.
type Sparse interface {
	// Name is what people call it, as "cuSPARSE 12.5".
	Name() string
	// Prepare prepares products with a matrix, for the first of which the vectors are given.
	// Workspace gives memory for as long as the product is used.
	Prepare(m SparseMatrix, y, x device.Buffer, workspace func(bytes int) (device.Buffer, error)) (SparseProduct, error)
	Close() error
}

// SparseMatrix is a matrix of single values of type float32 or float64, in compressed rows.
// Rows, columns and entries are at least one.
type SparseMatrix struct {
	Rows, Cols, Entries   int
	First, Column, Values device.Buffer // [Rows+1] and [Entries] int32, [Entries] values
	Double                bool
	Deterministic         bool // the same result each time, bit for bit
}

// SparseProduct is a prepared product. It goes with the last who has it.
type SparseProduct interface {
	// Run queues y = A x, of a matrix with these values.
	Run(y, x, values device.Buffer) error
}

// sparse is an engine's library, which is opened when a product is prepared for which it may
// do.
type sparse struct {
	library Sparse
	failed  error // to open
}

// open says why a product with the matrix cannot be the library's; or "".
func (s *sparse) open(e *engine, m *backend.Matrix) (why string) {
	switch {
	case m.RowDim > 1 || m.ColDim > 1:
		return fmt.Sprintf("the device's library has none for blocks of %d by %d", m.RowDim, m.ColDim)
	case m.Scalar != loop.Float32 && m.Scalar != loop.Float64:
		return "the device's library has none for " + m.Scalar.String()
	case len(m.ColIdx) == 0:
		return "there are no entries"
	}
	if s.library == nil && s.failed == nil {
		s.library, s.failed = e.kind.Sparse(e.device)
		e.warn(s.failed)
	}
	return reason(s.failed)
}

// prepare prepares a product, the first of which is at hand.
func (s *sparse) prepare(p *product) (SparseProduct, error) {
	e, m := p.engine, &p.matrix
	var workspace []device.Buffer
	prepared, err := s.library.Prepare(SparseMatrix{
		Rows: int(p.rows), Cols: m.Cols, Entries: len(m.ColIdx),
		First: p.pattern.first.buffer, Column: p.pattern.column.buffer, Values: p.values,
		Double: m.Scalar == loop.Float64, Deterministic: e.config.Deterministic,
	}, p.y, p.x, func(bytes int) (device.Buffer, error) {
		b, err := e.device.Alloc(bytes)
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

// warn tells why a library that is there does not multiply.
func (e *engine) warn(err error) {
	if err != nil && !errors.Is(err, backend.ErrUnavailable) && e.config.Warn != nil {
		e.config.Warn("products of matrices do without " + e.info.Name + "'s own library: " + err.Error())
	}
}

// how is the library, in a few words.
func (s *sparse) how(deterministic bool) string {
	if deterministic {
		return s.library.Name() + ", deterministic"
	}
	return s.library.Name()
}

// reason is the beginning of an error, which says enough in a table.
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
