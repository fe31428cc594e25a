package cuda

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

const (
	// fewBytes at most do not wait, in either direction, for others that go through staging.
	fewBytes   = 64 << 10
	roomBytes  = 4 * fewBytes
	pieceBytes = 4 << 20
	pieces     = 2
)

// staging is pinned memory that transfers pass through: of other memory the driver need not
// have taken a copy when its call returns.
type staging struct {
	pieces [pieces]piece // of large transfers, in turn
	rooms  [pieces]piece // for few bytes each on their way to the device
	room   int           // the one that is being filled
}

type piece struct {
	memory unsafe.Pointer // C's
	size   int
	filled int     // of a room
	event  uintptr // when the device has done with it
	used   bool    // the event was recorded
}

func (p *piece) bytes() []byte { return unsafe.Slice((*byte)(p.memory), p.size) }

// put copies few bytes to where they stay until the device has them.
func (s *staging) put(d *Device, few []byte) (unsafe.Pointer, error) {
	if err := allocate(d, s.rooms[:], roomBytes); err != nil {
		return nil, err
	}
	p := &s.rooms[s.room]
	if p.filled+len(few) > p.size {
		if err := p.record(d); err != nil {
			return nil, err
		}
		s.room = (s.room + 1) % pieces
		p = &s.rooms[s.room]
		if err := p.wait(d); err != nil {
			return nil, err
		}
		p.filled = 0
	}
	at := p.bytes()[p.filled:]
	p.filled += (copy(at, few) + 63) &^ 63
	return unsafe.Pointer(unsafe.SliceData(at)), nil
}

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

// allocate gets pieces of so many bytes when they are first needed.
func allocate(d *Device, pieces []piece, size int) error {
	const noTiming = 2
	for i := range pieces {
		p := &pieces[i]
		if p.memory == nil {
			code, _, _ := purego.SyscallN(d.driver.memHostAlloc, uintptr(unsafe.Pointer(&p.memory)), uintptr(size), 0)
			if err := d.failure("cuMemHostAlloc", code); err != nil {
				return err
			}
			p.size = size
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

// free gives all of it back.
func (s *staging) free(d *Device) {
	free(d, s.pieces[:])
	free(d, s.rooms[:])
}

func free(d *Device, pieces []piece) {
	for i := range pieces {
		p := &pieces[i]
		if p.event != 0 {
			_ = d.call("cuEventDestroy", d.driver.eventDestroy, p.event)
		}
		if p.memory != nil {
			_ = d.call("cuMemFreeHost", d.driver.memFreeHost, uintptr(p.memory))
		}
		*p = piece{}
	}
}
