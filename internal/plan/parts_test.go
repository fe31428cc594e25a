package plan

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRankSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, limit := range []int{1, 64, 65, 4096, 5000, 300_000, 3_000_000} {
		s := newRankSet(limit)
		for range 20 {
			var numbers, want []int32
			for range r.IntN(500) {
				n := int32(r.IntN(limit))
				if r.IntN(2) == 0 {
					n %= 100
				}
				if r.IntN(10) == 0 {
					n = int32(limit - 1)
				}
				numbers, want = append(numbers, n), append(want, n)
				if r.IntN(10) == 0 {
					numbers = append(numbers, -1)
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			s.add(numbers)
			got := s.list([]int32{42})[1:]
			if !slices.Equal(got, want) {
				t.Fatalf("below %d: got %v, want %v", limit, got, want)
			}
			ranks := make([]int32, len(numbers))
			s.ranks(ranks, numbers)
			for i, n := range numbers {
				if n < 0 && ranks[i] != -1 || n >= 0 && want[ranks[i]] != n {
					t.Fatalf("below %d: %d has rank %d", limit, n, ranks[i])
				}
			}
			s.forget(got)
		}
	}
}

func TestSpans(t *testing.T) {
	in := &Input{Maps: []Map{
		{ID: 1, Arity: 4, Targets: 99, Values: []int32{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33}},
		{ID: 2, Arity: 1, Targets: 99, Values: []int32{5, -1, 7, 8}},
	}}
	slots := []Ref{{Map: Direct}, {1, 1}, {1, 2}, {2, 0}}
	spans := in.spansOf(slots)
	want := [][]int32{{1, 2}, {11, 12, 21, 22}, {-1, 7}}
	if len(spans) != len(want) {
		t.Fatalf("got %+v", spans)
	}
	for i := range spans {
		if got := spans[i].targets(1, 3, make([]int32, 4)); !slices.Equal(got, want[i]) {
			t.Errorf("got %v, want %v", got, want[i])
		}
		later := spans[i].from(1)
		if got := later.targets(0, 2, make([]int32, 4)); !slices.Equal(got, want[i]) {
			t.Errorf("from element 1: got %v, want %v", got, want[i])
		}
	}
	if got := room(spans, 10); got != 20 {
		t.Errorf("room for %d", got)
	}
}

// Colors are as equally large as collisions allow, and balancing adds none.
func TestBalance(t *testing.T) {
	// A star: blocks 0 to 9 are alone, 10 and 11 collide.
	in := &Input{Last: 12, BlockSize: 1, Maps: []Map{{Arity: 1, Targets: 11, Values: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10}}},
		Data: []Data{through(true, false, 0)}}
	f := mustBuild(t, in).Report()
	if f.Colors != 2 || f.SmallColor != 6 || f.LargeColor != 6 {
		t.Errorf("got\n%v", f)
	}
}
