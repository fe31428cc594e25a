package plan

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mutation introduces one kind of fault somewhere in a valid plan, or returns false if the plan has
// no place for it.
type mutation struct {
	name string
	want Aspect
	text string // part of Check's message
	make func(m *mutant) bool
}

// mutant is a copy of a plan, to be corrupted.
type mutant struct {
	*Plan
	in *Input
	r  *rand.Rand
}

func (m *mutant) index(n int) int { return m.r.IntN(n) }

// table returns a table and a block with at least so many targets in it, or nil.
func (m *mutant) table(targets int) (*Table, int) {
	var tables []*Table
	var blocks []int
	for i := range m.Tables {
		for b := range m.Blocks() {
			if len(m.Tables[i].Of(b)) >= targets {
				tables, blocks = append(tables, &m.Tables[i]), append(blocks, b)
			}
		}
	}
	if len(tables) == 0 {
		return nil, 0
	}
	i := m.index(len(tables))
	return tables[i], blocks[i]
}

// local returns a place in some table's local numbers that has a target, or none if masked; or -1.
func (m *mutant) local(masked bool) (t *Table, at int) {
	for i := range m.Tables {
		t := &m.Tables[i]
		for _, at := range m.r.Perm(len(t.Local)) {
			if t.Local[at] == NoTarget == masked {
				return t, at
			}
		}
	}
	return nil, -1
}

// of returns the block of element at/slots.
func (m *mutant) of(t *Table, at int) int {
	return m.block(m.First + at/len(t.Slots))
}

// colliding returns two different groups of elements that reach one target of colliding data:
// blocks, or elements of one block; or -1.
func (m *mutant) colliding(group func(e int) int) (a, b int) {
	for d, data := range m.in.Data {
		if !data.Collides {
			continue
		}
		first := map[[2]int]int{}
		for e := m.First; e < m.Last; e++ {
			for _, r := range m.in.slots(d) {
				t := e
				if r.Map != Direct {
					mm := m.in.mapOf(r.Map)
					t = int(mm.Values[e*mm.Arity+r.Component])
				}
				key := [2]int{t, 0}
				if group(e) == e { // elements: only those of one block
					key[1] = int(m.BlockOffsets[m.block(e)])
				}
				if before, ok := first[key]; !ok {
					first[key] = group(e)
				} else if t >= 0 && before != group(e) {
					return before, group(e)
				}
			}
		}
	}
	return -1, -1
}

func (m *mutant) block(e int) int {
	b, found := slices.BinarySearch(m.BlockOffsets, int32(e))
	if !found {
		b--
	}
	return b
}

// regroup rebuilds the block mapping from the colors, which may have gaps now.
func (m *mutant) regroup() {
	number := map[int32]int32{}
	for _, c := range slices.Compact(slices.Sorted(slices.Values(m.BlockColors))) {
		number[c] = int32(len(number))
	}
	for b, c := range m.BlockColors {
		m.BlockColors[b] = number[c]
	}
	m.Colors = len(number)
	m.groupByColor()
}

func nudge[I int | int32 | int64 | uint16](r *rand.Rand, v *I) { *v += I(1 - 2*r.IntN(2)) }

var mutations = []mutation{
	{"first element changed", InRange, "it is for elements", func(m *mutant) bool { nudge(m.r, &m.First); return true }},
	{"last element changed", InRange, "it is for elements", func(m *mutant) bool { nudge(m.r, &m.Last); return true }},
	{"block size changed", InRange, "the block size is", func(m *mutant) bool { nudge(m.r, &m.BlockSize); return true }},

	{"block offset moved", InBlocks, "block", func(m *mutant) bool {
		b := m.index(len(m.BlockOffsets))
		before := m.BlockOffsets[b]
		nudge(m.r, &m.BlockOffsets[b])
		between := b > 0 && b < m.Blocks() && !slices.Contains(m.in.Boundaries, int(before))
		return !between || m.BlockSize > 1 && m.BlockSize%Pack == 0 // otherwise the larger of two blocks may be the second
	}},
	{"list by color changed", InElementColors, "lists element", func(m *mutant) bool {
		if len(m.ElementsByColor) == 0 {
			return false
		}
		nudge(m.r, &m.ElementsByColor[m.index(len(m.ElementsByColor))])
		return true
	}},
	{"list by color dropped", InElementColors, "are listed by color", func(m *mutant) bool {
		had := len(m.ElementsByColor) > 0
		m.ElementsByColor = nil
		return had
	}},
	{"block dropped", InBlocks, "", func(m *mutant) bool {
		b := m.index(len(m.BlockOffsets))
		m.BlockOffsets = slices.Delete(m.BlockOffsets, b, b+1)
		return true
	}},
	{"block twice", InBlocks, "block", func(m *mutant) bool {
		b := m.index(len(m.BlockOffsets))
		m.BlockOffsets = slices.Insert(m.BlockOffsets, b, m.BlockOffsets[b])
		return true
	}},
	{"block added at the end", InBlocks, "has no elements", func(m *mutant) bool {
		m.BlockOffsets = append(m.BlockOffsets, int32(m.Last))
		return true
	}},

	{"colors of blocks too few", InBlockMapping, "blocks have", func(m *mutant) bool {
		if m.Blocks() > 0 {
			m.BlockColors = m.BlockColors[1:]
		}
		return m.Blocks() > 0
	}},
	{"mapping too short", InBlockMapping, "listed by color", func(m *mutant) bool {
		if m.Blocks() > 0 {
			m.BlocksByColor = m.BlocksByColor[1:]
		}
		return m.Blocks() > 0
	}},
	{"block mapped twice", InBlockMapping, "", func(m *mutant) bool {
		if m.Blocks() < 2 {
			return false
		}
		i := 1 + m.index(m.Blocks()-1)
		m.BlocksByColor[i] = m.BlocksByColor[i-1]
		return true
	}},
	{"block mapped that is not there", InBlockMapping, "lists block", func(m *mutant) bool {
		if m.Blocks() > 0 {
			m.BlocksByColor[m.index(m.Blocks())] = []int32{-1, int32(m.Blocks())}[m.index(2)]
		}
		return m.Blocks() > 0
	}},
	{"blocks of two colors exchanged", InBlockMapping, "it is listed under", func(m *mutant) bool {
		if m.Colors < 2 {
			return false
		}
		a, b := m.ColorOffsets[0], m.ColorOffsets[1+m.index(m.Colors-1)]
		m.BlocksByColor[a], m.BlocksByColor[b] = m.BlocksByColor[b], m.BlocksByColor[a]
		return true
	}},
	{"blocks of a color exchanged", InBlockMapping, "after block", func(m *mutant) bool {
		for c := range m.Colors {
			if list := m.OfColor(c); len(list) > 1 {
				list[0], list[1] = list[1], list[0]
				return true
			}
		}
		return false
	}},
	{"block color changed", InBlockMapping, "it is listed under", func(m *mutant) bool {
		if m.Blocks() > 0 {
			nudge(m.r, &m.BlockColors[m.index(m.Blocks())])
		}
		return m.Blocks() > 0
	}},
	{"color offset moved", InBlockMapping, "", func(m *mutant) bool {
		nudge(m.r, &m.ColorOffsets[m.index(len(m.ColorOffsets))])
		return true
	}},
	{"number of colors changed", InBlockMapping, "offsets", func(m *mutant) bool { nudge(m.r, &m.Colors); return true }},
	{"color without blocks", InBlockMapping, "has places", func(m *mutant) bool {
		m.Colors++
		m.ColorOffsets = append(m.ColorOffsets, m.ColorOffsets[len(m.ColorOffsets)-1])
		return true
	}},

	{"blocks of a color collide", InBlockColors, "collide: elements", func(m *mutant) bool {
		a, b := m.colliding(m.block)
		if a >= 0 {
			m.BlockColors[b] = m.BlockColors[a]
			m.regroup()
		}
		return a >= 0
	}},
	{"needless block colors", InBlockColors, "nothing collides", func(m *mutant) bool {
		if len(m.Colored) > 0 || m.Blocks() < 2 {
			return false
		}
		m.BlockColors[m.index(m.Blocks())]++
		m.regroup()
		return true
	}},

	{"elements of a color collide", InElementColors, "", func(m *mutant) bool {
		if len(m.ElementColors) == 0 {
			return false
		}
		a, b := m.colliding(func(e int) int { return e })
		if a >= 0 {
			m.ElementColors[b-m.First] = m.ElementColors[a-m.First]
		}
		return a >= 0
	}},
	{"element color out of range", InElementColors, "has color", func(m *mutant) bool {
		if len(m.ElementColors) == 0 {
			return false
		}
		e := m.First + m.index(len(m.ElementColors))
		m.ElementColors[e-m.First] = []int32{-1, m.ElementColorCounts[m.block(e)]}[m.index(2)]
		return true
	}},
	{"element colors miscounted", InElementColors, "color", func(m *mutant) bool {
		if len(m.ElementColors) == 0 {
			return false
		}
		nudge(m.r, &m.ElementColorCounts[m.index(m.Blocks())])
		return true
	}},
	{"element colors too few", InElementColors, "elements have", func(m *mutant) bool {
		if len(m.ElementColors) == 0 {
			return false
		}
		m.ElementColors = m.ElementColors[1:]
		return true
	}},
	{"counts of element colors too few", InElementColors, "blocks have", func(m *mutant) bool {
		if len(m.ElementColors) == 0 {
			return false
		}
		m.ElementColorCounts = m.ElementColorCounts[1:]
		return true
	}},
	{"needless element colors", InElementColors, "there are some", func(m *mutant) bool {
		if m.ElementColors != nil || m.Blocks() == 0 {
			return false
		}
		m.ElementColors, m.ElementColorCounts = make([]int32, m.Last-m.First), make([]int32, m.Blocks())
		return true
	}},

	{"table dropped", InLocalTables, "has 0 tables", func(m *mutant) bool {
		if len(m.Tables) == 0 {
			return false
		}
		i := m.index(len(m.Tables))
		m.Tables = slices.Delete(m.Tables, i, i+1)
		return true
	}},
	{"table twice", InLocalTables, "has 2 tables", func(m *mutant) bool {
		if len(m.Tables) == 0 {
			return false
		}
		m.Tables = append(m.Tables, m.Tables[m.index(len(m.Tables))])
		return true
	}},
	{"needless table", InLocalTables, "is of no data", func(m *mutant) bool {
		m.Tables = append(m.Tables, Table{Reach: Reach{Slots: []Ref{{99, 0}}}})
		return true
	}},
	{"slots of a table changed", InLocalTables, "tables", func(m *mutant) bool {
		if len(m.Tables) == 0 {
			return false
		}
		m.Tables[0].Slots[0].Component++
		return true
	}},
	{"table offset moved", InLocalTables, "", func(m *mutant) bool {
		if len(m.Tables) == 0 {
			return false
		}
		t := &m.Tables[m.index(len(m.Tables))]
		nudge(m.r, &t.Offsets[m.index(len(t.Offsets))])
		return true
	}},
	{"table offsets too few", InLocalTables, "offsets", func(m *mutant) bool {
		if len(m.Tables) == 0 {
			return false
		}
		t := &m.Tables[m.index(len(m.Tables))]
		t.Offsets = t.Offsets[1:]
		return true
	}},
	{"local numbers too few", InLocalTables, "are needed", func(m *mutant) bool {
		t, at := m.local(m.index(2) == 0)
		if t != nil {
			t.Local = slices.Delete(t.Local, at, at+1)
		}
		return t != nil
	}},
	{"list not sorted", InLocalTables, "after", func(m *mutant) bool { // but inverted rightly
		t, b := m.table(2)
		if t == nil {
			return false
		}
		list := t.Of(b)
		list[0], list[1] = list[1], list[0]
		first, last := m.Block(b)
		for i, v := range t.Local {
			if e := m.First + i/len(t.Slots); e >= first && e < last && v < 2 {
				t.Local[i] = 1 - v
			}
		}
		return true
	}},
	{"target listed twice", InLocalTables, "after", func(m *mutant) bool {
		t, b := m.table(1)
		if t == nil {
			return false
		}
		at := int(t.Offsets[b])
		t.Targets = slices.Insert(t.Targets, at, t.Targets[at])
		t.Distinct++
		for ; b < m.Blocks(); b++ {
			t.Offsets[b+1]++
		}
		return true
	}},
	{"target listed that is not reached", InLocalTables, "", func(m *mutant) bool {
		t, b := m.table(1)
		if t == nil {
			return false
		}
		list := t.Of(b)
		more := list[len(list)-1] + 1
		t.Targets = slices.Insert(t.Targets, int(t.Offsets[b+1]), more)
		for ; b < m.Blocks(); b++ {
			t.Offsets[b+1]++
		}
		return true
	}},
	{"target dropped", InLocalTables, "", func(m *mutant) bool {
		t, b := m.table(1)
		if t == nil {
			return false
		}
		t.Targets = slices.Delete(t.Targets, int(t.Offsets[b]), int(t.Offsets[b])+1)
		for ; b < m.Blocks(); b++ {
			t.Offsets[b+1]--
		}
		return true
	}},
	{"target changed", InLocalTables, "", func(m *mutant) bool {
		t, b := m.table(1)
		if t == nil {
			return false
		}
		list := t.Of(b)
		nudge(m.r, &list[m.index(len(list))])
		return true
	}},
	{"local number changed", InLocalTables, "local number", func(m *mutant) bool {
		t, at := m.local(false)
		if t == nil {
			return false
		}
		nudge(m.r, &t.Local[at])
		return true
	}},
	{"local number out of range", InLocalTables, "has the local number", func(m *mutant) bool {
		t, at := m.local(false)
		if t == nil {
			return false
		}
		t.Local[at] = uint16(len(t.Of(m.of(t, at))))
		return true
	}},
	{"local number lost", InLocalTables, "has the local number 65535", func(m *mutant) bool {
		t, at := m.local(false)
		if t != nil {
			t.Local[at] = NoTarget
		}
		return t != nil
	}},
	{"local number of no target", InLocalTables, "has no target", func(m *mutant) bool {
		t, at := m.local(true)
		if t != nil {
			t.Local[at] = 0
		}
		return t != nil
	}},

	{"references of a table miscounted", InBounds, "is said to have", func(m *mutant) bool {
		if len(m.Tables) > 0 {
			nudge(m.r, &m.Tables[0].References)
		}
		return len(m.Tables) > 0
	}},
	{"targets of a table miscounted", InBounds, "is said to have", func(m *mutant) bool {
		if len(m.Tables) > 0 {
			nudge(m.r, &m.Tables[0].Distinct)
		}
		return len(m.Tables) > 0
	}},
	{"colored references miscounted", InBounds, "is said to have", func(m *mutant) bool {
		if len(m.Colored) > 0 {
			nudge(m.r, &m.Colored[0].References)
		}
		return len(m.Colored) > 0
	}},
	{"colored targets miscounted", InBounds, "is said to have", func(m *mutant) bool {
		if len(m.Colored) > 0 {
			nudge(m.r, &m.Colored[0].Distinct)
		}
		return len(m.Colored) > 0
	}},
	{"what is colored dropped", InBounds, "is not among", func(m *mutant) bool {
		if len(m.Colored) == 0 {
			return false
		}
		m.Colored = m.Colored[1:]
		return true
	}},
	{"what is not colored added", InBounds, "no data collide there", func(m *mutant) bool {
		m.Colored = append(m.Colored, Reach{Slots: []Ref{{99, 0}}})
		return true
	}},
	{"bound of block colors changed", InBounds, "the bound of block colors", func(m *mutant) bool { nudge(m.r, &m.ColorBound); return true }},
	{"bound of element colors changed", InBounds, "the bound of element colors", func(m *mutant) bool { nudge(m.r, &m.ElementBound); return true }},
}

// Check finds every kind of fault, wherever it is, and names its kind.
func TestCheckFindsFaults(t *testing.T) {
	for number, mutation := range mutations {
		t.Run(mutation.name, func(t *testing.T) {
			made := 0
			for seed := uint64(0); made < 40 && seed < 3000; seed++ {
				in := randomInput(seed)
				p, err := Build(in)
				if err != nil {
					t.Fatal(err)
				}
				m := &mutant{clonePlan(p), in, rand.New(rand.NewPCG(seed, uint64(number)))}
				if !mutation.make(m) {
					continue
				}
				made++
				err = Check(in, m.Plan)
				var f *Fault
				if !errors.As(err, &f) || f.Aspect != mutation.want || !strings.Contains(f.Msg, mutation.text) {
					t.Fatalf("seed %d: Check says %v; want %s: ... %s", seed, err, mutation.want, mutation.text)
				}
			}
			if made < 40 {
				t.Errorf("made only %d times", made)
			}
		})
	}
}

func clonePlan(p *Plan) *Plan {
	q := *p
	for _, a := range []*[]int32{&q.BlockOffsets, &q.BlockColors, &q.BlocksByColor, &q.ColorOffsets, &q.ElementColors, &q.ElementColorCounts, &q.ElementsByColor} {
		*a = slices.Clone(*a)
	}
	q.Colored, q.Tables = slices.Clone(p.Colored), slices.Clone(p.Tables)
	for i := range q.Colored {
		q.Colored[i].Slots = slices.Clone(q.Colored[i].Slots)
	}
	for i := range q.Tables {
		t := &q.Tables[i]
		t.Slots, t.Offsets, t.Targets, t.Local = slices.Clone(t.Slots), slices.Clone(t.Offsets), slices.Clone(t.Targets), slices.Clone(t.Local)
	}
	return &q
}

// Check accepts any plan without panicking.
func TestCheckOfAnything(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		in := randomInput(seed)
		p, err := Build(in)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := Build(randomInput(seed + 1)); err == nil {
			_ = Check(in, other)
		}
		_ = Check(in, &Plan{})
		_ = Check(in, &Plan{First: in.First, Last: in.Last, BlockSize: in.BlockSize})
		q := clonePlan(p)
		arrays := []*[]int32{&q.BlockOffsets, &q.BlockColors, &q.BlocksByColor, &q.ColorOffsets, &q.ElementColors, &q.ElementColorCounts}
		for i := range q.Tables {
			arrays = append(arrays, &q.Tables[i].Offsets, &q.Tables[i].Targets)
		}
		a := arrays[r.IntN(len(arrays))]
		if len(*a) > 0 {
			(*a)[r.IntN(len(*a))] = int32(r.Uint32())
			if Check(in, q) == nil {
				t.Errorf("seed %d: a wild number goes unnoticed", seed)
			}
		}
		*a = nil
		_ = Check(in, q)
	}
}

// Check's messages name what is wrong, and where.
func TestFaults(t *testing.T) {
	tests := []struct {
		spoil func(p *Plan)
		want  string
	}{
		{func(p *Plan) { p.BlockOffsets[1] = 3 }, "plan: blocks: a block of elements 0 to 5 has 3, the block size is 2"},
		{func(p *Plan) { p.BlocksByColor[2] = 2 }, "plan: block mapping: block 2 is listed twice, again under color 2"},
		{func(p *Plan) {
			*p = Plan{Last: 6, BlockSize: 2, BlockOffsets: p.BlockOffsets, BlockColors: []int32{0, 0, 1}, Colors: 2,
				BlocksByColor: []int32{0, 1, 2}, ColorOffsets: []int32{0, 2, 3}}
		}, "plan: block colors: blocks 0 and 1 of color 0 collide: elements 1 and 2 both reach target 2 of data 1"},
		{func(p *Plan) { p.ElementColors = []int32{0, 1, 0, 0, 0, 1} }, "plan: element colors: block 1 is said to have 2 colors, no element has 1"},
		{func(p *Plan) { p.ElementColors = []int32{0, 0, 0, 0, 0, 0}; p.ElementColorCounts = []int32{1, 1, 1} },
			"plan: element colors: elements 0 and 1 of block 0, both of color 0, collide: they reach target 1 of data 1"},
		{func(p *Plan) { p.Tables[0].Local[3] = 1 },
			"plan: local tables: element 1 of block 0 reaches target 2, its local number 1 in slot 1 of table 0 leads to 1"},
		{func(p *Plan) { p.Tables[0].Targets[4] = 9 }, "plan: local tables: block 1 lists target 9 of 6 in table 0"},
		{func(p *Plan) { p.Tables = nil }, "plan: local tables: data 0, reached by [{0 0} {0 1}], has 0 tables"},
		{func(p *Plan) { p.ColorBound = 3 }, "plan: bounds: the bound of block colors is 3, 2 blocks reach one target"},
	}
	for _, test := range tests {
		p := mustBuild(t, ring())
		test.spoil(p)
		if err := Check(ring(), p); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}
