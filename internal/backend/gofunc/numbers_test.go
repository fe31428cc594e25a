package gofunc

import (
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// Numbers come from tables of both types.
func TestNumbersFrom(t *testing.T) {
	short, long := []int32{7, -1, 3}, []int64{1 << 30, 0, 5}
	for _, test := range []struct {
		table loop.Scalar
		at    P
		want  []int
	}{{loop.Int32, P(&short[0]), []int{7, -1, 3}}, {loop.Int64, P(&long[0]), []int{1 << 30, 0, 5}}} {
		got := make([]int, 3)
		if numbersFrom(test.table)(test.at, P(&got[0]), P(&origin), 0, 1, 3); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.table, got, test.want)
		}
	}
}
