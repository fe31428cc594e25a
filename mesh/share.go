package mesh

import (
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/lists"
)

// share makes a mesh the share of one of several ranks. The mesh has the elements that the rank declares, a piece of each
// block, and the nodes of these, with numbers of its own.
type share struct {
	rt     *entity.Runtime
	nodes  []int32   // the declared number of each node, ascending
	border []bool    // of each node: elements of other ranks have it, too
	homes  []int64   // rank r declares the nodes from homes[r] up to homes[r+1]
	points []float64 // of the nodes that this rank declares
	starts [][]int64 // of each block: rank r has the elements from starts[block][r] up to starts[block][r+1]
	before []int64   // of each block: the elements of the blocks before it; and the end
	cells  int64     // of all ranks
	corner []int32   // of each node that this rank declares: its number among the corners, or -1; nil: not known yet
}

// pieceOf returns which of n things a rank reads or declares: about as many as the others.
func pieceOf(c comm.Comm, n int) span {
	return span{c.Rank() * n / c.Size(), (c.Rank() + 1) * n / c.Size()}
}

// evenly returns the first of total things that each rank has, and the end, if all have about as many.
func evenly(total int64, ranks int) []int64 {
	starts := make([]int64, ranks+1)
	for r := range starts {
		starts[r] = int64(r) * total / int64(ranks)
	}
	return starts
}

// rankOf returns the rank that has a thing, given the first one of each rank.
func rankOf(starts []int64, number int64) int {
	after, _ := slices.BinarySearch(starts, number+1) // ranks without any start where the next one does
	return after - 1
}

// first returns the number of a block's first element here in the whole block; of a whole mesh 0.
func (s *share) first(block int) int64 {
	if s == nil {
		return 0
	}
	return s.starts[block][s.rt.Rank()]
}

// declared returns the declared numbers of nodes; of a whole mesh they are the same.
func (s *share) declared(nodes []int32) []int32 {
	if s == nil {
		return nodes
	}
	numbers := make([]int32, len(nodes))
	for i, n := range nodes {
		numbers[i] = s.nodes[n]
	}
	return numbers
}

// own returns the elements of a set that this rank declares, by their numbers.
func (s *share) own(of *op2.Set) []int32 {
	if s == nil {
		return lists.UpTo(of.Size())
	}
	starts := (*entity.Set)(of).Shares()
	from, to := starts[s.rt.Rank()], starts[s.rt.Rank()+1]
	elements := lists.UpTo(int(to - from))
	for i := range elements {
		elements[i] += int32(from)
	}
	return elements
}
