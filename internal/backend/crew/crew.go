// Package crew shares blocks of work between the caller and goroutines: color by color, or stage by
// stage, each goroutine taking the blocks of its share, and then from those of others.
package crew

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/stop"
)

// Crew is the goroutines that share some work: the blocks of a loop, or groups of tiles.
type Crew struct {
	Pool   *Pool
	Waited func(time.Duration) // called with the time that the caller waited for others; or nil
	Stop   *stop.Flag
	Do     func(block int32, number int) // runs a block as worker number
	// Failure converts a panic of Do on worker number to a *backend.Fault, or returns it as it is.
	// Nil if Do never panics.
	Failure func(p any, number int) any
	Labels  context.Context // of the goroutines that help, in CPU profiles; nil: none

	team atomic.Int32 // number of goroutines that may work now
}

// Run runs the blocks of batches, batch by batch.
func (c *Crew) Run(batches []*Batch, p *pace.Pace) error {
	return c.Paced(p, func(team int) (time.Duration, int, error) {
		waited, err := c.RunOn(batches, team)
		return waited, len(batches), err
	})
}

// Paced does work on the number of goroutines that a pace chooses. The work returns how long the caller
// waited for others, and how many batches there were.
func (c *Crew) Paced(p *pace.Pace, work func(team int) (waited time.Duration, batches int, err error)) error {
	if p.Most() < 2 {
		_, _, err := work(1)
		return err
	}
	start := time.Now()
	waited, batches, err := work(p.Threads())
	p.Note(time.Since(start), waited, batches)
	if waited > 0 && c.Waited != nil {
		c.Waited(waited)
	}
	return err
}

// RunOn runs blocks on at most team goroutines, batch by batch. It also returns how long it had
// nothing to do but wait.
func (c *Crew) RunOn(batches []*Batch, team int) (waited time.Duration, err error) {
	c.team.Store(int32(team))
	if team > 1 {
		defer c.Pool.open.Store(nil)
	}
	for _, b := range batches {
		fault, idle := c.runBatch(b, min(team, len(b.blocks))-1)
		waited += idle
		if fault != nil {
			return waited, fault
		}
	}
	return waited, c.Stop.Err() // which may have skipped blocks
}

func (c *Crew) runBatch(b *Batch, helpers int) (*backend.Fault, time.Duration) {
	if helpers <= 0 {
		return b.alone(), 0
	}
	b.begin(helpers + 1)
	c.Pool.share(b, helpers)
	return b.finish()
}

func (c *Crew) failure(p any, number int) any {
	if c.Failure == nil {
		return p
	}
	return c.Failure(p, number)
}
