package op2

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// identity is the number of an object among the arguments of loops that a runtime keeps,
// and of no other ever; 0 as long as none keeps it. Addresses would not do: memory is used
// again.
type identity uint64

var identities atomic.Uint64

// identify gives an object its identity, unless it has one. Once the program has let go of
// the object, that is left in gone.
func identify[T any](object *T, id *identity, gone *departed) {
	if *id == 0 {
		*id = identity(identities.Add(1))
		runtime.AddCleanup(object, gone.add, *id)
	}
}

// departed are the identities of objects that nobody has any more. Go's collector finds them
// on a goroutine of its own.
type departed struct {
	some atomic.Bool
	mu   sync.Mutex
	ids  []identity
}

func (d *departed) add(id identity) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids = append(d.ids, id)
	d.some.Store(true)
}

// take empties the list.
func (d *departed) take() map[identity]bool {
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

// drop lets go of the loops and plans that were kept for objects that nobody has any more.
func (rt *Runtime) drop() {
	if rt.gone.some.Load() {
		gone := rt.gone.take()
		rt.loops.drop(gone)
		rt.seen.drop(gone, rt.plans)
	}
}
