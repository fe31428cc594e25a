package trial

import (
	"testing"
	"time"
)

// The slower form is dropped after few calls, also if some of them are interrupted, and a form that has
// become faster is found.
func TestTrial(t *testing.T) {
	const ms = time.Millisecond
	interrupted := func(call int) time.Duration {
		if call%3 == 0 {
			return 50 * ms
		}
		return 0
	}
	for _, test := range []struct {
		name string
		took func(form, call int) time.Duration
		want string
		slow int // at most so many calls in the slower form
	}{
		{"first", func(form, _ int) time.Duration { return []time.Duration{8 * ms, 9 * ms}[form] }, "fused 8ms, apart 9ms: fused", 44},
		{"second", func(form, _ int) time.Duration { return []time.Duration{9 * ms, 8 * ms}[form] }, "fused 9ms, apart 8ms: apart", 44},
		{"equal", func(int, int) time.Duration { return 9 * ms }, "fused 9ms, apart 9ms: fused", 44},
		{"slow at first", func(form, call int) time.Duration { return ms * time.Duration(8+form+max(0, 900-300*call)*form) }, "fused 8ms, apart 9ms: fused", 44},
		{"neighbors", func(form, call int) time.Duration { return ms*time.Duration(9-form) + interrupted(call/2) }, "fused 9ms, apart 8ms: apart", 44},
		{"turned", func(form, call int) time.Duration {
			if call > 3000 {
				form = 1 - form
			}
			return ms * time.Duration(9-form)
		}, "fused 8ms, apart 9ms: fused", 10000},
	} {
		trial, slower := New("fused", "apart"), 0
		for call := range 8000 {
			form := trial.Form()
			took := test.took(form, call)
			if took > test.took(1-form, call) {
				slower++
			}
			trial.Note(took)
		}
		if got := trial.String(); got != test.want || slower > test.slow {
			t.Errorf("%s: got %s, with %d calls in the slower form", test.name, got, slower)
		}
	}
}
