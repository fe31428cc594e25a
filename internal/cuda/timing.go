package cuda

import (
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// maxTimings limits the number of unread timings that hold events.
const maxTimings = 64

// timer holds the events of timings.
type timer struct {
	idle   []uintptr // events
	begun  uintptr
	unread []*timing

	// Arguments and results of driver functions, kept here so that calls allocate nothing.
	event        uintptr
	milliseconds float32
	create       [2]uintptr // of cuEventCreate
	records      [2]uintptr // of cuEventRecord
	synchronize  [1]uintptr // of cuEventSynchronize
	elapsed      [3]uintptr // of cuEventElapsedTime
}

type timing struct {
	device     *Device
	start, end uintptr // events; 0 once the time is known
	elapsed    time.Duration
	err        error
}

// record queues an event.
func (d *Device) record() (uintptr, error) {
	t := &d.timer
	if last := len(t.idle) - 1; last >= 0 {
		t.event = t.idle[last]
		t.idle = t.idle[:last]
	} else {
		t.create = [2]uintptr{uintptr(unsafe.Pointer(&t.event)), 0}
		if err := d.call(d.driver.cuEventCreate, t.create[:]...); err != nil {
			return 0, err
		}
	}
	t.records = [2]uintptr{t.event, d.stream}
	if err := d.call(d.driver.cuEventRecord, t.records[:]...); err != nil {
		t.idle = append(t.idle, t.event)
		return 0, err
	}
	return t.event, nil
}

// Begin starts a timing.
func (d *Device) Begin() error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	if d.timer.begun != 0 { // begun but not ended, after an error
		d.timer.idle = append(d.timer.idle, d.timer.begun)
		d.timer.begun = 0
	}
	var err error
	d.timer.begun, err = d.record()
	return err
}

// End ends the timing.
func (d *Device) End() (device.Timing, error) {
	defer d.leave()
	if err := d.enter(); err != nil {
		return nil, err
	}
	if d.timer.begun == 0 {
		return nil, &device.Error{Device: d.info.Name, Call: "cuEventRecord", Code: "End without Begin"}
	}
	end, err := d.record()
	if err != nil {
		return nil, err
	}
	if len(d.timer.unread) == maxTimings {
		d.timer.unread[0].read()
	}
	t := &timing{device: d, start: d.timer.begun, end: end}
	d.timer.begun = 0
	d.timer.unread = append(d.timer.unread, t)
	return t, nil
}

// Elapsed waits for the end.
func (t *timing) Elapsed() (time.Duration, error) {
	if t.start != 0 {
		d := t.device
		defer d.leave()
		if err := d.enter(); err != nil {
			return 0, err
		}
		t.read()
	}
	return t.elapsed, t.err
}

// read reads the time and recycles the events. The device must be entered.
func (t *timing) read() {
	d := t.device
	r := &d.timer
	r.synchronize[0] = t.end
	t.err = d.call(d.driver.cuEventSynchronize, r.synchronize[:]...)
	if t.err == nil {
		r.elapsed = [3]uintptr{uintptr(unsafe.Pointer(&r.milliseconds)), t.start, t.end}
		t.err = d.call(d.driver.cuEventElapsedTime, r.elapsed[:]...)
		t.elapsed = time.Duration(float64(r.milliseconds) * float64(time.Millisecond))
	}
	d.timer.idle = append(d.timer.idle, t.start, t.end)
	t.start, t.end = 0, 0
	d.timer.unread = slices.DeleteFunc(d.timer.unread, func(u *timing) bool { return u == t })
}

// free reads timings that were not read yet, and destroys the events.
func (r *timer) free(d *Device) {
	for len(r.unread) > 0 {
		r.unread[0].read()
	}
	if r.begun != 0 {
		r.idle = append(r.idle, r.begun)
	}
	for _, event := range r.idle {
		_ = d.call(d.driver.cuEventDestroy_v2, event)
	}
	*r = timer{}
}
