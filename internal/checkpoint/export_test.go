package checkpoint

import "github.com/go-op2/op2/internal/entity"

// WithoutMemory makes a runtime's checkpoints take no copies.
func WithoutMemory(rt *entity.Runtime) { of(rt).memory = func() int64 { return 0 } }
