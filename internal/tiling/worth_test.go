package tiling

import "testing"

// Tiles that can be tried need to save little, others much of what loops on vectors move. An inspection
// waits until it takes 1 % of the calls before it.
func TestWorth(t *testing.T) {
	for _, test := range []struct {
		name string
		Worth
		pays bool
		due  int64
	}{
		{"nothing saved", Worth{Loops: 100, Tiles: 100, OnVectors: 1, Tried: true}, false, 1},
		{"more than a tenth", Worth{Loops: 100, Tiles: 89, Tried: true}, true, 1},
		{"a third, untried", Worth{Loops: 300, Tiles: 200, OnVectors: 1}, false, 1},
		{"two thirds, untried", Worth{Loops: 300, Tiles: 100, OnVectors: 1}, true, 1},
		{"two thirds, one element at a time", Worth{Loops: 300, Tiles: 100, OnVectors: 0.3}, false, 1},
		{"inspected in six calls", Worth{Loops: 90e6, Tiles: 30e6, References: 6e6, Tried: true}, true, 640},
		{"six calls of two processors", Worth{Loops: 90e6, Tiles: 30e6, References: 6e6, Processors: 2, OnVectors: 1}, true, 1280},
		{"six calls of 200 processors", Worth{Loops: 90e6, Tiles: 30e6, References: 6e6, Processors: 200, OnVectors: 1}, true, 10240},
	} {
		if pays, due := test.Pays(), test.Due(); pays != test.pays || due != test.due {
			t.Errorf("%s: pays %v, due after %d calls", test.name, pays, due)
		}
	}
	if due := FusingDue(9, 24<<20, 1); due != 9*200 {
		t.Errorf("neighbors are fused after %d calls", due)
	}
	if FusingPays(100, 95) || !FusingPays(100, 85) {
		t.Error("fused loops must save a tenth")
	}
}

// However large the chain, the inspection takes at most 1 % of the calls before it.
func TestInspectionsCostLittle(t *testing.T) {
	for references := int64(1); references < 1e9; references *= 3 {
		w := Worth{Loops: 1e9, Tiles: 4e8, References: references}
		if calls := 90 * float64(references) / 1e9; calls > 1./100*float64(w.Due()) {
			t.Errorf("an inspection of %.2g calls is due after %d", calls, w.Due())
		}
	}
}
