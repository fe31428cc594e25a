package plan

import "slices"

// colored checks that exactly what collides is listed as colored, and its figures.
func (c *checker) colored() error {
	covers := func(r Reach, d *reached) bool {
		for _, way := range d.paths {
			if !slices.Contains(r.Slots, way.Ref) {
				return false
			}
		}
		return true
	}
	of := make([]*reached, len(c.p.Colored))
	for i := range c.datas {
		d := &c.datas[i]
		if !d.Collides {
			continue
		}
		covered := false
		for r, reach := range c.p.Colored {
			covered = covered || covers(reach, d)
			if slices.Equal(reach.Slots, d.refs()) {
				of[r] = d
			}
		}
		if !covered {
			return fault(InBounds, "data %d collides and is not among what is colored", d.number)
		}
	}
	for r, reach := range c.p.Colored {
		if of[r] == nil {
			return fault(InBounds, "%v is colored, no data collide there", reach.Slots)
		}
		references, distinct := c.countReach(of[r])
		if reach.References != references || reach.Distinct != distinct {
			return fault(InBounds, "%v is said to have %d references to %d targets, it has %d to %d",
				reach.Slots, reach.References, reach.Distinct, references, distinct)
		}
	}
	return nil
}

// countReach counts references, and distinct targets block by block.
func (c *checker) countReach(d *reached) (references, distinct int64) {
	latest := make([]int, d.targets) // last block that reached each target, plus 1
	for b := range c.blockCount() {
		for _, t := range c.reach(d, b) {
			references++
			if latest[t] != b+1 {
				latest[t] = b + 1
				distinct++
			}
		}
	}
	return references, distinct
}

// bounds checks the lower bounds on the numbers of colors.
func (c *checker) bounds() error {
	p, colorBound, elementBound := c.p, 0, 0
	if c.blockCount() > 0 {
		colorBound = 1
	}
	if len(p.ElementColors) > 0 {
		elementBound = 1
	}
	for i := range c.datas {
		d := &c.datas[i]
		if !d.Collides {
			continue
		}
		colorBound = max(colorBound, c.blocksAtOneTarget(d))
		if elementBound > 0 {
			elementBound = max(elementBound, c.elementsAtOneTarget(d))
		}
	}
	if p.ColorBound != colorBound {
		return fault(InBounds, "the bound of block colors is %d, %d blocks reach one target", p.ColorBound, colorBound)
	}
	if p.ElementBound != elementBound {
		return fault(InBounds, "the bound of element colors is %d, %d elements of a block reach one target", p.ElementBound, elementBound)
	}
	return nil
}

func (c *checker) blocksAtOneTarget(d *reached) int {
	type tally struct{ blocks, latest int32 } // latest block, plus 1
	tallies, most := make([]tally, d.targets), int32(0)
	for b := range c.blockCount() {
		for _, t := range c.reach(d, b) {
			if tallies[t].latest != int32(b+1) {
				tallies[t] = tally{tallies[t].blocks + 1, int32(b + 1)}
				most = max(most, tallies[t].blocks)
			}
		}
	}
	return int(most)
}

func (c *checker) elementsAtOneTarget(d *reached) int {
	most := 0
	for b := range c.blockCount() {
		run, before := 0, elementVisit{target: -1}
		for _, v := range c.visits(d, b) {
			switch {
			case v.target != before.target:
				run = 1
			case v.element != before.element:
				run++
			}
			before = v
			most = max(most, run)
		}
	}
	return most
}
