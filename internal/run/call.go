package run

import (
	"fmt"
	"time"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/timeline"
	"github.com/go-op2/op2/internal/userkernel"
)

// NewLoop prepares a loop over a set or a subset with the arguments of the kernel's parameters, in
// order, which the loop keeps. Compilation continues after it returns.
func NewLoop(k *userkernel.Kernel, over entity.Range, args ...entity.Arg) (*Loop, error) {
	over.Set.Runtime().DropUnreachable()
	l := &Loop{rt: over.Set.Runtime(), name: bind.LoopName(k, over), kernel: k, over: over, keep: entity.Expand(args), id: loopIDs.Add(1)}
	l.site.Capture()
	if err := l.bind(); err != nil {
		return nil, err
	}
	return l, nil
}

// bind checks the arguments and makes the backend start to prepare the loop.
func (l *Loop) bind() error {
	if err := l.check(false); err != nil {
		return err
	}
	return l.Order()
}

// check checks the arguments. Elements may run in another order than their own, unless they are to keep it.
func (l *Loop) check(keep bool) error {
	if err := l.rt.Seal("loops have been prepared", l.name); err != nil {
		return err
	}
	b, err := bind.NewBinding(engineOf(l.rt).env, l.kernel, l.over, l.keep)
	if err != nil {
		return err
	}
	l.adopt(b)
	if !keep {
		l.rearranged, err = b.Rearrange(l.kernel)
	}
	return err
}

// adopt takes over what the loop has been bound to.
func (l *Loop) adopt(b *bind.Binding) {
	if l.meter == nil {
		l.meter = &meter{own: profile.Stats{Kernel: l.kernel.Name(), Set: l.over.Name()}, total: l.rt.Profile().Counter(l.kernel.Name(), l.over.Name())}
	}
	l.set = l.over.Set.Name()
	l.labels = newLabels(l.rt, l.kernel.Name(), l.over.Name())
	l.spec, l.binding, l.watch, l.traffic = b.Spec, b, b.Watch, traffic{b.Traffic(), b.Operations()}
	l.halos, l.same = newHaloRun(b, l.meter, l.kernel.RunsAlone()), b.Same
	l.uses, l.consts, l.params, l.home = usesOf(l.over, l.keep), b.Consts, entity.NamesOf(l.keep), weak.Make(l.over.Set)
}

// Order makes the backend start to prepare the loop, which has been bound.
func (l *Loop) Order() error {
	rt, spec, memory := l.rt, l.code(), l.binding.Memory
	if rt.Config().Static {
		return nil
	}
	l.plan, l.order, l.staged = nil, nil, nil
	if l.over.Subset != nil {
		l.order = l.over.Subset.List()
	}
	memory.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		return l.newPlan(l.binding, r) // which the loop drops when it is ready: backends keep the function
	}
	if o := l.same.InOrder(); o != nil {
		o.Prepare(&memory)
		memory.NewPlan = func(backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			l.plan, l.order = o.Plan, o.Elements
			return o.Plan, nil, nil
		}
	}
	if r := l.rearranged; r != nil {
		memory = r.Memory
		memory.NewPlan = func(backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			l.plan, l.order = r.Plan, r.Order
			return r.Plan, nil, nil
		}
	}
	memory.ReportTime, memory.ReportHow, memory.ReportWait = l.meter.addTime, l.meter.recordHow, l.meter.addWait
	memory.ReportChoices, memory.Labels = l.meter.recordChoices, l.labels.of
	if l.rearranged != nil {
		memory.ReportHow = func(how, code string) { l.meter.recordHow(how+", rearranged", code) }
	}
	tuned := l.tune(spec, &memory)
	runner, err := rt.Backend().Prepare(spec, memory)
	if err != nil {
		return problem.Errorf("op2: %s: backend %s: %w", l.name, rt.Name(), err)
	}
	l.runner, l.ready, l.changes, l.tuned = runner, false, rt.Changes(), tuned
	engineOf(rt).recordLoop(l)
	return nil
}

// Run runs the loop once. The first call waits for the compiler.
func (l *Loop) Run() error {
	if err := l.current(); err != nil {
		return err
	}
	if err := engineOf(l.rt).queue.Before(Operation{Loop: l}); err != nil {
		return err
	}
	return l.Compute()
}

// Call is Run for the program's own calls, which wait in a queue with lazy evaluation.
func (l *Loop) Call() error {
	if err := l.current(); err != nil {
		return l.declared(err)
	}
	waits, err := engineOf(l.rt).queue.Add(Operation{Loop: l})
	if !waits && err == nil {
		err = l.Compute()
	}
	return l.declared(err)
}

// Compute runs a loop that is ready.
func (l *Loop) Compute() error { return l.compute(l.over, l.keep) }

// current waits until the loop can run, which is prepared again if values of its maps have changed, or elements have moved to other ranks.
func (l *Loop) current() error {
	if l.changes != l.rt.Changes() && l.StaleSince(l.changes) {
		if err := l.bind(); err != nil {
			return err
		}
	}
	l.changes = l.rt.Changes()
	if l.ready {
		return nil
	}
	return l.prepare()
}

// prepare waits until the loop can run, whose code ranks share.
func (l *Loop) prepare() error {
	if l.runner != nil && l.halos.together() {
		if l.rt.Config().Backend.Poison { // before a collective call that does not say what ranks do
			if err := l.checkAlike(l.over, l.keep); err != nil {
				return err
			}
		}
		if err := engineOf(l.rt).shareFirst(l.spec.Hash()); err != nil {
			return problem.Errorf("op2: %s: %w", l.name, err)
		}
	}
	return l.Ready()
}

// leastWait is how long the shortest wait for a compiler takes that a timeline shows.
const leastWait = 50 * time.Microsecond

// Ready waits until the loop, whose code ranks have shared, can run.
func (l *Loop) Ready() error {
	if l.ready {
		return nil
	}
	if l.runner == nil {
		return problem.Errorf("%s: %w", l.name, problem.ErrStatic)
	}
	start := time.Now()
	if err := l.runner.Ready(); err != nil {
		if refused, ok := err.(*jit.CompileError); ok {
			err = refused.Renamed(ckernel.Renames(l.spec.Kernel))
		}
		return problem.Errorf("op2: %s: %w", l.name, err)
	}
	waited := time.Since(start)
	l.own.Compile += waited
	l.total.Compile += waited
	if t := l.rt.Timeline(); t != nil {
		if waited >= leastWait {
			t.Ended(timeline.Compile, l.kernel.Name(), waited)
		}
		engineOf(l.rt).describe(l)
	}
	l.ready, l.binding = true, nil
	return nil
}

// Generate returns the source that the loop compiles to on the runtime's backend, after a comment with what was chosen for it.
func (l *Loop) Generate() (string, error) {
	if g, ok := l.running().(backend.Generator); ok {
		return l.chosen() + g.Generate(), nil
	}
	text, err := l.rt.Backend().Generate(l.code())
	if err != nil {
		return "", problem.Errorf("op2: %s: backend %s: %w", l.name, l.rt.Name(), err)
	}
	return l.chosen() + text, nil
}

// chosen returns a comment with what was chosen for the loop before it was prepared: estimates are in the source.
func (l *Loop) chosen() string {
	code := l.code()
	made := code.Chosen
	if l.tuned != nil {
		made = made.From(choice.User).Over(l.tuned.chosen).Over(made)
	}
	chosen := made.String()
	if chosen == "" {
		return ""
	}
	return "// chosen: " + chosen + "\n"
}

// InertLoop returns a placeholder for a loop.
func InertLoop(rt *entity.Runtime) *Loop {
	return &Loop{rt: rt, meter: &meter{total: &profile.Stats{}}}
}

// CheckLoop returns an error for a call without a kernel, a set or a runtime. It may be called at
// any time.
func CheckLoop(call string, k *userkernel.Kernel, over entity.Range) error {
	switch {
	case k == nil:
		return fmt.Errorf("op2: %s: the kernel is nil", call)
	case over.Set == nil || over.Set.Runtime() == nil:
		return fmt.Errorf("op2: %s of kernel %s: the set is nil, or was not made by NewSet or NewSubset", call, k.Name())
	case over.Layers.Wrong != "" && over.Set.Runtime().Failed() == nil:
		return fmt.Errorf("op2: %s of kernel %s: %s", call, k.Name(), over.Layers.Wrong)
	}
	return nil
}
