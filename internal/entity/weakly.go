package entity

import (
	"iter"
	"slices"
	"weak"
)

// Weakly is a list of objects some of which may have become unreachable. It has no methods: each package that knows the
// runtime would compile them.
type Weakly[T any] struct {
	all   []weak.Pointer[T]
	alive int // at the last sweep
}

func addWeakly[T any](l *Weakly[T], x *T) {
	l.all = append(swept(l.all, &l.alive, func(p weak.Pointer[T]) bool { return p.Value() == nil }), weak.Make(x))
}

// Reachable iterates over the objects that are reachable, in the order in which they were declared.
func Reachable[T any](l *Weakly[T]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, p := range l.all {
			if x := p.Value(); x != nil && !yield(x) {
				return
			}
		}
	}
}

// swept returns a list without what is gone if it has doubled since the last sweep, after which so many were alive.
func swept[E any](list []E, alive *int, gone func(E) bool) []E {
	if len(list) >= 2**alive+64 {
		list = slices.DeleteFunc(list, gone)
		*alive = len(list)
	}
	return list
}

// numberedList is a list of objects that are numbered in the order in which they were declared. It keeps none alive, and has
// no methods either.
type numberedList[T any] struct {
	all   []numberedObject[T]
	alive int // at the last sweep
	count int // so far
}

type numberedObject[T any] struct {
	number int
	object weak.Pointer[T]
}

func addNumbered[T any](l *numberedList[T], x *T) {
	l.all = append(swept(l.all, &l.alive, func(o numberedObject[T]) bool { return o.object.Value() == nil }), numberedObject[T]{l.count, weak.Make(x)})
	l.count++
}

// byNumber returns the objects that are reachable, by number; nil for others.
func byNumber[T any](l *numberedList[T]) []*T {
	list := make([]*T, l.count)
	for _, o := range l.all {
		list[o.number] = o.object.Value()
	}
	return list
}
