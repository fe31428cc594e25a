package trial

import (
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

func ready(int) bool { return false }

// try makes calls, and returns the time of all, and that of the plain form alone.
func try(t *Trial, calls int, took func(form, call int) time.Duration) (all, plain time.Duration) {
	for call := range calls {
		form, timed := t.Next(ready)
		if timed {
			t.Note(form, took(form, call))
		}
		all += took(form, call)
		plain += took(0, call)
	}
	return all, plain
}

// The faster form is found also if calls are interrupted, and when it has become faster.
func TestTrial(t *testing.T) {
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
		most float64 // of the time of the plain form
	}{
		{"plain", func(form, _ int) time.Duration { return []time.Duration{8 * ms, 9 * ms}[form] }, "apart 8ms, fused 9ms: apart", 1.005},
		{"other", func(form, _ int) time.Duration { return []time.Duration{9 * ms, 8 * ms}[form] }, "apart 9ms, fused 8ms: fused", 0.9},
		{"equal", func(int, int) time.Duration { return 9 * ms }, "apart 9ms, fused 9ms: apart", 1},
		{"slow at first", func(form, call int) time.Duration { return ms * time.Duration(9-form+max(0, 60-call)*form) }, "apart 9ms, fused 8ms: fused", 0.95},
		{"neighbors", func(form, call int) time.Duration { return ms*time.Duration(9-form) + interrupted(call/2) }, "apart 9ms, fused 8ms: fused", 0.97},
		{"turned", func(form, call int) time.Duration {
			if call > 3000 {
				form = 1 - form
			}
			return ms * time.Duration(9-form)
		}, "apart 8ms, fused 9ms: apart", 1.005},
	} {
		trial := New("apart", "fused")
		all, plain := try(trial, 12000, test.took)
		if got := trial.String(); got != test.want || float64(all) > test.most*float64(plain) {
			t.Errorf("%s: got %s, in %.4f of the time", test.name, got, float64(all)/float64(plain))
		}
	}
}

// Whenever a program ends, trials have cost at most 1 %, but for the first call of the other form.
func TestTrialCostsLittle(t *testing.T) {
	for _, times := range []int{1, 2, 3, 10} {
		for calls := 1; calls < 5000; calls = calls*5/4 + 1 {
			trial := New("apart", "fused")
			all, plain := try(trial, calls, func(form, _ int) time.Duration { return 8*ms + time.Duration(form*times)*8*ms/2 })
			first := time.Duration(times) * 8 * ms / 2
			if lost := all - plain; lost > first && float64(lost) > 0.01*float64(plain) {
				t.Errorf("%d calls lose %v of %v", calls, lost, plain)
			}
		}
	}
}

// On a machine that is never quiet the slower form costs at most 2 %, and most trials find the faster one.
func TestNoisyTrial(t *testing.T) {
	for _, test := range []struct {
		name   string
		other  float64 // the time of the other form, as a multiple of the plain one's
		chosen int     // of a hundred programs, that end with the other form: at least, or at most
	}{
		{"much slower", 1.3, 0},
		{"slower", 1.03, -20},
		{"faster", 0.9, 95},
	} {
		chosen := 0
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, 1))
			noise := make([]float64, 6000)
			for i := range noise {
				noise[i] = 1 + 0.1*r.ExpFloat64()
				if r.IntN(20) == 0 {
					noise[i] += 4 * r.Float64()
				}
			}
			trial := New("plain", "other")
			all, plain := try(trial, len(noise), func(form, call int) time.Duration {
				took := 2e6 * noise[call]
				if form == 1 {
					took *= test.other
				}
				return time.Duration(took)
			})
			if float64(all) > 1.02*float64(plain) {
				t.Errorf("%s, program %d: %.4f of the time", test.name, seed, float64(all)/float64(plain))
			}
			chosen += trial.chosen
		}
		if chosen < test.chosen || test.chosen <= 0 && chosen > -test.chosen {
			t.Errorf("%s: %d programs end with the other form", test.name, chosen)
		}
	}
}
