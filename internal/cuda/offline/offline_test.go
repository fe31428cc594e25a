package offline

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
)

// compiler returns NVRTC; without it, it skips the test, unless OP2_REQUIRE requires it.
func compiler(t *testing.T) *nvrtc.Compiler {
	t.Helper()
	c, err := Compiler()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
			t.Fatalf("nvrtc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no nvrtc: %v", err)
	}
	return c
}

func TestCompile(t *testing.T) {
	c := compiler(t)
	tests := []struct{ name, text, flag, err string }{
		{"good", `extern "C" __global__ void good(double *x) { x[0] = 1; }`, "--fmad=false", ""},
		{"wrong", `extern "C" __global__ void wrong(double *x) { x[0] = y; }`, "-DX", `wrong for sm_80: wrong.cu(1): error: identifier "y" is undefined`},
		{"doubtful", `extern "C" __global__ void doubtful(double *x) { int unused; }`, "-DX",
			`doubtful for sm_90: doubtful.cu(1): warning #177-D: variable "unused" was declared but never referenced`},
		{"flagged", "", "--nonsense", "flagged for sm_70: nvrtc: error: unrecognized option --nonsense found"},
	}
	var jobs []Job
	for i, test := range tests {
		jobs = append(jobs, Job{device.Source{Name: test.name, Text: test.text, Flags: []string{test.flag}}, Archs[i%len(Archs)]})
	}
	for i, r := range Compile(c, jobs) {
		want, got := tests[i], ""
		if r.Err != nil {
			got = r.Err.Error()
		}
		if got != want.err {
			t.Errorf("got  %s\nwant %s", got, want.err)
		}
		if r.Err == nil && r.Usages[want.name].Registers < 1 {
			t.Errorf("%s: %+v", want.name, r.Usages)
		}
	}
}
