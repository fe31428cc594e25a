package lists

import (
	"slices"
	"testing"
)

func TestCollect(t *testing.T) {
	for n, want := range []string{"", "ace", "ace,bd", "ace,bd,", "ace,bd,,"} {
		l := Collect(n, func(add func(list int32, value byte)) {
			for i := range 5 {
				if list := i % 2; list < n {
					add(int32(list), byte('a'+i))
				}
			}
		})
		var got []byte
		for i := range int32(n) {
			if i > 0 {
				got = append(got, ',')
			}
			got = append(got, l.Of(i)...)
		}
		if string(got) != want || !slices.IsSorted(l.Starts) || len(l.Starts) != n+1 {
			t.Errorf("%d lists: %s with starts %v, want %s", n, got, l.Starts, want)
		}
	}
}
