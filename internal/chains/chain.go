// Package chains computes lists of operations as one. Neighbors among loops are fused where that is possible, the others
// run by tiles where that pays off, and on several ranks with fewer messages; a device queues them together. Each chain
// has loops of its own, which it binds as a program's are bound: what the package knows of them is what they are bound to.
package chains

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
)

// Chain is a list of operations. Loops between two tasks are a group, which is computed as one.
type Chain struct {
	rt         *entity.Runtime
	operations []run.Operation
	parts      []part
	calls      int64
}

// part is neighbors among the operations of a chain.
type part struct {
	operations []run.Operation
	*group     // nil: they run one by one
}

// New returns the chain of loops in that order.
func New(loops []*run.Loop) (*Chain, error) {
	if len(loops) == 0 {
		return nil, fmt.Errorf("op2: NewChain: it has no loops")
	}
	operations := make([]run.Operation, len(loops))
	for i, l := range loops {
		if l.Made() != nil {
			return nil, fmt.Errorf("op2: NewChain: loop %d of %d is nil, or was not made by NewLoop", i+1, len(loops))
		}
		if first, rt, other := loops[0], loops[0].Runtime(), l.Runtime(); rt != other {
			return nil, fmt.Errorf("op2: NewChain: its loops belong to two runtimes: %s to %s, %s to %s", first.Name(), rt.Besides(other), l.Name(), other.Besides(rt))
		}
		operations[i].Loop = l
	}
	return newChain(loops[0].Runtime(), operations), nil
}

// Record returns the chain of the operations that the program calls within a function.
func Record(rt *entity.Runtime, calls func() error) (*Chain, error) {
	operations, err := run.Record(rt, calls)
	if err != nil {
		return nil, err
	}
	if len(operations) == 0 {
		return nil, fmt.Errorf("op2: RecordChain: nothing is called")
	}
	return newChain(rt, operations), nil
}

func newChain(rt *entity.Runtime, operations []run.Operation) *Chain {
	c := &Chain{rt: rt, operations: operations}
	for len(operations) > 0 {
		n := slices.IndexFunc(operations, func(o run.Operation) bool { return o.Task != nil })
		switch n {
		case -1:
			n = len(operations)
		case 0:
			n = 1
		}
		p := part{operations: operations[:n]}
		if slices.ContainsFunc(p.operations, func(o run.Operation) bool { return o.Loop != nil }) {
			p.group = &group{settings: settings{rt: rt, tests: testsOf(rt)}}
			p.take(p.operations, entity.Objects{})
		}
		c.parts, operations = append(c.parts, p), operations[n:]
	}
	return c
}

// Made returns an error for a chain that New and Record did not make.
func (c *Chain) Made() error {
	if c == nil || c.rt == nil {
		return entity.NotMade("chain", "NewChain")
	}
	return nil
}

// Inert returns a placeholder for a chain, of a runtime that has failed.
func Inert(rt *entity.Runtime) *Chain { return &Chain{rt: rt} }

// Runtime returns the runtime that the chain belongs to.
func (c *Chain) Runtime() *entity.Runtime { return c.rt }

// With returns the chain with a choice of its own, 0 for the runtime's.
func (c *Chain) With(choice tune.Chains) *Chain {
	return c.with(func(g *group) *group { return g.with(choice, g.temporaries) })
}

// with returns the chain with other groups.
func (c *Chain) with(other func(*group) *group) *Chain {
	with := &Chain{rt: c.rt, operations: c.operations, parts: slices.Clone(c.parts)}
	for i, p := range with.parts {
		if p.group != nil {
			with.parts[i].group = other(p.group)
		}
	}
	return with
}

// Temporary returns the chain with dats that nobody reads after it. Those that a single group uses may not be in memory
// at all.
func (c *Chain) Temporary(dats []*entity.Data) (*Chain, error) {
	var storages []*store.Storage
	for _, d := range dats {
		uses := func(o run.Operation) bool { return uses(&o, d.Storage()) }
		if d.Runtime() != c.rt {
			return nil, fmt.Errorf("op2: Chain.Temporary: dat %s belongs to %s, the chain's loops to %s", d.Name(), d.Runtime().Besides(c.rt), c.rt.Besides(d.Runtime()))
		}
		users := 0
		for _, p := range c.parts {
			if slices.ContainsFunc(p.operations, uses) {
				users++
			}
		}
		switch users {
		case 0:
			return nil, errors.New(problem.Message("Chain.Temporary: dat "+d.Name(), "no loop of the chain uses it", "pass the dats that the chain's loops leave for each other"))
		case 1:
			storages = append(storages, d.Storage())
		}
	}
	return c.with(func(g *group) *group { return g.with(g.choice, slices.Concat(g.temporaries, storages)) }), nil
}

// prepare prepares all groups.
func (c *Chain) prepare() error {
	for _, p := range c.parts {
		if p.group != nil {
			if err := p.prepare(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Run runs the operations. The first call waits for the compiler.
func (c *Chain) Run() error {
	if c.rt.Config().Static {
		return problem.ErrStatic
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if err := run.QueueOf(c.rt).Admit(c.operations...); err != nil {
		return err
	}
	for _, p := range c.parts {
		if err := p.run(); err != nil {
			return err
		}
	}
	c.calls++
	return nil
}

// run runs the operations.
func (p part) run() error {
	if p.group != nil {
		_, err := p.compute(p.operations)
		return err
	}
	for _, o := range p.operations {
		if err := o.Run(); err != nil {
			return entity.Located(err, "recorded", o.Task.Site.Site())
		}
	}
	return nil
}

// Generate returns the sources that the loops compile to on the runtime's backend, each once.
func (c *Chain) Generate() (string, error) {
	if err := c.prepare(); err != nil {
		return "", err
	}
	var texts []string
	for _, p := range c.parts {
		if p.group == nil {
			continue
		}
		for _, l := range p.all() {
			text, err := l.Generate()
			if err != nil {
				return "", err
			}
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n"), nil
}

// Plan says what the chain is turned into.
func (c *Chain) Plan() (p Plan, err error) {
	for _, of := range c.parts {
		switch o := of.operations[0]; {
		case of.group != nil:
			if err := of.plan(&p); err != nil {
				return Plan{}, err
			}
		case o.Task != nil:
			p.Segments = append(p.Segments, Segment{Task: o.Task.String()})
		}
	}
	return p, nil
}

// Stats returns the figures of each loop, and those of the whole. Those on a device may be incomplete
// until it has settled.
func (c *Chain) Stats() (loops []profile.Stats, whole profile.Stats) {
	var names []string
	for _, p := range c.parts {
		if p.group != nil {
			loops = append(loops, p.stats()...)
		}
	}
	for i := range loops {
		names = append(names, loops[i].Kernel)
		whole.Add(&loops[i])
	}
	whole.Kernel, whole.Calls = strings.Join(names, ", "), c.calls
	return loops, whole
}
