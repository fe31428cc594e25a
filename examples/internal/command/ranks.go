package command

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/mpi/mpitest"
)

// TestRanks runs the example under mpirun, with arguments that make it short, and compares its
// output with that of one process: the same results, once, and the same files.
func TestRanks(t *testing.T, arguments ...string) {
	arguments = append([]string{"-backend", "go"}, arguments...)
	c := mpitest.Command(t, mpitest.OpenMPI, 3, os.Args[0], arguments...)
	c.Dir = t.TempDir()
	c.Env = append(c.Env, variable+"=1", "OP2_QUIET=1")
	var out, other strings.Builder
	c.Stdout, c.Stderr = &out, &other
	if err := c.Run(); err != nil {
		t.Fatalf("on 3 ranks: %v\n%s%s", err, out.String(), other.String())
	}
	wantOut, wantOther, err := runApart(t, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := results(out.String()), results(wantOut); !slices.EqualFunc(got, want, alike) {
		t.Errorf("on 3 ranks the results are\n%s\non one\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if other.String() != wantOther {
		t.Errorf("on 3 ranks standard error has\n%s\non one\n%s", other.String(), wantOther)
	}
	if table := out.String(); strings.Contains(wantOut, " loop ") && strings.Count(table, "3 ranks: ") != strings.Count(wantOut, " calls ") {
		t.Errorf("on 3 ranks the tables are\n%s", table)
	}
}

// results returns the lines of an output, without tables of loops and without those of times, which
// in elasticity also has the iterations of an ill-conditioned system.
func results(output string) []string {
	var lines []string
	table := false
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) > 0 && fields[0] == "loop" {
			table = true
		}
		if len(fields) == 0 || strings.HasSuffix(strings.TrimSpace(line), " s") || strings.Contains(line, " s on ") {
			table = false
			continue
		}
		if !table {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// alike reports whether two lines are the same, apart from how the last digits were rounded.
func alike(a, b string) bool {
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(a, b string) bool {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return a == b || err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-3*math.Abs(y)
	})
}
