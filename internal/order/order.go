// Package order finds numberings of mesh elements that keep what is used together
// close together in memory.
//
// It is pure: sizes, maps and coordinates in, permutations out. Package op2 applies
// them to its sets, maps and dats.
//
// An order of n elements is a permutation of 0 to n-1: order[i] is the old number of
// the element that gets the new number i.
package order

import (
	"math"
	"slices"
)

// Mesh is what is to be ordered.
type Mesh struct {
	Sets    []Set
	Maps    []Map
	Workers int // goroutines; GOMAXPROCS if 0
}

// Set is one set of elements.
type Set struct {
	Size   int
	Weight int // bytes of data for each element: the set with most of it leads

	// Coordinates of the elements in Dim dimensions, [Size][Dim]; nil if they have
	// none. They must be finite.
	Coordinates []float64
	Dim         int
}

// Map leads from the elements of one set to those of another.
type Map struct {
	From, To int // indices into Mesh.Sets
	Arity    int
	Values   []int32 // [Sets[From].Size][Arity]; what is negative leads nowhere
}

// Orders are the orders of all sets of the mesh; nil for a set that keeps its order,
// because nothing leads to or from it.
//
// Of the sets that are connected by maps, one leads: the one with most data of those
// that maps lead to. Its elements are ordered by recursive coordinate bisection if
// there are coordinates, its own or those of a set it is connected with, and within the
// parts, or everywhere if there are none, by the reverse Cuthill-McKee algorithm. The
// other sets follow it.
func (m *Mesh) Orders() [][]int32 {
	orders := make([][]int32, len(m.Sets))
	coordinates := m.spread()
	for {
		leader := m.leader(orders)
		if leader < 0 {
			return orders
		}
		orders[leader] = m.lead(leader, coordinates[leader])
		m.follow(orders)
	}
}

// leader is the set that is to be ordered by itself next, or -1.
func (m *Mesh) leader(orders [][]int32) int {
	best := -1
	for s := range m.Sets {
		if orders[s] != nil || !m.leads(s) {
			continue
		}
		if best < 0 || m.bytes(s) > m.bytes(best) {
			best = s
		}
	}
	return best
}

// lead is the order of a set by itself.
func (m *Mesh) lead(s int, at points) []int32 {
	f, size := m.connecting(s), m.Sets[s].Size
	if f == nil {
		order, _ := bisect(at.values, at.dim, 1, m.Workers)
		return order
	}
	order, parts := identity(size), []int{0, size}
	if at.values != nil {
		order, parts = bisect(at.values, at.dim, m.part(s, at.dim), m.Workers)
	}
	m.newWalk(s, f).cuthillMcKee(order, parts)
	return order
}

// front is how many elements of set s a level of a walk may have such that two of them,
// which is what is worked on at a time, stay in a core's own cache.
func (m *Mesh) front(s int) int {
	const cache = 1 << 20 // bytes
	return max(256, cache/2/max(1, m.Sets[s].Weight))
}

// part is how many elements the parts of set s have: as many as a walk through dim
// dimensions can go through without its levels becoming wider than front, since
// of n elements a level has n to the power of (dim-1)/dim. Each border between parts costs
// some misses, since what is across it was used long ago, so parts are as large as that
// allows.
func (m *Mesh) part(s, dim int) int {
	if dim == 1 {
		return max(1, m.Sets[s].Size)
	}
	n := math.Pow(float64(m.front(s)), float64(dim)/float64(dim-1))
	return int(min(n, float64(max(1, m.Sets[s].Size))))
}

// leads reports whether set s can be ordered by itself: it has coordinates, or maps
// lead to it.
func (m *Mesh) leads(s int) bool {
	return m.Sets[s].Coordinates != nil || slices.ContainsFunc(m.Maps, func(f Map) bool { return f.To == s })
}

func (m *Mesh) bytes(s int) int { return m.Sets[s].Size * m.Sets[s].Weight }

// identity leaves n elements as they are.
func identity(n int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

// Inverse is the new number of each element, by its old one; nil for nil.
func Inverse(order []int32) []int32 {
	if order == nil {
		return nil
	}
	numbers := make([]int32, len(order))
	for i, e := range order {
		numbers[e] = int32(i)
	}
	return numbers
}
