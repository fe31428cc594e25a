package checkpoint

import "github.com/go-op2/op2/internal/entity"

// WithMemory makes a runtime believe that the machine has so much memory left.
func WithMemory(rt *entity.Runtime, bytes int64) { keeperOf(rt).memory = func() int64 { return bytes } }
