// Package fallback lets a backend whose code was translated ahead of time run the other loops as Go functions, where
// there is no compiler for them.
package fallback

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/tiling"
)

// Of returns the driver of a backend of the host whose loops without code run as Go functions.
func Of(d backend.Driver) backend.Driver {
	open := d.Open
	d.Open = func(c backend.Config) (backend.Backend, error) {
		b, err := open(c)
		if err != nil {
			return nil, err
		}
		functions, err := gofunc.Driver.Open(c)
		if err != nil {
			return nil, errors.Join(err, b.Close())
		}
		return &engine{b.(compiled), functions}, nil
	}
	return d
}

// compiled is a backend of the host.
type compiled interface {
	backend.DotMultiplier
	backend.Tiler
	backend.Translated
	backend.Placed
	Builder() *jit.Builder
}

type engine struct {
	compiled
	functions backend.Backend
}

// function is a loop that runs as a Go function.
type function struct{ backend.Runner }

// Prepare prepares the loop's code, or else its function.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	r, err := e.compiled.Prepare(s, m)
	if !errors.Is(err, host.ErrNoCode) {
		return r, err
	}
	r, other := e.functions.Prepare(s, m)
	if other != nil {
		return nil, fmt.Errorf("%w; nor can it run as a Go function: %w", err, other)
	}
	return function{r}, nil
}

// PrepareTiles prepares tiles, or where code is lacking to run one loop after another.
func (e *engine) PrepareTiles(loops []backend.TileLoop, s *tiling.Schedule) (backend.Tiles, error) {
	if !slices.ContainsFunc(loops, func(l backend.TileLoop) bool { _, is := l.Runner.(function); return is }) {
		t, err := e.compiled.PrepareTiles(loops, s)
		if !errors.Is(err, host.ErrNoCode) {
			return t, err
		}
	}
	t := &inTurn{loops: loops}
	for l := range loops {
		part := backend.Part{Reduce: loops[l].Reduce}
		for i, run := range s.Runs[l] {
			if i == 0 || int(run[0]) < part.First {
				part.First = int(run[0])
			}
			part.Last = max(part.Last, int(run[1]))
		}
		t.parts = append(t.parts, part)
	}
	return t, nil
}

// inTurn is loops that run one after another in place of tiles.
type inTurn struct {
	loops []backend.TileLoop
	parts []backend.Part
}

// Ready waits for the loops.
func (t *inTurn) Ready() error {
	for _, l := range t.loops {
		if err := l.Runner.Ready(); err != nil {
			return err
		}
	}
	return nil
}

// RunTiles runs the loops.
func (t *inTurn) RunTiles() error {
	for i, l := range t.loops {
		if err := l.Runner.RunPart(t.parts[i]); err != nil {
			var fault *backend.Fault
			if errors.As(err, &fault) {
				fault.Loop = i
			}
			return err
		}
	}
	return nil
}

// How says why there are no tiles.
func (t *inTurn) How() string { return "loop by loop, since some are not translated" }

// Close closes both.
func (e *engine) Close() error { return errors.Join(e.compiled.Close(), e.functions.Close()) }
