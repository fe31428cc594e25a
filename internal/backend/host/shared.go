package host

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/host/team"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/tune"
)

// epoch is the origin of call times: reading only the monotonic clock takes half as long as
// time.Now.
var epoch = time.Now()

// shared is the part of a loop or a product that runs on threads; nil stands for one that runs on the caller's
// alone.
type shared struct {
	team  *team.Team // nil: goroutines
	crew  crew.Crew
	turns []*crew.Batch // of blocks, by color
	// What goroutines call, and with what.
	library *library
	args    unsafe.Pointer

	colors []int32 // offsets of the blocks of each color
	job    team.Job
	pace   pace.Pace
	waits  func(time.Duration) // called with the time that the caller waited for other threads; or nil
}

// share prepares work in blocks of colors, on at most that many threads. It starts to compile the
// team's library.
func (e *engine) share(colors []int32, threads int, schedule tune.Schedule, waits func(time.Duration)) *shared {
	s := &shared{team: e.team, colors: colors, pace: pace.New(threads), waits: waits}
	if e.team == nil {
		s.crew.Pool, s.crew.Waited, s.crew.Stop = e.pool, waits, e.stop
		s.crew.Do = func(block int32, _ int) { s.library.run(s.args, block) }
		for c := range len(colors) - 1 {
			blocks := make([]int32, colors[c+1]-colors[c])
			for i := range blocks {
				blocks[i] = colors[c] + int32(i)
			}
			s.turns = append(s.turns, crew.NewBatch(&s.crew, blocks))
		}
		return s
	}
	e.team.Begin()
	if schedule == tune.Dynamic {
		s.job.Dynamic = 1
	}
	s.job.Stop = e.stop.Word()
	return s
}

// ready opens the team.
func (s *shared) ready() error {
	if s == nil || s.team == nil {
		return nil
	}
	if err := s.team.Open(); err != nil {
		return err
	}
	s.team.Hand(&s.job, s.colors)
	return nil
}

// run calls a wrapper that passes the job to the team, or else runs the blocks on goroutines, on a suitable number of
// threads.
func (s *shared) run(l *library, args unsafe.Pointer) {
	switch {
	case s == nil:
		l.call(args)
		return
	case s.team == nil:
		s.library, s.args = l, args
		if s.crew.Run(s.turns, &s.pace) == nil { // otherwise blocks may have been skipped
			l.call(args) // which has no job, and combines the blocks' results
		}
		return
	case s.pace.Most() < 2:
		l.call(args)
		return
	}
	s.job.Threads, s.job.Waited = int64(s.pace.Threads()), 0
	start := time.Since(epoch)
	l.call(args)
	took := time.Since(epoch) - start
	waited := time.Duration(s.job.Waited)
	s.pace.Note(took, waited, len(s.colors)-1)
	if waited > 0 && s.waits != nil {
		s.waits(waited)
	}
}
