package trial

import (
	"math/rand/v2"
	"testing"
	"time"
)

// machine is a simulated machine: the time of a call is a form's own, times what its neighbors leave of the processor.
type machine struct {
	times  []float64 // of forms, in ms
	bursts bool      // neighbors run for a while, not for one call
	r      *rand.Rand
	until  int
}

func (m *machine) took(form, call int) time.Duration {
	noise := 1 + 0.03*m.r.ExpFloat64()
	switch {
	case !m.bursts && m.r.IntN(20) == 0:
		noise += 4 * m.r.Float64()
	case m.bursts && call >= m.until && m.r.IntN(300) == 0:
		m.until = call + 20 + m.r.IntN(60)
	}
	if m.bursts && call < m.until {
		noise += 0.8 + 0.4*m.r.Float64()
	}
	return time.Duration(m.times[form] * noise * 1e6)
}

// Of many forms the best is found, or one that is as good; programs lose at most 2 % on the way, whether or not there is
// anything to win, next to single interruptions and next to bursts of them.
func TestManyForms(t *testing.T) {
	for _, test := range []struct {
		name  string
		times []float64
		good  float64 // the ratio to the plain form that most programs must reach
	}{
		{"nothing to win", []float64{1, 1.05, 1.1, 1.3, 2, 3}, 1},
		{"all alike", []float64{1, 1, 1, 1, 1, 1, 1, 1}, 1.01},
		{"one is much better", []float64{3, 3.1, 2.9, 3, 1, 4, 9, 3}, 1. / 3},
		{"several are better", []float64{2, 1.9, 1.6, 1.5, 1.02, 1, 1.8, 2.2}, 0.52},
		{"two forms", []float64{2, 1.6}, 0.8},
		{"a little", []float64{1, 1.1, 0.93, 1.2}, 0.95},
	} {
		for _, bursts := range []bool{false, true} {
			good := 0
			const programs = 60
			for seed := range uint64(programs) {
				m := &machine{times: test.times, bursts: bursts, r: rand.New(rand.NewPCG(seed, 7))}
				trial := New("", make([]string, len(test.times)-1)...)
				own, plain := 0., 0. // without noise
				for call := range 20_000 {
					form, timed := trial.Next(ready)
					if timed {
						trial.Note(form, m.took(form, call))
					}
					own += test.times[form]
					plain += test.times[0]
				}
				if own > 1.02*plain {
					t.Errorf("%s, bursts %v, program %d: %.4f of the time", test.name, bursts, seed, own/plain)
				}
				if form, ended := trial.Chosen(); ended && test.times[form] <= test.good*test.times[0] {
					good++
				}
			}
			if good < programs*9/10 {
				t.Errorf("%s, bursts %v: %d of %d programs have found it", test.name, bursts, good, programs)
			}
		}
	}
}

// What is known of forms is their ratio to the plain one, also after later trials against the chosen one.
func TestResults(t *testing.T) {
	m := &machine{times: []float64{3, 2.9, 1, 9}, r: rand.New(rand.NewPCG(1, 2))}
	trial := New("plain", "one", "two", "three")
	for call := range 20_000 {
		if form, timed := trial.Next(ready); timed {
			trial.Note(form, m.took(form, call))
		}
	}
	for form, r := range trial.Results() {
		if want := m.times[form] / m.times[0]; r.Ratio < 0.9*want || r.Ratio > 1.1*want || r.Low > r.Ratio || r.High < r.Ratio {
			t.Errorf("form %d: %+v, want %.2f", form, r, want)
		}
	}
}

// Forms that cannot run yet wait, and those that are refused never run.
// The last form that others wait for may turn out to be wrong, and so may one that has been chosen.
func TestFormsRefusedLate(t *testing.T) {
	m := &machine{times: []float64{2, 1, 3, 1}, r: rand.New(rand.NewPCG(1, 2))}
	trial := New("plain", "fast", "slow", "wrong")
	for call := range 3000 {
		form, timed := trial.Next(func(int) bool { return false })
		if form == 3 {
			trial.Refuse(3)
			continue
		}
		if timed {
			trial.Note(form, m.took(form, call))
		}
	}
	if form, ended := trial.Chosen(); !ended || form != 1 {
		t.Fatalf("form %d is chosen, %v", form, ended)
	}
	trial.Refuse(1)
	for call := range 100 {
		form, timed := trial.Next(func(int) bool { return false })
		if form == 1 {
			t.Fatal("a refused form runs")
		}
		if timed {
			trial.Note(form, m.took(form, call))
		}
	}
	if trial.Results()[1] != (Result{}) {
		t.Error("a refused form keeps its result")
	}
}

func TestFormsThatDoNotRun(t *testing.T) {
	m := &machine{times: []float64{3, 1, 1, 2}, r: rand.New(rand.NewPCG(1, 2))}
	trial, ran := New("plain", "wrong", "slow to compile", "right"), make([]int, 4)
	for call := range 5000 {
		form, timed := trial.Next(func(form int) bool { return form == 2 && call < 4000 })
		ran[form]++
		if form == 1 {
			trial.Refuse(1)
			continue
		}
		if timed {
			trial.Note(form, m.took(form, call))
		}
		if call < 4000 && ran[2] > 0 {
			t.Fatal("a form ran without its code")
		}
	}
	if form, ended := trial.Chosen(); ran[1] != 1 || !ended || form != 2 {
		t.Errorf("form %d is chosen, %v; forms ran %v times", form, ended, ran)
	}
	for _, n := range []int{1, 2} {
		trial := New("", make([]string, n-1)...)
		if n == 2 {
			trial.Refuse(1)
		}
		for range 100 {
			if form, timed := trial.Next(ready); form != 0 || timed {
				t.Fatalf("form %d of one, %v", form, timed)
			}
		}
	}
}

// Short programs find together what each is too short for.
func TestResume(t *testing.T) {
	m := &machine{times: []float64{3, 2.9, 1, 3.1}, r: rand.New(rand.NewPCG(1, 2))}
	trial := New("", make([]string, 3)...)
	trial.Patiently()
	for program := range 10 {
		for call := range 40 {
			if form, timed := trial.Next(ready); timed {
				trial.Note(form, m.took(form, call))
			}
		}
		if form, ended := trial.Chosen(); ended {
			if form != 2 || program < 2 {
				t.Errorf("form %d is chosen in program %d", form, program)
			}
			return
		}
		open, results := trial.Open(), trial.Results()
		trial = New("", make([]string, 3)...)
		trial.Patiently()
		trial.Resume(open, results)
	}
	t.Error("ten programs have chosen nothing")
}

// A trial of so many forms that the longest rounds are all alike ends, too, also in another process.
func TestVeryManyForms(t *testing.T) {
	times := make([]float64, 100)
	for i := range times {
		times[i] = 2 - float64(i)/float64(len(times))
	}
	for _, resumed := range []bool{false, true} {
		m := &machine{times: times, r: rand.New(rand.NewPCG(1, 2))}
		trial := New("", make([]string, len(times)-1)...)
		trial.Patiently()
		for call := range 20_000 {
			if resumed && call%1000 == 999 {
				open, results := trial.Open(), trial.Results()
				if open == nil {
					break
				}
				trial = New("", make([]string, len(times)-1)...)
				trial.Patiently()
				trial.Resume(open, results)
			}
			if form, timed := trial.Next(ready); timed {
				trial.Note(form, m.took(form, call))
			}
		}
		if form, ended := trial.Chosen(); !ended || times[form] > 1.05 {
			t.Errorf("resumed %v: form %d is chosen, which takes %.2f of the best, ended: %v", resumed, form, times[form], ended)
		}
	}
}
