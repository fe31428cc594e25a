package entity

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"
)

// ID identifies an object that cached loops refer to, and leads to it as long as it is reachable. It is nil until a loop is
// cached.
type ID *identity

type identity struct{ object any } // a weak pointer

// At returns the object with an identity; nil if it is unreachable, and for nil.
func At[T any](id ID) *T {
	if id == nil {
		return nil
	}
	return id.object.(weak.Pointer[T]).Value()
}

// Objects is a set of objects, some of which may be unreachable.
type Objects map[ID]bool

// identify gives an object of the given size an identity, unless it has one, and arranges for the
// identity to be added to unreachable once the object is.
func identify[T any](object *T, bytes int64, id *ID, unreachable *unreachableIDs) ID {
	if *id == nil {
		*id = &identity{weak.Make(object)}
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
	id    ID
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
		ids[id.id] = true
		bytes += id.bytes
	}
	d.ids = nil
	d.some.Store(false)
	return ids, bytes
}
