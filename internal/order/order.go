// Package order computes numberings of mesh elements that keep data that is used together close
// together in memory.
//
// It is pure: sizes, maps and coordinates in, permutations out. Package distribute
// chooses them for a mesh, package entity renumbers sets, maps and dats by them, and package partition
// divides meshes with them.
//
// An order of n elements is a permutation of 0 to n-1: order[i] is the old number of the element
// whose new number is i.
package order

import (
	"math"
	"slices"

	"github.com/go-op2/op2/internal/lists"
)

// Mesh is the mesh to order.
type Mesh struct {
	Sets    []Set
	Maps    []Map
	Workers int // goroutines; GOMAXPROCS if 0
	// Stopped, if not nil, ends the work early when it returns true. The result of Orders is then
	// useless.
	Stopped func() bool
}

// Set is one set of elements.
type Set struct {
	Size   int
	Weight int // bytes of data per element: the set with the most leads

	// Coordinates of the elements in Dim dimensions, [Size][Dim], finite; or nil.
	Coordinates []float64
	Dim         int
}

// Map leads from the elements of one set to those of another.
type Map struct {
	From, To int // indices into Mesh.Sets
	Arity    int
	Values   []int32 // [Sets[From].Size][Arity]; negative values lead nowhere
}

// Orders returns the orders of all sets of the mesh; nil for a set that keeps its order, because no
// map leads to or from it.
//
// Among sets that maps connect, one leads: of those that maps lead to, the one with the most data.
// Its elements are ordered by recursive coordinate bisection if it, or a set it is connected with,
// has coordinates, and within the parts, or throughout if there are none, by the reverse
// Cuthill-McKee algorithm. The other sets follow it.
func (m *Mesh) Orders() [][]int32 {
	orders := make([][]int32, len(m.Sets))
	for {
		leader := m.Leader(func(s int) bool { return orders[s] != nil })
		if leader < 0 || m.stopped() {
			return orders
		}
		orders[leader] = m.lead(leader, m.Points(leader))
		m.follow(orders)
	}
}

func (m *Mesh) stopped() bool { return m.Stopped != nil && m.Stopped() }

// Leader returns the set that leads among those that are not done; -1 if none can.
func (m *Mesh) Leader(done func(s int) bool) int {
	best := -1
	for s := range m.Sets {
		if done(s) || !m.leads(s) {
			continue
		}
		if best < 0 || m.bytes(s) > m.bytes(best) {
			best = s
		}
	}
	return best
}

// lead orders a set by itself.
func (m *Mesh) lead(s int, at Points) []int32 {
	f, size := m.Connecting(s), m.Sets[s].Size
	if f == nil {
		order, _ := bisect(at.Values, at.Dim, 1, m.Workers, m.stopped)
		return order
	}
	order, parts := lists.UpTo(size), []int{0, size}
	if at.Values != nil {
		order, parts = bisect(at.Values, at.Dim, m.part(s, at.Dim), m.Workers, m.stopped)
	}
	m.newWalk(s, f).cuthillMcKee(order, parts)
	return order
}

// front returns the number of elements of set s that a level of a walk may have such that two
// levels, which are in use at a time, fit into a core's own cache.
func (m *Mesh) front(s int) int {
	const cache = 1 << 20 // bytes
	return max(256, cache/2/max(1, m.Sets[s].Weight))
}

// part returns the number of elements of the parts of set s: the most that a walk through dim
// dimensions can traverse without its levels exceeding front, since with n elements a level has n
// to the power of (dim-1)/dim. Parts are as large as possible because each border between them
// costs cache misses: the elements across it were used long ago.
func (m *Mesh) part(s, dim int) int {
	if dim == 1 {
		return max(1, m.Sets[s].Size)
	}
	n := math.Pow(float64(m.front(s)), float64(dim)/float64(dim-1))
	return int(min(n, float64(max(1, m.Sets[s].Size))))
}

// leads reports whether set s can be ordered by itself: it has coordinates, or maps lead to it.
func (m *Mesh) leads(s int) bool {
	return m.Sets[s].Coordinates != nil || slices.ContainsFunc(m.Maps, func(f Map) bool { return f.To == s })
}

func (m *Mesh) bytes(s int) int { return m.Sets[s].Size * m.Sets[s].Weight }

// Inverse returns the new number of each element, by its old one; nil for nil.
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
