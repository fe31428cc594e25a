package host

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend/host/team"
	"github.com/go-op2/op2/internal/backend/pace"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/tune"
)

// epoch is the origin of call times: reading only the monotonic clock takes half as long as
// time.Now.
var epoch = time.Now()

// shared is the part of a loop or a product that runs on threads; nil stands for one that runs on the caller's
// alone.
type shared struct {
	team   *team.Team
	colors []int32 // offsets of the blocks of each color
	job    team.Job
	pace   pace.Pace
	waits  func(time.Duration) // called with the time that the caller waited for other threads; or nil
}

// share prepares work in blocks of colors, on at most that many threads. It starts to compile the
// team's library.
func (e *engine) share(colors []int32, threads int, schedule tune.Schedule, waits func(time.Duration)) *shared {
	e.team.Begin()
	s := &shared{team: e.team, colors: colors, pace: pace.New(threads), waits: waits}
	if schedule == tune.Dynamic {
		s.job.Dynamic = 1
	}
	s.job.Stop = e.stop.Word()
	return s
}

// ready opens the team.
func (s *shared) ready() error {
	if s == nil {
		return nil
	}
	if err := s.team.Open(); err != nil {
		return err
	}
	s.team.Hand(&s.job, s.colors)
	return nil
}

// run calls a wrapper that passes the job to the team, on a suitable number of threads.
func (s *shared) run(wrap uintptr, args unsafe.Pointer) {
	if s == nil || s.pace.Most() < 2 {
		native.Call(wrap, uintptr(args))
		return
	}
	s.job.Threads, s.job.Waited = int64(s.pace.Threads()), 0
	start := time.Since(epoch)
	native.Call(wrap, uintptr(args))
	took := time.Since(epoch) - start
	waited := time.Duration(s.job.Waited)
	s.pace.Note(took, waited, len(s.colors)-1)
	if waited > 0 && s.waits != nil {
		s.waits(waited)
	}
}
