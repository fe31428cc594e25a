package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/wisdom"
)

func TestWisdom(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	w := wisdom.Open(dir, func(text string) { t.Error(text) })
	when := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	w.Add(wisdom.Finding{
		Key: wisdom.Key{Loop: "abcdef0123456789", Machine: "EPYC", Compiler: "gcc 12.2", Class: "about 16384, 4 each"}, Name: "flux over edges",
		Choice: "simd=off", Rigor: wisdom.Measure, When: when, Tried: []wisdom.Tried{
			{Choice: "simd=off", Times: 17, Ratio: 0.33, Low: 0.32, High: 0.35},
			{Choice: "compiler=clang", Refused: "results differ"},
		},
	})
	w.Add(wisdom.Finding{
		Key: wisdom.Key{Loop: "0123456789abcdef", Machine: "EPYC", Class: "about 256"}, Name: "update over cells", When: when,
		Tried: []wisdom.Tried{{Choice: "simd=off", Open: []float64{1, 0.9}}},
	})
	if err := w.Save(); err != nil {
		t.Fatal(err)
	}
	list := `LOOP               NUMBER      MACHINE  CLASS                CHOICE     TIME                 RIGOR     FOUND
flux over edges    abcdef0123  EPYC     about 16384, 4 each  simd=off   0.33 (0.32 to 0.35)  measure   2026-11-25
update over cells  0123456789  EPYC     about 256            undecided                       estimate  2026-11-25
2 findings
`
	file := filepath.Join(other, "exported")
	for _, step := range []struct {
		args []string
		want string // "!" before an error
	}{
		{[]string{"list", "-dir", dir}, list},
		{[]string{"-dir", dir}, list},
		{[]string{"explain", "flux", "-dir", dir}, `flux over edges, number abcdef0123, about 16384, 4 each
  on EPYC with gcc 12.2
  simd=off, found on 2026-11-25 with rigor measure
    simd=off        0.330 of the time (0.320 to 0.350), 17 calls
    compiler=clang  refused: results differ
`},
		{[]string{"explain", "0123", "-dir", dir}, `update over cells, number 0123456789, about 256
  on EPYC with no compiler
  undecided, found on 2026-11-25 with rigor estimate
    simd=off  undecided, 2 calls
`},
		{[]string{"explain", "flax", "-dir", dir}, "!op2 wisdom: nothing is known about a loop \"flax\"\n  hint: op2 wisdom list shows the loops"},
		{[]string{"export", file, "-dir", dir}, ""},
		{[]string{"import", file, "-dir", other}, "took 2 of 2 findings\n"},
		{[]string{"list", "-dir", other}, list},
		{[]string{"forget", "-dir", other}, "!op2 wisdom: forget: which loop?\n  hint: -all forgets everything"},
		{[]string{"forget", "flux", "-dir", other}, "forgot 1 findings\n"},
		{[]string{"forget", "-all", "-dir", other}, "forgot 1 findings\n"},
		{[]string{"list", "-dir", other}, "0 findings\n"},
		{[]string{"import", "-dir", other}, "!op2 wisdom: import: which file?"},
		{[]string{"exprot"}, "!op2 wisdom: there is no action \"exprot\" (did you mean \"export\"?): it is one of list, explain, export, import, forget\n  hint: op2 wisdom -help shows how it is used"},
	} {
		got, err := output(t, append([]string{"wisdom"}, step.args...)...)
		if err != nil {
			got = "!" + err.Error()
		}
		if got != step.want {
			t.Errorf("op2 wisdom %s:\n%s\nwant:\n%s", strings.Join(step.args, " "), got, step.want)
		}
	}
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%v, exported %s", err, text)
	}
	if text, err := output(t, "wisdom", "export", "-dir", dir); err != nil || strings.Count(text, "\n") != 2 {
		t.Errorf("%v, exported %s", err, text)
	}
}
