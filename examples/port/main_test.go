package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/optest"
)

// printed is what plate.cpp prints, built with OP2-Common, and the page shows.
const printed = `   200  49.599875   3.291519e-02
   400  62.829585   2.704071e-02
   600  72.954557   2.389141e-02
   800  81.420299   2.176866e-02
  1000  88.785526   2.019901e-02
`

func TestPort(t *testing.T) {
	optest.OpenBackend(t, "sequential") // skips where there is no compiler
	var out strings.Builder
	if err := run(&out, "sequential", ""); err != nil || out.String() != printed {
		t.Errorf("%v\n%s", err, out.String())
	}
	page, err := os.ReadFile("../../docs/port.md")
	if err != nil || !strings.Contains(string(page), strings.ReplaceAll("    "+strings.TrimSuffix(printed, "\n"), "\n", "\n    ")) {
		t.Errorf("the page does not show what the program prints: %v", err)
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"3 1\n 1.0\n 2.0\n +4.0E+00\n", "the largest relative difference is 1.2e-01, in cell 2\n"},
		{"3 2\n", "file has 3 times 2 values, here are 3"},
		{"3 1\n 1.0\n", "file: value 1: EOF"},
		{"", "file: expected a size and a dim: EOF"},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(test.file), 0o666); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err := compare(&out, []float64{1, 2, 3.5}, path)
		got := out.String()
		if err != nil {
			got = fmt.Sprint(err)
		}
		if !strings.HasSuffix(got, test.want) {
			t.Errorf("%q: %s, want %s", test.file, got, test.want)
		}
	}
}
