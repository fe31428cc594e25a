package run

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tuning"
)

// tuned tries choices for a loop on the program's calls, each of which runs with one. Nil for loops that are not tuned.
type tuned struct {
	loop   *Loop
	about  choice.Subject
	spec   backend.Spec
	memory backend.Memory
	first  planned     // that of the estimate
	taken  choice.Made // by it

	since   time.Duration  // the time of the loop's calls before
	chosen  choice.Made    // by a trial
	adopted int            // the form with that
	search  *tuning.Search // nil before it is worthwhile
	forms   []tunedForm    // by its choices; the first is what is estimated
	form    int            // of the call that goes on
	timed   bool           // it is
	took    time.Duration  // by a device
}

// tunedForm is a loop that has been prepared with some choices.
type tunedForm struct {
	runner   backend.Runner // nil before it is prepared
	ready    bool
	refused  bool
	verified bool
	reports  []func() // what it says about how it runs
	taken    choice.Choices
	planned
}

// planned is the plan that a backend has requested, and what belongs to it.
type planned struct {
	request backend.PlanRequest
	in      *plan.Input
	plan    *plan.Plan
	order   []int32
	staged  []bind.Staged
}

// running returns the runner of the form that has been adopted.
func (l *Loop) running() backend.Runner {
	if t := l.tuned; t != nil && t.adopted > 0 {
		return t.forms[t.adopted].runner
	}
	return l.runner
}
