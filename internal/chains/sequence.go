package chains

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/tune"
)

// sequence is loops that the device queues together.
type sequence struct {
	backend.Sequence
	loops []*member
}

// sequence makes the device queue loops together, where nothing else happens between them; it returns nil otherwise.
func (c *settings) sequence(loops []*member) *sequence {
	sequencer, ok := c.rt.Backend().(backend.Sequencer)
	if !ok || len(loops) < 2 || c.chosen() == tune.ChainsOff || c.rt.Config().Static || c.oneByOne() || c.tunes() {
		return nil
	}
	var runners []backend.Runner
	for _, l := range loops {
		if !l.AtOnce() {
			return nil
		}
		runners = append(runners, l.Runner())
	}
	if s := sequencer.PrepareSequence(runners); s != nil {
		return &sequence{s, loops}
	}
	return nil
}

// run computes the loops, which are ready. After an error it returns the one that failed.
func (q *sequence) run() (int, error) {
	for i, l := range q.loops {
		if err := l.Start(); err != nil {
			return i, err
		}
	}
	q.loops[0].Runtime().Sweep()
	began := q.loops[0].Runtime().Timeline().Now()
	failed, err := q.Run()
	recordCall(q.loops, began)
	for i, l := range q.loops {
		if err != nil && i > failed {
			break
		}
		l.Count(0)
	}
	if err != nil {
		return failed, q.loops[failed].ended(err)
	}
	return 0, nil
}
