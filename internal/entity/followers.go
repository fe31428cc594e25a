package entity

import (
	"slices"
	"weak"
)

// A Follower keeps something that depends on which elements are here, and follows when some of them move to other ranks.
type Follower interface {
	// Movable returns an error if it cannot follow now.
	Movable() error
	// Moved is called after elements have moved: what depends on those that were here is to be dropped.
	Moved()
}

// followers are those of a runtime, which does not keep them alive.
type followers struct {
	all   []func() Follower // nil once it is unreachable
	alive int               // at the last sweep
}

// Follow makes the runtime tell an object when elements move to other ranks.
func Follow[T any, F interface {
	*T
	Follower
}](rt *Runtime, follower F) {
	at, l := weak.Make((*T)(follower)), &rt.followers
	l.all = append(swept(l.all, &l.alive, func(f func() Follower) bool { return f() == nil }), func() Follower {
		if x := at.Value(); x != nil {
			return F(x)
		}
		return nil
	})
}

// Movable returns the error of the first follower that cannot follow now.
func (rt *Runtime) Movable() error {
	for _, f := range rt.followers.all {
		if x := f(); x != nil {
			if err := x.Movable(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Moved records that elements have moved to other ranks, where sets, maps and data are already: all else that
// depends on which are here is dropped.
func (rt *Runtime) Moved() {
	rt.changes++
	rt.moves++
	rt.moved = rt.changes
	rt.work.Moved()
	for _, f := range slices.Clone(rt.followers.all) {
		if x := f(); x != nil {
			x.Moved()
		}
	}
}
