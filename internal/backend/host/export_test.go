package host

import "github.com/go-op2/op2/internal/backend"

// FetchAlways makes tiles fetch what they use even if it is in a cache.
func FetchAlways(b backend.Backend) { b.(*engine).cached = 0 }
