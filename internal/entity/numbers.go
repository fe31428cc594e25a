package entity

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/sorting"
)

// numbered reports whether elements have other numbers than those they were declared with.
func (s *Set) numbered() bool { return s.order != nil || s.numbers != nil }

// NumbersFrom returns the declared numbers of n elements from the first one on; nil if these are
// their current ones.
func (s *Set) NumbersFrom(first, n int) []int {
	if !s.numbered() {
		return nil
	}
	numbers := make([]int, n)
	for i, e := range s.Numbers()[first : first+n] {
		numbers[i] = int(e)
	}
	return numbers
}

// Known returns the number by which the program knows an element.
func (s *Set) Known(element int) int { return int(s.NumberHere(element)) }

func SortByNumber(list []int32, numbers []int64) {
	compare := func(a, b int32) int { return cmp.Compare(numbers[a], numbers[b]) }
	if !slices.IsSortedFunc(list, compare) {
		sorting.Int32sBy(list, compare)
	}
}

// NumberHere returns the number by which the program knows an element here: the declared one.
func (s *Set) NumberHere(element int) int64 {
	switch {
	case s.numbers != nil:
		return s.numbers[element]
	case s.order != nil:
		return int64(s.order[element])
	}
	return s.first + int64(element)
}

// Numbers returns these numbers of all elements here, which must not be changed.
func (s *Set) Numbers() []int64 {
	if s.numbers != nil {
		return s.numbers
	}
	numbers := make([]int64, s.Total())
	for i := range numbers {
		numbers[i] = s.NumberHere(i)
	}
	return numbers
}

// PlaceOf returns the local number of the element with one of these numbers; -1 if it is not here.
func (s *Set) PlaceOf(number int) int {
	if s.numbers != nil {
		return slices.Index(s.numbers, int64(number))
	}
	return s.place(number)
}

// HaloOwners returns for each element of the halo the rank that owns it.
func (s *Set) HaloOwners() []int32 { return halo.Owners(s.parts, s.extents) }
