package plan

import (
	"fmt"
	"slices"
)

// Part is the part of a plan that has the elements between two boundaries.
type Part struct {
	First, Last int // the blocks [First, Last)
	// Colors says where BlocksByColor lists these blocks, [from, to): an entry for each color that
	// has some. Blocks of one entry can run at once.
	Colors [][2]int32
}

// Part returns the part with the elements [first, last). It is an error if a block has elements
// within and outside of it.
func (p *Plan) Part(first, last int) (*Part, error) {
	from, starts := slices.BinarySearch(p.BlockOffsets, int32(first))
	to, ends := slices.BinarySearch(p.BlockOffsets, int32(last))
	if !starts || !ends || last < first {
		return nil, fmt.Errorf("plan: elements [%d, %d) are no part of the loop over [%d, %d): blocks have other boundaries", first, last, p.First, p.Last)
	}
	part := &Part{First: from, Last: to}
	for c := range p.Colors {
		blocks := p.OfColor(c)
		i, _ := slices.BinarySearch(blocks, int32(from))
		j, _ := slices.BinarySearch(blocks, int32(to))
		if i < j {
			start := p.ColorOffsets[c]
			part.Colors = append(part.Colors, [2]int32{start + int32(i), start + int32(j)})
		}
	}
	return part, nil
}

// LargestColor returns the number of blocks of the largest color: how many blocks can run at once;
// at least 1.
func (p *Part) LargestColor() int {
	most := int32(1)
	for _, c := range p.Colors {
		most = max(most, c[1]-c[0])
	}
	return int(most)
}
