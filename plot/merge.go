package plot

import "math"

// mergeNodes returns for each node the first node with the same coordinates,
// which is the node itself where it is alone. Shape [nodes, 2] to [nodes].
func mergeNodes(xy []float64) []int32 {
	nodes := len(xy) / 2
	same := make([]int32, nodes)

	// An open-addressed table: several times faster than a map here, where
	// merging would otherwise be the longest step of a large picture.
	bits := 4
	for 1<<bits < 2*nodes {
		bits++
	}
	table := make([]int32, 1<<bits) // node number + 1; 0: free
	for n := range same {
		x, y := xy[2*n]+0, xy[2*n+1]+0 // + 0: -0 and 0 are one place
		h := math.Float64bits(x)*0x9e3779b97f4a7c15 ^ math.Float64bits(y)*0xc2b2ae3d27d4eb4f
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		slot := h >> (64 - bits)
		for {
			first := table[slot]
			if first == 0 {
				table[slot] = int32(n) + 1
				same[n] = int32(n)
				break
			}
			if xy[2*(first-1)] == x && xy[2*(first-1)+1] == y {
				same[n] = first - 1
				break
			}
			slot = (slot + 1) & (1<<bits - 1)
		}
	}
	return same
}
