package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/order"
)

// SetValues gives the map a copy of new values, arity for each element of From, for example when
// the neighbors of particles have changed. Loops need not be prepared again: those that use the map
// use the new values from their next call on, with new plans if needed. Slices that Values returned
// earlier keep the old ones.
//
// A map that a sparsity or a masked map was made from cannot change.
func (m *Map) SetValues(values []int32) error { return m.set(values, false) }

// SetInDeclaredOrder is SetValues in the declared numbering, as NewMap was given values before
// [Runtime.Renumber].
func (m *Map) SetInDeclaredOrder(values []int32) error { return m.set(values, true) }

// set sets the values, given in the current or in the declared numbering.
func (m *Map) set(values []int32, declared bool) error {
	if err := m.made(); err != nil {
		return err
	}
	rt := m.from.rt
	if err := rt.enter(); err != nil {
		return err
	}
	defer rt.leave()
	if rt.config.static {
		return ErrStatic
	}
	if m.pinned != "" {
		return fmt.Errorf("op2: %s: its values cannot change: %s\n  hint: declare another map for what changes", m.what(), m.pinned)
	}
	copied, err := checked(m, values)
	if err != nil {
		return err
	}
	if declared {
		reorderMap(copied, m.arity, m.from.order, order.Inverse(m.to.order))
	}
	rt.numbers.Lock()
	m.values, m.distinct = copied, nil
	rt.numbers.Unlock()
	rt.changes++
	m.changed = rt.changes
	if m.identity != 0 {
		users := map[identity]bool{m.identity: true}
		rt.loops.drop(users)
		rt.seen.drop(users, rt.plans)
	}
	return nil
}

// pin fixes the map's values from now on.
func (m *Map) pin(why string) {
	for ; m != nil; m = m.base {
		if m.pinned == "" {
			m.pinned = why
		}
	}
}

// renew prepares the loop again if values of its maps have changed since.
func (l *Loop) renew() error {
	if l.changes == l.rt.changes {
		return nil
	}
	stale := false
	for _, a := range l.keep {
		stale = stale || a.m != nil && a.m.changed > l.changes || a.cols != nil && a.cols.changed > l.changes
	}
	if stale {
		return l.bind()
	}
	l.changes = l.rt.changes
	return nil
}
