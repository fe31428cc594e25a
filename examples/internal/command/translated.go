package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/translated"
)

// TestTranslated runs the example, with arguments that make it short, where there is no compiler: its translated code
// suffices, however chains of loops run, and leaves the same results.
func TestTranslated(t *testing.T, arguments ...string) {
	if len(translated.Packages()) == 0 {
		t.Skip("the example is not translated for this processor")
	}
	var want []string
	for _, backend := range []string{"sequential", "translated"} {
		for _, chains := range []string{"off", "fuse", "tile", "auto"} {
			t.Run(backend+" "+chains, func(t *testing.T) {
				for variable, value := range map[string]string{"PATH": "", "OP2_CC": "", "OP2_REQUIRE": "translated", "OP2_CHAINS": chains} {
					t.Setenv(variable, value)
				}
				output, status, err := runApart(t, append([]string{"-backend", backend}, arguments...)...)
				if err != nil {
					t.Fatalf("%v\n%s", err, status)
				}
				got := results(strings.ReplaceAll(output, backend, "the backend"))
				if want == nil {
					want = got
				}
				if !slices.EqualFunc(got, want, alike) {
					t.Errorf("the results are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}
