package cuda

import (
	"unsafe"
)

const (
	// Transfers of at most fewBytes, in either direction, do not wait for others in staging.
	fewBytes   = 64 << 10
	roomBytes  = 4 * fewBytes
	pieceBytes = 4 << 20
	pieces     = 2
)

// staging is pinned memory that transfers pass through: the driver need not have copied other
// memory by the time its call returns.
type staging struct {
	pieces [pieces]piece // of large transfers, used in turn
	rooms  [pieces]piece // for small transfers to the device
	room   int           // the one being filled
}

type piece struct {
	memory unsafe.Pointer // allocated by the driver
	size   int
	filled int     // of a room
	event  uintptr // recorded when the device is done with the piece
	used   bool    // whether the event was recorded
}

func (p *piece) bytes() []byte { return unsafe.Slice((*byte)(p.memory), p.size) }

// put copies a few bytes to memory that remains valid until the device has read it.
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

func (p *piece) wait(d *Device) error {
	if !p.used {
		return nil
	}
	p.used = false
	return d.call(d.driver.cuEventSynchronize, p.event)
}

// record queues the event that marks when the device is done with the piece.
func (p *piece) record(d *Device) error {
	p.used = true
	return d.call(d.driver.cuEventRecord, p.event, d.stream)
}

func allocate(d *Device, pieces []piece, size int) error {
	const noTiming = 2
	for i := range pieces {
		p := &pieces[i]
		if p.memory == nil {
			if err := d.call(d.driver.cuMemHostAlloc, uintptr(unsafe.Pointer(&p.memory)), uintptr(size), 0); err != nil {
				return err
			}
			p.size = size
		}
		if p.event == 0 {
			if err := d.call(d.driver.cuEventCreate, uintptr(unsafe.Pointer(&p.event)), noTiming); err != nil {
				return err
			}
		}
	}
	return nil
}

// free frees all pinned memory.
func (s *staging) free(d *Device) {
	free(d, s.pieces[:])
	free(d, s.rooms[:])
}

func free(d *Device, pieces []piece) {
	for i := range pieces {
		p := &pieces[i]
		if p.event != 0 {
			_ = d.call(d.driver.cuEventDestroy_v2, p.event)
		}
		if p.memory != nil {
			_ = d.call(d.driver.cuMemFreeHost, uintptr(p.memory))
		}
		*p = piece{}
	}
}
