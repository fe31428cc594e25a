package op2

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// identity identifies an object that cached loops refer to; it is never reused, unlike addresses. It
// is 0 until a loop is cached.
type identity uint64

var identities atomic.Uint64

// identify gives an object an identity, unless it has one, which is added to unreachable once the
// object is.
func identify[T any](object *T, id *identity, unreachable *unreachableIDs) {
	if *id == 0 {
		*id = identity(identities.Add(1))
		runtime.AddCleanup(object, unreachable.add, *id)
	}
}

// unreachableIDs collects the identities of objects that have become unreachable. Go's collector adds
// them on its own goroutine.
type unreachableIDs struct {
	some atomic.Bool
	mu   sync.Mutex
	ids  []identity
}

func (d *unreachableIDs) add(id identity) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids = append(d.ids, id)
	d.some.Store(true)
}

// take returns the identities, and empties the list.
func (d *unreachableIDs) take() map[identity]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := map[identity]bool{}
	for _, id := range d.ids {
		ids[id] = true
	}
	d.ids = nil
	d.some.Store(false)
	return ids
}

// dropUnreachable drops the cached loops and plans of objects that have become unreachable.
func (rt *Runtime) dropUnreachable() {
	if rt.unreachable.some.Load() {
		ids := rt.unreachable.take()
		rt.loops.drop(ids)
		rt.seen.drop(ids, rt.plans)
	}
}
