package plan

import "math/bits"

// colorer colors items, which are ranges of elements: blocks, or the elements of one block. It
// works in passes of up to 64 colors. Each target has a mask of the colors of this pass that reach
// it; the colors that an item cannot have are the union over its targets, and it gets the first of
// the others. Items for which none is left wait for another pass, which starts with empty masks and
// with the colors after those of the previous pass.
//
// The work stays nearly linear in the references even where very many colors are needed; see
// schedule and pass.
//
// Source: section 3.3 of the OP2 Developers Guide, with four additions: improve, balance, schedule and
// the stride of pass.
type colorer struct {
	layers  []layer
	buffer  []int32 // for span.targets: the targets of one item
	offsets []int32 // item i has the elements [offsets[i], offsets[i+1])
	colors  []int32 // of each item: the result
	level   bool    // even out the sizes of the colors

	width    int     // colors of this pass
	accepted []int32 // items of this pass
	queue    []int32 // reused between runs
	bound    int     // the most items that reach one target
}

// layer is one way in which items may collide.
type layer struct {
	spans  []span
	masks  []uint64 // [targets]: which colors of this pass reach it
	marked int64    // references of this pass

	references, distinct int64 // see Reach
}

const (
	full = ^uint64(0) // a mask that leaves no color

	// After this many items in a row without a color, a pass tries only one in stride.
	patience, stride = 8, 16
)

// run colors the items between the offsets, and returns the number of colors. The masks are empty
// before and after.
func (c *colorer) run(offsets, colors []int32) int {
	c.offsets, c.colors, c.bound = offsets, colors, 1
	queue := c.queue[:0]
	for i := range colors {
		queue = append(queue, int32(i))
	}
	c.queue = queue
	var waves [][]int32
	base := 0
	for first := true; len(queue) > 0; first = false {
		queue = c.pass(queue, base)
		if c.level {
			if first && len(queue) == 0 {
				c.improve(base)
			}
			c.balance(base)
		}
		base += c.width
		if first && len(queue) > 0 {
			waves, queue = c.schedule(queue), nil
		}
		c.drain()
		if len(waves) > 0 {
			queue = append(queue, waves[0]...)
			waves = waves[1:]
		}
	}
	return base
}

// pass assigns colors from base on to items of the queue, and returns the items that remain, in the
// queue's memory. If nearly all items collide with each other, as blocks of a mesh in random order
// do, finding out for each that it cannot be colored would take many times as long as coloring; so
// after a series of failures only some items are tried, until one succeeds.
func (c *colorer) pass(queue []int32, base int) []int32 {
	rest := queue[:0]
	c.accepted, c.width = c.accepted[:0], 0
	for i, refused := 0, 0; i < len(queue); i++ {
		item := queue[i]
		lo, hi := int(c.offsets[item]), int(c.offsets[item+1])
		taken := c.taken(lo, hi)
		if taken == full {
			rest = append(rest, item)
			if refused++; refused > patience {
				untried := queue[i+1 : min(i+stride, len(queue))]
				rest = append(rest, untried...)
				i += len(untried)
			}
			continue
		}
		refused = 0
		color := bits.TrailingZeros64(^taken)
		c.colors[item] = int32(base + color)
		c.width = max(c.width, color+1)
		c.accepted = append(c.accepted, item)
		c.mark(lo, hi, 1<<color)
	}
	return rest
}

// taken returns the colors that the elements in [lo, hi) collide with.
func (c *colorer) taken(lo, hi int) uint64 {
	taken := uint64(0)
	for i := range c.layers {
		l := &c.layers[i]
		masks := l.masks
		for j := range l.spans {
			for _, t := range l.spans[j].targets(lo, hi, c.buffer) {
				if t < 0 {
					continue
				}
				if taken |= masks[t]; taken == full {
					return full
				}
			}
		}
	}
	return taken
}

// mark records that the elements have a color.
func (c *colorer) mark(lo, hi int, color uint64) {
	for i := range c.layers {
		l := &c.layers[i]
		masks := l.masks
		marked, distinct := int64(0), int64(0)
		for j := range l.spans {
			for _, t := range l.spans[j].targets(lo, hi, c.buffer) {
				if t < 0 {
					continue
				}
				marked++
				if m := masks[t]; m&color == 0 {
					masks[t] = m | color
					distinct++
				}
			}
		}
		l.marked += marked
		l.distinct += distinct
	}
}

// schedule determines in which of the coming passes each item is first tried: of the items that
// reach one target, only 64 can be colored in one pass, so the 65th need not be tried before the
// next pass. That keeps the work linear where very many items reach one target. It returns the
// items of each pass, in order.
func (c *colorer) schedule(queue []int32) [][]int32 {
	ranks := make([][]rank, len(c.layers))
	for i, l := range c.layers {
		ranks[i] = make([]rank, len(l.masks))
	}
	var waves [][]int32
	for _, item := range queue {
		wave := c.wave(ranks, item)
		for len(waves) <= wave {
			waves = append(waves, nil)
		}
		waves[wave] = append(waves[wave], item)
	}
	return waves
}

// rank counts the items that reach a target.
type rank struct{ items, last int32 } // last: the latest item, plus 1

// wave counts the item and returns how many full passes its targets need before it: all items at one target
// have different colors, of which a pass has 64.
func (c *colorer) wave(ranks [][]rank, item int32) int {
	wave := int32(0)
	lo, hi := int(c.offsets[item]), int(c.offsets[item+1])
	for i := range c.layers {
		l := &c.layers[i]
		for j := range l.spans {
			for _, t := range l.spans[j].targets(lo, hi, c.buffer) {
				if t < 0 {
					continue
				}
				r := &ranks[i][t]
				if r.last == item+1 {
					continue
				}
				wave = max(wave, r.items/64)
				r.items++
				r.last = item + 1
				c.bound = max(c.bound, int(r.items)+bits.OnesCount64(l.masks[t]))
			}
		}
	}
	return int(wave)
}

// drain empties the masks. The number of colors in a target's mask is the number of items that
// reach it in this pass; after the first pass that yields the bound, together with what schedule
// finds for the other items.
func (c *colorer) drain() {
	for i := range c.layers {
		l := &c.layers[i]
		if l.marked > int64(len(l.masks))/8 {
			for _, m := range l.masks {
				c.bound = max(c.bound, bits.OnesCount64(m))
			}
			clear(l.masks)
		} else {
			c.drainAccepted(l)
		}
		l.references += l.marked
		l.marked = 0
	}
}

// drainAccepted does the work of drain for layers with many more targets than references.
func (c *colorer) drainAccepted(l *layer) {
	for _, item := range c.accepted {
		lo, hi := int(c.offsets[item]), int(c.offsets[item+1])
		for j := range l.spans {
			for _, t := range l.spans[j].targets(lo, hi, c.buffer) {
				if t >= 0 {
					c.bound = max(c.bound, bits.OnesCount64(l.masks[t]))
					l.masks[t] = 0
				}
			}
		}
	}
}
