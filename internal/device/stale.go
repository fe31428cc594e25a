package device

import (
	"errors"
	"hash/maphash"
	"unsafe"
)

// errStale is the error of a guarded Mirror.
var errStale = errors.New("a slice of its values was written after a loop had used them on the device, which does not see that\n" +
	"  hint: a slice that Data returned may be written until the next loop that uses the values: call Data again after it; what DataRO returned is not for writing")

// guard detects writes to the host's memory without a call of Host, by a checksum of its contents
// at the time of the last transfer to the device. The zero guard detects nothing.
type guard struct {
	on   bool // whether checksums are made
	seed maphash.Seed
	set  bool // sum is that of the host's memory, which must not change
	sum  uint64
}

// Guard makes the mirror detect writes through stale slices, at the cost of reading the host's
// memory at each use: the next call of Bring or Host returns an error.
func (m *Mirror) Guard() { m.guard.on, m.guard.seed = true, maphash.MakeSeed() }

// freeze records the contents of the host's memory, which must not change until thaw.
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
