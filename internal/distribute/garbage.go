package distribute

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/go-op2/op2/internal/entity"
)

// While a mesh is distributed, what it was made of is let go piece by piece. The garbage collector
// runs when memory has grown by this many percent, which costs little: a mesh is few large arrays
// without pointers. Small meshes are not worth it.
const (
	sparePercent = 10
	spareBytes   = 16 << 20
)

// sparing counts the ranks of this process that distribute a large mesh.
var sparing struct {
	sync.Mutex
	ranks, percent int // percent is what the program has set
}

// spareMemory makes the garbage collector run often until the returned function is called, if what
// has been declared takes much memory.
func spareMemory(m *entity.Declared) (end func()) {
	if declaredBytes(m) < spareBytes {
		return func() {}
	}
	sparing.Lock()
	defer sparing.Unlock()
	if sparing.ranks == 0 {
		if sparing.percent = debug.SetGCPercent(sparePercent); uint(sparing.percent) <= sparePercent {
			debug.SetGCPercent(sparing.percent)
		}
	}
	sparing.ranks++
	return func() {
		runtime.GC() // of the whole mesh
		sparing.Lock()
		defer sparing.Unlock()
		if sparing.ranks--; sparing.ranks == 0 {
			debug.SetGCPercent(sparing.percent)
		}
	}
}

// declaredBytes returns the size of the declared maps and data on this rank.
func declaredBytes(m *entity.Declared) (n int) {
	for _, s := range m.Sets {
		n += m.Weights[s] * s.Total()
	}
	for _, f := range m.Maps {
		n += 4 * f.Arity() * f.From().Total()
	}
	return n
}
