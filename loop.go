package op2

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/profile"
)

// epoch is the origin of call times: reading only the monotonic clock takes half as long as
// time.Now.
var epoch = time.Now()

// Loop is a kernel prepared to run over a set with certain arguments: checked, with its code
// generated and being compiled. It can be computed many times.
type Loop struct {
	rt      *Runtime
	name    string // "loop res_calc over edges"
	set     string // the set whose elements are numbered
	kernel  *Kernel
	over    IterationSet // nil, like keep, in loops that ParLoop caches
	spec    backend.Spec
	runner  backend.Runner // nil on a static runtime
	ready   bool
	binder  *binder         // builds plans, until the loop is ready
	plan    *plan.Plan      // the last one that the backend requested; nil if none
	keep    []Arg           // keeps alive what runner refers to
	changes int             // number of changes of maps, when it was bound
	watch   *given.Watch    // nil without consts
	changed []*core.Storage // by a call
	writes  bool            // whether it writes values of a mat
	bytes   int64           // minimal traffic of one call
	*meter
}

// meter counts the calls of a loop. It is separate from the loop because a device's queue refers to
// it.
type meter struct {
	own   profile.Stats
	total *profile.Stats // of all loops of the kernel over the set
}

// NewLoop prepares a loop over a set or a subset with the arguments of the kernel's parameters, in
// order. Compilation continues after it returns, so that loops prepared one after another are
// compiled in parallel.
//
// If something does not fit, the error is a *ShapeError, *ArgError or *KernelError.
func NewLoop(k *Kernel, over IterationSet, args ...Arg) (*Loop, error) {
	set, _ := resolve(over)
	if set == nil || set.rt == nil || k == nil {
		return nil, incomplete("NewLoop", k)
	}
	if set.rt.failed != nil {
		return nil, checkDeclared(loopName(k, over), set.rt)
	}
	if err := set.rt.enter(); err != nil {
		return nil, err
	}
	defer set.rt.leave()
	set.rt.dropUnreachable()
	return newLoop(k, over, slices.Clone(args)...)
}

// incomplete returns the error of a call without a kernel or a set.
func incomplete(call string, k *Kernel) error {
	if k == nil {
		return fmt.Errorf("op2: %s: the kernel is nil", call)
	}
	return fmt.Errorf("op2: %s of kernel %s: the set is nil, or was not made by NewSet or NewSubset", call, k.Name())
}

// newLoop is NewLoop for callers within the runtime, and takes ownership of args.
func newLoop(k *Kernel, over IterationSet, args ...Arg) (*Loop, error) {
	set, _ := over.iteration()
	l := &Loop{rt: set.rt, name: loopName(k, over), kernel: k, over: over, keep: args}
	if err := l.bind(); err != nil {
		return nil, err
	}
	return l, nil
}

// bind checks the arguments and makes the backend start to prepare the loop.
func (l *Loop) bind() error {
	rt := l.rt
	set, subset := l.over.iteration()
	l.set = set.name
	b := &binder{desc: &loop.Loop{}, rt: rt, set: set, subset: subset, args: l.keep, what: l.name}
	spec, memory, err := b.bind(l.kernel)
	if err != nil {
		return err
	}
	rt.seal("loops have been prepared", l.name)
	if l.meter == nil {
		l.meter = &meter{profile.Stats{Kernel: l.kernel.Name(), Set: l.over.Name()}, rt.profile.Counter(l.kernel.Name(), l.over.Name())}
	}
	l.spec, l.binder, l.watch, l.bytes = spec, b, b.watch, b.traffic()
	l.changed = nil
	for _, a := range l.keep {
		if a.data != nil && a.access != loop.Read && !slices.Contains(l.changed, a.data.storage) {
			l.changed = append(l.changed, a.data.storage)
		}
		l.writes = l.writes || a.kind == loop.Mat && a.access == loop.Write
	}
	if rt.config.static {
		return nil
	}
	memory.NewPlan = func(request backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		p, in, err := l.binder.plan(request)
		if err == nil {
			l.plan = p
			l.warnOfColors(request, p)
		}
		return p, in, err
	}
	memory.ReportTime, memory.ReportHow, memory.ReportWait = l.meter.took, l.meter.chose, l.meter.waited
	runner, err := rt.backend.Prepare(spec, memory)
	if err != nil {
		return problem.Errorf("op2: %s: backend %s: %w", l.name, rt.name, err)
	}
	l.runner, l.ready, l.changes = runner, false, rt.changes
	rt.recordLoop(l)
	return nil
}

// loopName returns the name of a loop for messages.
func loopName(k *Kernel, over IterationSet) string {
	return fmt.Sprintf("loop %s over %s", k.Name(), over.Name())
}

// Generate returns the source that the loop compiles to on the runtime's backend.
func (l *Loop) Generate() (string, error) {
	if err := l.made(); err != nil {
		return "", err
	}
	if err := l.rt.enter(); err != nil {
		return "", err
	}
	defer l.rt.leave()
	if g, ok := l.runner.(backend.Generator); ok {
		return g.Generate(), nil
	}
	text, err := l.rt.backend.Generate(l.spec)
	if err != nil {
		return "", problem.Errorf("op2: %s: backend %s: %w", l.name, l.rt.name, err)
	}
	return text, nil
}

// Compute runs the loop once. The first call waits for the compiler, whose failure is a
// *CompileError. A kernel that fails while it runs is a *FaultError.
func (l *Loop) Compute() error {
	if err := l.made(); err != nil {
		return err
	}
	if err := l.rt.enter(); err != nil {
		return err
	}
	defer l.rt.leave()
	return l.run()
}

// run is Compute for callers within the runtime.
func (l *Loop) run() error {
	if err := l.renew(); err != nil {
		return err
	}
	if err := l.prepare(); err != nil {
		return err
	}
	return l.compute(l.over, l.keep)
}

// made returns an error for a loop that NewLoop did not make.
func (l *Loop) made() error {
	if l == nil || l.rt == nil {
		return errors.New("op2: the loop is nil, or was not made by NewLoop")
	}
	return nil
}

// compute runs a loop that is ready, over its set and with its arguments.
func (l *Loop) compute(over IterationSet, args []Arg) error {
	if err := l.rt.config.given.Stop.Err(); err != nil {
		return problem.Errorf("op2: %s: %w", l.name, err)
	}
	if l.watch != nil {
		if err := l.watch.Call(l.own.Calls + 1); err != nil {
			return problem.OfLoop(l.name, err)
		}
	}
	for _, s := range l.changed {
		s.Wrote()
	}
	if l.writes {
		for _, a := range args {
			if a.kind == loop.Mat {
				a.data.storage.Replaced = true
			}
		}
	}
	var err error
	var watch finiteWatch
	if l.rt.config.given.Poison {
		if watch, err = l.watchFinite(args); err != nil {
			return err
		}
	}
	if l.rt.deviceBackend != nil {
		l.rt.sweep()
		err = l.runner.Run()
	} else {
		start := time.Since(epoch)
		err = l.runner.Run()
		l.took(time.Since(epoch) - start)
	}
	l.own.Calls++
	l.own.Bytes += l.bytes
	l.total.Calls++
	l.total.Bytes += l.bytes
	if err != nil {
		return l.failed(err, args)
	}
	if l.rt.config.given.Poison {
		if err := l.checkFinite(watch, over, args); err != nil {
			return err
		}
		return l.checkMats(args)
	}
	return nil
}

// took counts the time of a call.
func (m *meter) took(d time.Duration) {
	m.own.Time += d
	m.total.Time += d
}

// waited counts the time that a call waited for other threads.
func (m *meter) waited(d time.Duration) {
	m.own.Waited += d
	m.total.Waited += d
}

// chose records how the loop runs, and where its machine code came from.
func (m *meter) chose(how, code string) {
	m.own.How, m.own.Code = how, code
	m.total.How, m.total.Code = how, code
}

// checkMats looks for values that are not finite in the mats among the arguments.
func (l *Loop) checkMats(args []Arg) error {
	for _, a := range args {
		if a.kind == loop.Mat {
			if err := a.data.bring(false); err != nil {
				return err
			}
			if err := a.data.firstNonFinite(everywhere); err != nil {
				err.What = l.name + ": " + err.What
				return err
			}
		}
	}
	return nil
}

// prepare waits until the loop can run.
func (l *Loop) prepare() error {
	if l.ready {
		return nil
	}
	if l.runner == nil {
		return problem.Errorf("%s: %w", l.name, ErrStatic)
	}
	start := time.Now()
	if err := l.runner.Ready(); err != nil {
		if refused, ok := err.(*CompileError); ok {
			err = refused.Renamed(codegen.Renames(l.spec.Kernel))
		}
		return problem.Errorf("op2: %s: %w", l.name, err)
	}
	waited := time.Since(start)
	l.own.Compile += waited
	l.total.Compile += waited
	l.ready, l.binder = true, nil
	return nil
}

func (l *Loop) failed(err error, args []Arg) error {
	var f *backend.Fault
	if errors.As(err, &f) {
		return l.fault(f, args)
	}
	return problem.Errorf("op2: %s: %w", l.name, err)
}

// PlanFigures describe how a loop is split: blocks, their colors, the memory of the plan.
type PlanFigures struct {
	Elements  int
	Blocks    int
	BlockSize int

	Colors     int // of blocks
	ColorBound int // lower bound for any plan of these blocks
	SmallColor int // blocks of the smallest color
	LargeColor int // blocks of the largest color

	ElementColors int // the most in any block; 0: not requested, or nothing collides
	ElementBound  int // lower bound for that

	Tables      int     // local tables
	MostTargets int     // the most that any block reaches, over all tables
	Reuse       float64 // references per distinct target of a block; 0: unknown
	SharedBytes int     // the most fast memory that any block needs; 0: nothing is staged
	Bytes       int64   // memory of the plan
}

// String formats the figures in a few lines.
func (f PlanFigures) String() string { return plan.Figures(f).String() }

// Plan describes how the loop is split into blocks that can run at the same time. It is zero if the
// backend runs the elements in order, and on a static runtime.
func (l *Loop) Plan() PlanFigures {
	if l.made() != nil {
		return PlanFigures{}
	}
	l.rt.mustEnter()
	defer l.rt.leave()
	if l.plan == nil {
		return PlanFigures{}
	}
	return PlanFigures(l.plan.Report())
}

// Stats returns the figures of this loop's calls, like those of [Runtime.Stats].
func (l *Loop) Stats() Stats {
	if l.made() != nil {
		return Stats{}
	}
	l.rt.mustEnter()
	defer l.rt.leave()
	_ = l.rt.settle()
	return Stats(l.own)
}

// memory returns the elements of the loop and the addresses of its data.
func (b *binder) memory(consts []unsafe.Pointer) (backend.Memory, error) {
	m := backend.Memory{First: 0, Last: b.elements(), SetSize: b.set.total(), Consts: consts}
	if b.subset != nil {
		m.Subset = b.subset.elements
	}
	for _, d := range b.datas {
		m.Data = append(m.Data, d.storage.Host())
		m.Elements = append(m.Elements, d.elements())
		if b.rt.deviceBackend != nil {
			m.Mirrors = append(m.Mirrors, d.storage.Mirror())
		}
	}
	for _, mp := range b.maps {
		m.Maps = append(m.Maps, unsafe.Pointer(unsafe.SliceData(mp.values)))
	}
	for i := range b.entries {
		e, err := b.entriesOf(i)
		if err != nil {
			return m, problem.Errorf("op2: %s: %w", b.what, err)
		}
		m.Entries = append(m.Entries, e)
	}
	return m, nil
}
