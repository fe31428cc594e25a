package op2

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
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
	if err := rt.EnterOperation(); err != nil {
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

// Generate returns the source that the loop compiles to on the runtime's backend, after a comment with what was chosen for
// the loop, if anything was.
func (l *Loop) Generate() (string, error) { return within(l.core(), l.core().Generate) }

// within does something within the runtime of a loop or a chain that there is.
func within[T any](of interface {
	Made() error
	Runtime() *entity.Runtime
}, f func() (T, error)) (result T, err error) {
	if err := of.Made(); err != nil {
		return result, err
	}
	err = (*Runtime)(of.Runtime()).do(func() error {
		result, err = f()
		return err
	})
	return result, err
}

// Compute runs the loop once. The first call waits for the compiler, whose failure is a
// *CompileError. A kernel that fails while it runs is a *FaultError.
func (l *Loop) Compute() (err error) {
	if err := l.core().Made(); err != nil {
		return err
	}
	rt := l.core().Runtime()
	if err := rt.EnterOperation(); err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	return l.core().Call()
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
