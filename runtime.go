package op2

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/profile"
)

// Runtime is where sets, maps, dats, globals and consts live and loops run: one
// backend, opened. It belongs to one goroutine at a time. A program may have several.
type Runtime struct {
	name    string
	backend backend.Backend
	config  config
	consts  map[string]constant
	loops   loopCache
	plans   *plan.Cache
	maps    int // declared so far: their identities in plans
	mesh    declared
	profile profile.Profile
	busy    atomic.Bool
	closed  bool
}

// Open opens a runtime. Options come before the environment, the environment before
// defaults; each Option names its variable.
// If the backend that was asked for is not there, the error wraps ErrUnavailable.
func Open(options ...Option) (*Runtime, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	m := &messages{w: c.log}
	c.given.Warn, c.given.Progress = m.warn, m.progress
	name, b, err := openBackend(c.backend, c.given)
	if err != nil {
		return nil, err
	}
	return &Runtime{name: name, backend: b, config: c, consts: map[string]constant{},
		plans: plan.NewCache(planCacheBytes)}, nil
}

// planCacheBytes is how much memory the plans may take that no loop uses any more.
const planCacheBytes = 1 << 30

// Backend is the name of the backend: what auto took, if it was asked.
func (rt *Runtime) Backend() string { return rt.name }

// Close gives back what the runtime holds. Data() of its dats must not be asked for
// afterwards, slices already got stay valid. Closing twice is allowed.
func (rt *Runtime) Close() error {
	if rt.closed {
		return nil
	}
	if err := rt.enter(); err != nil {
		return err
	}
	defer rt.leave()
	rt.closed = true
	rt.loops = loopCache{}
	return rt.backend.Close()
}

// enter is where every call that works with the runtime's state begins, and leave
// where it ends.
func (rt *Runtime) enter() error {
	if !rt.busy.CompareAndSwap(false, true) {
		return ErrConcurrentUse
	}
	if rt.closed {
		rt.busy.Store(false)
		return ErrClosed
	}
	return nil
}

func (rt *Runtime) leave() { rt.busy.Store(false) }

// Stats are what was measured of a loop, or of all loops of one kernel over one set.
type Stats = profile.Stats

// Stats are the figures of all loops of the runtime so far, those of one kernel over
// one set together, by time, the longest first.
func (rt *Runtime) Stats() []Stats { return rt.profile.Stats() }

// WriteStats writes a table of Stats: calls, time, bandwidth and share of each loop.
func (rt *Runtime) WriteStats(w io.Writer) error { return rt.profile.Write(w) }

// ResetStats forgets what was measured.
func (rt *Runtime) ResetStats() { rt.profile.Reset() }

// check that the parts of a declaration are of one open runtime.
func (rt *Runtime) declare(what, name string) error {
	if rt == nil {
		return fmt.Errorf("op2: %s %s: there is no runtime", what, name)
	}
	if err := rt.enter(); err != nil {
		return err
	}
	rt.leave()
	return nil
}
