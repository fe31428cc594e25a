package unit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestProgramKeys(t *testing.T) {
	const text = "#line 12 \"flux.c\"\nx = a * b + c;\n"
	key := ProgramKey("CUDA C++", nil, text)
	if ProgramKey("CUDA C++", nil, "#line 99 \"moved.c\"\nx = a * b + c;\n") != key {
		t.Error("where the source is from changes the key")
	}
	for what, other := range map[string]string{
		"the text":     ProgramKey("CUDA C++", nil, "x = a * b - c;\n"),
		"the language": ProgramKey("OpenCL C", nil, text),
		"a flag":       ProgramKey("CUDA C++", []string{"--fmad=false"}, text),
	} {
		if other == key {
			t.Errorf("%s does not change the key", what)
		}
	}
}

// Programs of one key for two devices are two, and none is a unit of the host.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []Program{
		{Device: "opencl", Key: "1", Name: "update"}, {Device: "opencl", Key: "2", Name: "flux"}, {Device: "opencl", Key: "1", Name: "update"},
		{Device: "cuda", Key: "1", Name: "update", Text: "x", Flags: []string{"-w"}},
	} {
		if err := WriteProgram(dir, &p); err != nil {
			t.Fatal(err)
		}
	}
	programs, err := ReadPrograms(dir)
	var got []string
	for _, p := range programs {
		got = append(got, p.Device+" "+p.Name)
	}
	if want := []string{"cuda update", "opencl flux", "opencl update"}; err != nil || !slices.Equal(got, want) || programs[0].Text != "x" || programs[0].Flags[0] != "-w" {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	if units, _, err := Read(dir); err != nil || len(units) > 0 {
		t.Errorf("%v, %v", units, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cuda-4.program"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPrograms(dir); err == nil {
		t.Error("a damaged program is no error")
	}
}

func TestProgramsRequested(t *testing.T) {
	dir := t.TempDir()
	for _, want := range [][]string{nil, {"cuda", "opencl"}, {"opencl-cpu"}} {
		if want != nil {
			if err := RequestPrograms(dir, want...); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := ProgramsRequested(dir); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if got, err := ProgramsRequested(""); err != nil || got != nil {
		t.Errorf("without a folder: %q, %v", got, err)
	}
}
