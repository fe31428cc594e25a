// Package partial is what package mesh tells other packages of this module about a mesh that ranks have read in shares.
package partial

import "github.com/go-op2/op2/internal/entity"

// MeshError is the error that a mesh is the share of one rank where a whole one is needed. It says which share: ranks
// declare slabs of nodes and cells, rank r those from one entry of a list up to the next.
type MeshError struct {
	Runtime *entity.Runtime
	Numbers []int32   // the declared number of each node of the share
	Nodes   []int64   // the slabs of the nodes
	Cells   []int64   // the slabs of all cells
	Kinds   [][]int64 // of each block, the slabs of its elements; the share has those of its rank
}

func (*MeshError) Error() string {
	return "mesh: the mesh is the share of one rank: a whole mesh is needed\n" +
		"  hint: of a share, there are Declare, Measures, and its elements and their nodes; ReadFile reads a whole mesh"
}
