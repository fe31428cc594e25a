package run

import (
	"fmt"
	"slices"
	"sync/atomic"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/userkernel"
)

// Loop is a kernel prepared to run over a set with certain arguments: checked, with its code
// generated and being compiled. It can be computed many times.
type Loop struct {
	rt         *entity.Runtime
	name       string // "loop res_calc over edges"
	site       callsite.Calls
	set        string // the set whose elements are numbered
	kernel     *userkernel.Kernel
	over       entity.Range // empty, like keep, in loops that ParLoop caches
	spec       backend.Spec
	runner     backend.Runner // nil on a static runtime
	ready      bool
	binding    *bind.Binding     // builds plans, until the loop is ready
	plan       *plan.Plan        // the last one that the backend requested; nil if none
	order      []int32           // its elements, by their numbers there; nil if these are their own
	staged     []bind.Staged     // what its tables are for
	keep       []entity.Arg      // keeps alive what runner refers to
	changes    int               // number of changes of maps, when it was bound
	watch      *userkernel.Watch // nil without consts
	id         uint64            // never reused, unlike addresses
	uses       []Use             // of storages
	consts     [][]byte          // the variables that the kernel reads
	cached     *cachedLoop       // its range and arguments, if ParLoop caches it
	params     []string          // arguments by parameter, for messages
	home       weak.Pointer[entity.Set]
	parts      []*Loop          // that it stands for, if it is fused
	failing    int              // the one that failed
	halos      *haloRun         // nil on one rank
	same       *bind.SameBits   // nil without the option
	rearranged *bind.Rearranged // nil if its elements run in their own order
	traffic                     // of one call
	tuned      *tuned           // nil unless choices are tried
	labels     labels
	*meter
}

// loopIDs counts the loops of the process.
var loopIDs atomic.Uint64

// Runtime returns the runtime that the loop belongs to.
func (l *Loop) Runtime() *entity.Runtime { return l.rt }

// Name returns the name of the loop for messages: "loop res_calc over edges".
func (l *Loop) Name() string { return l.name }

// ID returns the number of the loop, which is never reused.
func (l *Loop) ID() uint64 { return l.id }

// Consts returns the program's variables that the kernel reads.
func (l *Loop) Consts() [][]byte { return l.consts }

// Made returns an error for a loop that NewLoop did not make.
func (l *Loop) Made() error {
	if l == nil || l.rt == nil {
		return entity.NotMade("loop", "NewLoop")
	}
	return nil
}

// code returns the loop that the backend runs.
func (l *Loop) code() backend.Spec {
	if l.rearranged != nil {
		return l.rearranged.Spec
	}
	return l.spec
}

// Stats returns the figures of this loop's calls so far. Those on a device may be incomplete until
// it has settled.
func (l *Loop) Stats() profile.Stats { return l.own }

// StaleSince reports whether values of the loop's maps have changed, or elements have moved to other ranks, since the
// number of changes was that.
func (l *Loop) StaleSince(changes int) bool {
	return l.rt.MovedSince(changes) || slices.ContainsFunc(l.keep, func(a entity.Arg) bool {
		return a.Map != nil && a.Map.Changed() > changes || a.Cols != nil && a.Cols.Changed() > changes
	})
}

// declared adds to an error of a call where the loop was declared.
func (l *Loop) declared(err error) error {
	if err == nil {
		return nil
	}
	return l.located(err)
}

func (l *Loop) located(err error) error { return entity.Located(err, "declared", l.site.Site()) }

// Figures returns the figures of the plan that the loop runs with; zero if there is none.
func (l *Loop) Figures() plan.Figures {
	var f plan.Figures
	if l.plan != nil {
		f = l.plan.Report()
	}
	if staged, is := l.running().(interface{ SharedBytes() int }); is {
		f.SharedBytes = staged.SharedBytes()
	}
	if r := l.rearranged; r != nil {
		f.Bytes += int64(r.Bytes + 4*len(r.Order))
		f.Rearranged = fmt.Sprintf("in its own order, %d blocks of %d elements would have %d colors", r.Colored.Blocks(), r.Colored.BlockSize, r.Colored.Colors)
	}
	return f
}

// Divided returns the plan that the loop runs with, which must not be changed, its elements by their numbers there, nil
// if these are their own, and what each of its tables is for. The error says why there is none.
func (l *Loop) Divided() (*plan.Plan, []int32, []bind.Staged, error) {
	switch {
	case l.rt.Config().Static:
		return nil, nil, nil, problem.Errorf("%s has no plan: %w", l.name, problem.ErrStatic)
	case l.plan == nil:
		return nil, nil, nil, fmt.Errorf("op2: %s has no plan: %s runs it without one", l.name, l.rt.Name())
	}
	return l.plan, l.order, l.staged, nil
}

// whole returns the range and the arguments of a loop, unless some of them have become unreachable.
func (l *Loop) whole() (entity.Range, []entity.Arg, bool) {
	switch {
	case l.keep != nil || l.over.Set != nil:
		return l.over, slices.Clone(l.keep), true
	case l.cached == nil:
		return entity.Range{}, nil, false
	}
	return l.cached.whole()
}
