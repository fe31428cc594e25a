package standin

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/device"
)

// FaultError reports that a kernel did something that is undefined on a GPU.
type FaultError struct {
	Kernel        string
	Group, Thread int    // where it happened; -1 if unknown
	Text          string // what happened
}

func (e *FaultError) Error() string {
	s := Name + ": kernel " + e.Kernel
	if e.Group >= 0 {
		s += fmt.Sprintf(", block %d", e.Group)
	}
	if e.Thread >= 0 {
		s += fmt.Sprintf(", thread %d", e.Thread)
	}
	return s + " " + e.Text
}

// Unwrap returns the error that a driver would report, if it noticed.
func (e *FaultError) Unwrap() error {
	return &device.Error{Device: Name, Call: e.Kernel, Code: "CUDA_ERROR_ILLEGAL_ADDRESS", Lost: true}
}

// fail records the first error.
func (d *Device) fail(err error) {
	if d.fault == nil {
		d.fault = err
	}
}

// The kinds of faults, as in csrc/standin.h.
const (
	_ = iota
	faultEnded
	faultDifferent
	faultRead
	faultWrite
	faultStack
	faultDynamic
)

// describe describes the fault of a run.
func (k *kernel) describe(l *launch) (text string, found bool) {
	switch l.kind {
	case faultEnded:
		return fmt.Sprintf("waits at the barrier in line %d, which thread %d has not reached: it has ended", l.line, l.other), true
	case faultDifferent:
		return fmt.Sprintf("waits at the barrier in line %d, thread %d at another one in line %d", l.line, l.other, l.otherLine), true
	case faultRead:
		return locate(k.device, "reads", l), true
	case faultWrite:
		return locate(k.device, "writes", l), true
	case faultStack:
		return overflow, true
	case faultDynamic:
		return fmt.Sprintf("has written outside the %d bytes of shared memory it was launched with", l.shared), true
	}
	return "", false
}

var overflow = fmt.Sprintf("has used more than its %d bytes of stack", stackBytes)

// locate describes the address of an access.
func locate(d *Device, verb string, l *launch) string {
	s := fmt.Sprintf("%s %d bytes ", verb, l.bytes)
	if l.extent > 0 {
		name, _, _ := strings.Cut(string(l.name[:]), "\x00")
		return s + fmt.Sprintf("at %d in %s of %d bytes", l.address-l.base, name, l.extent)
	}
	if at := int64(l.address - l.base); at >= -guard && at < int64(d.limits.Local)+guard {
		return s + fmt.Sprintf("at %d in the %d bytes of shared memory it was launched with", at, l.shared)
	}
	for _, b := range d.spans {
		if l.address+guard >= b.start && l.address < b.end+guard {
			return s + fmt.Sprintf("at %d in a buffer of %d bytes", int64(l.address-b.start), b.end-b.start)
		}
	}
	if below := uintptr(l.stacks) - l.address; below < 16*stackBytes {
		return overflow
	}
	return s + fmt.Sprintf("at address %#x, which is in no buffer", l.address)
}

func outside(verb string, b *buffer) string {
	return fmt.Sprintf("%s outside a buffer of %d bytes", verb, len(b.data))
}
