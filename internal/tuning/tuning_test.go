package tuning

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/wisdom"
)

func TestParseMode(t *testing.T) {
	for text, want := range map[string]string{
		"off": "off", "use": "use,measure", "learn": "learn,measure", "learn,patient": "learn,patient", "patient,use": "use,patient",
		"use,estimate": "off", "learn,blocks,verify": "learn,measure,blocks,verify",
		"use,override": "use,measure,override", "use,layouts": "use,measure,layouts", "use,chains": "use,measure,chains", "off,override": "off", "learn,genetic": "learn,measure,genetic", "learn,exhaustive": "learn,measure,exhaustive",
		"":          `!expected off, use, learn, estimate, measure, patient, blocks, override, verify, exhaustive, genetic, layouts or chains`,
		"lern":      `!expected off, use, learn, estimate, measure, patient, blocks, override, verify, exhaustive, genetic, layouts or chains (did you mean "learn"?)`,
		"use,learn": "!expected one of off, use and learn, not use and learn",
		"patient":   "!expected off, use or learn first",
	} {
		m, err := ParseMode(text)
		got := m.String()
		if err != nil {
			got = "!" + err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func subject(backend string, threads int) choice.Subject {
	return choice.Subject{Loop: loop.Hash{1}, Name: "flux", Backend: backend, Machine: "EPYC", Compiler: "gcc 12.2", Elements: 10_000, Threads: threads}
}

// started is a subject whose user has chosen small blocks and one thread, which may be overridden.
func started(s choice.Subject) choice.Subject {
	s.Start = choice.Choices{Block: 64, Threads: 1}
	return s
}

func TestCandidates(t *testing.T) {
	measure, patient := Mode{Use: true, Learn: true, Rigor: wisdom.Measure}, Mode{Use: true, Learn: true, Rigor: wisdom.Patient}
	blocks := measure
	blocks.Blocks = true
	for _, test := range []struct {
		name string
		of   Facts
		mode Mode
		want string
	}{
		{"packs", Facts{Subject: subject("sequential", 1)}, measure, "simd=off; simd=on"},
		{"what is estimated is there already", Facts{Subject: subject("sequential", 1), Taken: choice.Choices{SIMD: tune.SIMDOn, Width: 8}}, measure, "simd=off"},
		{"compilers", Facts{Subject: subject("openmp", 2), Compilers: []string{"gcc-11", "clang", "clang-15"}}, measure,
			"simd=off; simd=on; cc=clang; simd=off cc=clang; simd=on cc=clang"},
		{"patient", Facts{Subject: subject("openmp", 2)}, patient,
			"simd=off; simd=on; schedule=dynamic; schedule=dynamic simd=off; schedule=dynamic simd=on"},
		{"half of what there is", Facts{Subject: subject("openmp", 8), Taken: choice.Choices{SIMD: tune.SIMDOn, Width: 8, Schedule: tune.Dynamic}}, patient, "simd=off; width=4"},
		{"small blocks alone fit into the cache", Facts{Subject: subject("go", 2), Bytes: 10_000 * 100, Cache: 64 << 10}, blocks, "block=64; block=256; block=1024"},
		{"few elements", Facts{Subject: subject("go", 16), Bytes: 10_000, Cache: 1 << 20}, blocks, "block=64; block=256"},
		{"threads", Facts{Subject: subject("go", 8)}, Mode{Use: true, Learn: true, Breadth: Exhaustive}, "threads=1; threads=4"},
		{"from what the user has chosen", Facts{Subject: started(subject("go", 2)), Taken: choice.Choices{Block: 64, Threads: 1}, Block: 2928, Bytes: 10_000 * 100, Cache: 64 << 10}, blocks,
			"threads=2; block=2928; block=256; block=1024; block=2928 threads=2; block=256 threads=2; block=1024 threads=2"},
		{"nothing", Facts{Subject: subject("go", 2)}, measure, ""},
		{"device", Facts{Subject: subject("opencl", 2), Taken: choice.Choices{Strategy: tune.Atomic}, Strategies: []tune.Strategy{tune.Staged, tune.Atomic}}, measure, "strategy=staged"},
		{"its groups", Facts{Subject: subject("opencl", 2)}, patient, "group=64; group=128; group=256; group=512"},
		{"a processor as a device", Facts{Subject: subject("opencl", 2), CPU: true, Strategies: []tune.Strategy{tune.Staged}}, patient, "strategy=staged; simd=off; simd=on"},
	} {
		var got []string
		for _, c := range Candidates(test.of, test.mode) {
			got = append(got, c.String())
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	// What the user has chosen stays.
	f := Facts{Subject: subject("openmp", 1), Compilers: []string{"clang"}}
	f.User = choice.Choices{SIMD: tune.SIMDOn, Compiler: "gcc"}.By(choice.User)
	if got := Candidates(f, measure); len(got) > 0 {
		t.Errorf("in place of the user's: %v", got)
	}
}

// Findings are kept apart where others would be faster.
func TestKey(t *testing.T) {
	for want, change := range map[string]func(*choice.Subject){
		"below 16384 elements":                                 func(s *choice.Subject) { s.Elements = 9000 },
		"below 16384 elements, below 4 at a target":            func(s *choice.Subject) { s.Degree = 2 },
		"below 16384 elements, below 8 at a target, scattered": func(s *choice.Subject) { s.Degree, s.Scatters = 4, true },
		"below 16384 elements, from block=64 threads=1":        func(s *choice.Subject) { *s = started(*s) },
		"below 16384 elements, simd=off cflags=-mno-avx512f": func(s *choice.Subject) {
			s.User = choice.Choices{SIMD: tune.SIMDOff, HostFlags: "-mno-avx512f", Threads: 2}.By(choice.User)
		},
	} {
		s := subject("openmp", 2)
		change(&s)
		if got := (&Tuner{}).Key(s).Class; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// run makes calls of a loop, and returns what has been chosen.
func run(s *Search, calls int, took func(c choice.Choices) time.Duration) choice.Choices {
	all := time.Duration(0)
	for range calls {
		s.Earn(all)
		form, timed := s.Next(func(int) bool { return false })
		all += took(s.Choices[form])
		if timed {
			s.Note(form, took(s.Choices[form]))
		}
	}
	chosen, _ := s.Chosen()
	return s.Choices[chosen]
}

// What one process finds, others use; what it was too short for, they go on with.
func TestLearning(t *testing.T) {
	dir := t.TempDir()
	open := func(mode string) *Tuner {
		m, err := ParseMode(mode)
		if err != nil {
			t.Fatal(err)
		}
		return New(m, wisdom.Open(dir, func(text string) { t.Error(text) }))
	}
	f := Facts{Subject: subject("sequential", 1), Compilers: []string{"clang"}}
	took := func(c choice.Choices) time.Duration {
		switch {
		case c.SIMD == tune.SIMDOff && c.Compiler == "":
			return time.Millisecond
		case c.SIMD == tune.SIMDOff:
			return 2 * time.Millisecond
		}
		return 3 * time.Millisecond
	}
	learned := 0
	for process := range 20 {
		learn := open("learn,patient")
		s := learn.Search("flux over edges", f)
		if s == nil {
			break
		}
		learned = process + 1
		if process == 0 {
			s.Refuse(3, errors.New("results differ")) // cc=clang
		}
		run(s, 40, took)
		if err := learn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if learned < 2 || learned > 10 {
		t.Errorf("%d processes have learned", learned)
	}
	if got, want := open("use").Choose(f.Subject).String(), "simd=off (wisdom)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	finding, _ := wisdom.Open(dir, nil).Find(open("use").Key(f.Subject), wisdom.Patient)
	if refused := finding.Of("cc=clang"); refused == nil || refused.Refused != "results differ" {
		t.Errorf("refused: %+v", refused)
	}
	if other := finding.Of("simd=on"); other == nil || other.Ratio < 0.99 || other.Ratio > 1.01 {
		t.Errorf("simd=on: %+v", other)
	}
	for _, mode := range []string{"off", "use,estimate"} {
		if got := open(mode).Choose(f.Subject).String(); got != "" {
			t.Errorf("%s: chose %s", mode, got)
		}
	}
	larger := f.Subject
	larger.Elements *= 4
	if got := open("use").Choose(larger).String(); got != "" {
		t.Errorf("for another class of sizes: %s", got)
	}
	if got := open("use,blocks").Choose(f.Subject).String(); got != "" {
		t.Errorf("where blocks may change: %s", got)
	}
	if open("use").Search("flux over edges", f) != nil {
		t.Error("learns without being asked to")
	}
	// More rigor, or more breadth, goes on where less has ended.
	for mode, candidates := range map[string]string{"learn,patient": "", "learn,measure": "", "learn,patient,exhaustive": "width=2"} {
		s := open(mode).Search("flux over edges", f)
		if candidates == "" {
			if s != nil {
				t.Errorf("%s begins anew", mode)
			}
			continue
		}
		for i, c := range s.Choices {
			if tries, isNew := s.Takes(i), finding.Of(c.String()) == nil && i > 0; tries != isNew {
				t.Errorf("%s: %s is tried: %v", mode, c, tries)
			}
		}
		if chosen, _ := s.Chosen(); s.Choices[chosen].SIMD != tune.SIMDOff {
			t.Errorf("%s forgets what was chosen", mode)
		}
	}
	// In a long run, the calls after a trial have its choice. A short one compiles nothing.
	dir = t.TempDir()
	learn := open("learn")
	s := learn.Search("flux over edges", f)
	if run(s, 4_000, took); len(s.Choices) > 1 {
		t.Errorf("calls that have taken 12 s pay for %s", s.Choices[1])
	}
	if err := learn.Close(); err != nil {
		t.Fatal(err)
	}
	s = open("learn").Search("flux over edges", f) // which the credit of the other process helps
	if got := run(s, 15_000, took); got != (choice.Choices{SIMD: tune.SIMDOff}) {
		t.Errorf("it has chosen %s", got)
	}
	s.Spend(300*time.Second, 0)
	if tried := len(s.Choices); run(s, 60_000, took).SIMD != tune.SIMDOff || len(s.Choices) != tried {
		t.Error("more is tried than calls have paid for")
	}
}

// What is faster in one process alone, by the place of its data in memory, is not settled.
func TestConfirmation(t *testing.T) {
	f := Facts{Subject: subject("sequential", 1)}
	m := Mode{Use: true, Learn: true, Rigor: wisdom.Patient}
	for name, test := range map[string]struct {
		later time.Duration
		want  string
	}{"luck": {2 * time.Millisecond, ""}, "gain": {time.Millisecond / 2, "simd=off"}} {
		w := wisdom.New(nil)
		for process, off := range []time.Duration{time.Millisecond / 2, test.later} {
			tuner := New(m, w)
			run(tuner.Search("flux over edges", f), 1000, func(c choice.Choices) time.Duration {
				if c.SIMD == tune.SIMDOff {
					return off
				}
				return time.Millisecond
			})
			found, _ := w.Find(tuner.Key(f.Subject), wisdom.Patient)
			want := test.want
			if process == 0 {
				want = "simd=off"
			}
			if found.Choice != want || tuner.settled(found) != (process == 1) {
				t.Errorf("%s: process %d has found %q, settled: %v", name, process, found.Choice, tuner.settled(found))
			}
		}
	}
}

// A generation leads to a better one, and what is found by trying a part of all is nearly as good as the best.
func TestGenetic(t *testing.T) {
	m, err := ParseMode("learn,patient,genetic")
	if err != nil {
		t.Fatal(err)
	}
	took := func(c choice.Choices) time.Duration {
		us := 1000.
		for _, factor := range []struct {
			is bool
			by float64
		}{{c.SIMD == tune.SIMDOn, 0.7}, {c.SIMD == tune.SIMDOff, 1.5}, {c.Width == 4, 0.6}, {c.Width == 2, 1.2}, {c.Compiler == "clang", 0.8}, {c.HostFlags != "", 1.1}, {c.Schedule == tune.Dynamic, 0.95}} {
			if factor.is {
				us *= factor.by
			}
		}
		return time.Duration(us * 1000)
	}
	best := 1000 * 0.7 * 0.6 * 0.8 * 0.95
	for seed := range 5 {
		f := Facts{Subject: subject("openmp", 2), Compilers: []string{"clang"}}
		f.Loop[0] = byte(seed)
		all := len(Candidates(f, m))
		w := wisdom.New(nil)
		tuner := New(m, w)
		s := tuner.Search("flux over edges", f)
		got := run(s, 5000, took)
		finding, ok := w.Find(tuner.Key(f.Subject), wisdom.Patient)
		if !ok || len(finding.Tried) > mostTried || len(finding.Tried) >= all/2 {
			t.Errorf("seed %d: %d of %d choices were tried, %v", seed, len(finding.Tried), all, ok)
		}
		if us := float64(took(got)) / 1000; us > 1.15*best {
			t.Errorf("seed %d: %s takes %.0f µs, the best %.0f", seed, got, us, best)
		}
	}
}

// From bad choices of the user's, on a machine that is never quiet, trials come back to within 2 % of the best of all
// combinations, which two processes need, as one confirms what the other has found.
func TestBackFromBadChoices(t *testing.T) {
	m, err := ParseMode("learn,patient,blocks,override")
	if err != nil {
		t.Fatal(err)
	}
	all := m
	all.Breadth = Exhaustive
	f := Facts{Subject: started(subject("openmp", 2)), Taken: choice.Choices{Block: 64, Threads: 1, Schedule: tune.Static, SIMD: tune.SIMDOn, Width: 8},
		Compilers: []string{"clang"}, Block: 2928, Bytes: 10_000 * 100, Cache: 1 << 20}
	model := func(c choice.Choices) float64 { // microseconds of a call
		us := 1000.
		for _, factor := range []struct {
			is bool
			by float64
		}{{c.Threads == 2, 0.6}, {c.Block == 256, 0.8}, {c.Block == 1024, 0.72}, {c.Block == 2928, 0.7}, {c.SIMD == tune.SIMDOff, 1.6},
			{c.Compiler != "", 1.03}, {c.Schedule == tune.Dynamic, 1.02}, {c.Width > 0, 1.01}, {c.HostFlags != "", 1.02}} {
			if factor.is {
				us *= factor.by
			}
		}
		return us
	}
	best := model(choice.Choices{})
	for _, c := range Candidates(f, all) {
		best = min(best, model(c))
	}
	if start := model(choice.Choices{}); start < 2*best {
		t.Fatalf("the start takes %.0f µs, the best %.0f", start, best)
	}
	const programs = 20
	back := 0
	for seed := range uint64(programs) {
		r, w := rand.New(rand.NewPCG(seed, 3)), wisdom.New(nil)
		var got choice.Choices
		for range 2 {
			tuner := New(m, w)
			s := tuner.Search("flux over edges", f)
			if s == nil {
				break
			}
			got = run(s, 20_000, func(c choice.Choices) time.Duration {
				noise := 1 + 0.05*r.ExpFloat64()
				if r.IntN(20) == 0 { // an interruption
					noise += 4 * r.Float64()
				}
				return time.Duration(1000 * noise * model(c))
			})
			if err := tuner.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if model(got) <= 1.02*best {
			back++
		}
	}
	if back < programs*9/10 {
		t.Errorf("%d of %d programs come back to within 2 %% of the best", back, programs)
	}
}
