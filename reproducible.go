package op2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
)

// WithReproducible makes results the same, bit for bit, for any number of ranks and threads and any
// partition of the mesh: sums in globals and inner products are exact until they are rounded, once,
// and what elements add through a map reaches each target in the order of their declared numbers.
// Backends on devices, PETSc, preconditioners that depend on the partition, and loops in which the
// last element wins are errors. docs/distributed.md says more, and what it costs. Environment:
// OP2_REPRODUCIBLE=1. Default: off.
func WithReproducible(on bool) Option { return func(c *config) { c.Backend.SameBits = on } }

// inexact are flags that allow compilers to compute other bits in one place than in another.
var inexact = []string{"-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fassociative-math", "-freciprocal-math", "-ffp-contract=fast", "-ffp-contract=on", "-ffp-model=fast", "-mrecip"}

// checkReproducible returns an error if the configuration contradicts WithReproducible.
func (c *config) checkReproducible() error {
	if !c.Backend.SameBits {
		return nil
	}
	for _, f := range c.Backend.CFlags {
		if name, _, _ := strings.Cut(f, ","); slices.Contains(inexact, name) {
			return fmt.Errorf("op2: WithReproducible: with the compiler flag %s, the same operations have other results in other places", f)
		}
	}
	return nil
}

// checkSameBits returns an error if a backend cannot give the same bits for any partition.
func checkSameBits(name string, b backend.Backend) error {
	if _, onDevice := b.(backend.DeviceBackend); onDevice {
		return fmt.Errorf("op2: WithReproducible: the backend %s adds in an order that depends on the partition\n  hint: use go, sequential or openmp", name)
	}
	return nil
}
