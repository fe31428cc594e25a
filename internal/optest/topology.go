package optest

import (
	"math/rand/v2"

	"github.com/go-op2/op2"
)

// Topology is a random mesh: two sets, and maps of all kinds between them.
type Topology struct {
	Random       *rand.Rand
	edges, nodes int
}

// NewTopology returns a mesh of that many edges and nodes, always the same.
func NewTopology(edges, nodes int) *Topology {
	return &Topology{rand.New(rand.NewPCG(uint64(edges), uint64(nodes))), edges, nodes}
}

// Anywhere returns map values of the given arity that lead to any node, any number of times.
func (m *Topology) Anywhere(arity int) []int32 {
	values := make([]int32, m.edges*arity)
	for i := range values {
		values[i] = int32(m.Random.IntN(m.nodes))
	}
	return values
}

// Once returns map values of the given arity without duplicates, into a set of edges times arity
// elements.
func (m *Topology) Once(arity int) []int32 {
	values := make([]int32, m.edges*arity)
	for i, v := range m.Random.Perm(len(values)) {
		values[i] = int32(v)
	}
	return values
}

// Some returns n small integers as values of type T, signed if T is.
func Some[T op2.Scalar](random *rand.Rand, n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(random.IntN(60))
		if random.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}
