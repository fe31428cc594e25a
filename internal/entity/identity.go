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

// ID returns the set's ID; 0 if none was needed so far.
func (s *Set) ID() ID { return s.id }

// ID returns the subset's ID; 0 if none was needed so far.
func (s *Subset) ID() ID { return s.id }

// ID returns the map's ID; 0 if none was needed so far.
func (m *Map) ID() ID { return m.id }

// ID returns the data's ID; 0 if none was needed so far.
func (d *Data) ID() ID { return d.id }

// Tracked returns the ID of a set; 0 for nil.
func (s *Set) Tracked() ID {
	if s == nil {
		return 0
	}
	return identify(s, 0, &s.id, s.rt.unreachable)
}

// Tracked returns the ID of a subset; 0 for nil.
func (s *Subset) Tracked() ID {
	if s == nil {
		return 0
	}
	return identify(s, 0, &s.id, s.of.rt.unreachable)
}

// Tracked returns the ID of a map; 0 for nil.
func (m *Map) Tracked() ID {
	if m == nil {
		return 0
	}
	return identify(m, m.Bytes(), &m.id, m.from.rt.unreachable)
}

// Tracked returns the ID of data; 0 for nil.
func (d *Data) Tracked() ID {
	if d == nil {
		return 0
	}
	return identify(d, int64(d.storage.Bytes()), &d.id, d.rt.unreachable)
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

// DropUnreachable drops the cached loops and plans of objects that have become unreachable. The
// memory that they pointed to was in use when the collector found the objects: left alone, the
// collector would let the heap grow to twice that size each time.
func (rt *Runtime) DropUnreachable() {
	if rt.unreachable.some.Load() {
		ids, bytes := rt.unreachable.take()
		rt.dropUsers(ids)
		rt.collector.Note(int(bytes), nil)
	}
}

// dropUsers drops what uses any of the objects.
func (rt *Runtime) dropUsers(objects Objects) { rt.work.Drop(objects) }
