package run

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/plan"
)

// newPlan returns a plan for the loop, and keeps it as that of the loop.
func (l *Loop) newPlan(b *bind.Binding, request backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
	p, in, err := b.Plan(request)
	if err == nil {
		l.plan, l.staged = p, b.StagedBy(p, in)
		l.warnOfColors(p)
	}
	return p, in, err
}

// warnOfColors warns, once for each runtime, about a plan that leaves almost nothing to run at the
// same time.
func (l *Loop) warnOfColors(p *plan.Plan) {
	rt, e := l.rt, engineOf(l.rt)
	if p == nil || e.warned || p.BlockSize == 1 || rt.Config().Backend.Threads < 2 || p.Last-p.First < fewElements || p.Blocks() < fewBlocks || p.Gain(rt.Config().Backend.Threads) >= littleGain {
		return
	}
	e.warned = true
	rt.Config().Backend.Warn(fmt.Sprintf("%s: its %d blocks have %d colors, so that hardly two of them run at the same time, and threads are idle: elements far from each other change the same values\n"+
		"  hint: call Renumber after the declarations, sort the elements by what they change, or run over what is changed and gather there; other loops may be concerned, too: see Loop.Plan", l.name, p.Blocks(), p.Colors))
}

// A loop of fewer elements or blocks is too short for a warning: it takes microseconds, whatever its colors are.
// Threads that gain less than littleGain are idle most of the time.
const (
	fewElements = 8192
	fewBlocks   = 4
	littleGain  = 1.3
)
