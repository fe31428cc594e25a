package entity

import (
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/lists"
)

// distribution is how a set lies on the ranks, as data that reads the same whatever their number. The trivial
// form is that of a set which a rank has alone: what this rank declares is all there is, no messages keep a
// halo valid, and what ranks do together this one does by itself.
type distribution struct {
	size     int64 // elements of the whole mesh
	targets  int64 // elements that maps can lead to
	first    int64 // number of the first element that this rank declares
	declared int   // elements that declarations of data have values for on this rank

	divided comm.Comm   // the ranks among which the elements are divided; nil as long as each has all
	pending bool        // elements have yet to go to the ranks that will own them
	depth   int         // layers of the halo that messages keep valid; data may have rows for more
	parts   []halo.Part // these messages, for each part of the halo

	shares  []int64        // first element of each rank's share, and the end of the last; nil for sets that were declared whole
	ready   *halo.LocalSet // of a set that came distributed; otherwise nil
	numbers []int64        // declared numbers of the elements here; nil until the mesh is distributed
	fetcher *halo.Fetcher  // of what is declared from now on; nil until some is
}

// alone returns the distribution of a set that this rank has alone.
func alone(e halo.Extents) distribution {
	return distribution{size: int64(e.Owned), targets: int64(e.Total()), declared: e.Total()}
}

// whole returns the distribution of a set that each rank declares whole, until it is distributed.
func whole(e halo.Extents) distribution {
	n := e.Total()
	return distribution{size: int64(n), targets: int64(n), declared: n, pending: true}
}

// inShares returns the distribution of a set of which each rank declares a share, until it is distributed.
func inShares(c comm.Comm, shares []int64) distribution {
	size, first := shares[len(shares)-1], shares[c.Rank()]
	return distribution{size: size, targets: size, first: first, declared: int(shares[c.Rank()+1] - first), divided: c, pending: true, shares: shares}
}

// adopted returns the distribution of a set that came distributed.
func adopted(l *halo.LocalSet) distribution {
	return distribution{size: l.Size, targets: l.Size, declared: l.Total(), ready: l}
}

// times returns the distribution of a set that has dim elements for each, but no messages of its own.
func (d *distribution) times(dim int) distribution {
	return distribution{size: d.size * int64(dim), targets: d.targets * int64(dim), declared: d.declared * dim, divided: d.divided, depth: d.depth,
		ready: d.ready, numbers: lists.Times(d.numbers, dim)}
}

// distributed reports whether the set has been distributed to the ranks.
func (d *distribution) distributed() bool { return d.numbers != nil }

// localize records what is here of a set that is now divided among the ranks.
func (d *distribution) localize(c comm.Comm, l *halo.LocalSet) {
	d.divided, d.pending, d.depth, d.numbers, d.parts = c, false, len(l.Layers), l.Numbers, l.Parts
}

// slabs bring rows to where files have them, and back, once the mesh is distributed. They are made when they are needed.
type slabs struct {
	to, from *halo.Fetcher
}
