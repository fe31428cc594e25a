package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
)

// goalCall is the target for the host time of a call of a prepared loop.
const goalCall = 10 * time.Microsecond

// calls measures the host time of calls on a device.
func (b *deviceBench) calls(cells int) (err error) {
	m, err := newMesh(cells)
	if err != nil {
		return err
	}
	rt, f, err := b.flow(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()
	if _, err := f.Iterate(); err != nil {
		return err
	}
	one, again, err := newTouch(rt)
	if err != nil {
		return err
	}
	settle := func() { one.Stats() }

	calls := 2000
	if b.quick {
		calls = 100
	}
	fmt.Fprintf(b.out, "\ncalls as the host sees them, which does not wait for the device; goal: less than %v\n", goalCall)
	t := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "loop\tmedian µs\tp99 µs\tallocations\tgoal\t\n")
	row := func(name string, call func() error) error {
		times, err := callTimes(calls, call, settle)
		if err != nil {
			return err
		}
		middle := times[len(times)/2]
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.0f\t%s\t\n", name, micro(middle), micro(times[len(times)*99/100]),
			testing.AllocsPerRun(100, func() { _ = call() }), met(middle < goalCall))
		return nil
	}
	if err := errors.Join(row("one element, 8 arguments", one.Compute), row("the same by ParLoop", again)); err != nil {
		return err
	}
	for l, loop := range f.Loops() {
		if err := row(loopNames[l], loop.Compute); err != nil {
			return err
		}
	}
	t.Flush()
	return b.queueing(rt, f.Advance, settle, m.Cells())
}

// queueing measures whether the host has queued an iteration long before the device has finished
// it.
func (b *deviceBench) queueing(rt *op2.Runtime, advance func() error, settle func(), cells int) error {
	var queued, done []float64
	moved := rt.Transfers()
	const rounds = 31
	for range rounds {
		settle()
		start := time.Now()
		if err := advance(); err != nil {
			return err
		}
		queued = append(queued, time.Since(start).Seconds())
		settle()
		done = append(done, time.Since(start).Seconds())
	}
	now := rt.Transfers()
	part := ratio(queued, done)
	verdict := "queued without waiting"
	if part > 0.5 {
		verdict = "the host is not ahead"
	}
	fmt.Fprintf(b.out, "an iteration on %d cells: queued after %.0f µs, done after %.0f µs: %s; it moves %.0f bytes to the device in %.1f transfers, %.0f back\n",
		cells, 1e6*median(queued), 1e6*median(done), verdict,
		float64(now.BytesToDevice-moved.BytesToDevice)/rounds, float64(now.ToDevice-moved.ToDevice)/rounds,
		float64(now.BytesToHost-moved.BytesToHost)/rounds)
	return nil
}

// callTimes returns the host times of n calls, in ascending order. From time to time it waits for
// the device, so that its queue is never full.
func callTimes(n int, call func() error, settle func()) ([]time.Duration, error) {
	times := make([]time.Duration, 0, n)
	for i := range n {
		if i%16 == 0 {
			settle()
		}
		start := time.Now()
		err := call()
		times = append(times, time.Since(start))
		if err != nil {
			return nil, err
		}
	}
	settle()
	slices.Sort(times)
	return times, nil
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
