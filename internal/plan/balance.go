package plan

import "math/bits"

// balance moves items of this pass from crowded colors to less used ones where they collide with
// nothing, so that no color leaves threads idle. Taking the first free color alone would make the
// first colors large and the last ones small. The number of colors stays the same.
//
// Source: "scheduled balancing" in H. Lu, M. Halappanavar, D. Chavarría-Miranda, A. Gebremedhin,
// A. Kalyanaraman, "Balanced Coloring for Parallel Computing Applications", IPDPS 2015.
func (c *colorer) balance(base int) {
	if c.width < 2 {
		return
	}
	var sizes [64]int
	for _, item := range c.accepted {
		sizes[int(c.colors[item])-base]++
	}
	level := (len(c.accepted) + c.width - 1) / c.width
	for _, item := range c.accepted {
		from := int(c.colors[item]) - base
		if sizes[from] <= level {
			continue
		}
		lo, hi := int(c.offsets[item]), int(c.offsets[item+1])
		to := smallest(sizes[:c.width], ^c.taken(lo, hi))
		if to < 0 || sizes[to] >= level {
			continue
		}
		c.move(lo, hi, 1<<from, 1<<to)
		c.colors[item] = int32(base + to)
		sizes[from]--
		sizes[to]++
	}
}

// smallest returns the free color with the fewest items, or -1.
func smallest(sizes []int, free uint64) int {
	best := -1
	for free &= full >> (64 - len(sizes)); free != 0; free &= free - 1 {
		if color := bits.TrailingZeros64(free); best < 0 || sizes[color] < sizes[best] {
			best = color
		}
	}
	return best
}

// move changes the color of the elements in [lo, hi) in the masks. No other item that reaches one
// of their targets has the old color.
func (c *colorer) move(lo, hi int, from, to uint64) {
	for i := range c.layers {
		l := &c.layers[i]
		for j := range l.spans {
			for _, t := range l.spans[j].targets(lo, hi, c.buffer) {
				if t >= 0 {
					l.masks[t] = l.masks[t]&^from | to
				}
			}
		}
	}
}
