package op2

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/registry"
	"github.com/go-op2/op2/internal/checkpoint"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/lazy"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/settings"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tuning"
)

// Runtime is an opened backend, on which sets, maps, dats, globals and consts are declared and
// loops run. A program may have several.
//
// A runtime, with everything declared on it, belongs to one goroutine at a time. If a second
// goroutine calls it during another call, it gets [ErrConcurrentUse] as an error, or as a panic if
// the method returns no error. Names, sizes, patterns and the values of maps may be read at any
// time.
type Runtime entity.Runtime

func (rt *Runtime) core() *entity.Runtime { return (*entity.Runtime)(rt) }

// do does something within the runtime.
func (rt *Runtime) do(call func() error) error { return rt.core().Do((*entity.Runtime).Enter, call) }

// doTogether does what all ranks do together.
func (rt *Runtime) doTogether(call func() error) error {
	return rt.core().DoTogether((*entity.Runtime).Enter, call)
}

// warnedMisspelled makes the process warn about misspelled variables only once.
var warnedMisspelled sync.Once

// Open opens a runtime. Options take precedence over the environment, the environment over
// defaults; the documentation of each Option names its variable. If the requested backend is not
// available, the error wraps ErrUnavailable.
func Open(options ...Option) (*Runtime, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	m := &messages{w: c.Log}
	c.Override()
	if err := connect(c, m.say); err != nil {
		return nil, err
	}
	c.Config.Backend.Warn, c.Config.Backend.Progress, c.Say = m.warn, m.progress, m.say
	c.Declared = func(rt *entity.Runtime) error { return reportDeclared(rt, m.say) }
	warnedMisspelled.Do(func() {
		for _, text := range settings.Misspelled(os.Environ()) {
			m.warn(text)
		}
	})
	c.Config.Backend.Stop = stop.New(c.Context)
	c.Backend.Rank, c.Backend.Ranks = place(c)
	if dir := c.Backend.Translate; dir != "" {
		c.Backend.Variants = run.Variants(dir)
	}
	shared := false
	share := func(b backend.Backend) error { // once on all ranks, whatever their backends
		if shared || c.Static {
			return nil
		}
		shared = true
		return run.ShareCode(c.Comm, b)
	}
	name, b, err := registry.Open(c.BackendName, c.Config.Backend, share)
	if failed := share(b); failed != nil && err == nil {
		err = errors.Join(failed, b.Close())
	}
	if err == nil && c.Config.Backend.Stop.Err() != nil {
		err = errors.Join(fmt.Errorf("op2: Open: %w", c.Config.Backend.Stop.Err()), b.Close())
	}
	if err == nil && c.Backend.SameBits {
		if refused := checkSameBits(name, b); refused != nil {
			err = errors.Join(refused, b.Close())
		}
	}
	if !c.Static {
		own := err
		if err = entity.Agree(c.Comm, own); err == nil {
			err = c.Alike()
		}
		if err == nil {
			err = tuneLoops(c)
		}
		if err != nil && own == nil {
			err = errors.Join(err, b.Close())
		}
	}
	if err != nil {
		c.Config.Backend.Stop.Release()
		return nil, err
	}
	rt := run.Open(name, b, c.Config)
	lazy.Attach(rt)
	rt.AtClose(c.Tuner.Close)
	return (*Runtime)(rt), nil
}

// tuneLoops makes choices for loops come from wisdom, unless they must be those of translated code, or become it. It is
// collective.
func tuneLoops(c *config) (err error) {
	mode, err := tuning.ParseMode(c.Tuning)
	if c.Backend.OnlyTranslated || c.Backend.Translate != "" {
		return err
	}
	if err == nil {
		c.Tuner, err = run.OpenTuner(mode, c.Comm, c.Backend.CacheDir, c.Backend.Warn)
	}
	if c.Tuner.Chooses() {
		c.Choose = c.Tuner.Choose
	}
	return err
}

// Backend returns the name of the backend; for auto, the one it selected.
func (rt *Runtime) Backend() string { return orEmpty(rt.core()).Name() }

// Err returns the first error of all declarations on the runtime, with the place in the program: of sets, maps, data,
// matrices, conditions, solvers, loops and chains. What could not be declared holds nothing, and so does what is
// declared with it: whatever is done with them returns the error. Everything else can be used. A constructor that is given
// nothing but nil knows no runtime: its error is that of the thing alone.
//
// The error stays for as long as the runtime is open. A program that tries one declaration and falls back on another
// calls the Err of the things that it declares from there on.
//
//	nodes, edges := rt.NewSet(4, "nodes"), rt.NewSet(3, "edges")
//	edge2node := op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3}, "edge2node")
//	x := op2.NewDat(nodes, 1, []float64{0, 1, 3, 6}, "x")
//	if err := rt.Err(); err != nil {
//		return err
//	}
func (rt *Runtime) Err() error { return rt.core().Err() }

// Close completes the checkpoint under way, releases what the runtime holds, and writes its Stats if [WithStats] says so, on several ranks
// with [Runtime.WriteStats], and its report if [WithReport] does. Data of its dats must not be called afterward, but slices obtained
// earlier stay valid. Closing twice is allowed.
func (rt *Runtime) Close() (err error) {
	if rt == nil {
		return nil
	}
	if !rt.core().Take() {
		return ErrConcurrentUse
	}
	defer rt.core().LeaveWith(&err)
	switch {
	case rt.core().Closed():
		return nil
	case !rt.core().Opened():
		return problem.ErrNoRuntime
	}
	for failed := rt.core().Force(); failed != nil; failed = rt.core().Force() {
		if err == nil {
			err = failed // and run what does not depend on it
		}
	}
	if failed := checkpoint.Close(rt.core()); err == nil {
		err = failed
	}
	if c := rt.core().Config(); (c.Stats || c.Figures) && rt.core().Meet() == nil { // with a rank that closes for an error, others have no table
		_ = rt.writeStats(os.Stderr) // close despite errors
	}
	rt.reportAtClose()
	if closed := rt.core().Close(); err == nil {
		err = closed
	}
	return err
}
