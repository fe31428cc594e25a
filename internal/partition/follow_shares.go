package partition

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// Follow finds the owners of the elements of this rank's shares of sets whose owners are nil, from
// those of the others, as Whole does: a set with a map to one with owners goes first. The shares of
// sets are what the ranks of the mesh own before. It is collective. Parts are as many as ranks if
// 0 are given.
func Follow(c comm.Comm, m *halo.Mesh, owners [][]int32, o Options) error {
	if o.Parts == 0 {
		o.Parts = c.Size()
	}
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

// shareFollower finds owners for shares.
type shareFollower struct {
	comm    comm.Comm
	mesh    *halo.Mesh
	owners  [][]int32
	options *Options
}

// links returns the maps between a set and those that have owners: first those from the set.
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

// inherit gives each element of a share to an owner of the elements that it is linked with. Of what
// a part lacks, each rank gives a portion, by how many of its elements could go there.
func (f *shareFollower) inherit(s int, links []int) error {
	set, parts := &f.mesh.Sets[s], f.options.Parts
	n := &follower{owners: slices.Repeat([]int32{nobody}, len(set.Owned)), loads: make([]int, parts)}
	for _, i := range links {
		pairs, err := f.pairs(s, &f.mesh.Maps[i])
		if err != nil {
			return err
		}
		n.take(pairs)
	}
	for _, p := range n.owners {
		if p >= 0 {
			n.loads[p]++
		}
	}
	counts := make([]int64, 2*parts) // what each part has, and what it has been offered
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

// take offers elements that nothing has been offered for yet the parts of pairs, element<<32 | part.
func (n *follower) take(pairs []uint64) {
	slices.Sort(pairs)
	fresh := &follower{offers: pairs}
	fresh.eachContested(false, func(e int32, offers []uint64) {
		switch {
		case n.owners[e] != nobody:
		case offers[0] == offers[len(offers)-1]:
			n.owners[e] = int32(uint32(offers[0]))
		default:
			n.owners[e] = contested
			n.offers = append(n.offers, offers...)
		}
	})
	slices.Sort(n.offers)
}

// fill gives the elements of all ranks that nothing is linked with to parts that lack some, in pieces.
func (f *shareFollower) fill(n *follower, shares []float64) error {
	var left []int32
	counts := make([]int64, len(shares))
	for e, p := range n.owners {
		if p == nobody {
			left = append(left, int32(e))
		} else {
			counts[p]++
		}
	}
	if err := comm.Reduce(f.comm, loop.Inc, counts); err != nil {
		return err
	}
	offsets, err := halo.Offsets(f.comm, int64(len(left)))
	if err != nil {
		return err
	}
	all := offsets[f.comm.Size()]
	if all == 0 {
		return nil
	}
	lacks := make([]float64, len(shares))
	for p := range lacks {
		lacks[p] = max(0, shares[p]-float64(counts[p]))
	}
	ends, p := cut(int(all), lacks), 0
	for i, e := range left {
		for int(offsets[f.comm.Rank()])+i >= ends[p] {
			p++
		}
		n.owners[e] = int32(p)
	}
	return nil
}

// pairs returns for each element of this rank's share of a set the parts that own what a map links it
// with, as element<<32 | part.
func (f *shareFollower) pairs(s int, m *halo.Map) ([]uint64, error) {
	if m.From == s {
		return f.targets(m)
	}
	return f.sources(m)
}

// targets returns the pairs of the elements that the map leads from.
func (f *shareFollower) targets(m *halo.Map) ([]uint64, error) {
	numbers := slices.Clone(m.Values)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	numbers = slices.DeleteFunc(numbers, func(t int64) bool { return t < 0 })
	to := &f.mesh.Sets[m.To]
	known := f.owners[m.To]
	rows := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(known))), 4*len(known))
	fetched, err := halo.Fetch(f.comm, to.Home, to.Owned, rows, 4, numbers)
	if err != nil {
		return nil, err
	}
	var pairs []uint64
	for i, t := range m.Values {
		if at, found := slices.BinarySearch(numbers, t); found {
			pairs = append(pairs, uint64(i/m.Arity)<<32|uint64(binary.NativeEndian.Uint32(fetched[4*at:])))
		}
	}
	return pairs, nil
}

// sources returns the pairs of the elements that the map leads to, which the ranks that have its
// sources send to those that have the targets.
func (f *shareFollower) sources(m *halo.Map) ([]uint64, error) {
	var numbers []int64
	var parts []int32
	for i, t := range m.Values {
		if t >= 0 {
			numbers, parts = append(numbers, t), append(parts, f.owners[m.From][i/m.Arity])
		}
	}
	to := &f.mesh.Sets[m.To]
	homes, err := to.Home.Owners(f.comm, numbers)
	if err != nil {
		return nil, err
	}
	data := map[int][]byte{}
	for i, home := range homes {
		b := binary.NativeEndian.AppendUint64(data[int(home)], uint64(numbers[i]))
		data[int(home)] = binary.NativeEndian.AppendUint32(b, uint32(parts[i]))
	}
	var sends []comm.Message
	for rank := range f.comm.Size() {
		if len(data[rank]) > 0 {
			sends = append(sends, comm.Message{Rank: rank, Data: data[rank]})
		}
	}
	came, err := f.comm.Consensus(sends)
	if err != nil {
		return nil, err
	}
	places := make(map[int64]int, len(to.Owned))
	for e, number := range to.Owned {
		places[number] = e
	}
	var pairs []uint64
	for _, message := range came {
		for rest := message.Data; len(rest) > 0; rest = rest[12:] {
			number := int64(binary.NativeEndian.Uint64(rest))
			e, found := places[number]
			if !found {
				return nil, fmt.Errorf("element %d is not one of this rank, as rank %d believes", number, message.Rank)
			}
			pairs = append(pairs, uint64(e)<<32|uint64(binary.NativeEndian.Uint32(rest[8:])))
		}
	}
	return pairs, nil
}
