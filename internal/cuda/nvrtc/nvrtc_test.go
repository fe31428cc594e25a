package nvrtc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2/internal/native"
)

// compiler returns NVRTC; without it, it skips the test, unless OP2_REQUIRE requires it.
func compiler(t *testing.T) *Compiler {
	t.Helper()
	c, err := Open(0)
	var missing *native.NotFoundError
	if errors.As(err, &missing) {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
			t.Fatalf("nvrtc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no nvrtc: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const text = `extern "C" __global__ void plain(float *x) { x[0] = 1; }
extern "C" __global__ void tile(double *x, int n) {
	__shared__ double s[64];
	double local[100];
	for (int i = 0; i < 100; i++)
		local[i] = x[i];
	s[threadIdx.x] = x[n];
	__syncthreads();
	x[n] = s[n] + sqrt(local[n]);
}
`

func TestCompile(t *testing.T) {
	c := compiler(t)
	archs, err := c.Archs()
	if err != nil || !slices.Contains(archs, "sm_90") {
		t.Fatalf("architectures %v, %v", archs, err)
	}
	for _, arch := range []string{archs[0], "sm_90"} {
		image, log, err := c.Compile("flux.cu", text, arch, []string{"--std=c++17", "--fmad=false"})
		if err != nil {
			t.Fatalf("%s: %v\n%s", arch, err, log)
		}
		if !strings.HasPrefix(string(image), "\x7fELF") {
			t.Errorf("%s: no cubin: %q", arch, image[:min(len(image), 20)])
		}
		if w := Warnings(log); len(w) != 0 {
			t.Errorf("%s: warnings %q", arch, w)
		}
		if c.silent {
			continue
		}
		usages := Usages(log)
		if u := usages["plain"]; u.Registers < 2 || u != (Usage{u.Registers, 0, 0, 0, u.Const}) {
			t.Errorf("%s: plain %+v", arch, u)
		}
		if u := usages["tile"]; u.Registers < 8 || u.Stack != 800 || u.Shared != 512 {
			t.Errorf("%s: tile %+v", arch, u)
		}
	}
}

func TestPTX(t *testing.T) {
	c := compiler(t)
	base, err := c.Base()
	if err != nil || base != "compute_70" && base != "compute_75" {
		t.Fatalf("%s, %v", base, err)
	}
	for _, fused := range []bool{true, false} {
		const text = `extern "C" __global__ void k(double *x) { x[0] = x[1] * x[2] + x[3]; }`
		ptx, log, err := c.PTX("k.cu", text, base, []string{fmt.Sprintf("--fmad=%t", fused)})
		if err != nil || len(Warnings(log)) > 0 {
			t.Fatalf("%v\n%s", err, log)
		}
		for _, want := range []string{".target sm_" + strings.TrimPrefix(base, "compute_"), ".visible .entry k("} {
			if !strings.Contains(ptx, want) {
				t.Errorf("no %q in\n%s", want, ptx)
			}
		}
		// The driver contracts mul and add, but not mul.rn and add.rn.
		if strings.Contains(ptx, "fma.rn.f64") != fused || !fused && !strings.Contains(ptx, "mul.rn.f64") {
			t.Errorf("contracted %t:\n%s", fused, ptx)
		}
	}
	if _, log, err := c.PTX("k.cu", "wrong", base, nil); err == nil || !strings.HasPrefix(FirstError(log), "k.cu(1): error: ") {
		t.Errorf("%v\n%s", err, log)
	}
}

func TestCompileFails(t *testing.T) {
	c := compiler(t)
	tests := []struct {
		name, text, arch string
		flags            []string
		code             int
		want             string
	}{
		{"undeclared", "\n\n__global__ void k(double *x) { x[0] = y; }", "sm_90", nil, ErrorCompilation, `flux.cu(3): error: identifier "y" is undefined`},
		{"no architecture", "", "sm_9", nil, 5, "nvrtc: error: invalid value for --gpu-architecture (-arch)"},
		{"no option", "", "sm_90", []string{"--nonsense"}, 5, "nvrtc: error: unrecognized option --nonsense found"},
		{"a warning as an error", "__global__ void k(double *x) { int unused; }", "sm_90", []string{"--diag-error=177"}, ErrorCompilation,
			`flux.cu(1): error: variable "unused" was declared but never referenced`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			image, log, err := c.Compile("flux.cu", test.text, test.arch, test.flags)
			var failed *Error
			if !errors.As(err, &failed) || failed.Code != test.code || len(image) != 0 {
				t.Errorf("%d bytes, %v", len(image), err)
			}
			if got := FirstError(log); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	c := compiler(t)
	_, log, err := c.Compile("flux.cu", "__global__ void k(double *x) { int unused; }", "sm_90", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`flux.cu(1): warning #177-D: variable "unused" was declared but never referenced`}
	if got := Warnings(log); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCompileAtOnce(t *testing.T) {
	c := compiler(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, log, err := c.Compile("flux.cu", text, "sm_90", nil); err != nil {
				t.Errorf("%v\n%s", err, log)
			}
		})
	}
	group.Wait()
}

func TestUsages(t *testing.T) {
	const log = `flux.cu(1): warning #177-D: variable "unused" was declared but never referenced

ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'l' for 'sm_70'
ptxas info    : Function properties for l
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function 'k' for 'sm_70'
ptxas info    : Function properties for k
    800 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 34 registers, used 1 barriers, 800 bytes cumulative stack size, 512 bytes smem, 364 bytes cmem[0], 16 bytes cmem[2]
`
	got := Usages(log)
	if got["l"] != (Usage{8, 0, 0, 0, 360}) || got["k"] != (Usage{34, 800, 24, 512, 380}) || len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		prefer int
		want   string
	}{
		{0, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
		{11, "libnvrtc.so.11.2 libnvrtc.so.12 libnvrtc.so.13 libnvrtc.so"},
		{12, "libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so.13 libnvrtc.so"},
		{13, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
		{14, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
	}
	for _, test := range tests {
		if got := strings.Join(names(test.prefer), " "); got != test.want {
			t.Errorf("%d: %s, want %s", test.prefer, got, test.want)
		}
	}
}

func TestFolders(t *testing.T) {
	root := t.TempDir()
	wheel := filepath.Join(root, "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib")
	newer := filepath.Join(root, "packages/nvidia/cu13/lib")
	toolkit := filepath.Join(root, "cuda/lib64")
	for _, dir := range []string{wheel, newer, toolkit} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CUDA_HOME", filepath.Join(root, "cuda"))
	t.Setenv("CUDA_PATH", filepath.Join(root, "cuda"))
	t.Setenv("VIRTUAL_ENV", filepath.Join(root, "venv"))
	t.Setenv("PYTHONPATH", filepath.Join(root, "nowhere")+string(filepath.ListSeparator)+filepath.Join(root, "packages"))
	got := slices.DeleteFunc(search(0).Last, func(dir string) bool { return !strings.HasPrefix(dir, root) })
	if want := []string{toolkit, newer, wheel}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNotFound(t *testing.T) {
	t.Setenv("OP2_NVRTC", "/nowhere")
	err := search(12).Find(nil)
	const hint = "\n  hint: pip install nvidia-cuda-nvrtc-cu12, or the CUDA toolkit; OP2_NVRTC names the library, or its folder"
	const want = "no NVRTC, the compiler of CUDA: looked for /nowhere (OP2_NVRTC)" + hint
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if runtime.GOOS != "linux" {
		return
	}
	file := filepath.Join(t.TempDir(), "libnvrtc.so.12")
	if err := os.WriteFile(file, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OP2_NVRTC", file)
	var missing *native.NotFoundError
	if err := search(12).Find(nil); !errors.As(err, &missing) || missing.Err == nil || !strings.Contains(err.Error(), "looked for "+file+" (OP2_NVRTC): ") {
		t.Errorf("a file that is no library: %v", err)
	}
}
