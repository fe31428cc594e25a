package partition

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/sorting"
)

// link is a map between a set without owners and one whose elements have them. Its neighbors of an element are the
// targets of the element, or the elements that lead to it.
type link struct {
	*order.Map
	other []int32 // owners of the other set's elements
	to    bool    // the map leads to the set without owners
}

// each calls visit with each element of the set and the owner of each of its neighbors.
func (l link) each(visit func(element, owner int32)) {
	for i := 0; i < len(l.Values); i += l.Arity {
		row := int32(i / l.Arity)
		for _, target := range l.Values[i : i+l.Arity] {
			switch {
			case target < 0:
			case l.to:
				visit(target, l.other[row])
			default:
				visit(row, l.other[target])
			}
		}
	}
}

// follow partitions the sets that maps connect with partitioned ones, in the order of [order.Mesh.Orders].
func (w *wholeMesh) follow() {
	for changed := true; changed; {
		changed = false
		for _, to := range []bool{false, true} {
			for s := range w.mesh.Sets {
				if w.owners[s] != nil {
					continue
				}
				if links := w.links(s); len(links) > 0 && (to || !links[0].to) {
					w.owners[s] = w.inherit(s, links)
					changed = true
				}
			}
		}
	}
}

// links returns the maps between a set and the partitioned ones, the best to follow first: the maps from the set by the
// weight of the other set, then the maps to the set by their number of values.
func (w *wholeMesh) links(s int) []link {
	var links []link
	for i := range w.mesh.Maps {
		f := &w.mesh.Maps[i]
		if f.From == s && w.owners[f.To] != nil {
			links = append(links, link{f, w.owners[f.To], false})
		} else if f.To == s && w.owners[f.From] != nil {
			links = append(links, link{f, w.owners[f.From], true})
		}
	}
	sorting.By(links, func(a, b link) int {
		switch {
		case !a.to && !b.to:
			return cmp.Compare(w.mesh.Sets[b.To].Weight, w.mesh.Sets[a.To].Weight)
		case a.to && b.to:
			return cmp.Compare(len(b.Values), len(a.Values))
		case a.to:
			return 1
		}
		return -1
	})
	return links
}

const (
	nobody    = -1 // the owner of an element without neighbors
	contested = -2 // the owner of an element whose neighbors are of several parts, until settle
)

// inherit partitions a set by majority vote: each element goes to a part that owns neighbors of it. The neighbors are
// those by the first link that has any. Of several parts, the one with most neighbors wins whose share is not
// complete; level then evens out the loads. Elements without neighbors fill incomplete shares.
func (w *wholeMesh) inherit(s int, links []link) []int32 {
	f := &follower{owners: make([]int32, w.mesh.Sets[s].Size), loads: make([]int, w.options.Parts), shares: w.options.shares(w.mesh.Sets[s].Size)}
	for e := range f.owners {
		f.owners[e] = nobody
	}
	for _, l := range links {
		f.offer(l.each)
		if !slices.Contains(f.owners, nobody) {
			break
		}
	}
	for _, p := range f.owners {
		if p >= 0 {
			f.loads[p]++
		}
	}
	f.settle()
	f.level()
	f.fill()
	return f.owners
}

// follower partitions one set.
type follower struct {
	owners []int32
	loads  []int     // elements of each part
	shares []float64 // that each part should have
	offers []uint64  // of contested elements: element<<32 | part, one for each neighbor
}

// offer offers elements without neighbors so far to the owners of their neighbors by another link, whose pairs each
// visits.
func (f *follower) offer(each func(visit func(element, owner int32))) {
	var taken []bool // elements with neighbors by an earlier link
	if i := slices.IndexFunc(f.owners, func(p int32) bool { return p != nobody }); i >= 0 {
		taken = make([]bool, len(f.owners))
		for e, p := range f.owners {
			taken[e] = p != nobody
		}
	}
	several := false
	each(func(e, p int32) {
		switch {
		case taken != nil && taken[e] || f.owners[e] == p:
		case f.owners[e] == nobody:
			f.owners[e] = p
		default:
			f.owners[e], several = contested, true
		}
	})
	if !several {
		return
	}
	each(func(e, p int32) {
		if f.owners[e] == contested && (taken == nil || !taken[e]) {
			f.offers = append(f.offers, uint64(e)<<32|uint64(p))
		}
	})
}

// settle gives each contested element to the part with most votes: one for each neighbor. A part without elements wins, one
// whose share is complete loses; equal ones are decided by the load relative to the share.
func (f *follower) settle() {
	sorting.Uint64s(f.offers)
	f.eachContested(false, func(e int32, offers []uint64) {
		best, most := int32(-1), -1
		for len(offers) > 0 {
			p := int32(uint32(offers[0]))
			votes := 1
			for votes < len(offers) && offers[votes] == offers[0] {
				votes++
			}
			offers = offers[votes:]
			switch {
			case f.loads[p] == 0 && f.shares[p] > 0:
				votes = math.MaxInt32
			case float64(f.loads[p]) >= f.shares[p]:
				votes = 0
			}
			if votes > most || votes == most && f.fullness(p) < f.fullness(best) {
				best, most = p, votes
			}
		}
		f.owners[e] = best
		f.loads[best]++
	})
}

// fullness returns a part's load relative to its share.
func (f *follower) fullness(p int32) float64 { return float64(f.loads[p]) / max(f.shares[p], 1e-300) }

// level moves contested elements from overloaded parts to others that they were offered to: local diffusion of load,
// element by element. Passes alternate in direction, so that load can travel over several parts either way.
func (f *follower) level() {
	const rounds, enough = 20, 1.005
	for round := range rounds {
		moved := 0
		f.eachContested(round%2 == 0, func(e int32, offers []uint64) {
			from := f.owners[e]
			if f.fullness(from) <= enough || f.loads[from] == 1 {
				return
			}
			to := from
			for _, offer := range offers {
				if p := int32(uint32(offer)); f.fullness(p) < f.fullness(to) {
					to = p
				}
			}
			if float64(f.loads[to]+1)/max(f.shares[to], 1e-300) < f.fullness(from) {
				f.owners[e] = to
				f.loads[from]--
				f.loads[to]++
				moved++
			}
		})
		if moved == 0 {
			return
		}
	}
}

// eachContested calls visit with each contested element and its offers, in ascending or descending order.
func (f *follower) eachContested(backward bool, visit func(e int32, offers []uint64)) {
	all := f.offers
	for len(all) > 0 {
		first, last := 0, 1
		if backward {
			first, last = len(all)-1, len(all)
			for first > 0 && all[first-1]>>32 == all[first]>>32 {
				first--
			}
		} else {
			for last < len(all) && all[last]>>32 == all[0]>>32 {
				last++
			}
		}
		visit(int32(all[first]>>32), all[first:last])
		if backward {
			all = all[:first]
		} else {
			all = all[last:]
		}
	}
}

// fill gives the elements without neighbors, in contiguous pieces, to parts with incomplete shares.
func (f *follower) fill() {
	f.fillFrom(0, len(f.left()), f.loads, f.shares)
}

// left returns the elements without an owner.
func (f *follower) left() (left []int32) {
	for e, p := range f.owners {
		if p == nobody {
			left = append(left, int32(e))
		}
	}
	return left
}

// fillFrom does the same where the elements left here are those from first on of all.
func (f *follower) fillFrom(first, all int, loads []int, shares []float64) {
	if all == 0 {
		return
	}
	lacks := make([]float64, len(shares))
	for p := range lacks {
		lacks[p] = max(0, shares[p]-float64(loads[p]))
	}
	ends, p := cut(all, lacks), 0
	for i, e := range f.left() {
		for first+i >= ends[p] {
			p++
		}
		f.owners[e] = int32(p)
	}
}

// wholeMesh partitions a mesh that is in one memory.
type wholeMesh struct {
	mesh    *order.Mesh
	options Options
	owners  [][]int32 // by set; nil as long as they are not known
}
