package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/wisdom"
)

//go:embed tune_test.go
var tuneSource string

// smooth does enough work for packs.
func smooth(u *float64) {
	for range 8 {
		*u = *u/2 + 1/(1+*u**u)
	}
}

// This test is the program that op2 tune runs.
func TestTunedProgram(t *testing.T) {
	kind := os.Getenv("OP2_TEST_TUNED")
	if kind == "" {
		t.Skip("it is for TestTune")
	}
	if strings.HasPrefix(kind, "device") {
		tunedOnDevice(t, kind)
		return
	}
	rt := optest.Must(op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 20_000, "cells")
	u := optest.NewDat[float64](t, cells, 1, nil, "u")
	l := op2.NewLoop(op2.Kernels(tuneSource).Func(smooth), cells, u.RW())
	for range 2000 {
		optest.OK(t, l.Compute())
	}
	if kind == "endless" {
		time.Sleep(time.Minute)
	}
}

func TestTune(t *testing.T) {
	optest.RequireCompiler(t)
	dir := t.TempDir()
	t.Setenv("OP2_TEST_TUNED", "short")
	program := []string{os.Args[0], "-test.run=^TestTunedProgram$"}
	results, status, err := outputs(t, append([]string{"tune", "-budget", "60s", "-dir", dir}, program...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, status)
	}
	if !strings.Contains(results, "smooth over cells") || !strings.Contains(status, "run 1 with OP2_TUNE=learn,patient,verify,layouts, after 0s\n") {
		t.Errorf("results\n%s\nstatus\n%s", results, status)
	}
	all := wisdom.Open(dir, nil).All()
	if len(all) != 1 || all[0].Rigor != wisdom.Patient {
		t.Errorf("found %+v", all)
	}
	if results, _, err := outputs(t, append([]string{"tune", "-dir", dir}, program...)...); err != nil || !strings.HasPrefix(results, "nothing was tuned") {
		t.Errorf("what is known: %v, %s", err, results)
	}
	if testing.Short() {
		return
	}
	// What is found is kept when the budget ends a program that does not.
	dir = filepath.Join(dir, "other")
	t.Setenv("OP2_TEST_TUNED", "endless")
	start := time.Now()
	results, status, err = outputs(t, append([]string{"tune", "-budget", "8s", "-dir", dir}, program...)...)
	if took := time.Since(start); err != nil || took > 40*time.Second || !strings.Contains(results, "smooth over cells") {
		t.Errorf("after %v: %v\n%s\n%s", took, err, results, status)
	}
}

func TestTuneErrors(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "op2 tune: which program? As in: op2 tune go run ./examples/airfoil\n  hint: op2 tune -help shows how it is used"},
		{[]string{"-budget", "-1s", "x"}, "op2 tune: -budget -1s: expected a time, as 60s\n  hint: op2 tune -help shows how it is used"},
		{[]string{"-exhaustive", "-genetic", "x"}, "op2 tune: -exhaustive and -genetic exclude each other\n  hint: op2 tune -help shows how it is used"},
		{[]string{"-dir", t.TempDir(), "/bin/false"}, "op2 tune: /bin/false: exit status 1"},
	} {
		if _, err := output(t, append([]string{"tune"}, test.args...)...); err == nil || err.Error() != test.want {
			t.Errorf("%q: got %v\nwant %s", test.args, err, test.want)
		}
	}
}

// tunedOnDevice runs a loop on a dat whose layout matters on devices.
func tunedOnDevice(t *testing.T, kind string) {
	rt := optest.OpenBackend(t, "opencl")
	cells := optest.NewSet(t, rt, 3000, "cells")
	l := op2.NewLoop(op2.Kernels(tuneSource).Func(turn), cells, optest.NewDat[float64](t, cells, 4, nil, "q").RW())
	calls := 50
	var others []any // that have values when the runtime is closed
	switch kind {
	case "device, ends": // without closing the runtime, after something has been decided
		calls = 8000
		defer os.Exit(0)
	case "device, by chance":
		others = append(others, optest.NewGlobal(t, rt, "now", float64(time.Now().UnixNano())))
	case "device, names":
		for i := range 2 {
			others = append(others, optest.NewGlobal(t, rt, "same", float64(i)))
		}
	}
	for range calls {
		optest.OK(t, l.Compute())
	}
	if kind != "device, ends" {
		optest.OK(t, rt.Close())
	}
	runtime.KeepAlive(others)
}

// turn permutes four values.
func turn(q *[4]float64) { q[0], q[1], q[2], q[3] = q[1], q[2], q[3], 1-q[0] }

// The layout of a dat is compared in runs of the program, and decided.
func TestTuneLayouts(t *testing.T) {
	optest.RequireCompiler(t)
	optest.OpenBackend(t, "opencl") // or the test is skipped
	dir := t.TempDir()
	t.Setenv("OP2_TEST_TUNED", "device")
	t.Setenv("OP2_LAYOUT", "soa")
	results, status, err := outputs(t, "tune", "-override", "-dir", dir, os.Args[0], "-test.run=^TestTunedProgram$")
	if err != nil {
		t.Fatalf("%v\n%s", err, status)
	}
	for _, f := range wisdom.Open(dir, nil).All() {
		if f.Name == "q on cells (4 float64)" {
			if f.Rigor != wisdom.Patient || f.Breadth < 0 || f.Class != "layout, otherwise soa" || len(f.Tried) != 1 || f.Tried[0].Choice != "layout=aos" || f.Tried[0].Times < leastPairs || f.Tried[0].Refused != "" {
				t.Errorf("found %+v", f)
			}
			if !strings.Contains(results, f.Name) || !strings.Contains(status, f.Name+": ") {
				t.Errorf("results\n%s\nstatus\n%s", results, status)
			}
			return
		}
	}
	t.Errorf("no layout is decided:\n%s", results)
}

// Layouts are refused where values differ at the end, also by chance, until that is permitted. A program without a report has those
// that it had.
func TestTuneLayoutsByResults(t *testing.T) {
	optest.RequireCompiler(t)
	optest.OpenBackend(t, "opencl") // or the test is skipped
	for kind, want := range map[string]string{
		"device, names":     "",
		"device, by chance": "now differs from run to run, whatever the layout, which -layouts permits",
		"device, ends":      "undecided",
	} {
		dir := t.TempDir()
		t.Setenv("OP2_TEST_TUNED", kind)
		tune := func(flags ...string) (refused, status string) {
			results, status, err := outputs(t, slices.Concat([]string{"tune"}, flags, []string{"-dir", dir, os.Args[0], "-test.run=^TestTunedProgram$"})...)
			if err != nil {
				t.Fatalf("%s: %v\n%s\n%s", kind, err, results, status)
			}
			for _, f := range wisdom.Open(dir, nil).All() {
				switch {
				case f.Name != "q on cells (4 float64)":
				case f.Rigor == wisdom.Estimate:
					return "undecided", status
				default:
					return f.Tried[0].Refused, status
				}
			}
			return "unknown", status
		}
		refused, status := tune()
		if refused != want || strings.Contains(status, "layouts stay as they are") != (want == "undecided") {
			t.Errorf("%s: refused: %s, want %s\n%s", kind, refused, want, status)
		}
		if kind == "device, by chance" {
			if refused, status := tune("-layouts"); refused != "" {
				t.Errorf("%s, which is permitted: refused: %s\n%s", kind, refused, status)
			}
		}
	}
}
