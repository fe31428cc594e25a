package chains

import (
	"errors"
	"fmt"
	"github.com/go-op2/op2/internal/core"
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
	beyond   []*core.Loop
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
	schedule, err := c.schedule(&in.Input)
	if err != nil {
		return problem.Errorf("op2: %w", err)
	}
	spent := time.Since(start)
	if c.rt.Config().CheckPlans {
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
	t := &tiled{shares: core.Shares(coreLoops(s.loops)), executed: s.executed, of: in.of}
	for _, l := range in.beyond {
		if err := l.Order(); err != nil {
			return err
		}
		t.beyond = append(t.beyond, l)
	}
	for i, l := range in.by {
		in.loops[i].Runner = l.Runner()
	}
	var err error
	if t.tiles, err = c.rt.Backend().(backend.Tiler).PrepareTiles(in.loops, schedule); err != nil {
		return problem.Errorf("op2: backend %s: %w", c.rt.Name(), err)
	}
	t.figures = fmt.Sprintf("about %d %s each; estimated to move %s; inspection took %v, the schedule has %d KiB",
		in.Tile, in.sets[in.Seed].Name(), in.moved(), s.inspected.spent.Round(time.Microsecond), (schedule.Bytes()+1023)/1024)
	s.tiled, s.inspected = t, nil
	if in.worth.Tried {
		s.trial = tried{trial.New("loop by loop", "by tiles")}
	}
	return nil
}

// fits reports whether the tiles are those of a call with these steps, nil on one rank.
func (t *tiled) fits(steps []*core.Step) bool {
	for i, s := range steps {
		if s.Execute != t.executed[i] || i > 0 && s.Brings() {
			return false
		}
	}
	return true
}

// run computes the loops, which are ready, on several ranks with these steps. After an error it
// returns the one that failed.
func (t *tiled) run(loops []*member, steps []*core.Step) (int, error) {
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
	start := time.Now()
	at, err := t.call(loops, steps)
	elapsed := time.Since(start)
	if timed, ok := t.tiles.(backend.TimedTiles); ok {
		if shares := timed.Shares(); shares != nil {
			t.shares = shares
		}
	}
	for i, l := range loops {
		l.Count(time.Duration(float64(elapsed) * t.shares[i]))
	}
	if err != nil {
		return at, loops[at].blame(loops[at].Failed(err))
	}
	return 0, nil
}

// call makes the backend run the loops. After an error it returns the loop that failed.
func (t *tiled) call(loops []*member, steps []*core.Step) (int, error) {
	if steps == nil {
		steps = make([]*core.Step, len(loops))
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

// inspection describes loops to the inspector and to the backend.
type inspection struct {
	tiling.Input
	sets   []*core.Set
	dats   []*core.Data // the first of each storage
	rows   []int        // bytes of an element's values in each
	loops  []backend.TileLoop
	bytes  []int64      // of the values on each set, and of maps from it, each once
	maps   []*core.Map  // that count among them
	of     []int        // by loops: which of the segment
	by     []*core.Loop // by loops: the one with the runner
	beyond []*core.Loop // that run elements of the halo of others
	worth  tiling.Worth
}

// newInspection describes loops that have just been bound. On several ranks they execute these prefixes.
func newInspection(loops []*member, executed []int) (*inspection, error) {
	t := &inspection{}
	for i, l := range loops {
		if executed == nil {
			t.add(i, l.Loop, 0, l.Binding().Memory.Last, true)
			continue
		}
		over, desc := l.Binding().Over, l.Binding().Loop
		owned, last := over.Size(), over.Prefix(executed[i])
		if executed[i] == 0 || !slices.ContainsFunc(desc.Args, loop.Arg.Reduces) { // on no rank
			t.add(i, l.Loop, 0, last, true)
			continue
		}
		beyond, err := l.Copy(true)
		if err != nil {
			return nil, err
		}
		t.beyond = append(t.beyond, beyond)
		t.add(i, l.Loop, 0, owned, true)
		t.add(i, beyond, owned, last, false)
	}
	for i := range t.bytes {
		if t.bytes[i] > t.bytes[t.Seed] {
			t.Seed = i
		}
	}
	t.Border = t.Sets[t.Seed] - t.sets[t.Seed].Core()
	return t, nil
}

// add adds elements of a loop.
func (t *inspection) add(of int, l *core.Loop, first, last int, reduce bool) {
	b := l.Binding()
	in := tiling.Loop{Set: t.set(b.Over.Set), First: first, Last: last, Subset: b.Memory.Subset}
	for _, a := range b.Loop.Args {
		if a.Data < 0 || a.Kind == loop.Global {
			continue
		}
		arg := tiling.Arg{Storage: t.storage(b.Data[a.Data], &b.Loop.Data[a.Data]), Access: a.Access}
		if a.Map >= 0 {
			arg.Map, arg.Arity, arg.Component = b.Maps[a.Map].Targets(), b.Maps[a.Map].Arity(), a.Component
		}
		in.Args = append(in.Args, arg)
	}
	place := backend.TileLoop{Reduce: reduce}
	for i, d := range b.Data {
		on := -1
		if b.Loop.Data[i].Kind != loop.Global {
			on = t.set(d.Set())
		}
		place.Sets = append(place.Sets, on)
	}
	for _, m := range b.Maps {
		place.MapSets = append(place.MapSets, t.set(m.From()))
		if !slices.Contains(t.maps, m) {
			t.maps = append(t.maps, m)
			t.bytes[t.set(m.From())] += m.Bytes()
		}
	}
	t.Loops, t.loops, t.of, t.by = append(t.Loops, in), append(t.loops, place), append(t.of, of), append(t.by, l)
}

// set returns the number of a set, which is added if it is new.
func (t *inspection) set(s *core.Set) int {
	i := slices.Index(t.sets, s)
	if i < 0 {
		i = len(t.sets)
		t.sets, t.Sets, t.bytes = append(t.sets, s), append(t.Sets, s.Total()), append(t.bytes, 0)
	}
	return i
}

// storage returns the number of a dat's storage, which is added if it is new.
func (t *inspection) storage(d *core.Data, desc *loop.Data) int {
	i := slices.IndexFunc(t.dats, func(other *core.Data) bool { return other.Storage() == d.Storage() })
	if i < 0 {
		i = len(t.dats)
		on := t.set(d.Set())
		t.dats, t.Storages = append(t.dats, d), append(t.Storages, on)
		t.rows = append(t.rows, desc.Dim*desc.Type.Size())
		t.bytes[on] += int64(d.Storage().Bytes())
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
