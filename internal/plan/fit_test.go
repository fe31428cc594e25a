package plan

import "testing"

// Fit finds the largest blocks whose data fit, by the most that any block needs, and says 0 if none do.
func TestFit(t *testing.T) {
	in := &Input{Last: 100, BlockSize: 1, Data: []Data{through(true, true, 0), through(false, true, 0), through(false, false, 1)},
		Maps: []Map{{ID: 0, Arity: 2, Targets: 101}, {ID: 1, Arity: 1, Targets: 1, Values: make([]int32, 100)}}}
	for e := range int32(100) {
		in.Maps[0].Values = append(in.Maps[0].Values, e, e+1)
	}
	bytes := []int{8, 4, 1000} // blocks of n elements reach n+1 targets
	for _, test := range []struct{ room, step, most, want int }{
		{224, 1, 50, 17},     // whose 18 targets take 144 and 80 bytes
		{223, 1, 50, 15},     // blocks of 16 would take as much: 4 bytes are rounded up to 16
		{1 << 20, 1, 50, 50}, // no more than that
		{1 << 20, 64, 1000, 960},
		{20 * 12, 8, 50, 16},
		{31, 1, 50, 0},
	} {
		got, err := in.Fit(bytes, test.room, test.step, test.most)
		if err != nil || got != test.want {
			t.Errorf("%+v: got %d, %v", test, got, err)
		}
		if got == 0 {
			continue
		}
		in.BlockSize = got
		p := mustBuild(t, in)
		if n := p.SharedBytes(Staged{0, 8}, Staged{0, 4}); n > test.room {
			t.Errorf("%+v: blocks of %d need %d bytes", test, got, n)
		}
	}
	in.Maps[0].Values[7] = 101
	if _, err := in.Fit(bytes, 100, 1, 8); err == nil {
		t.Error("a target outside the set goes unnoticed")
	}
}

// Blocks that reach more targets than local numbers distinguish do not fit.
func TestFitLocalNumbers(t *testing.T) {
	const n = 1 << 17
	in := &Input{Last: n, BlockSize: 1, Data: []Data{through(false, true, 0)}, Maps: []Map{{Arity: 1, Targets: n}}}
	for e := range int32(n) {
		in.Maps[0].Values = append(in.Maps[0].Values, e)
	}
	if got, err := in.Fit([]int{1}, n, 1, n); err != nil || got != n/3+1 { // of 65,535, there would be 3, too
		t.Errorf("got %d, %v", got, err)
	}
}
