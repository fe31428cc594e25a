package tiling

// position says when an element runs: its stage, its group within the stage, and its tile within the
// group. Larger ones of a group run later.
//
// As a bound, for what has to run no earlier than some elements, it may have any group: then every
// group of its stage is late enough.
type position uint32

const (
	tileBits  = 20
	groupBits = 10
	anyGroup  = 1<<groupBits - 1
	lastStage = 2

	// MostParts is the largest number of groups of a stage, and MostTiles that of the tiles of a group.
	MostParts = anyGroup - 1
	MostTiles = 1 << tileBits
)

// unbound is the bound of what may run at any time.
const unbound = position(anyGroup) << tileBits

func at(stage, group, tile int) position {
	return position(stage)<<(tileBits+groupBits) | position(group)<<tileBits | position(tile)
}

func (p position) stage() int { return int(p >> (tileBits + groupBits)) }
func (p position) group() int { return int(p >> tileBits & anyGroup) }

// with is join, fast where q changes nothing.
func (p position) with(q position) position {
	if q == p || q == unbound {
		return p
	}
	return join(p, q)
}

// join returns the bound of what must run no earlier than p and q allow. A later stage is behind all groups
// of an earlier one. Two groups of one stage run at the same time, in which neither waits for the other: what
// needs both belongs to the next stage, where any group will do, or to the single group of the last.
func join(p, q position) position {
	const group = position(anyGroup) << tileBits
	switch {
	case (p^q)>>tileBits == 0: // of one group
		return max(p, q)
	case q == unbound:
		return p
	case p == unbound:
		return q
	}
	switch a, b := p.stage(), q.stage(); {
	case a > b:
		return p
	case a < b:
		return q
	case p&group == group:
		return q
	case q&group == group:
		return p
	case a+1 == lastStage:
		return at(lastStage, 0, 0)
	default:
		return at(a+1, anyGroup, 0)
	}
}
