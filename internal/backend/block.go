package backend

import (
	"cmp"
	"runtime"

	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

// BlockSize returns the number of elements in a block of a loop over that many elements, for threads:
// what its options say, or else a size for this machine's processors.
func (s *Spec) BlockSize(elements int) int {
	return cmp.Or(s.Chosen.Block, HostBlockSize(elements, s.Cost, s.Bytes))
}

// LeavesIdle reports whether the colors of a plan leave many of this machine's processors without work,
// though a loop of that cost is worth theirs.
func LeavesIdle(p *plan.Plan, cost int) bool {
	r := tune.DefaultMachine().Rearranged
	return cost >= r.Least && p.Blocks() < r.PerColor*p.Colors && r.Better*p.Gain(runtime.NumCPU()) < float64(runtime.NumCPU())
}

// Ranges returns the numbers of ranges of targets to try in order to rearrange a loop for this
// machine's processors.
func Ranges() []int {
	most := min(64, tune.DefaultMachine().Rearranged.PerProcessor*runtime.NumCPU())
	return []int{most, most / 2, most / 4}
}

// MuchBetter reports whether this machine's processors gain much more with one plan than with another.
func MuchBetter(one, other *plan.Plan) bool {
	return one.Gain(runtime.NumCPU()) > tune.DefaultMachine().Rearranged.Better*other.Gain(runtime.NumCPU())
}

// HostBlockSize returns the number of elements in a block, for a loop over the given number of
// elements of that cost, each of which moves so many bytes, on this machine's processors. Larger blocks share
// fewer targets with others, which have left the cache by the time another color reaches them; but there should
// be several blocks of each color per processor, and a block's data should fit into a core's own cache. A block
// should be worth the cost of handing it to a thread: few elements are enough if each computes a lot.
// The size does not depend on the number of threads, nor on measured times, because results must not.
func HostBlockSize(elements, cost, bytes int) int {
	b := tune.DefaultMachine().Blocks
	least := min(b.Least, b.Work/max(1, cost)+b.Multiple)
	size := max(least, min(b.Most, b.Bytes/max(1, bytes), elements/(b.PerProcessor*runtime.NumCPU())))
	return size - size%b.Multiple
}
