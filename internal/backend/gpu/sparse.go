package gpu

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// Sparse is the library that a device has of its own for sparse matrices.
type Sparse interface {
	// Name is what people call it, as "cuSPARSE 12.5".
	Name() string
	Prepare(SparseMatrix) (SparseProduct, error)
	Close() error
}

// SparseMatrix is a matrix of single values of type float32 or float64, in compressed rows.
// Rows, columns and entries are at least one.
type SparseMatrix struct {
	Rows, Cols, Entries   int
	First, Column, Values device.Buffer // [Rows+1] and [Entries] int32, [Entries] values
	Double                bool
	Deterministic         bool // the same result each time, bit for bit
	Workspace             func(bytes int) (device.Buffer, error)
}

// SparseProduct is a prepared product. It goes with the last who has it.
type SparseProduct interface {
	// Run queues y = A x, of a matrix with these values.
	Run(y, x, values device.Buffer) error
}

// sparse is an engine's library, which is opened when the first product may use it.
type sparse struct {
	engine  *engine
	library Sparse
	failed  error // to open
}

// prepare prepares a product with the device's library, if it has one and the matrix is one
// for it. How names the library; why says why not, after other words.
func (s *sparse) prepare(p *product) (prepared SparseProduct, how, why string) {
	e, m := s.engine, &p.matrix
	double := m.Scalar == loop.Float64
	switch {
	case e.kind.Sparse == nil || p.rows == 0 || len(m.ColIdx) == 0:
		return nil, "", ""
	case m.RowDim > 1 || m.ColDim > 1:
		return nil, "", fmt.Sprintf(", since the device's library has none for blocks of %d by %d", m.RowDim, m.ColDim)
	case !double && m.Scalar != loop.Float32:
		return nil, "", ", since the device's library has none for " + m.Scalar.String()
	}
	if s.library == nil && s.failed == nil {
		s.library, s.failed = e.kind.Sparse(e.device)
	}
	if s.failed != nil {
		return nil, "", reason(s.failed)
	}
	values, err := m.Mirror.Bring(true, device.AoS)
	if err != nil {
		return nil, "", reason(err)
	}
	var owned []device.Buffer
	prepared, err = s.library.Prepare(SparseMatrix{
		Rows: int(p.rows), Cols: m.Cols, Entries: len(m.ColIdx), Double: double, Deterministic: e.config.Deterministic,
		First: p.pattern.first.buffer, Column: p.pattern.column.buffer, Values: values,
		Workspace: func(bytes int) (device.Buffer, error) {
			b, err := e.device.Alloc(bytes)
			if err == nil {
				owned = append(owned, b)
			}
			return b, err
		},
	})
	if err != nil {
		for _, b := range owned {
			e.device.Free(b)
		}
		return nil, "", reason(err)
	}
	device.LeaveTo(&e.garbage, p, owned)
	how = s.library.Name()
	if e.config.Deterministic {
		how += ", deterministic"
	}
	return prepared, how, ""
}

// reason is the first line of an error, as a clause.
func reason(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Sprintf(", since %s", line)
}

func (s *sparse) close() error {
	if s.library == nil {
		return nil
	}
	l := s.library
	s.library = nil
	return l.Close()
}
