package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMisspelledVariables(t *testing.T) {
	got := Misspelled([]string{"OP2_BLOCKSIZE=64", "OP2_THREADS=2", "OP2_THREAD=2", "OP2_BACKEN=go", "OP2_MINE=1", "PATH=/bin", "OP2_STAT=", "op2_backend=go", "OP2_BACKENDS=go", "OP2_TEST_SOURCES=1"})
	want := []string{
		"the environment variable OP2_BLOCKSIZE means nothing here: did you mean OP2_BLOCK_SIZE?",
		"the environment variable OP2_THREAD means nothing here: did you mean OP2_THREADS?",
		"the environment variable OP2_BACKEN means nothing here: did you mean OP2_BACKEND?",
		"the environment variable OP2_STAT means nothing here: did you mean OP2_STATS?",
		"the environment variable op2_backend means nothing here: did you mean OP2_BACKEND?",
		"the environment variable OP2_BACKENDS means nothing here: did you mean OP2_BACKEND?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Every variable that the library reads is in the table, and in the documentation, with its option.
func TestVariablesAreKnown(t *testing.T) {
	look := regexp.MustCompile(`etenv\("(OP2_\w+)"\)`)
	var files []string
	for _, pattern := range []string{"*.go", "internal/*/*.go", "internal/*/*/*.go"} {
		matches, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, matches...)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "test/") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range look.FindAllSubmatch(text, -1) {
			if Of(string(m[1])) == nil {
				t.Errorf("%s looks at %s, which is not in the table", file, m[1])
			}
		}
	}
	docs, err := os.ReadFile("../../docs/backends.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range All {
		option := ""
		if s.Option != "" {
			option = "`" + s.Option + "` "
		}
		row := regexp.MustCompile("(?m)^\\| " + option + "\\|[^|]*`" + s.Variable + "`")
		if !row.Match(docs) {
			t.Errorf("docs/backends.md has no row with %s and %s", s.Option, s.Variable)
		}
	}
}

// What turns something on or off takes the same words, whether it has a third choice or not.
func TestOnAndOff(t *testing.T) {
	for value, want := range map[string]bool{"on": true, "1": true, "true": true, "off": false, "0": false, "false": false} {
		c, err := Read(func(name string) string {
			if name == "OP2_LAZY" || name == "OP2_MPI" {
				return value
			}
			return ""
		})
		if err != nil || c.Lazy != want || c.MPI != map[bool]string{true: "on", false: "off"}[want] {
			t.Errorf("%s: %v, lazy %t, MPI %s", value, err, c.Lazy, c.MPI)
		}
	}
}

// A wrong value is an error that names the variable, and says what is accepted; so it is for each variable that accepts less
// than any text.
func TestWrongValues(t *testing.T) {
	const (
		truths     = "expected on or off, or 1 or 0"
		strategies = "expected auto, staged, in-place, atomic, global-color, gather, blocks, scratchpad or measure"
		weights    = "expected a finite number, at least 0"
	)
	for _, c := range []struct{ variable, value, want string }{
		{"OMP_NUM_THREADS", "x,2", "expected a number of threads, at least 1"},
		{"OP2_THREADS", "many", "expected a number of threads, at least 1"},
		{"OP2_THREADS", "0", "expected a number of threads, at least 1"},
		{"OP2_BLOCK_SIZE", "0", "expected a number of elements, at least 1"},
		{"OP2_SIMD", "yes", "expected auto, on or off"},
		{"OP2_SCHEDULE", "guided", "expected static or dynamic"},
		{"OP2_CHAINS", "tiles", `expected auto, off, fuse or tile (did you mean "tile"?)`},
		{"OP2_LAZY", "x", truths},
		{"OP2_CFLAGS", "'-DA=b", "the quote ' is not closed"},
		{"OP2_CFLAGS", `-O2 \`, "nothing follows the last backslash"},
		{"OP2_DIAGS", "perhaps", "expected on or off, or a level: figures, plans, checks or trace, or 1 to 4"},
		{"OP2_DIAGS", "5", "expected on or off, or a level: figures, plans, checks or trace, or 1 to 4"},
		{"OP2_DIAGS", "-1", "expected on or off, or a level: figures, plans, checks or trace, or 1 to 4"},
		{"OP2_DIAGS", "plan", `expected on or off, or a level: figures, plans, checks or trace, or 1 to 4 (did you mean "plans"?)`},
		{"OP2_STRATEGY", "best", strategies},
		{"OP2_NO_ATOMICS", "maybe", truths},
		{"OP2_SAME_BITS", "2", truths},
		{"OP2_LAYOUT", "SoA", `expected auto, aos or soa (did you mean "soa"?)`},
		{"OP2_MPI", "yes", "expected auto, on or off"},
		{"OP2_PARTITIONER", "parmetis", "expected auto, bisect, curve, metis, scotch, graph or contiguous"},
		{"OP2_RANK_WEIGHT", "-1", weights},
		{"OP2_RANK_WEIGHT", "heavy", weights},
		{"OP2_RANK_WEIGHT", "inf", weights},
		{"OP2_HALO_DEPTH", "deep", "expected a number of layers, at least 1"},
		{"OP2_HALO_DEPTH", "65", "expected 1 to 64"},
		{"OP2_LATENCY", "x", "expected a time, such as 100us"},
		{"OP2_SOLVER", "x", "expected native or petsc"},
		{"OP2_STATS", "-", truths},
		{"OP2_REPORT", "out.pdf", "expected a name that ends in .html, .json, .csv or .trace.json"},
		{"OP2_QUIET", "very", truths},
	} {
		_, err := Read(func(name string) string {
			if name == c.variable {
				return c.value
			}
			return ""
		})
		if want := "op2: " + c.variable + "=" + c.value + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A level of diagnostics includes those below it; "on" checks, and writes nothing.
func TestDiags(t *testing.T) {
	for value, want := range map[string][4]bool{ // figures, plans, checks, trace
		"": {}, "0": {}, "off": {}, "false": {},
		"1": {true}, "figures": {true},
		"2": {true, true}, "plans": {true, true},
		"3": {true, true, true}, "checks": {true, true, true},
		"4": {true, true, true, true}, "trace": {true, true, true, true},
		"on": {false, true, true}, "true": {false, true, true},
	} {
		c, err := Read(func(name string) string { return map[string]string{"OP2_DIAGS": value}[name] })
		if got := [4]bool{c.Figures, c.CheckPlans, c.Backend.Poison, c.Trace}; err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", value, got, err, want)
		}
		if c.Diags(false); c.Figures || c.CheckPlans || c.Backend.Poison || c.Trace {
			t.Errorf("%q: diagnostics are not off", value)
		}
	}
}
