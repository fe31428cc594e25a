package plan

import (
	"fmt"
	"strings"
)

// Figures summarizes a plan.
type Figures struct {
	Elements  int
	Blocks    int
	BlockSize int

	Colors     int // of blocks
	ColorBound int // lower bound for any plan of these blocks
	SmallColor int // blocks of the smallest color
	LargeColor int // blocks of the largest color

	ElementColors int // the most in any block; 0: not requested, or nothing collides
	ElementBound  int // lower bound for that

	Tables      int     // local tables
	MostTargets int     // the most that any block reaches, over all tables
	Reuse       float64 // references per distinct target of a block; 0: unknown
	SharedBytes int     // the most fast memory that any block needs; 0: nothing is staged
	Bytes       int64   // memory of the plan
	// Rearranged says why elements run in another order than their own; "" if they do not.
	Rearranged string
}

// Staged describes a dat, or several in one, that is staged by a table.
type Staged struct {
	Table int // index of the table
	Bytes int // per target
}

// SharedAlign is the multiple that the size of each staged dat in a block is rounded up to.
const SharedAlign = 16

// SharedBytes returns the most fast memory that any block needs for the staged dats, each of which
// starts at a multiple of SharedAlign. (nshared)
func (p *Plan) SharedBytes(staged ...Staged) int {
	most := 0
	for b := range p.Blocks() {
		n := 0
		for _, s := range staged {
			n += sharedBytes(len(p.Tables[s.Table].Of(b)), s.Bytes)
		}
		most = max(most, n)
	}
	return most
}

// sharedBytes returns the fast memory of a dat in a block that reaches so many targets, of bytes each.
func sharedBytes(targets, bytes int) int {
	return (targets*bytes + SharedAlign - 1) / SharedAlign * SharedAlign
}

// Reuse returns how often a block refers to each of its targets, which is what staging can save:
// over the tables or, without tables, over what is colored. It is 0 without either.
func (p *Plan) Reuse() float64 {
	var references, distinct int64
	for i := range p.Tables {
		references += p.Tables[i].References
		distinct += p.Tables[i].Distinct
	}
	if len(p.Tables) == 0 {
		for _, r := range p.Colored {
			references += r.References
			distinct += r.Distinct
		}
	}
	if distinct == 0 {
		return 0
	}
	return float64(references) / float64(distinct)
}

// Report returns the figures of the plan with the given staged dats.
func (p *Plan) Report(staged ...Staged) Figures {
	f := Figures{
		Elements: p.Last - p.First, Blocks: p.Blocks(), BlockSize: p.BlockSize,
		Colors: p.Colors, ColorBound: p.ColorBound, ElementBound: p.ElementBound,
		Tables: len(p.Tables), Reuse: p.Reuse(), SharedBytes: p.SharedBytes(staged...), Bytes: p.Bytes(),
	}
	for c := range p.Colors {
		n := len(p.OfColor(c))
		f.LargeColor = max(f.LargeColor, n)
		if c == 0 || n < f.SmallColor {
			f.SmallColor = n
		}
	}
	for _, n := range p.ElementColorCounts {
		f.ElementColors = max(f.ElementColors, int(n))
	}
	for b := range f.Blocks {
		n := 0
		for i := range p.Tables {
			n += len(p.Tables[i].Of(b))
		}
		f.MostTargets = max(f.MostTargets, n)
	}
	return f
}

// String formats the figures in a few lines.
func (f Figures) String() string {
	var s strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&s, "%-16s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("blocks", "%d, of %d elements, for %d", f.Blocks, f.BlockSize, f.Elements)
	switch {
	case f.Colors <= 1:
		line("block colors", "%d", f.Colors)
	case f.Colors == f.ColorBound:
		line("block colors", "%d, no fewer are possible; of %d to %d blocks each", f.Colors, f.SmallColor, f.LargeColor)
	default:
		line("block colors", "%d, at least %d are needed; of %d to %d blocks each", f.Colors, f.ColorBound, f.SmallColor, f.LargeColor)
	}
	if f.ElementColors > 0 {
		line("element colors", "at most %d in a block, at least %d are needed", f.ElementColors, f.ElementBound)
	}
	if f.Tables > 0 {
		line("local tables", "%d, at most %d targets in a block", f.Tables, f.MostTargets)
	}
	if f.Reuse > 0 {
		line("reuse", "%.2f references for each target of a block", f.Reuse)
	}
	if f.SharedBytes > 0 {
		line("shared memory", "%d bytes", f.SharedBytes)
	}
	if f.Rearranged != "" {
		line("rearranged", "%s", f.Rearranged)
	}
	line("plan", "%s", size(f.Bytes))
	return s.String()
}

func size(bytes int64) string {
	switch {
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	case bytes >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
