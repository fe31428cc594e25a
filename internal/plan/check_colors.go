package plan

import (
	"cmp"
	"slices"
)

// blockColors checks that no two blocks of a color reach a common target of colliding data.
func (c *checker) blockColors() error {
	collide := false
	for i := range c.datas {
		if d := &c.datas[i]; d.Collides {
			collide = true
			if err := c.blockColorsOf(d); err != nil {
				return err
			}
		}
	}
	if !collide && c.p.Colors > 1 {
		return fault(InBlockColors, "nothing collides, there are %d colors", c.p.Colors)
	}
	return nil
}

func (c *checker) blockColorsOf(d *reached) error {
	type visit struct{ color, block, element int32 } // the latest visit; color is incremented by 1, 0 means none
	visits := make([]visit, d.targets)
	for color := range c.p.Colors {
		for _, block := range c.p.BlocksByColor[c.p.ColorOffsets[color]:c.p.ColorOffsets[color+1]] {
			for e, t := range c.reach(d, int(block)) {
				v := &visits[t]
				if v.color == int32(color+1) && v.block != block {
					return fault(InBlockColors, "blocks %d and %d of color %d collide: elements %d and %d both reach target %d of data %d",
						v.block, block, color, v.element, e, t, d.number)
				}
				*v = visit{int32(color + 1), block, int32(e)}
			}
		}
	}
	return nil
}

// elementColors checks that no two elements of a color within a block reach a common target of
// colliding data, and that each block's number of colors is right.
func (c *checker) elementColors() error {
	p, wanted := c.p, false
	for i := range c.datas {
		wanted = wanted || c.in.ElementColors && c.datas[i].Collides
	}
	if !wanted {
		if len(p.ElementColors)+len(p.ElementColorCounts)+len(p.ElementsByColor) > 0 {
			return fault(InElementColors, "there are some, but none were requested or nothing collides")
		}
		return nil
	}
	if n := c.in.Last - c.in.First; len(p.ElementColors) != n {
		return fault(InElementColors, "%d elements have %d colors", n, len(p.ElementColors))
	}
	if n := c.blockCount(); len(p.ElementColorCounts) != n {
		return fault(InElementColors, "%d blocks have %d counts of colors", n, len(p.ElementColorCounts))
	}
	listed := 0
	if c.in.ByColor {
		listed = c.in.Last - c.in.First
	}
	if len(p.ElementsByColor) != listed {
		return fault(InElementColors, "%d elements are listed by color, of %d", len(p.ElementsByColor), listed)
	}
	for b := range c.blockCount() {
		if err := c.elementColorCount(b); err != nil {
			return err
		}
		if err := c.elementsByColor(b); err != nil {
			return err
		}
		for i := range c.datas {
			if d := &c.datas[i]; d.Collides {
				if err := c.elementColorsOf(d, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// colorOf returns the color of element e within its block.
func (c *checker) colorOf(e int) int { return int(c.p.ElementColors[e-c.in.First]) }

// elementColorCount checks that the elements of block b use all the colors up to its count.
func (c *checker) elementColorCount(b int) error {
	first, last := c.elements(b)
	count := int(c.p.ElementColorCounts[b])
	if count < 1 || count > last-first {
		return fault(InElementColors, "block %d, of %d elements, is said to have %d colors", b, last-first, count)
	}
	used := make([]bool, count)
	for e := first; e < last; e++ {
		color := c.colorOf(e)
		if color < 0 || color >= count {
			return fault(InElementColors, "element %d of block %d has color %d of %d", e, b, color, count)
		}
		used[color] = true
	}
	if color := slices.Index(used, false); color >= 0 {
		return fault(InElementColors, "block %d is said to have %d colors, no element has %d", b, count, color)
	}
	return nil
}

// elementsByColor checks that the elements of block b are listed, if so requested, each once: by color, then in order. In a
// list that ascends strictly none is there twice.
func (c *checker) elementsByColor(b int) error {
	if !c.in.ByColor {
		return nil
	}
	first, last := c.elements(b)
	before := -1
	for i, element := range c.p.ElementsByColor[first-c.in.First : last-c.in.First] {
		e := int(element)
		if e < first || e >= last {
			return fault(InElementColors, "block %d lists element %d, it has %d to %d", b, e, first, last-1)
		}
		if i > 0 && (c.colorOf(e) < c.colorOf(before) || c.colorOf(e) == c.colorOf(before) && e <= before) {
			return fault(InElementColors, "block %d lists element %d, of color %d, after %d, of color %d", b, e, c.colorOf(e), before, c.colorOf(before))
		}
		before = e
	}
	return nil
}

func (c *checker) elementColorsOf(d *reached, b int) error {
	visits := c.visits(d, b)
	for i := 1; i < len(visits); i++ {
		v, w := visits[i-1], visits[i]
		if v.target == w.target && v.color == w.color && v.element != w.element {
			return fault(InElementColors, "elements %d and %d of block %d, both of color %d, collide: they reach target %d of data %d",
				v.element, w.element, b, v.color, v.target, d.number)
		}
	}
	return nil
}

// elementVisit records that an element reaches a target.
type elementVisit struct{ target, color, element int }

// visits lists the targets that the elements of block b reach, by target, then by color.
func (c *checker) visits(d *reached, b int) []elementVisit {
	var visits []elementVisit
	for e, t := range c.reach(d, b) {
		visits = append(visits, elementVisit{t, c.colorOf(e), e})
	}
	slices.SortFunc(visits, func(v, w elementVisit) int {
		return cmp.Or(v.target-w.target, v.color-w.color, v.element-w.element)
	})
	return visits
}
