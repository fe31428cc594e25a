package backend

import "runtime"

// HostBlockSize is the number of elements in a block, for a loop over so many of them on
// this machine's processors. The larger a block, the fewer targets it shares with
// others, whose turn comes with another color, when they have left the cache; but each
// processor should find some blocks of every color to take, and a block's data should
// fit into its own cache. The number of threads that a runtime uses has no part in it:
// results do not depend on that.
func HostBlockSize(elements int) int {
	const (
		smallest, largest = 1 << 10, 1 << 14
		share             = 32 // blocks for each processor
	)
	return max(smallest, min(largest, elements/(share*runtime.NumCPU())))
}
