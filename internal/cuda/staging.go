package cuda

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

const (
	// directBytes are copied without staging: the driver has done with the host's memory
	// when its call returns.
	directBytes = 64 << 10
	pieceBytes  = 4 << 20
	pieces      = 2
)

// staging is pinned memory that large transfers pass through.
type staging struct {
	pieces [pieces]piece
}

type piece struct {
	memory unsafe.Pointer // C's
	event  uintptr        // when the device has done with it
	used   bool           // the event was recorded
}

func (p *piece) bytes() []byte { return unsafe.Slice((*byte)(p.memory), pieceBytes) }

// wait waits until the device has done with the piece.
func (p *piece) wait(d *Device) error {
	if !p.used {
		return nil
	}
	p.used = false
	return d.call("cuEventSynchronize", d.driver.eventSynchronize, p.event)
}

// record marks where in the queue the device has done with the piece.
func (p *piece) record(d *Device) error {
	p.used = true
	return d.call("cuEventRecord", d.driver.eventRecord, p.event, d.stream)
}

// allocate gets the memory when it is first needed.
func (s *staging) allocate(d *Device) error {
	const noTiming = 2
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.memory == nil {
			code, _, _ := purego.SyscallN(d.driver.memHostAlloc, uintptr(unsafe.Pointer(&p.memory)), pieceBytes, 0)
			if err := d.failure("cuMemHostAlloc", code); err != nil {
				return err
			}
		}
		if p.event == 0 {
			code, _, _ := purego.SyscallN(d.driver.eventCreate, uintptr(unsafe.Pointer(&p.event)), noTiming)
			if err := d.failure("cuEventCreate", code); err != nil {
				return err
			}
		}
	}
	return nil
}

// free gives it back.
func (s *staging) free(d *Device) {
	for i := range s.pieces {
		p := &s.pieces[i]
		if p.event != 0 {
			_ = d.call("cuEventDestroy", d.driver.eventDestroy, p.event)
		}
		if p.memory != nil {
			_ = d.call("cuMemFreeHost", d.driver.memFreeHost, uintptr(p.memory))
		}
		*p = piece{}
	}
}
