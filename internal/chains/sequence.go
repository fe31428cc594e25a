package chains

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/tune"
)

// queue makes the device queue the loops of a segment together, where nothing else happens between
// them.
func (c *Chain) queue(s *segment) {
	rt := c.rt
	sequencer, ok := rt.Backend().(backend.Sequencer)
	if !ok || s.tiled != nil || len(s.loops) < 2 || c.chosen() == tune.ChainsOff || rt.Config().Static || c.oneByOne() {
		return
	}
	var runners []backend.Runner
	for _, l := range s.loops {
		if !l.AtOnce() {
			return
		}
		runners = append(runners, l.Runner())
	}
	s.queued = sequencer.PrepareSequence(runners)
}

// runQueued computes the loops of a segment, which are ready, as a sequence. After an error it returns
// the one that failed.
func (s *segment) runQueued() (int, error) {
	for i, l := range s.loops {
		if err := l.Start(); err != nil {
			return i, err
		}
	}
	s.loops[0].Runtime().Sweep()
	failed, err := s.queued.Run()
	for i, l := range s.loops {
		if err != nil && i > failed {
			break
		}
		l.Count(0)
	}
	if err != nil {
		return failed, s.loops[failed].blame(s.loops[failed].Failed(err))
	}
	return 0, nil
}
