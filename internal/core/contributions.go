package core

import (
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/exact"
	"github.com/go-op2/op2/internal/loop"
)

// contribution is a reduction whose elements leave what they contribute in rows of their own, which
// are combined when all have run: sums of floating-point numbers without error.
type contribution struct {
	loop.Reduction
	global   *Storage
	rows     *Storage
	elements []int32 // those that count; nil: the first ones
	count    int
	total    unsafe.Pointer
}

// contribute returns an argument in place of one that reduces.
func (b *binder) contribute(a Arg) Arg {
	g := a.data
	d := &Data{kind: loop.Dat, rt: b.rt, set: b.over.Set, dim: g.dim, scalar: g.scalar, name: g.name, unwatched: true,
		fresh: a.access == loop.Inc, hidden: true}
	d.storage = NewStorage(device.Shape{Elements: b.over.Set.Total(), Dim: g.dim, Size: g.scalar.Size()})
	c := &contribution{Reduction: loop.Reduction{Access: a.access, Type: g.scalar, Dim: g.dim}, global: g.storage, rows: d.storage, count: b.over.Size()}
	if !b.rt.config.Static {
		d.storage.Memory()
	}
	if b.over.Subset != nil {
		c.elements = b.over.Subset.elements[:c.count]
	}
	c.total = c.New()
	b.same.contributions = append(b.same.contributions, c)
	return Arg{kind: loop.Dat, access: a.access, data: d}
}

// begin waits for the global's value, and initializes the rows of a minimum or a maximum with it.
func (c *contribution) begin() error {
	if err := c.global.reducing.settle(); err != nil || c.Access == loop.Inc {
		return err
	}
	n := c.Bytes()
	values := unsafe.Slice((*byte)(c.rows.Memory()), c.rows.Bytes())
	for i := 0; i < len(values); i += n {
		copy(values[i:i+n], unsafe.Slice((*byte)(c.global.Memory()), n))
	}
	return nil
}

// finish combines the rows with those of other ranks and the global.
func (c *contribution) finish(rt *Runtime) error {
	switch {
	case c.Access == loop.Inc && c.Type == loop.Float64:
		return addExactly[float64](rt, c, (*exact.Limbs).Float)
	case c.Access == loop.Inc && c.Type == loop.Float32:
		return addExactly[float32](rt, c, (*exact.Limbs).Float32)
	}
	c.Begin(c.total, c.global.Memory())
	for i := range c.count {
		c.Combine(c.total, unsafe.Add(c.rows.Memory(), c.row(i)*c.Bytes()))
	}
	if others := rt.Comm(); others != nil {
		request, err := others.Reduce(c.Reduction, c.total)
		if err == nil {
			err = request.Wait()
		}
		if err != nil {
			return err
		}
	}
	c.Combine(c.global.Memory(), c.total)
	return nil
}

// row returns the number of the row of element i of those that count.
func (c *contribution) row(i int) int {
	if c.elements != nil {
		return int(c.elements[i])
	}
	return i
}

// addExactly adds a global and all rows, and rounds the sum.
func addExactly[T float64 | float32](rt *Runtime, c *contribution, round func(*exact.Limbs) T) error {
	rows := Values[T](c.rows)
	sums, err := SumExactly(rt, rt.Comm(), c.Dim, c.count, func(s *exact.Sum, d, first, last int) {
		if c.elements == nil {
			exact.AddStrided(s, rows[first*c.Dim+d:last*c.Dim], c.Dim)
			return
		}
		for _, e := range c.elements[first:last] {
			exact.Add(s, rows[int(e)*c.Dim+d])
		}
	})
	if err != nil {
		return err
	}
	global := Values[T](c.global)
	for d := range sums {
		sums[d].AddFloat(float64(global[d]))
		global[d] = round(&sums[d])
	}
	return nil
}

// worthThread is the number of values whose exact sum justifies a thread.
const worthThread = 1 << 14

// SumExactly returns dim sums over count elements of this rank and, unless the comm is nil, those of
// the others. Add adds to sum d what the elements [first, last) contribute to it; several goroutines
// call it.
func SumExactly(rt *Runtime, others comm.Comm, dim, count int, add func(s *exact.Sum, d, first, last int)) ([]exact.Limbs, error) {
	sums := make([]exact.Limbs, dim)
	parts := max(1, min(rt.hostThreads(), dim*count/worthThread))
	partial := make([]exact.Limbs, parts*dim)
	work := func(part int) {
		s := accumulators.Get().(*exact.Sum)
		for d := range dim {
			add(s, d, part*count/parts, (part+1)*count/parts)
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
	if others != nil {
		digits := unsafe.Slice(&sums[0][0], dim*len(sums[0]))
		if err := Reduce(others, loop.Inc, digits); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// accumulators are kept, since they are large; they are empty.
var accumulators = sync.Pool{New: func() any { return new(exact.Sum) }}
