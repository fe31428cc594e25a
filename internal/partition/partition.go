// Package partition decides which rank owns which elements of a mesh, and says what a partition
// costs before anything has run.
//
// It knows nothing of halos in memory: package halo finds what a rank needs besides what it owns.
// Package distribute calls it, and the command op2 partition.
package partition

import (
	"github.com/go-op2/op2/internal/order"
)

// Whole returns for each set of the mesh the part that owns each element. It is deterministic, so
// that ranks that call it with the same mesh need not tell each other what they got; metis and
// scotch require that they all have the same version of the library.
//
// Among sets that maps connect, one leads, as in [order.Mesh.Orders]: it is divided by the method
// in shares as equal as possible. The others follow along maps: an element goes to one of the
// owners of its targets, or of the elements that lead to it, such that the shares of each set are
// equal, too, as far as this allows. Sets that no map connects are divided in pieces.
func Whole(m *order.Mesh, o Options) ([][]int32, error) {
	if err := o.check(m); err != nil {
		return nil, err
	}
	w := &wholeMesh{mesh: m, options: o, owners: make([][]int32, len(m.Sets))}
	copy(w.owners, o.Owners)
	w.follow()
	done := func(s int) bool { return w.owners[s] != nil }
	for s := m.Leader(done); s >= 0; s = m.Leader(done) {
		w.owners[s] = w.lead(s)
		w.follow()
		if o.stopped() {
			return nil, ErrStopped
		}
	}
	for s := range m.Sets {
		if w.owners[s] == nil {
			w.owners[s] = w.inherit(s, nil)
		}
	}
	return w.owners, nil
}

// Lead divides a set of a mesh by itself, as Whole divides those that lead; the coordinates of no set are known.
func Lead(m *order.Mesh, set int, o Options) ([]int32, error) {
	if err := o.check(m); err != nil {
		return nil, err
	}
	w := &wholeMesh{mesh: m, options: o, owners: make([][]int32, len(m.Sets))}
	owners := w.lead(set)
	if o.stopped() {
		return nil, ErrStopped
	}
	return owners, nil
}
