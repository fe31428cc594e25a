// Package parttest runs loops in parts where tests expect them to run at once: any test of loops is
// then one of parts, too.
package parttest

import (
	"math/rand/v2"
	"slices"

	"github.com/go-op2/op2/internal/backend"
)

// Driver returns a backend of that name that runs the calls of another one in random parts.
func Driver(name string, d backend.Driver) backend.Driver {
	open := d.Open
	d.Name = name
	d.Open = func(c backend.Config) (backend.Backend, error) {
		b, err := open(c)
		if err != nil || c.Static {
			return b, err
		}
		s := splitter{Backend: b, random: rand.New(rand.NewPCG(1, 22))}
		switch b := b.(type) {
		case deviceBackend:
			return &deviceSplitter{b, s}, nil
		case backend.Multiplier:
			return &multiplyingSplitter{b, s}, nil
		}
		return &s, nil
	}
	return d
}

// splitter is a backend whose runners run in parts.
type splitter struct {
	backend.Backend
	random *rand.Rand
}

// deviceBackend has the methods of the backends for devices.
type deviceBackend interface {
	backend.DeviceBackend
	backend.Multiplier
}

type deviceSplitter struct {
	deviceBackend
	splitter splitter
}

type multiplyingSplitter struct {
	backend.Multiplier
	splitter splitter
}

// Prepare prepares a loop that runs in parts.
func (s *deviceSplitter) Prepare(spec backend.Spec, m backend.Memory) (backend.Runner, error) {
	return s.splitter.Prepare(spec, m)
}

// Prepare prepares a loop that runs in parts.
func (s *multiplyingSplitter) Prepare(spec backend.Spec, m backend.Memory) (backend.Runner, error) {
	return s.splitter.Prepare(spec, m)
}

// Prepare prepares a loop with up to four boundaries, anywhere.
func (s *splitter) Prepare(spec backend.Spec, m backend.Memory) (backend.Runner, error) {
	for range s.random.IntN(5) {
		m.Boundaries = append(m.Boundaries, m.First+s.random.IntN(m.Last-m.First+1))
	}
	slices.Sort(m.Boundaries)
	inner, err := s.Backend.Prepare(spec, m)
	if err != nil {
		return nil, err
	}
	r := &runner{inner, s.random, slices.Concat([]int{m.First}, m.Boundaries, []int{m.Last})}
	if g, ok := inner.(backend.Generator); ok {
		return &generator{r, g}, nil
	}
	return r, nil
}

// runner is a loop that runs in parts.
type runner struct {
	backend.Runner
	random *rand.Rand
	ends   []int // of the parts
}

// generator is a runner that decides what its loop compiles to.
type generator struct {
	*runner
	inner backend.Generator
}

func (g *generator) Generate() string { return g.inner.Generate() }

// Run runs a call in parts, in ascending or random order, some of them joined; now and then, at
// once.
func (r *runner) Run() error {
	if r.random.IntN(8) == 0 {
		return r.Runner.Run()
	}
	if err := r.Begin(nil); err != nil {
		return err
	}
	for _, p := range r.split() {
		if err := r.RunPart(p); err != nil {
			return err
		}
	}
	if r.random.IntN(2) == 0 {
		if _, err := r.Combine(); err != nil {
			return err
		}
	}
	return r.Finish()
}

// split returns parts that together are the whole loop.
func (r *runner) split() []backend.Part {
	var parts []backend.Part
	first := r.ends[0]
	for i, end := range r.ends[1:] {
		if i+2 == len(r.ends) || r.random.IntN(4) > 0 {
			parts = append(parts, backend.Part{First: first, Last: end, Reduce: true})
			first = end
		}
	}
	if r.random.IntN(2) == 0 {
		r.random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	return parts
}
