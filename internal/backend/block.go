package backend

import (
	"runtime"

	"github.com/go-op2/op2/internal/tune"
)

// HostBlockSize returns the number of elements in a block, for a loop over the given number of
// elements on this machine's processors. Larger blocks share fewer targets with others, which have
// left the cache by the time another color reaches them; but there should be several blocks of each
// color per processor, and a block's data should fit into a core's own cache. The size does not
// depend on the number of threads, because results must not.
func HostBlockSize(elements int) int {
	b := tune.DefaultMachine().Blocks
	return max(b.Least, min(b.Most, elements/(b.PerProcessor*runtime.NumCPU())))
}
