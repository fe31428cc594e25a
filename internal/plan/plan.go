package plan

import (
	"slices"
	"unsafe"
)

// NoTarget is the local number of a reference that has no target.
const NoTarget = 0xFFFF

// Plan describes how one loop is split. It must not be changed: loops share it.
//
// Blocks are numbered from 0, elements as in the set; arrays over the elements of the range start
// with element First.
type Plan struct {
	First, Last int // the elements [First, Last)
	BlockSize   int // the most elements of a block

	// BlockOffsets: block b has the elements [BlockOffsets[b], BlockOffsets[b+1]). [blocks+1]
	// (offset, nelems)
	BlockOffsets []int32

	// BlockColors is the color of each block. [blocks]
	BlockColors []int32
	// Colors is the number of block colors: 1 if nothing collides, 0 if there are no
	// blocks. (ncolors)
	Colors int
	// ColorBound is the largest number of blocks that reach one target: no plan of these
	// blocks has fewer colors.
	ColorBound int
	// BlocksByColor lists the blocks grouped by color, ascending in each. [blocks] (blkmap)
	BlocksByColor []int32
	// ColorOffsets: color c has BlocksByColor[ColorOffsets[c]:ColorOffsets[c+1]].
	// [Colors+1] (ncolblk)
	ColorOffsets []int32

	// ElementColors is the color of each element within its block. Nil if not requested, or if
	// nothing collides. [elements] (thrcol)
	ElementColors []int32
	// ElementColorCounts is the number of element colors of each block. Nil if ElementColors is.
	// [blocks] (nthrcol)
	ElementColorCounts []int32
	// ElementsByColor lists the elements block by block, and those of each block by color, in ascending order: neighbors in
	// the list mostly have one color. Nil if not requested, or if ElementColors is. [elements]
	ElementsByColor []int32
	// ElementBound is the largest number of elements of one block that reach one
	// target; 0 without element colors.
	ElementBound int

	// Colored lists what the colors keep from colliding, each once.
	Colored []Reach
	// Tables are the local tables, each once. [Plan.TableOf] finds that of a dat.
	Tables []Table
}

// Reach counts the targets that blocks reach through some slots.
type Reach struct {
	Slots      []Ref // sorted by map and component
	References int64 // of elements: those that have a target
	Distinct   int64 // targets of each block, summed over the blocks
}

// Table is the local numbering of the targets that each block reaches through some slots: all those
// through which a dat is reached, by whichever maps, so that a block has one copy of each of its
// values.
type Table struct {
	Reach
	// Offsets: block b reaches Targets[Offsets[b]:Offsets[b+1]]. [blocks+1]
	// (ind_offs, ind_sizes)
	Offsets []int32
	// Targets are sorted and distinct within each block. [Distinct] (ind_map)
	Targets []int32
	// Local: slot s of element e refers to target Local[(e-First)*len(Slots)+s] of its block, or
	// NoTarget. [elements][slots] (loc_map)
	Local []uint16
}

// Blocks returns the number of blocks. (nblocks)
func (p *Plan) Blocks() int { return len(p.BlockOffsets) - 1 }

// Block returns the range of elements of block b, [first, last).
func (p *Plan) Block(b int) (first, last int) {
	return int(p.BlockOffsets[b]), int(p.BlockOffsets[b+1])
}

// LargestColor returns the number of blocks of the largest color: how many blocks can run at once;
// at least 1.
func (p *Plan) LargestColor() int {
	most := 1
	for c := range p.Colors {
		most = max(most, len(p.OfColor(c)))
	}
	return most
}

// Gain returns how many times faster that many threads are than one, if all blocks take the same time
// and nothing else counts: at least 1.
func (p *Plan) Gain(threads int) float64 {
	rounds := 0 // each thread runs one block
	for c := range p.Colors {
		rounds += (len(p.OfColor(c)) + threads - 1) / threads
	}
	return float64(p.Blocks()) / float64(max(1, rounds))
}

// OfColor returns the blocks of color c, in ascending order.
func (p *Plan) OfColor(c int) []int32 {
	return p.BlocksByColor[p.ColorOffsets[c]:p.ColorOffsets[c+1]]
}

// TableOf returns the index of the table of data d of the input, or -1 if it has none. The input is
// the one the plan was built from, or one that shares the plan with it.
func (p *Plan) TableOf(in *Input, d int) int {
	if !in.Data[d].Stage {
		return -1
	}
	slots := in.slots(d)
	return slices.IndexFunc(p.Tables, func(t Table) bool { return slices.Equal(t.Slots, slots) })
}

// Slot returns the index of the slot of a map's component, or -1. For All it is that of component
// 0, which the others follow.
func (t *Table) Slot(r Ref) int {
	if r.Component == All || r.Map == Direct {
		r.Component = 0
	}
	return slices.Index(t.Slots, r)
}

// Of returns the targets of block b.
func (t *Table) Of(b int) []int32 { return t.Targets[t.Offsets[b]:t.Offsets[b+1]] }

// Bytes returns the memory that the plan occupies.
func (p *Plan) Bytes() int64 {
	n := int64(unsafe.Sizeof(*p))
	for _, a := range [][]int32{p.BlockOffsets, p.BlockColors, p.BlocksByColor, p.ColorOffsets, p.ElementColors, p.ElementColorCounts, p.ElementsByColor} {
		n += 4 * int64(len(a))
	}
	for i := range p.Colored {
		n += p.Colored[i].bytes()
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		n += t.bytes() + 4*int64(len(t.Offsets)) + 4*int64(len(t.Targets)) + 2*int64(len(t.Local)) + int64(unsafe.Sizeof(*t)-unsafe.Sizeof(t.Reach))
	}
	return n
}

func (r *Reach) bytes() int64 {
	return int64(unsafe.Sizeof(*r)) + int64(len(r.Slots))*int64(unsafe.Sizeof(Ref{}))
}
