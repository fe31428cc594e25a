package bind

import (
	"sync"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/exact"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// contribution is a reduction whose elements leave what they contribute in rows of their own, which
// are combined when all have run: sums of floating-point numbers without error.
type contribution struct {
	loop.Reduction
	op       entity.Operation
	over     entity.Range
	global   *store.Storage
	rows     *store.Storage
	count    int                // elements that count
	total    unsafe.Pointer     // of this rank, then of all
	sums     []exact.Limbs      // likewise, of floating-point numbers
	reducing *exchange.Reducing // nil on one rank
	kept     bool               // elements add to what is in their rows: of a minimum, a maximum, or several layers
}

// contribute returns an argument in place of one that reduces, and where its elements contribute.
func (call *Call) contribute(a entity.Arg) (*contribution, entity.Arg) {
	g := a.Data
	kept := a.Access == loop.Min || a.Access == loop.Max || call.Over.Layers.Of != nil
	d := entity.NewContributions(g, call.Over.Set, kept)
	c := &contribution{Reduction: loop.Reduction{Access: a.Access, Type: g.Scalar(), Dim: g.Width(), Record: g.Record()}, op: a.Op, over: entity.Range{Set: call.Over.Set, Subset: call.Over.Subset}, global: g.Storage(), rows: d.Storage(), kept: kept, count: call.Over.Size()}
	c.total = c.New()
	return c, entity.Arg{Kind: loop.Dat, Access: a.Access, Data: d, Op: a.Op}
}

// begin waits for the global's value, and initializes rows that are kept.
func (c *contribution) begin() error {
	if err := c.reducing.Settle(); err != nil {
		return err
	}
	if err := exchange.SettleReduction(c.global); err != nil || !c.kept {
		return err
	}
	for at := 0; at < c.rows.Bytes(); at += c.Bytes() {
		c.Begin(unsafe.Add(c.rows.Memory(), at), c.global.Memory())
	}
	return nil
}

// finish combines the rows. On several ranks, it starts to combine the totals, which the global gets
// when it is needed.
func (c *contribution) finish(rt *entity.Runtime, waited func(time.Duration)) error {
	if c.Access == loop.Reduce || c.Record != nil {
		return c.finishInOrder(rt)
	}
	how := c.combine(rt)
	if !rt.Several() {
		return c.Finish()
	}
	if c.reducing == nil {
		c.reducing = exchange.NewReducing([]loop.Reduction{how}, waited)
	}
	if err := exchange.SettleReduction(c.global); err != nil { // of another argument of the loop
		return err
	}
	total := c.total
	if c.exact() {
		total = unsafe.Pointer(&c.sums[0])
	}
	return c.reducing.Start(rt.Comm(), c, []loop.Reduction{how}, []*store.Storage{c.global}, []unsafe.Pointer{total})
}

// finishInOrder combines the rows of all ranks along a tree over the declared numbers of their elements,
// and the total with the global.
func (c *contribution) finishInOrder(rt *entity.Runtime) error {
	if err := exchange.SettleReduction(c.global); err != nil {
		return err
	}
	tree, err := c.numbered(rt)
	if err != nil {
		return err
	}
	sum := c.New()
	row := func(i int) unsafe.Pointer { return unsafe.Add(c.rows.Memory(), c.over.At(i)*c.Bytes()) }
	any, err := tree.Combine(c.Reduction, row, sum)
	if err != nil {
		return err
	}
	c.Begin(c.total, c.global.Memory())
	if any {
		c.Combine(c.total, sum)
	}
	return c.Finish()
}

// numbered returns the tree of the elements that count. It is kept with the set, so that all ranks make
// it in the same call, whichever of them prepare the loop again.
func (c *contribution) numbered(rt *entity.Runtime) (*comm.Numbered, error) {
	set := c.over.Set
	return set.Tree(c.over.Subset, func() (*comm.Numbered, error) {
		all, numbers := set.Numbers(), make([]int64, c.count)
		for i := range numbers {
			numbers[i] = all[c.over.At(i)]
		}
		return comm.NewNumbered(rt.Comm(), numbers, set.Targets())
	})
}

// exact reports whether the total is a sum of floating-point numbers.
func (c *contribution) exact() bool { return c.Access == loop.Inc && c.Type.Float() }

// combine computes the total of this rank, and returns how it is combined with those of others.
func (c *contribution) combine(rt *entity.Runtime) loop.Reduction {
	switch {
	case c.exact() && c.Type == loop.Float64:
		c.sums = addRows[float64](rt, c)
	case c.exact():
		c.sums = addRows[float32](rt, c)
	default:
		c.Begin(c.total, c.global.Memory())
		for i := range c.count {
			c.Combine(c.total, unsafe.Add(c.rows.Memory(), c.over.At(i)*c.Bytes()))
		}
		return c.Reduction
	}
	return loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: c.Dim * len(exact.Limbs{})}
}

// Finish combines the total with the global.
func (c *contribution) Finish() error {
	switch {
	case c.exact() && c.Type == loop.Float64:
		finishExactly(c, (*exact.Limbs).Float)
	case c.exact():
		finishExactly(c, (*exact.Limbs).Float32)
	default:
		c.Combine(c.global.Memory(), c.total)
	}
	return nil
}

// finishExactly adds the global to the sums, and rounds them.
func finishExactly[T float64 | float32](c *contribution, round func(*exact.Limbs) T) {
	global := store.Values[T](c.global)
	for d := range c.sums {
		c.sums[d].AddFloat(float64(global[d]))
		global[d] = round(&c.sums[d])
	}
}

// addRows returns the sums of the rows.
func addRows[T float64 | float32](rt *entity.Runtime, c *contribution) []exact.Limbs {
	rows := store.Values[T](c.rows)
	return sumExactly(rt, c.Dim, c.count, func(s *exact.Sum, d, first, last int) {
		if c.over.Subset == nil {
			exact.AddStrided(s, rows[first*c.Dim+d:last*c.Dim], c.Dim)
			return
		}
		for _, e := range c.over.Subset.List()[first:last] {
			exact.Add(s, rows[int(e)*c.Dim+d])
		}
	})
}

// worthThread is the number of values whose exact sum justifies a thread.
const worthThread = 1 << 14

// SumExactly returns a sum over count elements of this rank and those of the others. Add adds what the elements [first, last) contribute; several goroutines call it.
func SumExactly(rt *entity.Runtime, others comm.Comm, count int, add func(s *exact.Sum, first, last int)) (float64, error) {
	sums := sumExactly(rt, 1, count, func(s *exact.Sum, _, first, last int) { add(s, first, last) })
	if err := comm.Reduce(others, loop.Inc, sums[0][:]); err != nil {
		return 0, rt.Broken(err)
	}
	return sums[0].Float(), nil
}

// sumExactly returns dim sums over count elements. Add adds to sum d what the elements [first, last)
// contribute to it; several goroutines call it.
func sumExactly(rt *entity.Runtime, dim, count int, add func(s *exact.Sum, d, first, last int)) []exact.Limbs {
	sums := make([]exact.Limbs, dim)
	parts := max(1, min(rt.HostThreads(), dim*count/worthThread))
	partial := make([]exact.Limbs, parts*dim)
	work := func(part int) {
		s := accumulators.Get().(*exact.Sum)
		for d := range dim {
			if first, last := part*count/parts, (part+1)*count/parts; first < last {
				add(s, d, first, last)
			}
			partial[part*dim+d] = s.Take()
		}
		accumulators.Put(s)
	}
	var group sync.WaitGroup
	for part := 1; part < parts; part++ {
		group.Go(func() { work(part) })
	}
	work(0)
	group.Wait()
	for i := range partial {
		sums[i%dim].Add(&partial[i])
	}
	return sums
}

// accumulators are kept, since they are large; they are empty.
var accumulators = sync.Pool{New: func() any { return new(exact.Sum) }}
