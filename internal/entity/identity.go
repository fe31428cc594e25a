package entity

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// ID identifies an object that cached loops refer to; it is never reused, unlike addresses. It
// is 0 until a loop is cached.
type ID uint64

var identities atomic.Uint64

// Objects is a set of objects, some of which may be unreachable.
type Objects map[ID]bool

// identify gives an object of the given size an identity, unless it has one, and arranges for the
// identity to be added to unreachable once the object is.
func identify[T any](object *T, bytes int64, id *ID, unreachable *unreachableIDs) ID {
	if *id == 0 {
		*id = ID(identities.Add(1))
		runtime.AddCleanup(object, unreachable.add, unreachableID{*id, bytes})
	}
	return *id
}

// unreachableIDs collects the identities of objects that have become unreachable. Go's collector adds
// them on its own goroutine.
type unreachableIDs struct {
	some atomic.Bool
	mu   sync.Mutex
	ids  []unreachableID
}

type unreachableID struct {
	ID
	bytes int64
}

func (d *unreachableIDs) add(id unreachableID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids = append(d.ids, id)
	d.some.Store(true)
}

// take returns the identities and the bytes of their objects, and empties the list.
func (d *unreachableIDs) take() (ids Objects, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids = Objects{}
	for _, id := range d.ids {
		ids[id.ID] = true
		bytes += id.bytes
	}
	d.ids = nil
	d.some.Store(false)
	return ids, bytes
}
