package exchange

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// Reducing is the reductions of one call of a loop, combined over all ranks while the program goes
// on: until the values are needed, or the loop is called again.
type Reducing struct {
	runner finisher
	waited func(time.Duration) // is told how long
	sums   []joint
	err    error
	done   bool
}

// finisher combines totals with the globals.
type finisher interface{ Finish() error }

// joint is results of one type that are combined in the same way, one after another in memory: one
// message for all.
type joint struct {
	loop.Reduction
	of      []int // the results' numbers
	values  unsafe.Pointer
	totals  []total
	request comm.Request
}

// total is where the runner has a result, and for which global, which waits for it.
type total struct {
	loop.Reduction
	call     *Reducing
	at       unsafe.Pointer
	global   *store.Storage
	replaced bool // the program has set the global since
}

// NewReducing prepares the reductions of a loop, which does nothing yet. It reports how long the program waits for
// results.
func NewReducing(reductions []loop.Reduction, waited func(time.Duration)) *Reducing {
	p := &Reducing{done: true, waited: waited}
	for n, r := range reductions {
		i := 0
		for i < len(p.sums) && !p.sums[i].Alike(r) {
			i++
		}
		if i == len(p.sums) {
			p.sums = append(p.sums, joint{Reduction: r})
			p.sums[i].Dim, p.sums[i].Loop = 0, true
		}
		p.sums[i].Dim += r.Dim
		p.sums[i].of = append(p.sums[i].of, n)
	}
	for i := range p.sums {
		p.sums[i].values = p.sums[i].New()
	}
	return p
}

// Start starts to combine the totals that a call has left, by global.
func (p *Reducing) Start(c comm.Comm, r finisher, reductions []loop.Reduction, globals []*store.Storage, totals []unsafe.Pointer) error {
	p.runner, p.err = r, nil
	for i := range p.sums {
		s := &p.sums[i]
		s.totals = s.totals[:0]
		for _, j := range s.of {
			s.totals = append(s.totals, total{Reduction: reductions[j], call: p, at: totals[j], global: globals[j]})
		}
		s.each(func(at unsafe.Pointer, t *total) { copyBytes(at, t.at, t.Bytes()) })
		var err error
		if s.request, err = c.Reduce(s.Reduction, s.values); err != nil {
			return err
		}
	}
	for i := range p.sums {
		for j := range p.sums[i].totals {
			t := &p.sums[i].totals[j]
			t.global.Await(t)
		}
	}
	p.done = false
	return nil
}

// Ready implements Waiter: values that are all replaced need not wait.
func (t *total) Ready(_, whole bool) error {
	if whole {
		t.call.replace(t.global)
		return nil
	}
	return t.call.Settle()
}

// Late implements Waiter.
func (*total) Late(error) {}

// SettleReduction waits for the reduction that gives a global its value, if there is one.
func SettleReduction(global *store.Storage) error {
	if t, is := global.Waiter().(*total); is {
		return t.call.Settle()
	}
	return nil
}

// each calls f with the place of each result among the joint values.
func (s *joint) each(f func(at unsafe.Pointer, t *total)) {
	offset := 0
	for i := range s.totals {
		t := &s.totals[i]
		f(unsafe.Add(s.values, offset), t)
		offset += t.Bytes()
	}
}

func copyBytes(to, from unsafe.Pointer, n int) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}

// replace records that the program replaces the value of a global.
func (p *Reducing) replace(global *store.Storage) {
	for i := range p.sums {
		for j := range p.sums[i].totals {
			if t := &p.sums[i].totals[j]; t.global == global {
				t.replaced = true
			}
		}
	}
	global.Await(nil)
}

// Settle waits for the other ranks, and gives the globals their values.
func (p *Reducing) Settle() error {
	if p == nil {
		return nil
	}
	if p.done {
		return p.err
	}
	p.done = true
	for i := range p.sums {
		s := &p.sums[i]
		start := time.Now()
		if p.err = s.request.Wait(); p.err != nil {
			return p.err
		}
		p.waited(time.Since(start))
		s.each(func(at unsafe.Pointer, t *total) {
			if t.replaced {
				t.Begin(t.at, t.global.Memory())
			} else {
				copyBytes(t.at, at, t.Bytes())
			}
		})
	}
	p.err = p.runner.Finish()
	return p.err
}
