package mesh

import (
	"fmt"
	"math"
	"path/filepath"
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

// ReadShare reads a rank's share of the mesh in the file at path: Gmsh's of version 4.1, VTU whose arrays are appended raw,
// as [Mesh.WriteVTU] writes them, or HDF5 as [Mesh.WriteHDF5] writes it. No rank ever has the whole mesh in memory. It is
// collective; all errors are those of all ranks. On one rank, it is [ReadFile].
//
// The mesh has a contiguous piece of the cells and of each other kind of elements, about as many as other ranks, their nodes,
// and all groups, with those of their elements that are here. Numbers count within the share. [Mesh.Declare] takes all
// options, and declares sets, maps and subsets with the numbers of the whole mesh, as [ReadFile] has them. The
// first loop, or Partition, then moves cells to the ranks where they are compact, unless there is [KeepOrder].
// Coordinates are those of the file: what a program makes of Points counts for nothing there, since other ranks have
// some of the nodes, too. [Mesh.Measures] is that of the rank's cells; methods that need a whole mesh return an error. Package vtk writes results in
// pieces, one for each rank.
//
// It is an error if there are fewer cells than ranks, or more than 2^31-1 nodes or elements of a kind.
func ReadShare(rt *op2.Runtime, path string) (m *Mesh, err error) {
	core := (*entity.Runtime)(rt)
	if err := core.Enter(); err != nil {
		return nil, err
	}
	defer core.LeaveTogether(&err)
	if !core.Several() {
		return ReadFile(path)
	}
	f, err := formatOf(path)
	if err == nil && f.part == nil {
		err = fmt.Errorf("mesh: %s: shares are read from .msh, .vtu and .h5, not from %s\n  hint: op2 mesh converts", path, filepath.Ext(path))
	}
	var p *part
	if err == nil {
		p, err = f.part(core, path)
	}
	if err := core.Agree(err); err != nil {
		return nil, err
	}
	if m, err = p.mesh(core); err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	return m, nil
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

// part is what a rank has read of a file.
type part struct {
	dim    int       // coordinates of a node
	points []float64 // of the rank's piece of the nodes
	tags   []int64   // of these nodes; nil: their numbers in the file
	asIs   bool      // nodes of no element stay, and coordinates of three dimensions

	kinds    []Kind    // of the blocks, the same on all ranks
	elements [][]int64 // of each block, the nodes of the rank's piece, by their tags

	groups []Group   // the same on all ranks; their members are those in the rank's pieces
	anyOf  bool      // members are numbers in the whole blocks, on any rank
	nodes  [][]int64 // the nodes of each group, by their tags, that this rank has read
}

// checkPoints returns an error unless coordinates are finite.
func checkPoints(points []float64, dim int, first int64) error {
	for i, x := range points {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("node %d: expected finite coordinates, found %v", first+int64(i/dim), x)
		}
	}
	return nil
}
