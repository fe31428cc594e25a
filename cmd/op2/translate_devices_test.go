package main

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/opencl"
	"github.com/go-op2/op2/internal/translate/compile"
)

// Programs for devices are written on a machine without any, and PTX where there is its compiler. On OpenCL, where the
// text is compiled as before, OP2_REQUIRE runs no other. What is committed is compared.
func TestTranslateDevices(t *testing.T) {
	if _, err := compile.New("", compile.AMD64v3); err != nil {
		t.Skip(err) // the program runs by C
	}
	newProgram(t, steps)
	_, status, err := outputs(t, "translate", "-targets", "cuda,opencl,opencl-cpu", ".")
	if err != nil {
		t.Fatal(err)
	}
	_, noPTX := nvrtc.Open(0)
	if said := strings.Contains(status, "there will be CUDA C++, but no PTX"); said != (noPTX != nil) {
		t.Errorf("%v\n%s", noPTX, status)
	}
	before := tree(t)
	want := []string{"manifest.go", "register_devices.go"}
	for _, name := range []string{"add", "double", "double_add", "rows"} {
		want = append(want, "device/cuda/"+name+".cu", "device/opencl-cpu/"+name+".cl", "device/opencl/"+name+".cl")
		if noPTX == nil {
			want = append(want, "device/cuda/"+name+".ptx")
		}
	}
	levels := "cuda, opencl, opencl-cpu:"
	if noPTX == nil {
		levels = "cuda (compute_7"
		if ptx := before["op2gen/device/cuda/double.ptx"]; !strings.Contains(ptx, ".entry op2_loop_double(") {
			t.Errorf("the PTX of double is\n%s", ptx)
		}
	}
	slices.Sort(want)
	var got []string
	for path, text := range before {
		if name, ok := strings.CutPrefix(path, "op2gen/"); ok && text != "" {
			got = append(got, name)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if text := before["op2gen/manifest.go"]; !strings.Contains(text, "translated for "+levels) || !strings.Contains(text, "//   - double, example.com/steps/main.go:14:6, on devices") {
		t.Errorf("the manifest is\n%s", text)
	}
	if text := before["op2gen/device/opencl/double.cl"]; !strings.Contains(text, "// kernel at example.com/steps/main.go:14:6; loop ") {
		t.Errorf("the OpenCL C of double is\n%s", text)
	}

	run := func() (string, error) {
		if out, err := exec.Command("go", "build", "-o", "steps", ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		defer os.Remove("steps")
		program := exec.Command("./steps")
		program.Env = append(os.Environ(), "OP2_BACKEND=opencl", "OP2_REQUIRE=translated", "OP2_CACHE_DIR="+t.TempDir())
		out, err := program.CombinedOutput()
		return string(out), err
	}
	infos, err := opencl.List()
	usable := err == nil && infos[0].CPU
	if usable {
		if out, err := run(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	} else {
		t.Logf("no processor for OpenCL: %v", err)
	}
	check := []string{"translate", "-check", "-targets", "cuda,opencl,opencl-cpu", "."}
	if out, err := output(t, check...); err != nil || out != "op2gen is as it would be written\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if after := tree(t); !maps.Equal(before, after) {
		t.Errorf("-check left %v", slices.Sorted(maps.Keys(after)))
	}
	if noPTX == nil {
		other := strings.Replace(before["op2gen/device/cuda/double.ptx"], "// key ", "// key 0", 1)
		if err := os.WriteFile("op2gen/device/cuda/double.ptx", []byte(other), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := output(t, check...); err == nil || out != "made of another source: device/cuda/double.ptx\n" {
			t.Errorf("PTX of another source: %v\n%s", err, out)
		}
		if err := os.WriteFile("op2gen/device/cuda/double.ptx", []byte(before["op2gen/device/cuda/double.ptx"]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("main.go", []byte(strings.Replace(steps, "*x += *x", "*x *= 2", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	changed := ""
	for _, path := range []string{"cuda/double.cu", "cuda/double_add.cu", "opencl-cpu/double.cl", "opencl-cpu/double_add.cl", "opencl/double.cl", "opencl/double_add.cl"} {
		changed += "changed: device/" + path + "\n"
	}
	if out, err := output(t, check...); err == nil || out != changed {
		t.Errorf("%v\n%s", err, out)
	}
	if usable {
		if out, err := run(); err == nil || !strings.Contains(out, "double is not translated as it is now, in example.com/steps/op2gen") {
			t.Errorf("a kernel that has changed: %v\n%s", err, out)
		}
	}
}
