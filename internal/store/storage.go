// Package store has memory that the host and a device share (Storage). A storage knows neither sets nor loops: whoever
// lets calls wait gives it a Waiter, which is asked before values are used.
package store

import (
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// Storage is the values of a dat, a global or a mat: memory on the host, and on a device where
// loops run there. Several views may show one storage, each with a set and a dim of its own.
// Prepared loops lead to storages, and to no view, so that they keep none alive.
//
// Values are all zero until something else is stored. A storage belongs to the goroutine that
// has its runtime.
type Storage struct {
	shape   device.Shape
	slots   bool // there is memory for some after the values
	padding padding
	memory  unsafe.Pointer // the first value on the host; nil until it is needed
	mirror  *device.Mirror // whose nil form is for values on the host alone
	version uint64
	cleared uint64 // the version whose padding is zero on the host
	halo    halo.State
	lent    *loan // what the program may have changed; nil: nothing

	waiter  Waiter // nil: nothing must run before the values are used
	handle  weak.Pointer[Handle]
	watched bool                      // handle says whether the program still has the data
	first   func(replaces bool) error // is called before the next use; nil: nobody wants to know

	// Replaced marks values that may have been set, rather than added to, since it was
	// cleared: what boundary conditions did to a matrix may be gone.
	Replaced bool
}

// NewStorage returns a storage of zeros that has no memory yet.
func NewStorage(shape device.Shape) *Storage {
	return &Storage{shape: shape, halo: halo.State{Valid: halo.Everywhere}}
}

// Unallocated reports whether there is no memory yet: all values are zero.
func (s *Storage) Unallocated() bool {
	return s.memory == nil && (s.mirror == nil || s.mirror.State() == device.HostUnallocated)
}

// Reshape makes it a storage for that many elements, without memory.
func (s *Storage) Reshape(elements int) {
	shape := s.shape
	shape.Elements = elements
	*s = Storage{shape: shape, slots: s.slots, padding: s.padding, version: s.version, Replaced: s.Replaced, first: s.first, halo: halo.State{Valid: halo.Everywhere}}
}

// LeaveSlots makes the memory have room for some more rows after the values, which loops may need. It costs nothing
// until it is used.
func (s *Storage) LeaveSlots() { s.slots = true }

// Pad sets the layout of the values, whose padding stays zero.
func (s *Storage) Pad(l *loop.Layout) { s.padding = paddingOf(l) }

// SpareRows returns the number of rows of that many bytes that there is memory for after the values.
func (s *Storage) SpareRows(row int) int { return s.spare() / row }

// spare returns the size in bytes of the memory after the values: a quarter of theirs, and some rows.
func (s *Storage) spare() int {
	if !s.slots {
		return 0
	}
	return s.shape.Bytes()/4 + 64*s.shape.Dim*s.shape.Size
}

// Share gives a device access to the values. What is for messages: "dat q on cells". With guard,
// writes through outdated slices are detected.
func (s *Storage) Share(what string, guard bool, d device.Device, g *device.Garbage, t *device.Transfers) {
	s.mirror = device.NewMirror(d, s.shape, s.Memory, s.memory != nil, t)
	s.mirror.What = what
	s.mirror.LeaveTo(g)
	if guard {
		s.mirror.Guard()
	}
}

// Shape returns the shape of the values.
func (s *Storage) Shape() device.Shape { return s.shape }

// Mirror returns the part of a storage that knows where values are valid; nil where they are on
// the host alone.
func (s *Storage) Mirror() *device.Mirror { return s.mirror }

// Bytes returns the size of the values in bytes.
func (s *Storage) Bytes() int {
	if s == nil {
		return 0
	}
	return s.shape.Bytes()
}

// Memory returns the address of the first value on the host, where memory is allocated if there
// is none yet.
func (s *Storage) Memory() unsafe.Pointer {
	if s.memory == nil {
		s.memory = unsafe.Pointer(unsafe.SliceData(Aligned[uint64]((s.shape.Bytes() + s.spare() + 7) / 8)))
	}
	return s.memory
}

// Host returns the address of the first value on the host, or nil if there is no memory yet.
func (s *Storage) Host() unsafe.Pointer { return s.memory }

// Values returns the memory on the host as values of type T; nil if there is none yet, or no storage.
func Values[T any](s *Storage) []T {
	if s == nil || s.memory == nil {
		return nil
	}
	return unsafe.Slice((*T)(s.memory), s.shape.Bytes()/int(unsafe.Sizeof(*new(T))))
}

// Version counts the writes so far: of loops, and of all that may have written on the host.
func (s *Storage) Version() uint64 { return s.version }

// Wrote counts a write.
func (s *Storage) Wrote() { s.version++ }

// Bring makes the values on the host valid, and if they are to be written, only those.
func (s *Storage) Bring(write bool) error {
	if err := s.ready(write, false); err != nil {
		return err
	}
	version := s.version
	if write {
		s.version++
		s.Outdate()
	}
	s.Memory()
	if err := s.mirror.Host(write); err != nil {
		return err
	}
	if s.cleared != version && len(s.padding.gaps) > 0 {
		s.padding.clear(Values[byte](s))
		s.mirror.Patched()
	}
	s.cleared = version
	return nil
}

// Discard prepares values all of which are going to be written, like Bring but without moving any,
// and without waiting for what other ranks contribute to them.
func (s *Storage) Discard() {
	s.replace()
	s.version++
	s.Outdate()
	s.Memory()
	s.mirror.Overwrite()
}

// BringToDevice makes the values on the device valid, in a layout; it does nothing where values are on the host alone.
func (s *Storage) BringToDevice(layout tune.Layout) error {
	if s.mirror == nil {
		return nil
	}
	if err := s.ready(false, false); err != nil {
		return err
	}
	_, err := s.mirror.Bring(true, layout)
	return err
}

// Outdate records that values of the halo have not been written, others have.
func (s *Storage) Outdate() { s.halo.Written(halo.Owned) }

// Filled records that all values have been written, those of a halo too.
func (s *Storage) Filled() { s.halo.Valid = halo.Everywhere }

// Halo returns which values of a halo are valid.
func (s *Storage) Halo() *halo.State { return &s.halo }

// Zero sets all values to zero, where they are.
func (s *Storage) Zero() error {
	if err := s.ready(true, true); err != nil {
		return err
	}
	s.version++
	s.Filled()
	if s.mirror != nil {
		return s.mirror.Zero()
	}
	clear(unsafe.Slice((*byte)(s.Memory()), s.shape.Bytes()))
	return nil
}

// Take copies the values of another storage of the same shape, where these are.
func (s *Storage) Take(from *Storage) error {
	if done, err := s.CopyOnDevice(from); done {
		return err
	}
	return s.TakeOnHost(from)
}

// TakeOnHost copies the values there, those of the halo too.
func (s *Storage) TakeOnHost(from *Storage) error {
	if err := from.Bring(false); err != nil {
		return err
	}
	s.Discard()
	copy(Values[byte](s), Values[byte](from))
	s.halo.Like(from.halo)
	return nil
}

// OnDevice reports whether the device has the values, so that they are better changed there.
func (s *Storage) OnDevice() bool { return s.mirror.State().Valid() }

// HostValid reports whether the host has the values: those that messages are made of, or go to. Zeros
// without memory get some.
func (s *Storage) HostValid() bool {
	if s.mirror.State() == device.HostUnallocated {
		_ = s.mirror.Host(false) // which moves nothing
	}
	return s.mirror.State() != device.OnDevice
}

// CopyOnDevice copies the values of another storage of the same shape on the device if they are
// valid there or not allocated yet. It reports whether it did.
func (s *Storage) CopyOnDevice(from *Storage) (done bool, err error) {
	if err := from.ready(false, false); err != nil {
		return false, err
	}
	switch state := from.mirror.State(); {
	case state == device.HostUnallocated:
		defer func() { s.halo.Like(from.halo) }()
		return true, s.Zero()
	case state.Valid():
		if err := s.ready(true, true); err != nil {
			return false, err
		}
		s.version++
		s.halo.Like(from.halo)
		return true, s.mirror.Copy(from.mirror)
	}
	return false, nil
}

// loan is a copy of a storage's values in declared order, which the program may change until the storage
// is used again.
type loan struct {
	rows   []int32 // the row in declared order of each row in memory
	size   int     // of a row in bytes
	values []byte
}

// padding is the bytes of each value that belong to no scalar. The zero padding is that of values without any.
type padding struct {
	size int // of a value
	gaps []gap
}

// gap is a range of bytes.
type gap struct{ from, to int }

// ClearPadding zeroes the bytes of values like those of the storage that no value uses. Programs that assign structs,
// kernels and devices leave anything in them.
func (s *Storage) ClearPadding(values []byte) { s.padding.clear(values) }

// Await makes the values of a storage wait for w; nil: for nobody.
func (s *Storage) Await(w Waiter) { s.waiter = w }

// Waiter returns what the values of a storage wait for; nil if there is nothing.
func (s *Storage) Waiter() Waiter { return s.waiter }

// ready is called before the values are read, changed, or all replaced. If nothing is lent, and nobody
// waits or wants to know, that is three comparisons with nil.
func (s *Storage) ready(changes, whole bool) error {
	if s.waiter != nil {
		s.TakeBack()
		if err := s.waiter.Ready(changes, whole); err != nil {
			return err
		}
	}
	return s.Use(changes && whole)
}

// replace is ready for values all of which are replaced, for callers that return no error.
func (s *Storage) replace() {
	s.lent = nil
	if s.waiter != nil {
		if err := s.waiter.Ready(true, true); err != nil {
			s.waiter.Late(err)
		}
	}
	_ = s.Use(true) // which is no error
}

// Watch makes Gone report whether the handle, which all views share, has become unreachable.
func (s *Storage) Watch() *Handle {
	h := &Handle{}
	s.handle, s.watched = weak.Make(h), true
	return h
}

// Gone reports whether the program no longer has the data.
func (s *Storage) Gone() bool { return s.watched && s.handle.Value() == nil }
