package plan

import (
	"fmt"
	"iter"

	"github.com/go-op2/op2/internal/sorting"
)

// Aspect names the part of a plan that a fault is in.
type Aspect uint8

// The aspects, in the order in which Check verifies them: each check relies on the earlier ones.
const (
	InRange         Aspect = iota + 1 // the elements and the block size
	InBlocks                          // each element in exactly one block
	InBlockMapping                    // blocks grouped by color, each exactly once
	InBlockColors                     // no two blocks of a color reach a target
	InElementColors                   // no two elements of a color within a block do
	InLocalTables                     // lists sorted and distinct, local numbers invert them
	InBounds                          // figures that are only informative
)

func (a Aspect) String() string {
	return [...]string{"nothing", "range", "blocks", "block mapping", "block colors", "element colors", "local tables", "bounds"}[a]
}

// Fault describes what is wrong with a plan.
type Fault struct {
	Aspect Aspect
	Msg    string
}

func (f *Fault) Error() string { return fmt.Sprintf("plan: %s: %s", f.Aspect, f.Msg) }

func fault(a Aspect, format string, args ...any) error {
	return &Fault{a, fmt.Sprintf(format, args...)}
}

// Check verifies that the plan is valid for the input, or returns a *Fault that says what is wrong.
// It shares no code with Build and trusts nothing in the plan: it accepts any plan, whatever its
// contents. It is a few times slower than Build.
func Check(in *Input, p *Plan) error {
	c, err := newChecker(in, p)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		c.ranges, c.blocks, c.blockMapping, c.blockColors, c.elementColors, c.tables, c.colored, c.bounds,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checker holds the plan and the checker's own view of the input.
type checker struct {
	in    *Input
	p     *Plan
	datas []reached // the data that are reached through maps
}

// reached holds one of Input.Data, with its references one by one.
type reached struct {
	number int // in Input.Data
	Data
	paths   []path
	targets int
}

// path is one way from an element to a target.
type path struct {
	Ref
	m *Map // nil: direct
}

// target returns the target of element e; negative: none.
func (p path) target(e int) int {
	if p.m == nil {
		return e
	}
	return int(p.m.Values[e*p.m.Arity+p.Component])
}

func newChecker(in *Input, p *Plan) (*checker, error) {
	c := &checker{in: in, p: p}
	maps := map[MapID]*Map{}
	for i := range in.Maps {
		maps[in.Maps[i].ID] = &in.Maps[i]
	}
	for d, data := range in.Data {
		r := reached{number: d, Data: data, targets: -1}
		seen := map[Ref]bool{}
		visit := func(way path) {
			if !seen[way.Ref] {
				seen[way.Ref] = true
				r.paths = append(r.paths, way)
			}
		}
		for _, ref := range data.Refs {
			if ref.Map == Direct {
				visit(path{Ref: Ref{Map: Direct}})
				continue
			}
			m := maps[ref.Map]
			if m == nil {
				return nil, fault(InRange, "the input has no map %d", ref.Map)
			}
			r.targets = m.Targets
			for component := range m.Arity {
				if ref.Component == All || ref.Component == component {
					visit(path{Ref{ref.Map, component}, m})
				}
			}
		}
		if r.targets >= 0 {
			c.datas = append(c.datas, r)
		}
	}
	return c, nil
}

// refs returns the references of the data, sorted as in tables.
func (r *reached) refs() []Ref {
	var refs []Ref
	for _, way := range r.paths {
		refs = append(refs, way.Ref)
	}
	sorting.By(refs, func(a, b Ref) int {
		if a.Map != b.Map {
			return int(a.Map) - int(b.Map)
		}
		return a.Component - b.Component
	})
	return refs
}

func (c *checker) ranges() error {
	in, p := c.in, c.p
	if p.First != in.First || p.Last != in.Last {
		return fault(InRange, "it is for elements [%d, %d), the input has [%d, %d)", p.First, p.Last, in.First, in.Last)
	}
	if p.BlockSize != in.BlockSize {
		return fault(InRange, "the block size is %d, the input has %d", p.BlockSize, in.BlockSize)
	}
	return nil
}

// blocks checks that blocks follow each other without gap or overlap, each within two boundaries, and that those
// between two boundaries are as few and as equal as their size allows.
func (c *checker) blocks() error {
	in, offsets := c.in, c.p.BlockOffsets
	if len(offsets) == 0 {
		return fault(InBlocks, "there are no offsets")
	}
	if first := int(offsets[0]); first != in.First {
		return fault(InBlocks, "block 0 begins with element %d, it should with %d", first, in.First)
	}
	ends := map[int]bool{in.Last: true}
	for _, e := range in.Boundaries {
		ends[e] = true
	}
	start, from := in.First, 0 // the latest boundary, and the block that starts there
	for b := range c.blockCount() {
		first, last := c.elements(b)
		switch {
		case last <= first:
			return fault(InBlocks, "block %d has no elements", b)
		case last > in.Last:
			return fault(InBlocks, "block %d ends at %d, the elements at %d", b, last, in.Last)
		}
		for e := range ends {
			if first < e && e < last {
				return fault(InBlocks, "block %d has elements on both sides of the boundary %d", b, e)
			}
		}
		if !ends[last] {
			continue
		}
		if err := c.equalBlocks(start, last, from, b+1); err != nil {
			return err
		}
		start, from = last, b+1
	}
	if last := int(offsets[len(offsets)-1]); last != in.Last {
		return fault(InBlocks, "elements from %d on are in no block", last)
	}
	return nil
}

// equalBlocks checks the sizes of the blocks [from, to), which have the elements [start, end).
func (c *checker) equalBlocks(start, end, from, to int) error {
	size, together := c.in.BlockSize, 1
	if size%Pack == 0 {
		together = Pack
	}
	least, most := size, 0
	for b := from; b < to; b++ {
		first, last := c.elements(b)
		least, most = min(least, last-first), max(most, last-first)
		if (first-start)%together != 0 {
			return fault(InBlocks, "block %d begins with element %d, within a pack", b, first)
		}
	}
	switch {
	case most > size:
		return fault(InBlocks, "a block of elements %d to %d has %d, the block size is %d", start, end-1, most, size)
	case end > start && to-from > (end-start-1)/size+1:
		return fault(InBlocks, "elements %d to %d have %d blocks, fewer do", start, end-1, to-from)
	case most-least >= 2*together:
		return fault(InBlocks, "blocks of elements %d to %d have %d to %d", start, end-1, least, most)
	}
	return nil
}

func (c *checker) blockCount() int { return len(c.p.BlockOffsets) - 1 }

// elements returns the range of elements of block b.
func (c *checker) elements(b int) (first, last int) {
	return int(c.p.BlockOffsets[b]), int(c.p.BlockOffsets[b+1])
}

// reach yields the elements of block b, each with the targets that it reaches.
func (c *checker) reach(d *reached, b int) iter.Seq2[int, int] {
	return func(yield func(element, target int) bool) {
		first, last := c.elements(b)
		for e := first; e < last; e++ {
			for _, way := range d.paths {
				if t := way.target(e); t >= 0 && !yield(e, t) {
					return
				}
			}
		}
	}
}

// blockMapping checks that the blocks are grouped by color, each once, in ascending order, and that
// every color has blocks.
func (c *checker) blockMapping() error {
	p, n := c.p, c.blockCount()
	switch {
	case len(p.BlockColors) != n:
		return fault(InBlockMapping, "%d blocks have %d colors", n, len(p.BlockColors))
	case len(p.BlocksByColor) != n:
		return fault(InBlockMapping, "%d blocks, %d are listed by color", n, len(p.BlocksByColor))
	case p.Colors < 0 || len(p.ColorOffsets) != p.Colors+1:
		return fault(InBlockMapping, "%d colors have %d offsets", p.Colors, len(p.ColorOffsets))
	case p.ColorOffsets[0] != 0 || int(p.ColorOffsets[p.Colors]) != n:
		return fault(InBlockMapping, "colors have blocks %d to %d of the list, of %d", p.ColorOffsets[0], p.ColorOffsets[p.Colors], n)
	}
	listed := make([]bool, n)
	for color := range p.Colors {
		from, to := int(p.ColorOffsets[color]), int(p.ColorOffsets[color+1])
		if from >= to || to > n {
			return fault(InBlockMapping, "color %d has places %d to before %d in the list of %d blocks", color, from, to, n)
		}
		before := -1
		for _, block := range p.BlocksByColor[from:to] {
			b := int(block)
			switch {
			case b < 0 || b >= n:
				return fault(InBlockMapping, "color %d lists block %d of %d", color, b, n)
			case listed[b]:
				return fault(InBlockMapping, "block %d is listed twice, again under color %d", b, color)
			case int(p.BlockColors[b]) != color:
				return fault(InBlockMapping, "block %d has color %d, it is listed under %d", b, p.BlockColors[b], color)
			case b < before:
				return fault(InBlockMapping, "color %d lists block %d after block %d", color, b, before)
			}
			listed[b], before = true, b
		}
	}
	return nil
}
