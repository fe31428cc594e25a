package op2

import "sync"

// table keeps the most recent of what is made from a key, so that making it again gives the
// same. It is safe for concurrent use.
type table[K comparable, V any] struct {
	most int

	mu     sync.Mutex
	values map[K]V
	order  []K // the oldest first
}

// get is the value that was made for the key, or a new one.
func (t *table[K, V]) get(key K, make func() V) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.values[key]; ok {
		return v
	}
	if t.values == nil {
		t.values = map[K]V{}
	}
	if len(t.order) == t.most {
		delete(t.values, t.order[0])
		clear(t.order[:1])
		t.order = t.order[1:]
	}
	v := make()
	t.values[key] = v
	t.order = append(t.order, key)
	return v
}
