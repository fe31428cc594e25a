package chains

import (
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/tune"
)

// consider decides whether a segment gets tiles: at once if they are chosen, after some calls if they
// are estimated to pay off.
func (c *settings) consider(s *segment, ran int64) error {
	in, err := newInspection(s.loops, s.executed)
	if err != nil {
		return err
	}
	c.divide(in)
	c.estimate(in)
	if s.why = c.unworthy(in); s.why != "" {
		return nil
	}
	if s.due = in.worth.Due(); ran < s.due && c.chosen() != tune.Tile && !c.proof {
		s.pending, s.why = in, fmt.Sprintf("tiles are worked out in call %d", s.due+1)
		return nil
	}
	return c.inspect(s, in)
}

// inspect makes a schedule for a segment, and proves it if schedules are checked.
func (c *settings) inspect(s *segment, in *inspection) error {
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
func (c *settings) tile(s *segment) error {
	if s.inspected == nil {
		return nil
	}
	in, schedule := s.inspected.in, s.inspected.schedule
	t := &tiled{shares: run.Shares(coreLoops(s.loops)), executed: s.executed, of: in.of}
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
