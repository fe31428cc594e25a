package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each way to sort does what package slices does.
func TestSorting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 13, 1000} {
		type pair struct{ key, place int32 }
		pairs, keys, words := make([]pair, n), make([]int32, n), map[string]bool{}
		for i := range pairs {
			pairs[i] = pair{random.Int32N(50) - 25, int32(i)}
			keys[i] = pairs[i].key
			words[string(rune('a'+random.IntN(26)))] = true
		}
		byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
		backward := func(a, b int32) int { return cmp.Compare(b, a) }

		want := slices.Clone(pairs)
		slices.SortStableFunc(want, byKey)
		if By(pairs, byKey); !slices.Equal(pairs, want) {
			t.Errorf("By: %v, want %v", pairs, want)
		}
		if Int32s(keys); !slices.IsSorted(keys) || len(keys) != n {
			t.Errorf("Int32s: %v", keys)
		}
		if Int32sBy(keys, backward); !slices.IsSortedFunc(keys, backward) {
			t.Errorf("Int32sBy: %v", keys)
		}
		if list := Keys(words); !slices.IsSorted(list) || len(list) != len(words) {
			t.Errorf("Keys: %v", list)
		}
	}
}
