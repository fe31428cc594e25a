package op2

import (
	"slices"

	"github.com/go-op2/op2/internal/plan"
)

// PlanFigures describe how a loop is split. Their String is a few lines of text. Their fields:
//
//	Elements  int
//	Blocks    int
//	BlockSize int
//
//	Colors     int // of blocks
//	ColorBound int // lower bound for any plan of these blocks
//	SmallColor int // blocks of the smallest color
//	LargeColor int // blocks of the largest color
//
//	ElementColors int // the most in any block; 0: not requested, or nothing collides
//	ElementBound  int // lower bound for that
//
//	Tables      int     // local tables
//	MostTargets int     // the most that any block reaches, over all tables
//	Reuse       float64 // references per distinct target of a block; 0: unknown
//	SharedBytes int     // the most fast memory that any block needs; 0: nothing is staged
//	Bytes       int64   // memory of the plan
//	Rearranged  string  // why the elements run in another order than their own; "" if they do not
type PlanFigures = plan.Figures

// Plan describes how the loop is split into blocks that can run at the same time. It is zero if the
// backend runs the elements in order, and on a static runtime.
func (l *Loop) Plan() PlanFigures {
	if l.core().Made() != nil {
		return PlanFigures{}
	}
	rt := l.core().Runtime()
	rt.MustEnter()
	defer rt.Leave()
	return l.core().Figures()
}

// PlanArrays is a plan: how a loop is divided into blocks, and their elements into colors. The names in parentheses are those of
// the OP2 Developers Guide. The slices are copies.
//
// Blocks are numbered from 0. Elements have the numbers that they have in memory, or, if Order is set, their places in it;
// arrays over elements start with element First.
type PlanArrays struct {
	First, Last int     // the elements [First, Last)
	Order       []int32 // the elements by their numbers here: of a subset, or of a loop that runs in another order; nil: their own

	// BlockOffsets: block b has the elements [BlockOffsets[b], BlockOffsets[b+1]). (offset, nelems)
	BlockOffsets []int32
	// BlockColors is the color of each block. Blocks of one color run at the same time.
	BlockColors []int32
	// BlocksByColor lists the blocks by color (blkmap): those of color c are
	// BlocksByColor[ColorOffsets[c]:ColorOffsets[c+1]]. (ncolors, ncolblk)
	BlocksByColor, ColorOffsets []int32
	// ElementColors is the color of each element in its block (thrcol), and ElementColorCounts the number of these colors
	// for each block (nthrcol); nil where the elements of a block run one after another, or do not collide.
	ElementColors, ElementColorCounts []int32
	// ElementsByColor lists the elements block by block, those of a block by color; nil unless they run in that order.
	ElementsByColor []int32

	// Tables are the local numberings of the targets that blocks stage; empty where nothing is
	// staged. (ind_maps)
	Tables      []PlanTable
	SharedBytes int // the most fast memory that any block needs (nshared)
}

// PlanTable numbers what each block reaches in some way, from 0 in each block.
type PlanTable struct {
	Dats  []string // what is staged by this table
	Slots []string // how an element reaches it: "edge2cell[0]", a component of a map, or "direct"
	// Offsets and Targets: block b reaches Targets[Offsets[b]:Offsets[b+1]], each once and in ascending order.
	// (ind_offs, ind_sizes, ind_map)
	Offsets, Targets []int32
	// Local: slot s of element e is target Local[(e-First)*len(Slots)+s] of its block; 0xFFFF: none. (loc_map)
	Local []uint16
}

// PlanArrays returns the plan itself, of which Plan returns figures. The error says why a loop has none: the runtime is
// static, or the backend runs the elements without one, in order, or on a device all at once.
func (l *Loop) PlanArrays() (*PlanArrays, error) { return within(l.core(), l.planArrays) }

func (l *Loop) planArrays() (*PlanArrays, error) {
	p, order, staged, err := l.core().Divided()
	if err != nil {
		return nil, err
	}
	a := &PlanArrays{
		First: p.First, Last: p.Last, Order: slices.Clone(order),
		BlockOffsets: slices.Clone(p.BlockOffsets), BlockColors: slices.Clone(p.BlockColors),
		BlocksByColor: slices.Clone(p.BlocksByColor), ColorOffsets: slices.Clone(p.ColorOffsets),
		ElementColors: slices.Clone(p.ElementColors), ElementColorCounts: slices.Clone(p.ElementColorCounts),
		ElementsByColor: slices.Clone(p.ElementsByColor),
		SharedBytes:     l.core().Figures().SharedBytes,
	}
	for i, t := range p.Tables {
		a.Tables = append(a.Tables, PlanTable{Dats: slices.Clone(staged[i].Dats), Slots: slices.Clone(staged[i].Slots),
			Offsets: slices.Clone(t.Offsets), Targets: slices.Clone(t.Targets), Local: slices.Clone(t.Local)})
	}
	return a, nil
}
