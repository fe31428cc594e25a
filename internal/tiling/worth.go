package tiling

import (
	"math"
	"math/bits"
)

// Worth is what is known about tiles of a chain before an inspection: from estimates alone, so that it is
// the same in each run.
type Worth struct {
	Loops, Tiles int64   // bytes that move loop by loop, and by tiles
	OnVectors    float64 // the fraction of Loops that loops on vectors move; the others seldom wait for memory
	References   int64   // that an inspection goes through
	Processors   int     // that run the loops; an inspection takes one
	Tried        bool    // tiles are tried against loop by loop
}

// Pays reports whether tiles may be faster; where they cannot be tried, whether they surely are.
func (w Worth) Pays() bool {
	if w.Tried {
		return w.Saved() >= leastSaved
	}
	return w.OnVectors*w.Saved() >= surelySaved
}

// Saved returns the fraction of the bytes that tiles save.
func (w Worth) Saved() float64 { return 1 - float64(w.Tiles)/float64(max(1, w.Loops)) }

// Due returns the number of calls after which tiles are worked out, with three leading bits: so ranks whose
// shares are of similar size do it in the same call, and wait for each other once.
func (w Worth) Due() int64 {
	calls := callsFor(bytesForReference*w.References, w.Loops, w.Processors, inspectionShare)
	step := int64(1) << max(0, bits.Len64(uint64(calls))-3)
	return (calls + step - 1) / step * step
}

// FusingDue returns the number of calls after which neighbors are fused, of a chain in which that many loops have
// neighbors and all of them move so many bytes.
func FusingDue(loops int, bytes int64, processors int) int64 {
	return callsFor(bytesForFusing*int64(loops), bytes, processors, fusingShare)
}

// callsFor returns the number of calls, each of which moves so many bytes, of whose time on several processors a
// share is what one processor takes to move all.
func callsFor(all, each int64, processors int, share float64) int64 {
	calls := float64(all) / float64(max(1, each)) * float64(min(max(1, processors), mostFaster)) / share
	return max(1, int64(math.Ceil(calls)))
}

// MostRuns returns the mean number of runs of a loop in a tile above which tiles are not worth running.
func (w Worth) MostRuns() float64 {
	if w.Tried {
		return 64
	}
	return 8
}

// FusingPays reports whether loops that move so many bytes one after another, and together, are surely
// faster together, if they wait for memory.
func FusingPays(apart, together int64) bool {
	return Worth{Loops: apart, Tiles: together}.Saved() >= leastSaved
}

const (
	// leastSaved is the fraction of the bytes that must be saved: tiles cost some packs that are not full,
	// and the seams of threads; fused loops need more registers.
	leastSaved = 0.1
	// surelySaved is the fraction that loops on vectors must save where tiles cannot be tried, because of
	// other bits.
	surelySaved = 0.4
	// inspectionShare and fusingShare are the fractions of the time of the calls before them that an inspection, and
	// fusing neighbors, take at most.
	inspectionShare = 1. / 100
	fusingShare     = 1. / 200
	// bytesForReference is the number of bytes that loops move in the time that an inspection takes for a
	// reference.
	bytesForReference = 90
	// bytesForFusing is the number of bytes that loops move in the time that it takes to fuse one of them: to find
	// out whether it can be, and to generate code.
	bytesForFusing = 24 << 20
	// mostFaster limits how many times as fast as one processor several run loops that wait for memory.
	mostFaster = 16
)
