package partition

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Follow partitions the sets whose owners are nil, after the others, as Whole does for a mesh in one memory: sets with a
// map to a partitioned one first. Owners are those of this rank's shares, the elements that it owns so far. It is
// collective.
func Follow(c comm.Comm, m *halo.Mesh, owners [][]int32, o Options) error {
	if err := o.checkParts(); err != nil {
		return err
	}
	f := &shareFollower{comm: c, mesh: m, owners: owners, options: &o}
	for changed := true; changed; {
		changed = false
		for _, to := range []bool{false, true} {
			for s := range m.Sets {
				links := f.links(s)
				if owners[s] != nil || len(links) == 0 || !to && m.Maps[links[0]].From != s {
					continue
				}
				if err := f.inherit(s, links); err != nil {
					return err
				}
				changed = true
			}
		}
	}
	for s := range m.Sets {
		if owners[s] == nil {
			if err := f.inherit(s, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// shareFollower partitions a mesh of which each rank has shares.
type shareFollower struct {
	comm    comm.Comm
	mesh    *halo.Mesh
	owners  [][]int32
	options *Options
}

// links returns the maps between a set and the partitioned ones, those from the set first.
func (f *shareFollower) links(s int) (links []int) {
	for _, to := range []bool{false, true} {
		for i, m := range f.mesh.Maps {
			if !to && m.From == s && f.owners[m.To] != nil || to && m.From != s && m.To == s && f.owners[m.From] != nil {
				links = append(links, i)
			}
		}
	}
	return links
}

// inherit partitions a set as wholeMesh.inherit does. Each rank fills its portion of what a part lacks, in proportion to
// its number of offers to that part.
func (f *shareFollower) inherit(s int, links []int) error {
	set, parts := &f.mesh.Sets[s], f.options.Parts
	n := &follower{owners: slices.Repeat([]int32{nobody}, len(set.Owned)), loads: make([]int, parts)}
	for _, i := range links {
		each, err := f.linked(s, &f.mesh.Maps[i])
		if err != nil {
			return err
		}
		n.offer(each)
	}
	for _, p := range n.owners {
		if p >= 0 {
			n.loads[p]++
		}
	}
	counts := make([]int64, 2*parts) // the load of each part, then its offers
	for p, load := range n.loads {
		counts[p] = int64(load)
	}
	for _, offer := range n.offers {
		counts[parts+int(uint32(offer))]++
	}
	own := slices.Clone(counts)
	if err := comm.Reduce(f.comm, loop.Inc, counts); err != nil {
		return err
	}
	shares := f.options.shares(int(set.Size))
	n.shares = make([]float64, parts)
	for p := range n.shares {
		n.shares[p] = float64(own[p])
		if lacks := shares[p] - float64(counts[p]); lacks > 0 && counts[parts+p] > 0 {
			n.shares[p] += lacks * float64(own[parts+p]) / float64(counts[parts+p])
		}
	}
	n.settle()
	n.level()
	f.owners[s] = n.owners
	return f.fill(n, shares)
}

// fill gives the elements without neighbors of all ranks, in contiguous pieces, to parts with incomplete shares.
func (f *shareFollower) fill(n *follower, shares []float64) error {
	counts := make([]int64, len(shares))
	for _, p := range n.owners {
		if p != nobody {
			counts[p]++
		}
	}
	if err := comm.Reduce(f.comm, loop.Inc, counts); err != nil {
		return err
	}
	offsets, err := halo.Offsets(f.comm, int64(len(n.left())))
	if err != nil {
		return err
	}
	loads := make([]int, len(counts))
	for p, c := range counts {
		loads[p] = int(c)
	}
	n.fillFrom(int(offsets[f.comm.Rank()]), int(offsets[f.comm.Size()]), loads, shares)
	return nil
}

// linked returns a function that calls visit with each element of this rank's share of a set and the owner of each of
// its neighbors by a map.
func (f *shareFollower) linked(s int, m *halo.Map) (each func(visit func(element, owner int32)), err error) {
	if m.From == s {
		return f.targets(m)
	}
	return f.sources(m)
}

// targets is linked for a map from the set: owners of targets elsewhere are fetched.
func (f *shareFollower) targets(m *halo.Map) (func(visit func(element, owner int32)), error) {
	to, rank := &f.mesh.Sets[m.To], f.comm.Rank()
	var others []int64 // targets of other shares, ascending
	for i := range m.Values.Len() {
		t := m.Values.At(i)
		if t >= 0 && to.Place(rank, t) < 0 {
			others = append(others, t)
		}
	}
	sorting.Int64s(others)
	others = slices.Compact(others)
	known := f.owners[m.To]
	rows, err := halo.Fetch(f.comm, to.Home, to.Owned, comm.Bytes(known), 4, others)
	if err != nil {
		return nil, err
	}
	fetched := comm.Values[int32](rows)
	return func(visit func(element, owner int32)) {
		for i := range m.Values.Len() {
			t := m.Values.At(i)
			if t < 0 {
				continue
			}
			if place := to.Place(rank, t); place >= 0 {
				visit(int32(i/m.Arity), known[place])
			} else {
				at, _ := slices.BinarySearch(others, t)
				visit(int32(i/m.Arity), fetched[at])
			}
		}
	}, nil
}

// sources is linked for a map to the set: the ranks with the rows of the map send the owners of their elements to the
// ranks of the targets.
func (f *shareFollower) sources(m *halo.Map) (func(visit func(element, owner int32)), error) {
	to, rank, known := &f.mesh.Sets[m.To], f.comm.Rank(), f.owners[m.From]
	var others []int64
	var owners []int32
	for i := range m.Values.Len() {
		t := m.Values.At(i)
		if t >= 0 && to.Place(rank, t) < 0 {
			others, owners = append(others, t), append(owners, known[i/m.Arity])
		}
	}
	homes, err := to.Home.Owners(f.comm, others)
	if err != nil {
		return nil, err
	}
	type pair struct {
		element int64
		owner   int32
	}
	out := comm.Outbox[pair]{}
	for i, home := range homes {
		out.Add(int(home), pair{others[i], owners[i]})
	}
	came, err := out.Send(f.comm)
	if err != nil {
		return nil, err
	}
	for _, message := range came {
		for _, p := range message.Values {
			if to.Place(rank, p.element) < 0 {
				return nil, fmt.Errorf("element %d is not one of this rank, as rank %d believes", p.element, message.Rank)
			}
		}
	}
	return func(visit func(element, owner int32)) {
		for i := range m.Values.Len() {
			t := m.Values.At(i)
			if place := to.Place(rank, t); place >= 0 {
				visit(int32(place), known[i/m.Arity])
			}
		}
		for _, message := range came {
			for _, p := range message.Values {
				visit(int32(to.Place(rank, p.element)), p.owner)
			}
		}
	}, nil
}
