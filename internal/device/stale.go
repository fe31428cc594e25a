package device

import (
	"errors"
	"hash/maphash"
	"unsafe"
)

// errStale is found by a guarded Mirror.
var errStale = errors.New("a slice of its values was written after a loop had used them on the device, which does not see that\n" +
	"  hint: a slice that Data returned may be written until the next loop that uses the values: call Data again after it; what DataRO returned is not for writing")

// guard finds writes to the host's memory that come without a call of Host, by a checksum of
// what the host had when the device got the values. The zero guard looks at nothing.
type guard struct {
	on   bool // checksums are made
	seed maphash.Seed
	set  bool // sum is that of the host's memory, which nobody is to write
	sum  uint64
}

// Guard has the mirror find writes through slices that are out of date, at the cost of reading
// the host's memory at each use: an error of the next call of Bring or Host.
func (m *Mirror) Guard() { m.guard.on, m.guard.seed = true, maphash.MakeSeed() }

// freeze notes what the host's memory holds, which is to stay until thaw.
func (m *Mirror) freeze() {
	if m.guard.on {
		m.guard.set, m.guard.sum = true, m.checksum()
	}
}

// thaw allows writes to the host's memory.
func (m *Mirror) thaw() { m.guard.set = false }

// unchanged returns an error, once, if the host's memory was written while it was frozen.
func (m *Mirror) unchanged() error {
	if !m.guard.set {
		return nil
	}
	if sum := m.checksum(); sum != m.guard.sum {
		m.guard.sum = sum
		return errStale
	}
	return nil
}

func (m *Mirror) checksum() uint64 {
	return maphash.Bytes(m.guard.seed, unsafe.Slice((*byte)(m.host()), m.shape.Bytes()))
}
