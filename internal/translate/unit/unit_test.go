package unit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	const text = "#line 12 \"flux.c\"\nx = a * b + c;\n"
	key := Key(text, false, nil)
	if Key("#line 99 \"moved.c\"\nx = a * b + c;\n", false, nil) != key {
		t.Error("where the source is from changes the key")
	}
	for what, other := range map[string]string{
		"the text":     Key("x = a * b - c;\n", false, nil),
		"the rounding": Key(text, true, nil),
		"a flag":       Key(text, false, []string{"-O1"}),
	} {
		if other == key {
			t.Errorf("%s does not change the key", what)
		}
	}
}

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

// A key may occur for several devices, and several processes leave the same.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, u := range []Unit{
		{Key: "1", Name: "update", Text: "x", Flags: []string{"-O3"}}, {Key: "3", Name: "flux"}, {Key: "2", Name: "flux"}, {Key: "2", Name: "flux"},
		{Device: "opencl", Key: "1", Name: "update"}, {Device: "cuda", Key: "1", Name: "update"}, {Device: "opencl", Key: "2", Name: "flux"},
	} {
		if err := u.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	units, err := Read(dir)
	var got []string
	for _, u := range units {
		got = append(got, u.Device+" "+u.Name+" "+u.Key)
	}
	if want := []string{" flux 2", " flux 3", " update 1", "cuda update 1", "opencl flux 2", "opencl update 1"}; err != nil || !slices.Equal(got, want) ||
		units[2].Text != "x" || units[2].Flags[0] != "-O3" {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "-4"+suffix), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("a damaged unit is no error")
	}
	u := Unit{Name: "flux", Key: "5"}
	if err := u.Write(filepath.Join(dir, "missing")); err == nil || !strings.HasPrefix(err.Error(), "flux cannot be recorded") {
		t.Errorf("a folder that does not exist: %v", err)
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
