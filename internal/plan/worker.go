package plan

import (
	"fmt"

	"github.com/go-op2/op2/internal/lists"
)

// worker numbers and colors within blocks, with its own memory.
type worker struct {
	b       *builder
	set     *rankSet
	buffer  []int32
	local   [][]int32 // [numberings][elements of a block][slots]
	targets []int32   // of one block, if no table keeps them

	colorer colorer
	masks   [][]uint64 // [layers]: masks for the targets of a block
	offsets []int32    // 0, 1, 2, ...: each element is an item
	starts  []int32    // of colors in a list
}

func (b *builder) newWorker() *worker {
	size := b.in.blockElements()
	w := &worker{b: b, set: newRankSet(b.targets), buffer: make([]int32, b.buffer)}
	for i := range b.numberings {
		w.local = append(w.local, make([]int32, size*b.numberings[i].width))
	}
	if b.plan.ElementColors == nil {
		return w
	}
	w.offsets = lists.UpTo(size + 1)
	w.colorer.layers = make([]layer, len(b.colored))
	w.masks = make([][]uint64, len(b.colored))
	for i := range b.numberings {
		if n := &b.numberings[i]; n.layer >= 0 {
			s := span{values: w.local[i], arity: n.width, count: n.width}
			w.colorer.layers[n.layer].spans = []span{s}
		}
	}
	return w
}

// chunk processes the blocks in [first, last).
func (w *worker) chunk(c *chunk, first, last int) {
	tables := len(w.b.plan.Tables)
	c.targets, c.refs = make([][]int32, tables), make([]int64, tables)
	for block := first; block < last; block++ {
		for i := range w.b.numberings {
			if err := w.number(c, i, block); err != nil {
				c.err = err
				return
			}
		}
		if w.b.plan.ElementColors != nil {
			c.bound = max(c.bound, w.colorElements(block))
		}
	}
}

// number computes one numbering in one block: for its table, for the element colors, or both.
func (w *worker) number(c *chunk, i, block int) error {
	n := &w.b.numberings[i]
	lo, hi := w.b.plan.Block(block)
	var targets []int32
	if n.table < 0 {
		w.targets = n.number(w.set, lo, hi, w.buffer, w.targets[:0], w.local[i])
		targets = w.targets
	} else {
		found := len(c.targets[n.table])
		c.targets[n.table] = n.number(w.set, lo, hi, w.buffer, c.targets[n.table], w.local[i])
		targets = c.targets[n.table][found:]
		if len(targets) > NoTarget {
			return fmt.Errorf("plan: %w: block %d, of %d elements, reaches %d targets, local numbers go to %d",
				ErrBlockTooLarge, block, hi-lo, len(targets), NoTarget)
		}
		t := &w.b.plan.Tables[n.table]
		t.Offsets[block+1] = int32(len(targets))
		at := (lo - w.b.plan.First) * n.width
		c.refs[n.table] += narrow(t.Local[at:at+(hi-lo)*n.width], w.local[i])
	}
	if n.layer >= 0 {
		w.empty(n.layer, len(targets))
	}
	return nil
}

// narrow copies local numbers as uint16, -1 as NoTarget, and counts the others.
func narrow(dst []uint16, src []int32) int64 {
	targets := int64(0)
	for i := range dst {
		dst[i] = uint16(src[i])
		targets += int64(1 + src[i]>>31)
	}
	return targets
}

// empty gives a layer empty masks for the given number of targets.
func (w *worker) empty(layer, targets int) {
	if len(w.masks[layer]) < targets {
		w.masks[layer] = make([]uint64, targets+targets/4)
	}
	w.colorer.layers[layer].masks = w.masks[layer][:targets]
}

// colorElements colors the elements of a block, and returns the largest number that reach one
// target.
func (w *worker) colorElements(block int) int {
	p := w.b.plan
	lo, hi := p.Block(block)
	colors := p.ElementColors[lo-p.First : hi-p.First]
	p.ElementColorCounts[block] = int32(w.colorer.run(w.offsets[:hi-lo+1], colors))
	if p.ElementsByColor != nil {
		w.listByColor(lo, colors, p.ElementsByColor[lo-p.First:hi-p.First])
	}
	return w.colorer.bound
}

// listByColor lists the elements of a block, from element lo on, by color: a counting sort.
func (w *worker) listByColor(lo int, colors, list []int32) {
	starts := w.starts[:0]
	for _, c := range colors {
		for int(c)+1 >= len(starts) {
			starts = append(starts, 0)
		}
		starts[c+1]++
	}
	for c := 1; c < len(starts); c++ {
		starts[c] += starts[c-1]
	}
	for e, c := range colors {
		list[starts[c]] = int32(lo + e)
		starts[c]++
	}
	w.starts = starts
}
