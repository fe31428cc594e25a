package plan

import "github.com/go-op2/op2/internal/lists"

// colorBlocks colors the blocks and groups them by color.
func (b *builder) colorBlocks() {
	p := b.plan
	switch {
	case p.Blocks() == 0:
	case len(b.colored) == 0:
		p.Colors, p.ColorBound = 1, 1
	default:
		b.colorCollidingBlocks()
	}
	p.groupByColor()
}

func (b *builder) colorCollidingBlocks() {
	p := b.plan
	c := colorer{level: true}
	offsets := make([]int32, len(p.BlockOffsets)) // from the first element
	for i, e := range p.BlockOffsets {
		offsets[i] = e - p.BlockOffsets[0]
	}
	buffer := 0
	for _, slots := range b.colored {
		l := b.blockLayer(slots)
		buffer = max(buffer, room(l.spans, b.in.blockElements()))
		c.layers = append(c.layers, l)
	}
	c.buffer = make([]int32, buffer)
	p.Colors = c.run(offsets, p.BlockColors)
	p.ColorBound = c.bound
	for i, l := range c.layers {
		p.Colored[i].References, p.Colored[i].Distinct = l.references, l.distinct
	}
}

// blockLayer returns the layer in which blocks may collide by the slots. Element 0 is the first of
// the range. If few elements reach into a large set, their targets are renumbered, so that
// unreached targets need no masks.
func (b *builder) blockLayer(slots []Ref) layer {
	spans, targets := b.in.spansOf(slots), b.in.targetsOf(slots)
	first, last := b.in.First, b.in.Last
	if (last-first)*len(slots) >= targets/8 {
		for i := range spans {
			spans[i] = spans[i].from(first)
		}
		return layer{spans: spans, masks: make([]uint64, targets)}
	}
	n := numbering{spans: spans, width: len(slots)}
	local := make([]int32, (last-first)*n.width)
	found := n.number(newRankSet(targets), first, last, make([]int32, room(spans, last-first)), nil, local)
	return layer{spans: []span{{values: local, arity: n.width, count: n.width}}, masks: make([]uint64, len(found))}
}

// groupByColor builds the block mapping.
func (p *Plan) groupByColor() {
	p.ColorOffsets, p.BlocksByColor = lists.Sort[int32](p.Colors, func(add func(color, block int32)) {
		for block, c := range p.BlockColors {
			add(c, int32(block))
		}
	})
}
