package gpu

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// Kind is a kind of device, and the backend for it.
type Kind struct {
	Name    string // of the backend
	Summary string
	Dialect codegen.Dialect
	// Open opens a device. Its error is a *native.NotFoundError if there is none.
	Open    func(device.Config) (device.Device, error)
	List    func() ([]device.Info, error)
	Missing string // what the machine may lack: "OpenCL device"
}

// engine is an open backend.
type engine struct {
	kind    Kind
	config  backend.Config
	limits  tune.Device
	info    device.Info   // within limits
	device  device.Device // nil when static
	garbage device.Garbage

	mostItems    int // of a group, that the device allows
	translations backend.Translations

	arrays   map[arrayKey]weak.Pointer[array]
	alive    int // number of arrays at the last sweep
	faults   device.Buffer
	sparse   sparse
	rows     [4]*rowKernels // by the logarithm of the size of values; nil until they are needed
	pending  []pending      // calls whose time is not known yet, oldest first
	ahead    int            // maximum number of pending calls
	deferred error          // deferred error of a pending call, returned by the next call, whose caller may not be the one that requested the time
}

// pending is a queued call.
type pending struct {
	timing device.Timing
	took   func(time.Duration)
}

func (e *engine) Device() device.Device { return e.device }

func (e *engine) Garbage() *device.Garbage { return &e.garbage }

// alloc allocates memory, collecting garbage if the device is full.
func (e *engine) alloc(n int) (device.Buffer, error) { return e.garbage.Alloc(e.device, n) }

// AutoSoA stores values component by component on devices whose work-items run in parallel, so that
// neighbors read neighboring values.
func (e *engine) AutoSoA(int) bool { return !e.info.CPU }

// Place returns the device and its driver, which has the compiler.
func (e *engine) Place(backend.Spec) (machine, compiler string) { return e.info.Name, e.info.Driver }

// CallsKernels reports that loops are compiled.
func (e *engine) CallsKernels() bool { return false }

func (e *engine) Check() error { return nil }

// Settle waits for the device, and reports the times of all calls.
func (e *engine) Settle() error {
	if e.device == nil {
		return nil
	}
	for len(e.pending) > 0 {
		if err := e.settleOne(); err != nil {
			return err
		}
	}
	return e.device.Finish()
}

func (e *engine) settleOne() error {
	p := e.pending[0]
	e.pending = slices.Delete(e.pending, 0, 1)
	d, err := p.timing.Elapsed()
	if err != nil {
		e.deferred = cmp.Or(e.deferred, err)
		return err
	}
	p.took(d)
	e.limit(d)
	return nil
}

// limit sets how many calls may be pending, given that one has taken d. Queued work cannot be
// stopped, so less is queued if a context may end; closing the runtime then does not wait long.
func (e *engine) limit(d time.Duration) {
	e.ahead = e.limits.Pending
	if e.config.Stop != nil {
		e.ahead = min(e.limits.Pending, max(1, int(e.limits.PendingTime/max(1, d))))
	}
}

// timed records a call's timing until its time is known.
func (e *engine) timed(t device.Timing, took func(time.Duration)) error {
	if e.ahead == 0 {
		e.limit(e.limits.PendingTime / 2)
	}
	for len(e.pending) >= e.ahead {
		if err := e.settleOne(); err != nil {
			e.deferred = nil
			return err
		}
	}
	e.pending = append(e.pending, pending{t, took})
	return nil
}

// Close reports the times of all calls, names the loops that were not translated, and closes the device.
func (e *engine) Close() error {
	if e.device == nil {
		return nil
	}
	_ = e.Settle() // errors are deferred, and returned below
	e.translations.Warn("compiled when the program ran", &e.config)
	d := e.device
	e.device, e.pending = nil, nil
	clear(e.arrays)
	return errors.Join(e.sparse.close(), d.Close())
}

// timing times queued work.
func (e *engine) timing(queue func() error) (device.Timing, error) {
	if err := e.device.Begin(); err != nil {
		return nil, err
	}
	err := queue()
	timing, endErr := e.device.End()
	return timing, errors.Join(err, endErr)
}

func (e *engine) newFaults() error {
	var err error
	if e.faults, err = e.device.Alloc(faultBytes); err != nil {
		return err
	}
	return e.resetFaults()
}

const faultBytes = 4 * codegen.FaultWords * (1 + codegen.FaultSlots)

func (e *engine) resetFaults() error {
	none := [2]int32{math.MaxInt32, 0}
	return e.device.Upload(e.faults, 0, unsafe.Pointer(&none), 8)
}

// takeFault returns the fault of the first element that failed, or nil.
func (e *engine) takeFault() (*codegen.DeviceFault, error) {
	var head [2]int32
	if err := e.device.Download(unsafe.Pointer(&head), e.faults, 0, 8); err != nil || head[1] == 0 {
		return nil, err
	}
	var record [codegen.FaultWords * (1 + codegen.FaultSlots)]int32
	if err := e.device.Download(unsafe.Pointer(&record), e.faults, 0, faultBytes); err != nil {
		return nil, err
	}
	f := codegen.ReadFault(record[:])
	return &f, e.resetFaults()
}
