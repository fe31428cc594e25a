package gofunc

import (
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/stop"
)

// crew is the goroutines that share some work: the blocks of a loop, or groups of tiles.
type crew struct {
	pool   *pool
	team   atomic.Int32        // number of goroutines that may work now
	waited func(time.Duration) // called with the time that the caller waited for others; or nil
	stop   *stop.Flag
	do     func(block int32, number int)      // runs a block as worker number
	locate func(f *backend.Fault, number int) // records which element the worker was at
}

// run runs the blocks of batches, batch by batch.
func (c *crew) run(batches []*batch, p *pace.Pace) error {
	return c.paced(p, func(team int) (time.Duration, int, error) {
		waited, err := c.runOn(batches, team)
		return waited, len(batches), err
	})
}

// paced does work on the number of goroutines that a pace chooses. The work returns how long the caller
// waited for others, and how many batches there were.
func (c *crew) paced(p *pace.Pace, work func(team int) (waited time.Duration, batches int, err error)) error {
	if p.Most() < 2 {
		_, _, err := work(1)
		return err
	}
	start := time.Now()
	waited, batches, err := work(p.Threads())
	p.Note(time.Since(start), waited, batches)
	if waited > 0 && c.waited != nil {
		c.waited(waited)
	}
	return err
}

// runOn runs blocks on at most team goroutines, batch by batch. It also returns how long it had
// nothing to do but wait.
func (c *crew) runOn(batches []*batch, team int) (waited time.Duration, err error) {
	c.team.Store(int32(team))
	if team > 1 {
		defer c.pool.open.Store(nil)
	}
	for _, b := range batches {
		fault, idle := c.runBatch(b, min(team, len(b.blocks))-1)
		waited += idle
		if fault != nil {
			return waited, fault
		}
	}
	return waited, c.stop.Err() // which may have skipped blocks
}

func (c *crew) runBatch(b *batch, helpers int) (*backend.Fault, time.Duration) {
	if helpers <= 0 {
		return b.alone(), 0
	}
	b.begin()
	c.pool.share(b, helpers)
	return b.finish()
}
