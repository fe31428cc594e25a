package opencl

import (
	"errors"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// A timing holds the first and the last event of the timed work; on an in-order queue those in
// between do not matter.
type timing struct {
	device      *opened
	new         uintptr // where OpenCL stores the event of the current call
	first, last uintptr // 0: none; equal if there is only one
	elapsed     time.Duration
	err         error
}

func (d *opened) Begin() error {
	if d.handle.queue == 0 {
		return errClosed
	}
	if d.timing != nil {
		return errors.New("a timing has begun already, and did not end")
	}
	d.timing = &timing{device: d}
	return nil
}

func (d *opened) End() (device.Timing, error) {
	if d.handle.queue == 0 {
		return nil, errClosed
	}
	t := d.timing
	if t == nil {
		return nil, errors.New("no timing has begun")
	}
	d.timing = nil
	return t, nil
}

// event returns where the call that queues something should store its event; 0 if nothing is timed.
func (d *opened) event() uintptr {
	if d.timing == nil {
		return 0
	}
	return uintptr(unsafe.Pointer(&d.timing.new))
}

// queued must follow each call that queues something, with its result.
func (d *opened) queued(call string, c code) error {
	if c != 0 {
		return d.failed(call, c)
	}
	if d.timing != nil {
		d.timing.add()
	}
	if d.batch == batchBegun {
		return nil
	}
	if d.batch == batchEmpty {
		d.batch = batchBegun
	}
	return d.submit()
}

// batch says which calls submit the work that they queue.
type batch uint8

const (
	noBatch    batch = iota // each submits
	batchEmpty              // the first does, so that the device begins
	batchBegun              // none does
)

// Batch submits the work that queue queues in at most two calls.
func (d *opened) Batch(queue func() error) error {
	d.batch = batchEmpty
	err := queue()
	begun := d.batch == batchBegun
	d.batch = noBatch
	if begun {
		err = errors.Join(err, d.submit())
	}
	return err
}

// submit makes the driver start the queued work: otherwise it may wait for more.
func (d *opened) submit() error {
	return d.failed("clFlush", code(d.clFlush.Call(d.onQueue[:]...)))
}

func (t *timing) add() {
	if t.first == 0 {
		t.first = t.new
		t.device.timings[t] = struct{}{}
	} else if t.last != t.first {
		t.device.events.release(t.device, t.last)
	}
	t.last, t.new = t.new, 0
}

func (t *timing) release() {
	if t.first == 0 {
		return
	}
	t.device.events.release(t.device, t.first)
	if t.last != t.first {
		t.device.events.release(t.device, t.last)
	}
	t.first, t.last = 0, 0
	delete(t.device.timings, t)
}

// Elapsed returns the time from the start of the first to the end of the last operation queued
// between Begin and End.
func (t *timing) Elapsed() (time.Duration, error) {
	if t.first == 0 {
		return t.elapsed, t.err
	}
	defer t.release()
	d := t.device
	if c := d.events.wait(d, t.last); c != 0 {
		t.err = d.failedWaiting("clWaitForEvents", c)
		return 0, t.err
	}
	start, c := d.events.when(d, t.first, profilingCommandStart)
	var end uint64
	if c == 0 {
		end, c = d.events.when(d, t.last, profilingCommandEnd)
	}
	if c != 0 {
		t.err = d.failed("clGetEventProfilingInfo", c)
		return 0, t.err
	}
	t.elapsed = time.Duration(max(end, start) - start)
	return t.elapsed, nil
}

// eventCalls holds the arguments and results of calls about an event, so that they allocate nothing.
type eventCalls struct {
	event   [1]uintptr
	list    [2]uintptr
	profile [5]uintptr
	time    uint64
}

func (a *eventCalls) release(d *opened, event uintptr) {
	a.event[0] = event
	d.clReleaseEvent.Call(a.event[:]...)
}

func (a *eventCalls) wait(d *opened, event uintptr) code {
	a.event[0] = event
	a.list = [2]uintptr{1, uintptr(unsafe.Pointer(&a.event))}
	return code(d.clWaitForEvents.Call(a.list[:]...))
}

// when returns the time of an event's start or end, in nanoseconds.
func (a *eventCalls) when(d *opened, event, what uintptr) (uint64, code) {
	a.profile = [5]uintptr{event, what, 8, uintptr(unsafe.Pointer(&a.time)), 0}
	c := code(d.clGetEventProfilingInfo.Call(a.profile[:]...))
	return a.time, c
}
