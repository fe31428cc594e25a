package bind

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// inOrder is how a loop adds through maps in the order of the declared numbers of its elements.
//
// Its elements form groups that run at the same time, each in this order. A value that only one
// group reaches is so added to in order. For a value that several reach, each addition has a slot of
// its own, a row after those of the dat, to which the loop's maps lead instead. When all groups have
// run, the slots are added to their values in order. The result is that of one group, whatever the
// groups are.
type inOrder struct {
	Elements []int32 // in the order in which they run: one group after another
	Plan     *plan.Plan
	slots    []*slots
}

// slots are rows of a dat that collect what is added to values that several groups reach.
type slots struct {
	storage     *store.Storage
	scalar      loop.Scalar
	dim         int
	first, rows int     // the row of the first slot, and the number of slots
	targets     []int32 // each once
	starts      []int32 // target i has the slots from[starts[i]:starts[i+1]], in order
	from        []int32
}

// Groups are large enough to reach few of the same values, and there are several for each thread,
// since some threads are slower than others.
const (
	leastGroup      = 1 << 10 // elements
	groupsPerThread = 4
)

// newInOrder divides the loop's elements into groups, and makes the loop's maps lead to slots.
func (c *Call) newInOrder() *inOrder {
	list := c.numbered()
	o := &inOrder{Elements: list}
	n := len(list)
	block := c.Runtime.Config().Backend.Choices.Block
	groups := min(groupsPerThread*c.Runtime.HostThreads(), n/leastGroup)
	if block > 0 {
		groups = (n + block - 1) / block
	}
	if c.Runtime.HostThreads() == 1 || !c.canGroup() {
		groups = 1
	}
	for ; groups > 1; groups /= 2 {
		if g := c.group(list, groups); g != nil {
			o.Elements, o.Plan, o.slots = g.elements, g.plan(), g.slots
			return o
		}
	}
	offsets := []int32{0}
	if n > 0 {
		offsets = append(offsets, int32(n))
	}
	o.Plan = planOf(offsets)
	return o
}

// Prepare makes a backend run the elements in order.
func (o *inOrder) Prepare(m *backend.Memory) {
	m.First, m.Last, m.Boundaries = 0, len(o.Elements), nil
	inMemory := m.Subset == nil
	for i, e := range o.Elements {
		inMemory = inMemory && int(e) == i
	}
	if !inMemory {
		m.Subset = o.Elements
	}
}

// numbered returns the elements that the loop runs over, in the order of their declared numbers.
func (c *Call) numbered() []int32 {
	list := make([]int32, c.Over.Prefix(1))
	for i := range list {
		list[i] = int32(c.Over.At(i))
	}
	entity.SortByNumber(list, c.Over.Set.Numbers())
	return list
}

// canGroup reports whether slots are possible for all that elements of different groups may change:
// they are for additions to dats, one of each element to each value.
func (c *Call) canGroup() bool {
	return c.Over.Layers.Of == nil && !slices.ContainsFunc(c.Args, func(a entity.Arg) bool {
		return a.Kind == loop.Mat || a.Map != nil && (a.Access == loop.Min || a.Access == loop.Max || a.CombinesWhole())
	})
}

// planOf returns the plan of blocks with these offsets, all of which run at the same time.
func planOf(offsets []int32) *plan.Plan {
	n := len(offsets) - 1
	p := &plan.Plan{Last: int(offsets[n]), BlockOffsets: offsets, BlockColors: make([]int32, n), ColorOffsets: []int32{0}}
	if n > 0 {
		p.Colors, p.ColorBound, p.ColorOffsets = 1, 1, append(p.ColorOffsets, int32(n))
	}
	for i := range int32(n) {
		p.BlocksByColor = append(p.BlocksByColor, i)
		p.BlockSize = max(p.BlockSize, int(offsets[i+1]-offsets[i]))
	}
	return p
}

// grouping is a division of the elements into groups.
type grouping struct {
	*Call
	byNumber []int32
	of       []int32 // the group of each element; -1 for those that do not run
	elements []int32
	offsets  []int32
	slots    []*slots
	owner    map[*entity.Set][]int32 // for each element that is added to: the group that reaches it, or one of the following
}

const (
	unreached = -1
	several   = -2
)

// group divides the elements into n groups; it returns nil if there is no memory for the slots.
func (c *Call) group(list []int32, n int) *grouping {
	g := &grouping{Call: c, byNumber: list, of: make([]int32, c.Over.Set.Total()), owner: map[*entity.Set][]int32{}}
	g.assign(n)
	g.arrange(n)
	args := slices.Clone(c.Args)
	for _, d := range g.dats() {
		if !g.redirect(args, d) {
			return nil
		}
	}
	c.Args = args
	return g
}

func (g *grouping) plan() *plan.Plan { return planOf(g.offsets) }

// adding returns the arguments that add to d through maps.
func (g *grouping) adding(d *entity.Data) (args []int) {
	for i, a := range g.Args {
		if a.Data == d && a.Kind == loop.Dat && a.Map != nil && a.Access == loop.Inc {
			args = append(args, i)
		}
	}
	return args
}

// dats returns the dats that the loop adds to through maps.
func (g *grouping) dats() (dats []*entity.Data) {
	for _, a := range g.Args {
		if a.Kind == loop.Dat && a.Map != nil && a.Access == loop.Inc && !slices.Contains(dats, a.Data) {
			dats = append(dats, a.Data)
		}
	}
	return dats
}

// assign chooses the group of each element: those that belong here form groups of neighbors in
// memory, and one of the halo joins a group that reaches what it reaches.
func (g *grouping) assign(n int) {
	for i := range g.of {
		g.of[i] = -1
	}
	for _, d := range g.dats() {
		if g.owner[d.Set()] == nil {
			g.owner[d.Set()] = slices.Repeat([]int32{unreached}, d.Set().Total())
		}
	}
	belong := int32(g.Over.Set.Size())
	here := slices.Clone(g.byNumber)
	sorting.Int32s(here)
	count, _ := slices.BinarySearch(here, belong)
	for i, e := range here {
		if i < count {
			g.of[e] = int32(i * n / count)
		} else {
			g.of[e] = g.neighbor(int(e), n)
		}
		g.reach(int(e))
	}
}

// neighbor returns a group that reaches something that an element reaches.
func (g *grouping) neighbor(e, n int) int32 {
	for _, d := range g.dats() {
		for _, i := range g.adding(d) {
			for _, t := range g.Args[i].Targets(e) {
				if t >= 0 && g.owner[d.Set()][t] >= 0 {
					return g.owner[d.Set()][t]
				}
			}
		}
	}
	return int32(n - 1)
}

// reach records what an element reaches.
func (g *grouping) reach(e int) {
	for _, a := range g.Args {
		if a.Kind != loop.Dat || a.Map == nil || a.Access != loop.Inc {
			continue
		}
		owner := g.owner[a.Data.Set()]
		for _, t := range a.Targets(e) {
			switch {
			case t < 0 || owner[t] == g.of[e]:
			case owner[t] == unreached:
				owner[t] = g.of[e]
			default:
				owner[t] = several
			}
		}
	}
}

// arrange lists the elements by group, and within groups by number.
func (g *grouping) arrange(n int) {
	g.offsets, g.elements = lists.Sort[int32](n, func(add func(group, element int32)) {
		for _, e := range g.byNumber {
			add(g.of[e], e)
		}
	})
}

// redirect makes the maps of the arguments that add to d lead to slots where several groups reach a
// value. It returns false if there is no memory for them, or a component would need two slots.
func (g *grouping) redirect(args []entity.Arg, d *entity.Data) bool {
	owner, adding := g.owner[d.Set()], g.adding(d)
	s := &slots{storage: d.Storage(), scalar: d.Scalar(), dim: d.Width(), first: d.Elements()}
	most := d.Storage().SpareRows(d.Width() * d.Scalar().Size())
	maps := map[*entity.Map]*entity.Map{}
	type addition struct{ target, slot int32 }
	var additions []addition
	for _, e := range g.byNumber {
		for _, i := range adding {
			a := args[i]
			for c := range a.Map.Arity() {
				if a.Component != loop.All && a.Component != c {
					continue
				}
				at := int(e)*a.Map.Arity() + c
				t := a.Map.Targets()[at]
				if t < 0 || owner[t] != several {
					continue
				}
				if s.rows == most {
					return false
				}
				m := maps[a.Map]
				if m == nil {
					m = entity.MapOf(a.Map.From(), a.Map.To(), a.Map.Arity(), slices.Clone(a.Map.Targets()), a.Map.Name(), a.Map.IsMasked())
					maps[a.Map] = m
				}
				if m.Targets()[at] != t {
					return false
				}
				m.Targets()[at] = int32(s.first + s.rows)
				additions = append(additions, addition{t, int32(s.rows)})
				s.rows++
			}
		}
	}
	for _, i := range adding {
		if m := maps[args[i].Map]; m != nil {
			args[i].Map = m
		}
	}
	if s.rows == 0 {
		return true
	}
	starts, from := lists.Sort[int32](len(owner), func(add func(target, slot int32)) {
		for _, a := range additions {
			add(a.target, a.slot)
		}
	})
	s.starts, s.from = []int32{0}, from
	for t := range owner {
		if end := starts[t+1]; end > starts[t] {
			s.targets, s.starts = append(s.targets, int32(t)), append(s.starts, end)
		}
	}
	g.slots = append(g.slots, s)
	return true
}

// begin empties the slots.
func (o *inOrder) begin() {
	for _, s := range o.slots {
		switch s.scalar {
		case loop.Float64:
			fill(slotsOf[float64](s), math.Copysign(0, -1)) // which adds to nothing, not even to -0
		case loop.Float32:
			fill(slotsOf[float32](s), float32(math.Copysign(0, -1)))
		default:
			clear(unsafe.Slice((*byte)(s.row(0)), s.rows*s.dim*s.scalar.Size()))
		}
	}
}

// row returns the address of a slot.
func (s *slots) row(slot int) unsafe.Pointer {
	return unsafe.Add(s.storage.Memory(), (s.first+slot)*s.dim*s.scalar.Size())
}

func slotsOf[T loop.Number](s *slots) []T { return unsafe.Slice((*T)(s.row(0)), s.rows*s.dim) }

func fill[T any](values []T, v T) {
	for i := range values {
		values[i] = v
	}
}

// finish adds the slots to their values.
func (o *inOrder) finish() {
	for _, s := range o.slots {
		add := loop.Reduction{Access: loop.Inc, Type: s.scalar, Dim: s.dim}
		size := add.Bytes()
		for i, t := range s.targets {
			to := unsafe.Add(s.storage.Memory(), int(t)*size)
			for _, slot := range s.from[s.starts[i]:s.starts[i+1]] {
				add.Combine(to, s.row(int(slot)))
			}
		}
	}
}
