package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// op2 report runs a program, here this test again, and leaves its report alone in the folder.
func TestReportOfProgram(t *testing.T) {
	if os.Getenv("OP2_TEST_REPORTED") != "" {
		program(t)
		return
	}
	t.Setenv("OP2_TEST_REPORTED", "1")
	dir := t.TempDir()
	file := filepath.Join(dir, "out.csv")
	_, status, err := outputs(t, "report", "-o", file, os.Args[0], "-test.run=^TestReportOfProgram$")
	if err != nil || !strings.HasSuffix(status, "wrote "+file+"\n") {
		t.Errorf("%v\n%s", err, status)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "\n0,spreadEnds,edges,1,") {
		t.Errorf("%v\n%s", err, text)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v: %v", err, files)
	}
}

func TestReportSaysWhatIsWrong(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none", "out.html")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "op2 report: which program? As in: op2 report ./examples/airfoil\n  hint: op2 report -help shows how it is used"},
		{[]string{"-o", "out.pdf", "x"}, "op2 report: -o out.pdf: expected a name that ends in .html, .json, .csv or .trace.json\n  hint: op2 report -help shows how it is used"},
		{[]string{"-o", filepath.Join(t.TempDir(), "out.html"), os.Args[0], "-test.run=^none$"}, "op2 report: " + os.Args[0] + " -test.run=^none$: no runtime was opened and closed again\n  hint: defer rt.Close() where it is opened"},
		{[]string{"-o", missing, "x"}, "op2 report: stat " + filepath.Dir(missing) + ": no such file or directory"},
	} {
		if _, _, err := outputs(t, append([]string{"report"}, c.args...)...); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v", c.args, err)
		}
	}
}
