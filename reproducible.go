package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
)

// WithSameBits makes results the same, bit for bit, for any number of ranks and threads and any
// partition of the mesh: sums in globals and inner products are exact until they are rounded, once,
// and what elements add through a map reaches each target in the order of their declared numbers.
// Backends on devices, PETSc, preconditioners that depend on the partition, [Mat.MulTranspose], and
// loops in which the last element wins are errors. docs/distributed.md says more, and what it costs. Environment:
// OP2_SAME_BITS=1. Default: off.
func WithSameBits(on bool) Option { return option(func(c *config) { c.Backend.SameBits = on }) }

// checkSameBits returns an error if a backend cannot give the same bits for any partition.
func checkSameBits(name string, b backend.Backend) error {
	if _, onDevice := b.(backend.DeviceBackend); onDevice {
		return fmt.Errorf("op2: WithSameBits: the backend %s adds in an order that depends on the partition\n  hint: use go, sequential or openmp", name)
	}
	return nil
}
