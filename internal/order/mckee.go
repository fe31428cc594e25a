package order

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/sorting"
)

// cuthillMcKee orders the elements of each part of a set by the reverse Cuthill-McKee algorithm:
// breadth first from the rim of each connected piece, neighbors of low degree first, and the result
// reversed. Neighbors are elements that the walk's map reaches from one element. The parts are
// order[parts[i]:parts[i+1]], and stay in place.
//
// Sources: E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric
// matrices, Proceedings of the 24th national conference of the ACM (1969);
// J. A. George and J. W. H. Liu, An implementation of a pseudoperipheral node finder,
// ACM Transactions on Mathematical Software 5 (1979).
func (w *walk) cuthillMcKee(order []int32, parts []int) {
	for p := range len(parts) - 1 {
		for _, e := range order[parts[p]:parts[p+1]] {
			w.part[e] = int32(p)
		}
	}
	placed := make([]bool, len(order))
	var done []int32
	for p := range len(parts) - 1 {
		part := order[parts[p]:parts[p+1]]
		done = done[:0]
		for _, e := range part {
			if placed[e] {
				continue
			}
			for _, near := range w.from(w.rim(e), nil) {
				placed[near] = true
				done = append(done, near)
			}
		}
		copy(part, done)
		slices.Reverse(part)
	}
}

// CuthillMcKee orders the elements of each part of a set, order[parts[i]:parts[i+1]], by the reverse
// Cuthill-McKee algorithm, from an element at one end of each connected piece to those at the other:
// the first elements of a part, however many, are close to each other. A map connects them, which
// Connecting has returned.
func (m *Mesh) CuthillMcKee(s int, f *Map, order []int32, parts []int) {
	w := m.newWalk(s, f)
	clear(w.boundary)
	w.cuthillMcKee(order, parts)
}

// Connecting returns the map to s that connects the most neighbors; nil if there is none.
func (m *Mesh) Connecting(s int) *Map {
	return m.best(func(f *Map) bool { return f.To == s }, func(f *Map) int {
		if f.Arity == 1 {
			return len(f.Values) - math.MaxInt // no neighbors
		}
		return len(f.Values)
	})
}

// transpose lists the elements that lead to each of the n targets of the map.
func (f *Map) transpose(n int) lists.Lists[int32] {
	return lists.Collect(n, func(add func(target, element int32)) {
		for i, t := range f.Values {
			if t >= 0 {
				add(t, int32(i/f.Arity))
			}
		}
	})
}

// walk traverses the elements of a part that a map leads to, breadth first, through the elements
// that it leads from, the hubs.
type walk struct {
	f        *Map
	hubs     lists.Lists[int32] // of each element
	part     []int32            // of each element
	boundary []bool             // whether each element is on the boundary
	widest   int                // desired maximum number of elements of a level

	elementSeen, hubSeen []int32 // the round in which each was last seen
	round                int32
	queue                []int32
	levels               int
	last                 int // start of the last level in the queue
}

// newWalk returns a walk through set s by way of map f. Elements that are some element's only
// target count as the boundary: boundary edges lead to cells like that.
func (m *Mesh) newWalk(s int, f *Map) *walk {
	size := m.Sets[s].Size
	w := &walk{
		f: f, hubs: f.transpose(size), part: make([]int32, size), boundary: make([]bool, size), widest: m.front(s),
		elementSeen: make([]int32, size), hubSeen: make([]int32, m.Sets[f.From].Size),
	}
	for i := range m.Maps {
		if b := &m.Maps[i]; b.To == s && b.Arity == 1 && m.Sets[b.From].Size < size {
			for _, t := range b.Values {
				if t >= 0 {
					w.boundary[t] = true
				}
			}
		}
	}
	return w
}

// from lists the elements connected with the starts, by distance; within a level by the first element
// that reaches them, then by the number of hubs. If only is not nil, it visits no other elements.
// The list is valid until the next call.
func (w *walk) from(starts []int32, only []bool) []int32 {
	w.round++
	w.queue = append(w.queue[:0], starts...)
	for _, e := range starts {
		w.elementSeen[e] = w.round
	}
	part := w.part[starts[0]]
	w.levels = 0
	for i, end := 0, 0; i < len(w.queue); i++ {
		if i == end {
			w.last, end = i, len(w.queue)
			w.levels++
		}
		found := len(w.queue)
		for _, hub := range w.hubs.Of(w.queue[i]) {
			if w.hubSeen[hub] == w.round {
				continue
			}
			w.hubSeen[hub] = w.round
			for _, e := range w.f.Values[int(hub)*w.f.Arity : (int(hub)+1)*w.f.Arity] {
				if e >= 0 && w.elementSeen[e] != w.round && w.part[e] == part && (only == nil || only[e]) {
					w.elementSeen[e] = w.round
					w.queue = append(w.queue, e)
				}
			}
		}
		sorting.Int32sBy(w.queue[found:], w.byDegree)
	}
	return w.queue
}

// byDegree compares elements by their number of hubs, then by their own numbers.
func (w *walk) byDegree(a, b int32) int {
	return cmp.Or(cmp.Compare(len(w.hubs.Of(a)), len(w.hubs.Of(b))), cmp.Compare(a, b))
}

// rim returns where to start in the piece of the mesh that contains e: the longest stretch of its
// boundary, unless that is too wide, so that loops over the boundary find their elements
// contiguous; otherwise an element far from others.
func (w *walk) rim(e int32) []int32 {
	if stretch := w.stretch(w.from([]int32{e}, nil)); len(stretch) > 0 && len(stretch) <= w.widest {
		return stretch
	}
	return []int32{w.farthest(e)}
}

// stretch returns the longest connected stretch of the boundary of a piece.
func (w *walk) stretch(piece []int32) []int32 {
	var rest []int32
	for _, e := range piece {
		if w.boundary[e] {
			rest = append(rest, e)
		}
	}
	sorting.Int32s(rest)
	var longest []int32
	for _, e := range rest {
		if !w.boundary[e] {
			continue
		}
		found := w.from([]int32{e}, w.boundary)
		for _, f := range found {
			w.boundary[f] = false // it is in this stretch, and each piece is searched once
		}
		if len(found) > len(longest) {
			longest = slices.Clone(found)
		}
	}
	return longest
}

// farthest returns an element far from others: the one farthest from e, then the one farthest from
// that, and so on while the distance grows, which it rarely does for long.
func (w *walk) farthest(e int32) int32 {
	const tries = 5
	depth := -1
	for range tries {
		level := w.from([]int32{e}, nil)[w.last:]
		if w.levels <= depth {
			break
		}
		depth = w.levels
		e = slices.MinFunc(level, w.byDegree)
	}
	return e
}
