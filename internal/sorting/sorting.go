// Package sorting sorts slices by code that is compiled once. The functions of package slices are compiled
// again for each type of element in each package that calls them, 5 to 20 KB each time: use them where the time
// to sort counts, sort.Ints and sort.Strings for ints and strings, and this package for the rest.
package sorting

import (
	"cmp"
	"slices"
)

// Int32s sorts a list.
func Int32s(list []int32) { slices.Sort(list) }

// Int64s sorts a list.
func Int64s(list []int64) { slices.Sort(list) }

// Uint64s sorts a list.
func Uint64s(list []uint64) { slices.Sort(list) }

// Int32sBy sorts a list by compare, with elements that compare equal in any order.
func Int32sBy(list []int32, compare func(a, b int32) int) { slices.SortFunc(list, compare) }

// By sorts a list by compare. Elements that compare equal keep their order.
func By[E any](list []E, compare func(a, b E) int) { copy(list, Sorted(list, compare)) }

// Sorted returns the elements of a list sorted by compare. Elements that compare equal keep their order.
func Sorted[E any](list []E, compare func(a, b E) int) []E {
	sorted := make([]E, len(list))
	for i, place := range places(len(list), func(a, b int32) int { return compare(list[a], list[b]) }) {
		sorted[i] = list[place]
	}
	return sorted
}

// places returns the numbers from 0 to n-1 in the order of compare, and those that compare equal in their own.
func places(n int, compare func(a, b int32) int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	Int32sBy(list, func(a, b int32) int { return cmp.Or(compare(a, b), cmp.Compare(a, b)) })
	return list
}

// Keys returns the keys of a map in order.
func Keys[K cmp.Ordered, V any](m map[K]V) []K {
	list := make([]K, 0, len(m))
	for key := range m {
		list = append(list, key)
	}
	return Sorted(list, cmp.Compare)
}
