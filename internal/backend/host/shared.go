package host

import (
	"github.com/go-op2/op2/internal/backend/host/team"
)

// shared is what a loop or a product has that runs on threads.
type shared struct {
	team   *team.Team
	colors []int32 // offsets of the blocks of each color
	job    team.Job
}

// share is for work in blocks of colors, on so many threads at most.
func (e *engine) share(colors []int32, threads int) *shared {
	s := &shared{team: e.team, colors: colors}
	s.job.Threads = int64(threads)
	if e.dynamic {
		s.job.Dynamic = 1
	}
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
