package run

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/timeline"
)

// Start prepares for a call: it must be done before each.
func (l *Loop) Start() error {
	if err := l.rt.Config().Backend.Stop.Err(); err != nil {
		return problem.Errorf("op2: %s: %w", l.name, err)
	}
	if err := l.compare(l.own.Calls + 1); err != nil {
		return err
	}
	for _, p := range l.parts { // of a fused loop, which reads nothing that one of them has replaced before
		if err := p.use(); err != nil {
			return err
		}
	}
	if err := l.use(); err != nil {
		return err
	}
	for i := range l.uses {
		l.uses[i].wrote()
	}
	return nil
}

// use says to the storages what a call is going to do with them.
func (l *Loop) use() error {
	for i := range l.uses {
		u := &l.uses[i]
		if err := u.Storage.Use(u.replaces()); err != nil {
			return problem.Errorf("op2: %s: %w", l.name, problem.Bare(err))
		}
	}
	return nil
}

// compare compares the kernel's function with its source from time to time, given the number of the
// call.
func (l *Loop) compare(call int64) error {
	if l.watch != nil {
		if err := l.watch.Call(call); err != nil {
			return problem.OfLoop(l.name, err)
		}
	}
	for _, p := range l.parts {
		if err := p.compare(call); err != nil {
			return err
		}
	}
	return nil
}

// Count counts a call, and its time, which a device reports by itself.
func (l *Loop) Count(took time.Duration) {
	l.addTime(took)
	l.addCall(l.traffic)
	if l.shares != nil {
		for _, p := range l.parts {
			p.addCall(p.traffic)
		}
	}
}

// compute runs a loop that is ready, over its set and with its arguments.
func (l *Loop) compute(over entity.Range, args []entity.Arg) error {
	if l.rt.Config().Backend.Poison {
		return l.computeChecked(over, args)
	}
	if err := l.Start(); err != nil {
		return err
	}
	return l.runOnce(over, args)
}

// computeChecked is compute with the checks of diagnostics before and after the call.
func (l *Loop) computeChecked(over entity.Range, args []entity.Arg) error {
	if err := l.checkRanks(over, args); err != nil {
		return err
	}
	watch, err := l.watchFinite(args)
	if err != nil {
		return err
	}
	if err := l.Start(); err != nil {
		return err
	}
	if err := l.runOnce(over, args); err != nil {
		return err
	}
	if err = l.checkFinite(watch, over, args); err == nil {
		err = l.checkMats(args)
	}
	if !l.halos.together() { // other ranks need not run it
		return err
	}
	return l.rt.Agree(l.declared(err))
}

// runOnce makes the backend run the loop, which has started, and measures it.
func (l *Loop) runOnce(over entity.Range, args []entity.Arg) error {
	if err := l.halos.begin(); err != nil {
		return l.Failed(err)
	}
	r, err := l.tuned.next(l.runner, args)
	if err != nil {
		return l.Failed(err)
	}
	l.labels.begin()
	defer l.labels.end()
	before := l.own.Time
	took, began := time.Duration(0), l.rt.Timeline().Now()
	if l.rt.Device() != nil {
		l.rt.Sweep()
		err = l.call(r)
	} else {
		start := time.Since(epoch)
		err = l.call(r)
		took = time.Since(epoch) - start
	}
	l.Count(took)
	l.rt.Timeline().Add(timeline.Loop, l.kernel.Name(), began, l.bytes)
	if l.rt.Config().Trace {
		l.trace(over, before)
	}
	if err != nil {
		return l.about(l.Failed(err), args)
	}
	l.tuned.note(took)
	return nil
}

// trace says that the loop has run, given the time of its calls before, and counts those of its kernel over the set. It
// waits for a device, which measures its own.
func (l *Loop) trace(over entity.Range, before time.Duration) {
	_ = l.rt.Settle() // an error is returned by the next call that uses data
	c, rank := l.rt.Config(), ""
	if l.rt.Several() {
		rank = fmt.Sprintf("rank %d: ", l.rt.Rank())
	}
	c.Say(fmt.Sprintf("%s%s, call %d: %d elements, %v", rank, l.name, l.total.Calls, over.Size(), (l.own.Time - before).Round(time.Microsecond/10)))
}

// call makes the backend run the loop.
func (l *Loop) call(r backend.Runner) error {
	if l.same == nil {
		return l.halos.run(r)
	}
	if err := l.same.Begin(); err != nil {
		return err
	}
	if err := l.halos.run(r); err != nil {
		return err
	}
	return l.same.Finish(l.rt, l.reduced)
}

// reduced counts the time that the program waited for results of other ranks.
func (l *Loop) reduced(d time.Duration) {
	l.addReduction(d)
	l.rt.Timeline().Ended(timeline.Wait, l.kernel.Name(), d)
}

// checkMats looks for values that are not finite in the mats among the arguments.
func (l *Loop) checkMats(args []entity.Arg) error {
	for _, a := range args {
		if a.Kind == loop.Mat {
			if err := a.Data.Bring(false); err != nil {
				return err
			}
			if err := a.Data.NotFinite(entity.Everywhere); err != nil {
				err.What = l.name + ": " + err.What
				return err
			}
		}
	}
	return nil
}

// Failed returns the error for what ended a call.
func (l *Loop) Failed(err error) error {
	var f *backend.Fault
	if errors.As(err, &f) {
		l.rearranged.Locate(f)
		return l.fault(f)
	}
	return problem.Errorf("op2: %s: %w", l.name, err)
}
