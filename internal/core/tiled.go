package core

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/tune"
)

// tiled is the loops of a segment prepared to run tile by tile.
type tiled struct {
	tiles   backend.Tiles
	shares  []float64 // of the time, by loop: measured now and then, or estimated by the bytes that each moves
	figures string    // of the schedule
	ready   bool

	// On several ranks: the prefixes that the loops execute, and loops that run others' elements of the
	// halo, without contributing to globals, as their own runners do.
	executed []int
	beyond   []*Loop
	of       []int // by loop of the tiles: the loop
}

// inspected is loops with a schedule for their tiles.
type inspected struct {
	in       *inspection
	schedule *tiling.Schedule
	spent    time.Duration
}

// consider decides whether a segment gets tiles: at once if they are chosen, after some calls if they
// are estimated to pay off.
func (c *Chain) consider(s *segment) error {
	in, err := newInspection(s.loops, s.executed)
	if err != nil {
		return err
	}
	c.divide(in)
	c.estimate(in)
	if s.why = c.unworthy(in); s.why != "" {
		return nil
	}
	if s.due = in.worth.Due(); c.ran < s.due && c.chosen() != tune.Tile && !c.proof {
		s.pending, s.why = in, fmt.Sprintf("tiles are worked out in call %d", s.due+1)
		return nil
	}
	return c.inspect(s, in)
}

// inspect makes a schedule for a segment, and proves it if schedules are checked.
func (c *Chain) inspect(s *segment, in *inspection) error {
	start := time.Now()
	schedule, err := c.rt.scheduled(&in.Input)
	if err != nil {
		return problem.Errorf("op2: %w", err)
	}
	spent := time.Since(start)
	if c.rt.config.CheckPlans {
		if err := tiling.Check(&in.Input, schedule); err != nil {
			return in.disproved(s.loops, err)
		}
	}
	if s.why = c.degenerate(in, schedule); s.why == "" {
		s.inspected = &inspected{in, schedule, spent}
	}
	return nil
}

// tile makes the backend prepare a segment that has been inspected to run by tiles.
func (c *Chain) tile(s *segment) error {
	if s.inspected == nil {
		return nil
	}
	in, schedule := s.inspected.in, s.inspected.schedule
	t := &tiled{shares: sharesOf(s.loops), executed: s.executed, of: in.of}
	for _, l := range in.beyond {
		if err := l.order(l.memory); err != nil {
			return err
		}
		t.beyond = append(t.beyond, l.Loop)
	}
	for i, l := range in.by {
		in.loops[i].Runner = l.runner
	}
	var err error
	if t.tiles, err = c.rt.backend.(backend.Tiler).PrepareTiles(in.loops, schedule); err != nil {
		return problem.Errorf("op2: backend %s: %w", c.rt.name, err)
	}
	t.figures = fmt.Sprintf("about %d %s each; estimated to move %s; inspection took %v, the schedule has %d KiB",
		in.Tile, in.sets[in.Seed].name, in.moved(), s.inspected.spent.Round(time.Microsecond), (schedule.Bytes()+1023)/1024)
	s.tiled, s.inspected = t, nil
	if in.worth.Tried {
		s.trial = tried{trial.New("loop by loop", "by tiles")}
	}
	return nil
}

// sharesOf returns the loops' shares of the bytes that they move.
func sharesOf(loops []*Loop) []float64 {
	total := int64(0)
	for _, l := range loops {
		total += l.bytes
	}
	shares := make([]float64, len(loops))
	for i, l := range loops {
		shares[i] = float64(l.bytes) / float64(max(1, total))
	}
	return shares
}

// fits reports whether the tiles are those of a call with these steps, nil on one rank.
func (t *tiled) fits(steps []*step) bool {
	for i, s := range steps {
		if s.Execute != t.executed[i] || i > 0 && s.update != nil {
			return false
		}
	}
	return true
}

// run computes the loops, which are ready, on several ranks with these steps. After an error it
// returns the one that failed.
func (t *tiled) run(loops []*Loop, steps []*step) (int, error) {
	if !t.ready {
		if err := t.tiles.Ready(); err != nil {
			return 0, problem.Errorf("op2: %w", err)
		}
		t.ready = true
	}
	for i, l := range loops {
		if err := l.start(); err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.await(); err != nil {
			return 0, err
		}
	}
	start := time.Since(epoch)
	at, err := t.call(loops, steps)
	elapsed := time.Since(epoch) - start
	if timed, ok := t.tiles.(backend.TimedTiles); ok {
		if shares := timed.Shares(); shares != nil {
			t.shares = shares
		}
	}
	for i, l := range loops {
		l.addTime(time.Duration(float64(elapsed) * t.shares[i]))
		l.count()
	}
	if err != nil {
		return at, loops[at].failed(err)
	}
	return 0, nil
}

// call makes the backend run the loops. After an error it returns the loop that failed.
func (t *tiled) call(loops []*Loop, steps []*step) (int, error) {
	for i, l := range loops {
		if err := l.across.begin(); err != nil {
			return i, err
		}
	}
	if steps != nil && steps[0].update != nil {
		if err := steps[0].update.start(); err != nil {
			return 0, err
		}
		if err := loops[0].across.finish(steps[0].update); err != nil {
			return 0, err
		}
	}
	for i, l := range loops {
		if err := l.runner.Begin(nil); err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.runner.Begin(nil); err != nil {
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
		var err error
		if steps != nil {
			l.across.settle(steps[i])
			if err = l.across.begin(); err == nil { // earlier loops may reduce into the same globals
				err = l.across.reduce(l.runner)
			}
		} else {
			err = l.runner.Finish()
		}
		if err != nil {
			return i, err
		}
	}
	for _, l := range t.beyond {
		if err := l.runner.Finish(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// inspection describes loops to the inspector and to the backend.
type inspection struct {
	tiling.Input
	sets     []*Set
	storages []*Storage
	rows     []int // bytes of an element's values in each
	loops    []backend.TileLoop
	bytes    []int64 // of the values on each set, and of maps from it, each once
	maps     []*Map  // that count among them
	of       []int   // by loops: which of the segment
	by       []*Loop // by loops: the one with the runner
	beyond   []bound // that run elements of the halo of others
	worth    tiling.Worth
}

// newInspection describes loops that have just been bound. On several ranks they execute these prefixes.
func newInspection(loops []*Loop, executed []int) (*inspection, error) {
	t := &inspection{}
	for i, l := range loops {
		if executed == nil {
			t.add(i, l, 0, l.binder.last(), true)
			continue
		}
		owned, last := l.across.ends[0], l.across.ends[executed[i]]
		if len(l.across.reductions) == 0 || executed[i] == 0 { // on no rank
			t.add(i, l, 0, last, true)
			continue
		}
		beyond, err := l.again(nil, true)
		if err != nil {
			return nil, err
		}
		t.beyond = append(t.beyond, beyond)
		t.add(i, l, 0, owned, true)
		t.add(i, beyond.Loop, owned, last, false)
	}
	for i := range t.bytes {
		if t.bytes[i] > t.bytes[t.Seed] {
			t.Seed = i
		}
	}
	t.Border = t.Sets[t.Seed] - t.sets[t.Seed].extents.Core
	return t, nil
}

// add adds elements of a loop.
func (t *inspection) add(of int, l *Loop, first, last int, reduce bool) {
	b := l.binder
	in := tiling.Loop{Set: t.set(b.over.Set), First: first, Last: last}
	if b.over.Subset != nil {
		in.Subset = b.over.Subset.elements
	}
	for _, a := range b.args {
		if a.data == nil || a.kind == loop.Global {
			continue
		}
		arg := tiling.Arg{Storage: t.storage(a.data), Access: a.access}
		if a.m != nil {
			arg.Map, arg.Arity, arg.Component = a.m.values, a.m.arity, a.component
		}
		in.Args = append(in.Args, arg)
	}
	place := backend.TileLoop{Reduce: reduce}
	for _, d := range b.datas {
		on := -1
		if d.kind != loop.Global {
			on = t.set(d.set)
		}
		place.Sets = append(place.Sets, on)
	}
	for _, m := range b.maps {
		place.MapSets = append(place.MapSets, t.set(m.from))
		if !slices.Contains(t.maps, m) {
			t.maps = append(t.maps, m)
			t.bytes[t.set(m.from)] += m.bytes()
		}
	}
	t.Loops, t.loops, t.of, t.by = append(t.Loops, in), append(t.loops, place), append(t.of, of), append(t.by, l)
}

// set returns the number of a set, which is added if it is new.
func (t *inspection) set(s *Set) int {
	i := slices.Index(t.sets, s)
	if i < 0 {
		i = len(t.sets)
		t.sets, t.Sets, t.bytes = append(t.sets, s), append(t.Sets, s.Total()), append(t.bytes, 0)
	}
	return i
}

// storage returns the number of a dat's storage, which is added if it is new.
func (t *inspection) storage(d *Data) int {
	i := slices.Index(t.storages, d.storage)
	if i < 0 {
		i = len(t.storages)
		on := t.set(d.set)
		t.storages, t.Storages = append(t.storages, d.storage), append(t.Storages, on)
		t.rows = append(t.rows, d.storage.shape.Dim*d.storage.shape.Size)
		t.bytes[on] += int64(d.storage.Bytes())
	}
	return i
}

// total returns the bytes of all values and maps, each once.
func (t *inspection) total() int64 {
	total := int64(0)
	for _, n := range t.bytes {
		total += n
	}
	return total
}
