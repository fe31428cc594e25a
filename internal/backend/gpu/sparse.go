package gpu

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// openLibrary opens the library if necessary, and returns why it cannot compute a product with the matrix;
// or "".
func (s *sparse) openLibrary(e *engine, m *backend.Matrix) (why string) {
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

// warn reports why an installed library is not used.
func (e *engine) warn(err error) {
	var missing *native.NotFoundError
	if absent := errors.As(err, &missing) && missing.Err == nil; err != nil && !absent && e.config.Warn != nil {
		e.config.Warn("matrix–vector products do not use " + e.info.Name + "'s own library: " + err.Error())
	}
}
