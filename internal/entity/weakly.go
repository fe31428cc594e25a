package entity

import (
	"iter"
	"slices"
	"weak"
)

// Weakly is a list of objects, numbered in the order in which they were added, some of which may have become unreachable. It
// has no methods: each package that knows the runtime would compile them.
type Weakly[T any] struct {
	all   []added[T]
	alive int // at the last sweep
	count int // so far
}

type added[T any] struct {
	number int
	object weak.Pointer[T]
}

func addWeakly[T any](l *Weakly[T], x *T) {
	l.all = append(swept(l.all, &l.alive, func(n added[T]) bool { return n.object.Value() == nil }), added[T]{l.count, weak.Make(x)})
	l.count++
}

// Reachable iterates over the objects that are reachable, in the order in which they were declared.
func Reachable[T any](l *Weakly[T]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, n := range l.all {
			if x := n.object.Value(); x != nil && !yield(x) {
				return
			}
		}
	}
}

// byNumber returns the objects that are reachable, by number; nil for others.
func byNumber[T any](l *Weakly[T]) []*T {
	list := make([]*T, l.count)
	for _, n := range l.all {
		list[n.number] = n.object.Value()
	}
	return list
}

// swept returns a list without what is gone if it has doubled since the last sweep, after which so many were alive.
func swept[E any](list []E, alive *int, gone func(E) bool) []E {
	if len(list) >= 2**alive+64 {
		list = slices.DeleteFunc(list, gone)
		*alive = len(list)
	}
	return list
}
