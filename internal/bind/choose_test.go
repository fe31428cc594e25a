package bind

import "testing"

func TestScatters(t *testing.T) {
	const n = 1000
	ordered, shuffled := make([]int32, 2*n), make([]int32, 2*n)
	for e := range n {
		ordered[2*e], ordered[2*e+1] = int32(e), int32((e+500)%n) // far from each other, but not from their neighbors'
		shuffled[2*e] = int32(e * 377 % n)
	}
	for name, test := range map[string]struct {
		targets []int32
		want    bool
	}{"in order": {ordered, false}, "out of order": {shuffled, true}, "one element": {ordered[:2], false}, "none": {nil, false}} {
		if got := scatters(test.targets, 2, n); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
