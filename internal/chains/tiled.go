package chains

import (
	"errors"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/run"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/timeline"
)

// tiled is the loops of a segment prepared to run tile by tile.
type tiled struct {
	tiles   backend.Tiles
	shares  []float64 // of the time, by loop: measured now and then, or estimated by the bytes that each moves
	figures string    // of the schedule
	ready   bool
	from    int64 // calls of the chain that run loop by loop before

	// On several ranks: the prefixes that the loops execute, and loops that run others' elements of the
	// halo, without contributing to globals, as their own runners do.
	executed []int
	beyond   []*run.Loop
	of       []int // by loop of the tiles: the loop
}

// fits reports whether the tiles are those of a call with these steps, nil on one rank.
func (t *tiled) fits(steps []*run.Step) bool {
	for i, s := range steps {
		if s.Execute != t.executed[i] || i > 0 && s.Brings() {
			return false
		}
	}
	return true
}

// run computes the loops, which are ready, on several ranks with these steps. After an error it
// returns the one that failed.
func (t *tiled) run(loops []*member, steps []*run.Step) (int, error) {
	if !t.ready {
		if err := t.tiles.Ready(); err != nil {
			return 0, problem.Errorf("op2: %w", err)
		}
		t.ready = true
	}
	for i, l := range loops {
		if err := l.Start(); err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.Ready(); err != nil {
			return 0, err
		}
	}
	start, began := time.Now(), loops[0].Runtime().Timeline().Now()
	at, err := t.call(loops, steps)
	elapsed := time.Since(start)
	recordCall(loops, began)
	if timed, ok := t.tiles.(backend.TimedTiles); ok {
		if shares := timed.Shares(); shares != nil {
			t.shares = shares
		}
	}
	for i, l := range loops {
		l.Count(time.Duration(float64(elapsed) * t.shares[i]))
	}
	if err != nil {
		return at, loops[at].ended(err)
	}
	return 0, nil
}

// recordCall records, for a report, that loops have run together.
func recordCall(loops []*member, began time.Duration) {
	t := loops[0].Runtime().Timeline()
	if t == nil {
		return
	}
	names, bytes := make([]string, len(loops)), int64(0)
	for i, l := range loops {
		names[i] = l.Kernel().Name()
		bytes += l.Bytes()
	}
	t.Add(timeline.Chain, strings.Join(names, ", "), began, bytes)
}

// call makes the backend run the loops. After an error it returns the loop that failed.
func (t *tiled) call(loops []*member, steps []*run.Step) (int, error) {
	if steps == nil {
		steps = make([]*run.Step, len(loops))
	}
	for i, l := range loops {
		if err := l.Begin(steps[i]); err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.Runner().Begin(nil); err != nil {
			return 0, err
		}
	}
	if err := t.tiles.RunTiles(); err != nil {
		var f *backend.Fault
		if errors.As(err, &f) {
			return t.of[f.Loop], err
		}
		return 0, err
	}
	for i, l := range loops {
		if err := l.End(steps[i]); err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.Runner().Finish(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}
