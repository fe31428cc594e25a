package core

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/userkernel"
)

// Loop is a kernel prepared to run over a set with certain arguments: checked, with its code
// generated and being compiled. It can be computed many times.
type Loop struct {
	rt         *Runtime
	name       string // "loop res_calc over edges"
	site       callsite.Calls
	set        string // the set whose elements are numbered
	kernel     *userkernel.Kernel
	over       Range // empty, like keep, in loops that ParLoop caches
	spec       backend.Spec
	runner     backend.Runner // nil on a static runtime
	ready      bool
	binder     *binder           // builds plans, until the loop is ready
	plan       *plan.Plan        // the last one that the backend requested; nil if none
	keep       []Arg             // keeps alive what runner refers to
	changes    int               // number of changes of maps, when it was bound
	watch      *userkernel.Watch // nil without consts
	id         uint64            // never reused, unlike addresses
	uses       []Use             // of storages
	consts     [][]byte          // the variables that the kernel reads
	loose      *loose            // range and arguments of a loop that ParLoop caches, with lazy evaluation
	params     []string          // arguments by parameter, for messages
	home       weak.Pointer[Set]
	parts      []*Loop     // that it stands for, if it is fused
	alike      bool        // they leave the same bits
	trial      tried       // of the fused loop against them
	failing    int         // the one that failed
	across     *across     // nil on one rank
	same       *sameBits   // nil without the option
	colored    bool        // its elements run in their own order
	rearranged *rearranged // nil if they do
	bytes      int64       // minimal traffic of one call
	*meter
}

// loopIDs counts the loops of the process.
var loopIDs atomic.Uint64

// NewLoop prepares a loop over a set or a subset with the arguments of the kernel's parameters, in
// order, which the loop keeps. Compilation continues after it returns.
func NewLoop(k *userkernel.Kernel, over Range, args ...Arg) (*Loop, error) {
	over.Set.rt.dropUnreachable()
	l := &Loop{rt: over.Set.rt, name: loopName(k, over), kernel: k, over: over, keep: expand(args), id: loopIDs.Add(1)}
	l.site.Capture()
	if err := l.bind(); err != nil {
		return nil, err
	}
	return l, nil
}

// CheckLoop returns an error for a call without a kernel, a set or a runtime. It may be called at
// any time.
func CheckLoop(call string, k *userkernel.Kernel, over Range) error {
	switch {
	case k == nil:
		return fmt.Errorf("op2: %s: the kernel is nil", call)
	case over.Set == nil || over.Set.rt == nil:
		return fmt.Errorf("op2: %s of kernel %s: the set is nil, or was not made by NewSet or NewSubset", call, k.Name())
	case over.Set.rt.failed != nil:
		return CheckDeclared(loopName(k, over), over.Set.rt)
	}
	return nil
}

// bind checks the arguments and makes the backend start to prepare the loop.
func (l *Loop) bind() error {
	memory, err := l.check()
	if err != nil {
		return err
	}
	return l.order(memory)
}

// check checks the arguments, and returns the memory of the loop.
func (l *Loop) check() (backend.Memory, error) {
	rt := l.rt
	if err := rt.Seal("loops have been prepared", l.name); err != nil {
		return backend.Memory{}, err
	}
	b := &binder{desc: &loop.Loop{}, rt: rt, over: l.over, args: l.keep, what: l.name}
	spec, memory, err := b.bind(l.kernel)
	if err != nil {
		return memory, err
	}
	l.adopt(b, spec)
	if !l.colored {
		l.rearranged, err = b.rearrange(l.kernel, spec, memory)
	}
	return memory, err
}

// adopt takes over what a binder has derived.
func (l *Loop) adopt(b *binder, spec backend.Spec) {
	if l.meter == nil {
		l.meter = &meter{own: profile.Stats{Kernel: l.kernel.Name(), Set: l.over.Name()}, total: l.rt.profile.Counter(l.kernel.Name(), l.over.Name())}
	}
	l.set = l.over.Set.name
	l.spec, l.binder, l.watch, l.bytes = spec, b, b.watch, b.traffic()
	l.across, l.same = b.newAcross(l.meter), b.same
	if l.across != nil {
		l.across.alone = l.kernel.RunsAlone()
	}
	l.uses, l.consts, l.params, l.home = usesOf(l.over, l.keep), b.consts, namesOf(l.keep), weak.Make(l.over.Set)
}

// order makes the backend start to prepare the loop, which has been checked.
func (l *Loop) order(memory backend.Memory) error {
	rt, spec := l.rt, l.code()
	if rt.config.Static {
		return nil
	}
	memory.NewPlan = func(request backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		p, in, err := l.binder.plan(request)
		if err == nil {
			l.plan = p
			l.warnOfColors(p)
		}
		return p, in, err
	}
	if o := l.same.inOrder(); o != nil {
		o.prepare(&memory)
		memory.NewPlan = func(backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			l.plan = o.plan
			return o.plan, nil, nil
		}
	}
	if r := l.rearranged; r != nil {
		memory = r.memory
		memory.NewPlan = func(backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			l.plan = r.plan
			return r.plan, nil, nil
		}
	}
	memory.ReportTime, memory.ReportHow, memory.ReportWait = l.meter.addTime, l.meter.recordHow, l.meter.addWait
	if l.rearranged != nil {
		memory.ReportHow = func(how, code string) { l.meter.recordHow(how+", rearranged", code) }
	}
	runner, err := rt.backend.Prepare(spec, memory)
	if err != nil {
		return problem.Errorf("op2: %s: backend %s: %w", l.name, rt.name, err)
	}
	l.runner, l.ready, l.changes = runner, false, rt.changes
	rt.recordLoop(l)
	return nil
}

// loopName returns the name of a loop for messages.
func loopName(k *userkernel.Kernel, over Range) string {
	return fmt.Sprintf("loop %s over %s", k.Name(), over.Name())
}

// Runtime returns the runtime that the loop belongs to.
func (l *Loop) Runtime() *Runtime { return l.rt }

// Name returns the name of the loop for messages: "loop res_calc over edges".
func (l *Loop) Name() string { return l.name }

// ID returns the number of the loop, which is never reused.
func (l *Loop) ID() uint64 { return l.id }

// Uses returns what the loop does with storages.
func (l *Loop) Uses() []Use { return l.uses }

// Consts returns the program's variables that the kernel reads.
func (l *Loop) Consts() [][]byte { return l.consts }

// Argument returns the loop and the argument of a use for messages.
func (l *Loop) Argument(u Use) string {
	return fmt.Sprintf("%s: argument %d (%s)", l.name, u.param, l.params[u.param-1])
}

// Made returns an error for a loop that NewLoop did not make.
func (l *Loop) Made() error {
	if l == nil || l.rt == nil {
		return errors.New("op2: the loop is nil, or was not made by NewLoop")
	}
	return nil
}

// Generate returns the source that the loop compiles to on the runtime's backend.
func (l *Loop) Generate() (string, error) {
	if g, ok := l.runner.(backend.Generator); ok {
		return g.Generate(), nil
	}
	text, err := l.rt.backend.Generate(l.code())
	if err != nil {
		return "", problem.Errorf("op2: %s: backend %s: %w", l.name, l.rt.name, err)
	}
	return text, nil
}

// code returns the loop that the backend runs.
func (l *Loop) code() backend.Spec {
	if l.rearranged != nil {
		return l.rearranged.spec
	}
	return l.spec
}

// Stats returns the figures of this loop's calls so far. Those on a device may be incomplete until
// it has settled.
func (l *Loop) Stats() profile.Stats { return l.own }

// Run runs the loop once. The first call waits for the compiler.
func (l *Loop) Run() error {
	if err := l.current(); err != nil {
		return err
	}
	if err := l.rt.queue.Before(l); err != nil {
		return err
	}
	return l.compute(l.over, l.keep)
}

// Call is Run for the program's own calls, which wait in a queue with lazy evaluation.
func (l *Loop) Call() error {
	if err := l.current(); err != nil {
		return l.declared(err)
	}
	waits, err := l.rt.queue.Call(l)
	if !waits && err == nil {
		err = l.compute(l.over, l.keep)
	}
	return l.declared(err)
}

// Compute runs a loop whose call has waited.
func (l *Loop) Compute() error { return l.compute(Range{}, nil) }

// current waits until the loop can run, which is prepared again if values of its maps have changed.
func (l *Loop) current() error {
	if l.changes != l.rt.changes && l.outdated(l.changes) {
		if err := l.bind(); err != nil {
			return err
		}
	}
	l.changes = l.rt.changes
	return l.prepare()
}

// outdated reports whether values of the loop's maps have changed since the number of changes was that.
func (l *Loop) outdated(changes int) bool {
	return slices.ContainsFunc(l.keep, func(a Arg) bool {
		return a.m != nil && a.m.changed > changes || a.cols != nil && a.cols.changed > changes
	})
}

// prepare waits until the loop can run, whose code ranks share.
func (l *Loop) prepare() error {
	if !l.ready && l.runner != nil && l.across != nil && !l.across.alone {
		if l.rt.config.Backend.Poison { // before a collective call that does not say what ranks do
			if err := l.checkAlike(l.over, l.keep); err != nil {
				return err
			}
		}
		if err := l.rt.shareFirst(l.spec.Hash()); err != nil {
			return problem.Errorf("op2: %s: %w", l.name, err)
		}
	}
	return l.await()
}

// await waits until the loop can run. In a chain, ranks have shared the code of all loops.
func (l *Loop) await() error {
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
	l.ready, l.binder = true, nil
	return nil
}
