package entity

import (
	"github.com/go-op2/op2/internal/halo"
)

// distribution is how a set lies on several ranks. Until the mesh is distributed, each rank has all of a
// set that was declared whole, or its share.
type distribution struct {
	size   int64   // elements of the whole mesh
	shares []int64 // first element of each rank's share, and the end of the last; nil for sets that were declared whole

	ready *halo.LocalSet // of a set that came distributed; otherwise nil

	numbers []int64       // declared numbers of the elements here; nil until the mesh is distributed
	parts   []halo.Part   // messages for each part of the halo
	fetcher *halo.Fetcher // brings rows from where they were declared; nil as long as none were needed
}
