package plan

import "slices"

// tables checks that all data that request a local table have one, that no table is duplicate or
// unused, and each table itself.
func (c *checker) tables() error {
	wanted := make([]*reached, len(c.p.Tables)) // by table
	for i := range c.datas {
		d := &c.datas[i]
		if !d.Stage {
			continue
		}
		found := 0
		for t := range c.p.Tables {
			if slices.Equal(c.p.Tables[t].Slots, d.refs()) {
				wanted[t] = d
				found++
			}
		}
		if found != 1 {
			return fault(InLocalTables, "data %d, reached by %v, has %d tables", d.number, d.refs(), found)
		}
	}
	for t, d := range wanted {
		if d == nil {
			return fault(InLocalTables, "table %d, of %v, is of no data", t, c.p.Tables[t].Slots)
		}
		if err := c.table(t, d); err != nil {
			return err
		}
	}
	return nil
}

// table checks table t, which belongs to data d.
func (c *checker) table(t int, d *reached) error {
	table, blocks := &c.p.Tables[t], c.blockCount()
	if len(table.Offsets) != blocks+1 {
		return fault(InLocalTables, "table %d has %d offsets for %d blocks", t, len(table.Offsets), blocks)
	}
	if n := (c.in.Last - c.in.First) * len(table.Slots); len(table.Local) != n {
		return fault(InLocalTables, "table %d has %d local numbers, %d are needed", t, len(table.Local), n)
	}
	if first, last := int(table.Offsets[0]), int(table.Offsets[blocks]); first != 0 || last != len(table.Targets) {
		return fault(InLocalTables, "table %d has offsets from %d to %d for %d targets", t, first, last, len(table.Targets))
	}
	references := int64(0)
	for b := range blocks {
		n, err := c.tableBlock(t, d, b)
		if err != nil {
			return err
		}
		references += n
	}
	if table.References != references || table.Distinct != int64(len(table.Targets)) {
		return fault(InBounds, "table %d is said to have %d references to %d targets, it has %d to %d",
			t, table.References, table.Distinct, references, len(table.Targets))
	}
	return nil
}

// tableBlock checks the targets of block b in table t, and that the local numbers of its elements
// lead back to the values of the maps. It counts the references.
func (c *checker) tableBlock(t int, d *reached, b int) (references int64, err error) {
	table := &c.p.Tables[t]
	from, to := int(table.Offsets[b]), int(table.Offsets[b+1])
	if from < 0 || to < from || to > len(table.Targets) {
		return 0, fault(InLocalTables, "block %d has places %d to before %d of the %d targets of table %d", b, from, to, len(table.Targets), t)
	}
	targets := table.Targets[from:to]
	for i, target := range targets {
		if target < 0 || int(target) >= d.targets {
			return 0, fault(InLocalTables, "block %d lists target %d of %d in table %d", b, target, d.targets, t)
		}
		if i > 0 && target <= targets[i-1] {
			return 0, fault(InLocalTables, "block %d lists target %d after %d in table %d", b, target, targets[i-1], t)
		}
	}
	used := make([]bool, len(targets))
	first, last := c.elements(b)
	for e := first; e < last; e++ {
		for _, way := range d.paths {
			target := way.target(e)
			slot := slices.Index(table.Slots, way.Ref)
			local := int(table.Local[(e-c.in.First)*len(table.Slots)+slot])
			switch {
			case target < 0 && local == NoTarget:
				continue
			case target < 0:
				return 0, fault(InLocalTables, "element %d of block %d has no target in slot %d of table %d, its local number is %d", e, b, slot, t, local)
			case local >= len(targets):
				return 0, fault(InLocalTables, "element %d of block %d has the local number %d of %d in slot %d of table %d", e, b, local, len(targets), slot, t)
			case int(targets[local]) != target:
				return 0, fault(InLocalTables, "element %d of block %d reaches target %d, its local number %d in slot %d of table %d leads to %d",
					e, b, target, local, slot, t, targets[local])
			}
			used[local] = true
			references++
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return 0, fault(InLocalTables, "block %d lists target %d in table %d and does not reach it", b, targets[i], t)
	}
	return references, nil
}
