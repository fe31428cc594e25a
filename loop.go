package op2

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/run"
)

// ParLoop runs the kernel for every element of a set or a subset: NewLoop, then Compute. The
// prepared loop is cached, and found again by kernel, set and arguments as long as these are
// reachable.
func ParLoop(k *Kernel, over IterationSet, args ...Arg) (err error) {
	elements := iteration(over)
	if err := run.CheckLoop("ParLoop", k.user(), elements); err != nil {
		return elements.Set.Runtime().Report(entity.Called(err))
	}
	rt := elements.Set.Runtime()
	if err := rt.EnterLazily(); err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	return run.Call(rt, k.user(), elements, coreArgs(args)...)
}

// Loop is a kernel prepared to run over a set with certain arguments: checked, with its code
// generated and being compiled. It can be computed many times.
type Loop run.Loop

func (l *Loop) core() *run.Loop { return (*run.Loop)(l) }

// NewLoop prepares a loop over a set or a subset with the arguments of the kernel's parameters, in
// order. Compilation continues after it returns, so that loops prepared one after another are
// compiled in parallel.
//
// If something does not fit, Err returns a *ShapeError, *ArgError or *KernelError.
func NewLoop(k *Kernel, over IterationSet, args ...Arg) *Loop {
	elements := iteration(over)
	on := elements.Set.Runtime()
	if on == nil { // the error is that of the arguments' runtime
		on = entity.RuntimeOf(coreArgs(args))
	}
	return (*Loop)(entity.Declare(entity.Declaration{On: []*entity.Runtime{on}, Together: true}, func() (*run.Loop, error) {
		if err := run.CheckLoop("NewLoop", k.user(), elements); err != nil {
			return nil, err
		}
		return run.NewLoop(k.user(), elements, slices.Clone(coreArgs(args))...)
	}, run.InertLoop))
}

// Err returns why the loop could not be prepared; nil if it was.
func (l *Loop) Err() error { return orEmpty(l.core()).Runtime().Made("loop", "NewLoop") }

// Generate returns the source that the loop compiles to on the runtime's backend.
func (l *Loop) Generate() (_ string, err error) {
	if err := l.core().Made(); err != nil {
		return "", err
	}
	rt := l.core().Runtime()
	if err := rt.Enter(); err != nil {
		return "", err
	}
	defer rt.LeaveWith(&err)
	return l.core().Generate()
}

// Compute runs the loop once. The first call waits for the compiler, whose failure is a
// *CompileError. A kernel that fails while it runs is a *FaultError.
func (l *Loop) Compute() (err error) {
	if err := l.core().Made(); err != nil {
		return err
	}
	rt := l.core().Runtime()
	if err := rt.EnterLazily(); err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	return l.core().Call()
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
	// Rearranged says why the elements run in another order than their own, in which nearly every
	// block would need a color of its own; "" if they do not.
	Rearranged string
}

// String formats the figures in a few lines.
func (f PlanFigures) String() string { return plan.Figures(f).String() }

// Plan describes how the loop is split into blocks that can run at the same time. It is zero if the
// backend runs the elements in order, and on a static runtime.
func (l *Loop) Plan() PlanFigures {
	if l.core().Made() != nil {
		return PlanFigures{}
	}
	rt := l.core().Runtime()
	rt.MustEnter()
	defer rt.Leave()
	return PlanFigures(l.core().Figures())
}

// Stats returns the figures of this loop's calls, like those of [Runtime.Stats].
func (l *Loop) Stats() Stats {
	if l.core().Made() != nil {
		return Stats{}
	}
	rt := l.core().Runtime()
	rt.MustEnter()
	defer rt.Leave()
	_ = rt.Settle()
	return Stats(l.core().Stats())
}
