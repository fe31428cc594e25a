package op2_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/wisdom"
)

// sumTuned runs a loop so many times, and returns the sum that it computes and the loop's figures.
func sumTuned(t *testing.T, calls int, options ...op2.Option) (float64, op2.Stats) {
	t.Helper()
	rt := optest.Must(op2.Open(append(options, op2.WithBackend("sequential"), op2.WithLog(nil))...))
	defer rt.Close()
	set := optest.NewSet(t, rt, 1000, "cells")
	values := make([]float64, 3000)
	for i := range values {
		values[i] = float64(i % 7)
	}
	x, y := optest.NewDat(t, set, 3, values, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	l := op2.NewLoop(op2.Kernels(tunedSource).Func(sumSquares), set, y.Inc(), x.Read())
	for range calls {
		optest.OK(t, l.Compute())
	}
	sum := 0.
	for _, v := range optest.Must(y.Data()) {
		sum += v
	}
	return sum, l.Stats()
}

// What a run learns, later ones use; results are the same but for last digits.
func TestTuning(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	const calls = 4000
	want, _ := sumTuned(t, calls, op2.WithCacheDir(dir), op2.WithTuning("off"))
	for range 50 { // processes that are too short go on where others have ended
		got, _ := sumTuned(t, calls, op2.WithCacheDir(dir), op2.WithTuning("learn,patient,verify"))
		if got < 0.999999*want || got > 1.000001*want {
			t.Fatalf("the sum is %v, want %v", got, want)
		}
		if found := wisdom.Open(dir, nil).All(); len(found) > 0 && found[0].Rigor == wisdom.Patient {
			break
		}
	}
	w := wisdom.Open(dir, func(text string) { t.Error(text) })
	found := w.All()
	if len(found) != 1 || found[0].Rigor != wisdom.Patient || found[0].Name != "sumSquares over cells" || found[0].Of("simd=on") == nil && found[0].Of("simd=off") == nil {
		t.Fatalf("found %+v", found)
	}
	for _, tried := range found[0].Tried {
		if tried.Refused != "" && tried.Refused != "it runs like another form" {
			t.Errorf("%s: %s", tried.Choice, tried.Refused)
		}
	}
	for choice, how := range map[string]string{"simd=off": "scalar", "simd=on": "packs of ", "simd=on block=64": "packs of ", "simd=of": "", "": ""} {
		finding := found[0]
		finding.Choice = choice
		w.Add(finding)
		optest.OK(t, w.Save())
		got, stats := sumTuned(t, calls, op2.WithCacheDir(dir))
		if byWisdom := strings.Contains(stats.Choices, "(wisdom)"); !strings.HasPrefix(stats.How, how) || byWisdom != (how != "") {
			t.Errorf("wisdom %q: %s, %s", choice, stats.How, stats.Choices)
		}
		if got < 0.999999*want || got > 1.000001*want {
			t.Errorf("wisdom %q: the sum is %v, want %v", choice, got, want)
		}
	}
	if _, stats := sumTuned(t, 1, op2.WithCacheDir(dir), op2.WithTuning("off")); strings.Contains(stats.Choices, "wisdom") {
		t.Errorf("tuning is off: %s", stats.Choices)
	}
	if err := os.WriteFile(filepath.Join(dir, wisdom.FileName), []byte("what is this?"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stats := sumTuned(t, 1, op2.WithCacheDir(dir)); strings.Contains(stats.Choices, "wisdom") {
		t.Errorf("damaged wisdom: %s", stats.Choices)
	}
	_, err := op2.Open(op2.WithTuning("lern"))
	optest.ExpectError(t, err, `op2: tuning "lern": expected off, use, learn, estimate, measure, patient, blocks, override, verify, exhaustive, genetic, layouts or chains (did you mean "learn"?)`)
}

// Code that is translated ahead of time is also there as wisdom wants it.
func TestTranslatedVariants(t *testing.T) {
	optest.RequireCompiler(t)
	recorded := func(dir string) (texts []string, loop string) {
		t.Setenv(unit.Variable, dir)
		sumTuned(t, 1)
		for _, u := range optest.Must(unit.Read(dir)) {
			texts, loop = append(texts, u.Text), u.Hash
		}
		return texts, loop
	}
	plain, loop := recorded(t.TempDir())
	dir := t.TempDir()
	w := wisdom.Open(dir, nil)
	w.Add(wisdom.Finding{Key: wisdom.Key{Loop: loop}, Choice: "simd=off", Rigor: wisdom.Measure})
	optest.OK(t, w.Save())
	both, _ := recorded(dir)
	isPlain := func(text string) bool { return slices.Contains(plain, text) }
	if others := slices.DeleteFunc(both, isPlain); len(others) != len(plain) || !strings.Contains(others[0], "SIMD is off") {
		t.Errorf("%d pieces of code, and %d others", len(plain), len(others))
	}
}

// On several ranks the first one learns on calls whose messages all of them have, and later all use that.
func TestTuningOnRanks(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	calls := func(mode string, of func(rank int, s op2.Stats)) {
		optest.Ranks(t, 2, optest.Open, func(t *testing.T, open optest.Opener) {
			rt := open(t, op2.WithBackend("sequential"), op2.WithCacheDir(dir), op2.WithTuning(mode))
			row := newChain(t, rt, 3000)
			m := row.edge2node
			flow := op2.NewLoop(deviceKernels.Func(swapFlow), row.edges, row.q.Read(m.At(0)), row.q.Read(m.At(1)), row.r.Inc(m.At(0)), row.r.Inc(m.At(1)))
			const calls = 3000
			for range calls {
				optest.OK(t, flow.Compute())
			}
			optest.Expect(t, row.r, row.want(calls))
			of(rt.Rank(), flow.Stats())
		})
	}
	var w *wisdom.Wisdom
	for w = wisdom.Open(dir, nil); len(w.All()) == 0 || w.All()[0].Rigor < wisdom.Patient; w = wisdom.Open(dir, nil) {
		calls("learn,patient,verify", func(rank int, s op2.Stats) {
			if rank > 0 && strings.Contains(s.Choices, "(tuning)") {
				t.Errorf("rank %d learns: %s", rank, s.Choices)
			}
		})
		if t.Failed() {
			return
		}
	}
	found := w.All()[0]
	found.Choice = "simd=off"
	w.Add(found)
	optest.OK(t, w.Save())
	calls("use", func(rank int, s op2.Stats) {
		if !strings.Contains(s.Choices, "simd=off (wisdom)") {
			t.Errorf("rank %d: %s", rank, s.Choices)
		}
	})
}

// Loops of chains, which a device queues together, are tuned one by one, until all are decided.
func TestTuningOfChainsOnDevices(t *testing.T) {
	dir := t.TempDir()
	undecided := func() (n int, all []wisdom.Finding) {
		all = wisdom.Open(dir, nil).All()
		for _, f := range all {
			if f.Breadth < 0 {
				n++
			}
		}
		return n, all
	}
	const calls = 200
	for range 10 {
		rt := optest.OpenBackend(t, "opencl", op2.WithCacheDir(dir), op2.WithTuning("learn,patient,verify"), op2.WithLog(nil))
		row := newChain(t, rt, 3000)
		m := row.edge2node
		flow := op2.NewLoop(deviceKernels.Func(swapFlow), row.edges, row.q.Read(m.At(0)), row.q.Read(m.At(1)), row.r.Inc(m.At(0)), row.r.Inc(m.At(1)))
		sum, x := optest.NewDat[float64](t, row.edges, 1, nil, "sum"), optest.NewDat[float64](t, row.edges, 3, nil, "x")
		chain := op2.NewChain(flow, op2.NewLoop(op2.Kernels(tunedSource).Func(sumSquares), row.edges, sum.Inc(), x.Read()))
		for range calls {
			optest.OK(t, chain.Compute())
		}
		optest.Expect(t, row.r, row.want(calls))
		optest.OK(t, rt.Close())
		if n, all := undecided(); n == 0 && len(all) == 2 {
			for _, f := range all {
				if f.Of("simd=off") == nil && f.Of("simd=on") == nil {
					t.Errorf("%s: packs have not been tried: %+v", f.Name, f.Tried)
				}
			}
			return
		}
	}
	n, all := undecided()
	t.Errorf("%d of %d findings are undecided: %+v", n, len(all), all)
}

// With override, what the user has chosen for all loops is where a loop begins, until it is known what is faster; a
// kernel's choices stay.
func TestTuningOverrides(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	calls := func(mode string, of *op2.Kernel) op2.Stats {
		rt := optest.Must(op2.Open(op2.WithBackend("openmp"), op2.WithThreads(1), op2.WithBlockSize(64), op2.WithCacheDir(dir), op2.WithTuning(mode), op2.WithLog(nil)))
		defer rt.Close()
		set := optest.NewSet(t, rt, 3000, "cells")
		x, y := optest.NewDat[float64](t, set, 3, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
		l := op2.NewLoop(of, set, y.Inc(), x.Read())
		for range 100 {
			optest.OK(t, l.Compute())
		}
		return l.Stats()
	}
	kernel := op2.Kernels(tunedSource).Func(sumSquares)
	if s := calls("off", kernel).Choices; !strings.Contains(s, "block=64 (user)") {
		t.Errorf("without tuning: %s", s)
	}
	const start = "block=64 (estimate), threads=1 (estimate)"
	if s := calls("use,blocks,override", kernel).Choices; !strings.Contains(s, start) {
		t.Errorf("before anything is known: %s, not %s", s, start)
	}
	calls("learn,patient,blocks,override", kernel)
	w := wisdom.Open(dir, func(text string) { t.Error(text) })
	if len(w.All()) != 1 {
		t.Fatalf("found %+v", w.All())
	}
	found := w.All()[0]
	if !strings.HasSuffix(found.Class, "from block=64 threads=1, any block") || found.Of("block=256") == nil {
		t.Fatalf("%s: %+v", found.Class, found.Tried)
	}
	found.Choice, found.Rigor = "block=256", wisdom.Patient
	w.Add(found)
	optest.OK(t, w.Save())
	for mode, want := range map[string]string{"use,blocks,override": "block=256 (wisdom), threads=1 (estimate)", "use,blocks": "block=64 (user), threads=1 (user)"} {
		if s := calls(mode, kernel).Choices; !strings.Contains(s, want) {
			t.Errorf("%s: %s, not %s", mode, s, want)
		}
	}
	if s := calls("use,blocks,override", kernel.With(op2.WithBlockSize(100))).Choices; !strings.Contains(s, "block=100 (user)") {
		t.Errorf("a kernel's: %s", s)
	}
}

// Layouts that wisdom has for dats are theirs in later runs, unless the user has chosen one; what is not decided is used only to
// be tried.
func TestTunedLayouts(t *testing.T) {
	dir := t.TempDir()
	generated := func(mode string, options ...op2.Option) string {
		rt := optest.OpenBackend(t, "opencl", append(options, op2.WithCacheDir(dir), op2.WithTuning(mode))...)
		defer rt.Close()
		set := optest.NewSet(t, rt, 100, "cells")
		values := make([]float64, 300)
		for i := range values {
			values[i] = float64(i)
		}
		x, y := optest.NewDat(t, set, 3, values, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
		l := op2.NewLoop(op2.Kernels(tunedSource).Func(copyFirst), set, y.Write(), x.Read())
		optest.OK(t, l.Compute())
		for e, v := range optest.Must(y.Data()) {
			if v != float64(3*e) {
				t.Fatalf("%s: element %d has %v", mode, e, v)
			}
		}
		text := optest.Must(l.Generate())
		if strings.HasPrefix(text, "// chosen: ") {
			_, text, _ = strings.Cut(text, "\n")
		}
		return text
	}
	aos, soa := generated("off", op2.WithLayout(op2.AoS)), generated("off", op2.WithLayout(op2.SoA))
	own, other, choice := generated("off"), soa, "layout=soa"
	if own == soa {
		other, choice = aos, "layout=aos"
	}
	if aos == soa {
		t.Fatal("layouts change nothing")
	}
	generated("learn,layouts")
	w := wisdom.Open(dir, func(text string) { t.Error(text) })
	var found *wisdom.Finding
	for _, f := range w.All() {
		if f.Name == "x on cells (3 float64)" {
			found = &f
		}
	}
	if found == nil || found.Rigor != wisdom.Estimate {
		t.Fatalf("found %+v", w.All())
	}
	for _, rigor := range []wisdom.Rigor{wisdom.Estimate, wisdom.Patient} {
		found.Choice, found.Rigor = choice, rigor
		w.Add(*found)
		optest.OK(t, w.Save())
		decided := rigor == wisdom.Patient
		for mode, is := range map[string]bool{"use": decided, "learn": decided, "use,layouts": true, "learn,layouts": decided, "off": false} {
			if got := generated(mode); (got == other) != is || (got == own) == is {
				t.Errorf("%s with rigor %s: the other layout is used: %v", mode, rigor, got == other)
			}
		}
	}
	if generated("use", op2.WithLayout(op2.AoS)) != aos || generated("use", op2.WithLayout(op2.SoA)) != soa {
		t.Error("the user's choice does not count")
	}
}
