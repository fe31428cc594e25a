package algebra

import (
	"slices"
	"testing"
	"unsafe"
)

func pairs(a []int16, b []float64) { a[0] += int16(b[0]) }

func triples(a []int16, b, c []float64) { a[0] += int16(b[0] + c[1]) }

func fours(a []int16, b, c []float64, d []int8) { a[0] += int16(b[0]+c[1]) + int16(d[2]) }

func fives(a []int16, b, c []float64, d []int8, e []uint64) {
	a[0] += int16(b[0]+c[1]) + int16(d[2]) + int16(e[len(e)-1]) + int16(len(c)*cap(d))
}

// Functions of two to five slices, of any types, get those of each element: through a map, of places, one for all.
func TestCallEach(t *testing.T) {
	a := make([]int16, 6)
	b, c := []float64{1, 2, 3, 4, 5, 6}, []float64{10, 20, 30, 40}
	d, e := []int8{0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0, 11, 0, 0, 12, 0, 0, 13}, []uint64{1, 100}
	targets, places := []int32{1, 0, 1, 0, 1, 0}, []int{5, 4, 3}
	list := []int32{1, 3, 4}
	spans := [5]span{
		{first: unsafe.Pointer(&a[0]), row: 2, width: 1},
		{first: unsafe.Pointer(&b[0]), row: 8, width: 1, at: places},
		{first: unsafe.Pointer(&c[0]), row: 16, width: 2, to: targets},
		{first: unsafe.Pointer(&d[0]), row: 3, width: 3},
		{first: unsafe.Pointer(&e[0]), width: 2},
	}
	for i, f := range []any{pairs, triples, fours, fives} {
		want := make([]int16, len(a))
		for k, element := range list {
			want[element] = []int16{0, 0, 0, 106}[i] + int16(b[places[k]])
			if i > 0 {
				want[element] += int16(c[2*targets[element]+1])
			}
			if i > 1 {
				want[element] += int16(d[3*element+2])
			}
		}
		clear(a)
		callEach((*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1], len(list), list, &spans, 2+i)
		if !slices.Equal(a, want) {
			t.Errorf("%d slices: %v, want %v", 2+i, a, want)
		}
	}
}
