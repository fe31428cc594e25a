package mpi

import (
	"bytes"
	"encoding/json"
	"runtime"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/callsite"
)

// The job of a process is a Comm of all ranks that the launcher has started, which carries nothing but
// notices. A rank that fails in one Comm fails in all, and a rank that waits in one Comm learns of it,
// also if the other has no part in that Comm. Ranks that all wait for each other, each in a Comm of its
// own, find out through it as well. The first Comm of a process opens the job, the last one closes it.
var job struct {
	sync.Mutex
	comm  *Comm
	users int
}

// join returns the job for another Comm of the process. It is collective.
func (l *Library) join(config Config) (*Comm, error) {
	job.Lock()
	defer job.Unlock()
	if job.comm == nil {
		c := l.newComm(config)
		c.job, c.opener = c, goroutine()
		if err := c.connect(l.world); err != nil {
			return nil, err
		}
		job.comm = c
	}
	if c := job.comm; c.opener != goroutine() {
		c.mu.Lock()
		c.opener = "several"
		c.mu.Unlock()
	}
	job.users++
	return job.comm, nil
}

// leave ends the part that a Comm has in the job. The last one of a process closes it, which waits for
// all ranks, unless one has failed.
func leave(failed bool) error {
	job.Lock()
	defer job.Unlock()
	if job.users--; job.users > 0 {
		return nil
	}
	c := job.comm
	job.comm = nil
	if failed {
		keep(c)
		return nil
	}
	err := c.barrier(nil)
	if err == nil {
		err = c.part()
	}
	return err
}

// goroutine names the goroutine that calls it.
func goroutine() string {
	text := make([]byte, 64)
	name, _, _ := bytes.Cut(text[:runtime.Stack(text, false)], []byte(" ["))
	return string(name)
}

// watchJob tells rank 0 of the job that this rank waits, once it has for long. There it returns an error
// if all ranks do, since none can go on. A rank may compute in one goroutine while it waits in another:
// programs that use several are left alone.
func (c *Comm) watchJob(o *operation, since time.Time) error {
	if since.IsZero() || time.Since(since) < c.config.Slow || !c.waitsInJob(o) {
		return nil
	}
	closes, err := c.job.allWait(underWay * c.config.Slow)
	if closes && !o.closes { // that rank's program may have failed: it is told, and says why
		c.begins(err)
		c.Linger()
		return c.own
	}
	return err
}

// waitsInJob reports whether rank 0 of the job knows that this rank waits, and tells it if it is to know.
func (c *Comm) waitsInJob(o *operation) bool {
	j := c.job
	j.mu.Lock()
	defer j.mu.Unlock()
	if o.inJob || j.opener != goroutine() {
		return o.inJob
	}
	o.inJob = true
	w := &waiting{Where: callsite.Find().String(), Closes: o.closes, heard: time.Now()}
	if j.rank == 0 {
		j.slow[0] = w
		return true
	}
	text, _ := json.Marshal(w)
	j.tell(waits, 0, string(text), []int{0})
	return true
}

// allWait returns an error on rank 0 if all ranks have waited for some time, and whether one of them does in Close.
func (c *Comm) allWait(patience time.Duration) (closes bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.slow) < c.size { // as on all other ranks
		return false, nil
	}
	for _, w := range c.slow {
		if time.Since(w.heard) < patience {
			return false, nil
		}
		closes = closes || w.Closes
	}
	return closes, c.apart()
}
