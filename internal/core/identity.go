package core

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// identity identifies an object that cached loops refer to; it is never reused, unlike addresses. It
// is 0 until a loop is cached.
type identity uint64

var identities atomic.Uint64

// identify gives an object of the given size an identity, unless it has one, and arranges for the
// identity to be added to unreachable once the object is.
func identify[T any](object *T, bytes int64, id *identity, unreachable *unreachableIDs) {
	if *id == 0 {
		*id = identity(identities.Add(1))
		runtime.AddCleanup(object, unreachable.add, unreachableID{*id, bytes})
	}
}

// unreachableIDs collects the identities of objects that have become unreachable. Go's collector adds
// them on its own goroutine.
type unreachableIDs struct {
	some atomic.Bool
	mu   sync.Mutex
	ids  []unreachableID
}

type unreachableID struct {
	identity
	bytes int64
}

func (d *unreachableIDs) add(id unreachableID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids = append(d.ids, id)
	d.some.Store(true)
}

// take returns the identities and the bytes of their objects, and empties the list.
func (d *unreachableIDs) take() (ids map[identity]bool, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids = map[identity]bool{}
	for _, id := range d.ids {
		ids[id.identity] = true
		bytes += id.bytes
	}
	d.ids = nil
	d.some.Store(false)
	return ids, bytes
}

// dropChains drops the chains that the queue has found and that use any of the objects.
func (rt *Runtime) dropChains(objects map[identity]bool) {
	if rt.queue != nil {
		rt.queue.chains.drop(objects)
	}
}

// dropUnreachable drops the cached loops and plans of objects that have become unreachable. The
// memory that they pointed to was in use when the collector found the objects: left alone, the
// collector would let the heap grow to twice that size each time.
func (rt *Runtime) dropUnreachable() {
	if rt.unreachable.some.Load() {
		ids, bytes := rt.unreachable.take()
		rt.loops.drop(ids)
		rt.dropChains(ids)
		if rt.queue != nil {
			rt.queue.prune(nil)
		}
		rt.seen.drop(ids, rt.plans)
		rt.collector.Note(int(bytes), nil)
	}
}
