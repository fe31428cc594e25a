package userkernel

import "sync"

// Table caches the most recent values made from keys, so that equal keys give the same value. It is
// safe for concurrent use. It has no methods: each package that knows a type with a table would compile them.
type Table[K comparable, V any] struct {
	Most int

	mu     sync.Mutex
	values map[K]V
	order  []K // oldest first
}

// Get returns the value that a table has for the key, or makes one.
func Get[K comparable, V any](t *Table[K, V], key K, make func() V) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.values[key]; ok {
		return v
	}
	if t.values == nil {
		t.values = map[K]V{}
	}
	if len(t.order) == t.Most {
		delete(t.values, t.order[0])
		clear(t.order[:1])
		t.order = t.order[1:]
	}
	v := make()
	t.values[key] = v
	t.order = append(t.order, key)
	return v
}
