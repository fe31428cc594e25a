package entity

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/timeline"
	"github.com/go-op2/op2/internal/translate/unit"
)

// OpenRuntime returns a runtime on a backend of that name, which it owns.
func OpenRuntime(name string, b backend.Backend, c Config) *Runtime {
	onDevice, _ := b.(backend.DeviceBackend)
	rt := &Runtime{name: name, number: openedBefore.Add(1), at: callsite.Find().At, opened: time.Now(), backend: b, device: onDevice, config: c, work: idle{}, consts: map[string]constant{}, failedConsts: map[string]error{},
		unreachable: &unreachableIDs{}, kept: map[any]any{}}
	if c.Report != "" {
		rt.timeline = timeline.New(timeline.Most)
	}
	if onDevice != nil {
		onDevice.Garbage().DropCached = rt.dropCached
	}
	return rt
}

// openedBefore counts the runtimes of the process, for messages that name two of them.
var openedBefore atomic.Int64

// dropCached drops cached loops, and waits for pending timings, which refer to loops.
func (rt *Runtime) dropCached() {
	rt.work.Clear()
	_ = rt.device.Settle() // errors are returned by the next call
}

// Close releases what the runtime holds, and ends the communication with the other ranks.
func (rt *Runtime) Close() error {
	rt.closed = true
	rt.work.End()
	rt.config.Backend.Stop.Release()
	err := rt.backend.Close()
	if err != nil {
		err = rt.Report(problem.Errorf("op2: backend %s: %w", rt.name, err))
	}
	for _, f := range rt.atClose {
		if failed := f(); failed != nil && err == nil {
			err = rt.Report(failed)
		}
	}
	if ended := rt.connected().Close(); ended != nil && err == nil {
		err = rt.Broken(ended)
	}
	return err
}

// Enter acquires the runtime for a call; Leave or LeaveWith must release it at the end, even after a
// panic:
//
//	if err := rt.Enter(); err != nil {
//		return err
//	}
//	defer rt.LeaveWith(&err)
//
// The verbs of package op2 enter, once and for the whole call. The functions of this package are for
// callers who have entered, unless they say that they may be called at any time.
//
// With lazy evaluation, all queued calls run first.
func (rt *Runtime) Enter() error {
	if err := rt.enter(false); err != nil {
		return err
	}
	if err := rt.Force(); err != nil {
		rt.Leave()
		return err
	}
	return nil
}

// enter acquires the runtime, for a verb that can be recorded or not. An error says where the program has called the verb.
func (rt *Runtime) enter(recordable bool) error {
	if rt == nil {
		return Called(problem.ErrNoRuntime)
	}
	if !rt.Take() {
		return rt.Report(Called(problem.ErrConcurrentUse))
	}
	if rt.closed {
		rt.Leave()
		if rt.failed != nil {
			return rt.failed
		}
		return Called(problem.ErrClosed)
	}
	if rt.backend == nil {
		rt.Leave()
		return Called(problem.ErrNoRuntime)
	}
	var err error
	if dir := rt.config.Backend.Translate; dir != "" {
		err = reached(dir)
	}
	if err == nil && !recordable {
		err = rt.recording.refuse()
	}
	if err != nil {
		rt.Leave()
		return rt.Report(Called(err))
	}
	return nil
}

// reached notes for op2 translate, in a folder, where the program has called the verb.
func reached(dir string) error {
	site := callsite.Find()
	return unit.Reach(dir, unit.Place{What: site.Verb, File: site.File, Line: site.Line})
}

// EnterData enters the runtime for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterData() error {
	return rt.refuseStatic(rt.Enter())
}

// refuseStatic leaves a static runtime that was entered, unless there is an error already.
func (rt *Runtime) refuseStatic(err error) error {
	if err == nil && rt.config.Static {
		rt.Leave()
		return Called(problem.ErrStatic)
	}
	return err
}

// MustEnter enters the runtime for methods that return no error, and also work after Close. It panics
// with ErrConcurrentUse if another goroutine is using the runtime.
func (rt *Runtime) MustEnter() {
	if !rt.Take() {
		panic(problem.ErrConcurrentUse)
	}
	_ = rt.recording.refuse() // which Record returns
	if err := rt.Force(); err != nil {
		rt.Late(err)
	}
}

// Take acquires the runtime, and reports whether it was free.
func (rt *Runtime) Take() bool { return rt.busy.CompareAndSwap(false, true) }

// Leave releases the runtime.
func (rt *Runtime) Leave() { rt.busy.Store(false) }

// LeaveWith releases the runtime at the end of a verb. An error says from there on where the program has called the verb,
// and is reported to the other ranks:
//
//	defer rt.LeaveWith(&err)
func (rt *Runtime) LeaveWith(err *error) {
	if *err == nil {
		*err, rt.late = rt.late, nil
	}
	if *err != nil {
		*err = rt.Report(Called(*err))
	}
	rt.Leave()
}

// LeaveTogether releases the runtime at the end of a collective verb, which fails on all ranks if it
// does on any. On success of all, programs may handle the error and go on.
func (rt *Runtime) LeaveTogether(err *error) {
	*err = rt.Agree(Called(*err))
	rt.Leave()
}

// Settle waits for the device, if there is one, until the times of all loops are known.
func (rt *Runtime) Settle() error {
	if rt.device == nil || rt.config.Static || rt.closed {
		return nil
	}
	if err := rt.device.Settle(); err != nil {
		return problem.Errorf("op2: backend %s: %w", rt.name, err)
	}
	return nil
}

// Sweep frees device memory, if there is a device, whose owners have become unreachable.
func (rt *Runtime) Sweep() {
	if rt.device != nil {
		rt.device.Garbage().Sweep(rt.device.Device())
	}
}

// EnterLazily enters the runtime for a call that uses values through storages alone: only the queued
// calls that it depends on run. Enter runs all of them.
func (rt *Runtime) EnterLazily() error { return rt.enter(false) }

// EnterDataLazily is EnterLazily for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterDataLazily() error { return rt.refuseStatic(rt.enter(false)) }

// EnterOperation is EnterLazily for a call that is put into a list of operations where there is one: with lazy
// evaluation it waits, and a chain is recorded of it.
func (rt *Runtime) EnterOperation() error { return rt.enter(true) }

// Operate does a call that EnterOperation enters for, and that uses values, which a static runtime does not have.
func (rt *Runtime) Operate(call func() error) error {
	return rt.Do(func(rt *Runtime) error { return rt.refuseStatic(rt.enter(true)) }, call)
}

// Do is a whole verb: it enters the runtime, does the call, and leaves.
func (rt *Runtime) Do(enter func(*Runtime) error, call func() error) (err error) {
	if err := enter(rt); err != nil {
		return err
	}
	defer rt.LeaveWith(&err)
	return call()
}

// DoTogether is Do for a collective verb, as LeaveTogether says.
func (rt *Runtime) DoTogether(enter func(*Runtime) error, call func() error) (err error) {
	if err := enter(rt); err != nil {
		return err
	}
	defer rt.LeaveTogether(&err)
	return call()
}

// Force runs all queued calls whose results somebody can see.
func (rt *Runtime) Force() error {
	if rt == nil || !rt.Opened() || rt.closed {
		return nil
	}
	return rt.work.Run()
}

// Late keeps the error of calls that ran for a verb that returns none, for the next one that does.
func (rt *Runtime) Late(err error) {
	if rt.late == nil {
		rt.late = err
	}
}

// DropUnreachable drops the cached loops and plans of objects that have become unreachable. The
// memory that they pointed to was in use when the collector found the objects: left alone, the
// collector would let the heap grow to twice that size each time.
func (rt *Runtime) DropUnreachable() {
	if rt.unreachable.some.Load() {
		ids, bytes := rt.unreachable.take()
		rt.dropUsers(ids)
		rt.collector.Note(int(bytes), nil)
	}
}

// dropUsers drops what uses any of the objects.
func (rt *Runtime) dropUsers(objects Objects) { rt.work.Drop(objects) }

// Record calls a function of the program, whose calls the runtime's work records. It returns the function's error, or
// that of the first call that cannot be recorded.
func (rt *Runtime) Record(calls func() error) error {
	r := &recording{}
	rt.recording = r
	rt.Leave()
	defer func() { rt.recording = nil }()
	err := calls()
	if !rt.Take() {
		return problem.ErrConcurrentUse
	}
	return cmp.Or(err, r.refused)
}
