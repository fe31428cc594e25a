package plan

import "math/bits"

// improve colors the items of a pass that has colored all of them again, color after color, the last
// one first, if fewer colors may do. That never takes more: items of one color do not collide, so that
// those of the first n colors tried get n colors at most. Often it takes fewer, since the items that
// needed the last colors choose first.
//
// Source: "iterated greedy" in J. C. Culberson, "Iterated Greedy Graph Coloring and the Difficulty
// Landscape", University of Alberta, 1992.
func (c *colorer) improve(base int) {
	if c.width <= c.least() {
		return
	}
	queue := c.lastFirst(base)
	for i := range c.layers {
		l := &c.layers[i]
		clear(l.masks)
		l.marked, l.distinct = 0, 0
	}
	c.pass(queue, base)
}

// lastFirst returns the items of this pass by descending color.
func (c *colorer) lastFirst(base int) []int32 {
	byColor := make([][]int32, c.width)
	for _, item := range c.accepted {
		color := int(c.colors[item]) - base
		byColor[color] = append(byColor[color], item)
	}
	var items []int32
	for color := c.width - 1; color >= 0; color-- {
		items = append(items, byColor[color]...)
	}
	return items
}

// least returns the most items of this pass that reach one target, each of which needs a color.
func (c *colorer) least() int {
	least := 1
	for i := range c.layers {
		for _, m := range c.layers[i].masks {
			least = max(least, bits.OnesCount64(m))
		}
	}
	return least
}
