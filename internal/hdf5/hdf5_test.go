package hdf5

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// library returns the library; without it the test is skipped, or fails where OP2_REQUIRE has hdf5.
func library(t *testing.T) *Library {
	t.Helper()
	l, err := Open(nil)
	if err == nil {
		return l
	}
	if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "hdf5") {
		t.Fatal(err)
	}
	t.Skip(err)
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

type state struct {
	Rho      float64
	Wet      bool
	Velocity [2]float32
	Phase    complex128
	Ends     [2]struct{ A, B int16 }
}

// What is written is read again, as a program of the library's own sees it.
func TestDatasets(t *testing.T) {
	l := library(t)
	path := filepath.Join(t.TempDir(), "a.h5")
	f := must(l.Create(path, nil))
	layout := must(loop.LayoutOf(reflect.TypeFor[state]()))
	states := make([]state, 1000)
	for i := range states {
		states[i] = state{float64(i), i%3 == 0, [2]float32{1, float32(i)}, complex(0, float64(i)), [2]struct{ A, B int16 }{{int16(i), 1}, {2, 3}}}
	}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&states[0])), len(states)*layout.Size)
	for _, d := range []Dataset{
		{Path: "plain", Of: layout, Dims: []uint64{1000}},
		{Path: "in/a/group", Of: layout, Dims: []uint64{500, 2}, Deflate: 6},
	} {
		if err := f.Create(d); err != nil {
			t.Fatal(err)
		}
		half := d.Dims[0] / 2
		for _, part := range []struct {
			rows   Rows
			memory []byte
		}{{Rows{half, half}, memory[len(memory)/2:]}, {Rows{0, half}, memory[:len(memory)/2]}, {Rows{half, 0}, nil}} {
			if err := f.Write(d.Path, layout, part.rows, part.memory); err != nil {
				t.Fatal(err)
			}
		}
	}
	double := must(loop.LayoutOf(reflect.TypeFor[float64]()))
	if err := f.SetAttribute("plain", "weight", double, nil, bytes.Repeat([]byte{0}, 8)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "second"} {
		if err := errors.Join(f.SetText("in", "title", text), f.SetText("", "about", text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}

	f = must(l.Open(path, false, nil))
	defer f.Close()
	if got := must(f.Datasets("")); !slices.Equal(got, []string{"in/a/group", "plain"}) {
		t.Errorf("datasets %q", got)
	}
	const kind = "{Rho float64; Wet bool; Velocity [2]float32; Phase complex128; Ends [2]{A int16; B int16}}"
	if got := must(f.Shape("in/a/group")).String(); got != "[500][2]"+kind || Describe(layout) != kind {
		t.Errorf("the shape is %s, that of Go %s", got, Describe(layout))
	}
	for _, path := range []string{"plain", "in/a/group"} {
		n := must(f.Shape(path)).Dims[0]
		got := make([]state, len(states))
		if err := f.Read(path, layout, Rows{0, n}, unsafe.Slice((*byte)(unsafe.Pointer(&got[0])), len(memory))); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, states) {
			t.Errorf("%s holds other values", path)
		}
	}
	if got := must(f.Text("in", "title")) + must(f.Text("", "about")); got != "secondsecond" {
		t.Errorf("the attributes are %q", got)
	}
	if dump, err := exec.Command("h5dump", "-H", "-p", path).CombinedOutput(); !errors.Is(err, exec.ErrNotFound) {
		for _, part := range []string{`H5T_IEEE_F64LE "Rho"`, `COMPRESSION DEFLATE { LEVEL 6 }`, `ATTRIBUTE "weight"`, `GROUP "a"`} {
			if err != nil || !strings.Contains(string(dump), part) {
				t.Errorf("h5dump: %v: no %s in\n%s", err, part, dump)
			}
		}
	}
}

// Rows are numbered in 64 bits: a dataset with more values than 2^32, of which a few are stored.
func TestManyRows(t *testing.T) {
	l := library(t)
	path := filepath.Join(t.TempDir(), "large.h5")
	double := must(loop.LayoutOf(reflect.TypeFor[float64]()))
	const rows = 3 << 31
	f := must(l.Create(path, nil))
	if err := f.Create(Dataset{Path: "x", Of: double, Dims: []uint64{rows, 2}, Chunk: 1000}); err != nil {
		t.Fatal(err)
	}
	values := []float64{1, 2, 3, 4}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 32)
	if err := errors.Join(f.Write("x", double, Rows{rows - 2, 2}, memory), f.Close()); err != nil {
		t.Fatal(err)
	}
	f = must(l.Open(path, false, nil))
	defer f.Close()
	got := make([]float64, 4)
	if err := f.Read("x", double, Rows{rows - 3, 2}, unsafe.Slice((*byte)(unsafe.Pointer(&got[0])), 32)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []float64{0, 0, 1, 2}) {
		t.Errorf("got %v", got)
	}
	if info := must(os.Stat(path)); info.Size() > 1<<20 {
		t.Errorf("the file has %d bytes", info.Size())
	}
	if err := f.Read("x", double, Rows{rows - 1, 2}, memory); err == nil || err.Error() != "rows 6442450943 to 6442450945 are not within [6442450944][2]float64" {
		t.Errorf("beyond the end: %v", err)
	}
}

// Rows are added to a dataset that grows.
func TestExtend(t *testing.T) {
	l := library(t)
	f := must(l.Create(filepath.Join(t.TempDir(), "a.h5"), nil))
	defer f.Close()
	numbers := []int32{1, 2, 3, 4, 5, 6}
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), 24)
	of := Numbers(loop.Int32)
	if err := errors.Join(f.Create(Dataset{Path: "x", Of: of, Dims: []uint64{1, 2}, Grows: true}), f.Write("x", of, Rows{0, 1}, memory[:8])); err != nil {
		t.Fatal(err)
	}
	if at := must(f.Extend("x", 2)); at != 1 {
		t.Errorf("rows are added at %d", at)
	}
	if err := f.Write("x", of, Rows{1, 2}, memory[8:]); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 24)
	if err := f.Read("x", of, Rows{0, 3}, got); err != nil || !bytes.Equal(got, memory) {
		t.Errorf("read %v: %v", got, err)
	}
}

// Links lead to groups elsewhere.
func TestLink(t *testing.T) {
	l := library(t)
	f := must(l.Create(filepath.Join(t.TempDir(), "a.h5"), nil))
	defer f.Close()
	err := errors.Join(f.Group("all"), f.Group("all/b"), f.Group("all/a"), f.Link("all/a/to", "all/b"),
		f.Create(Dataset{Path: "all/b/x", Of: Numbers(loop.Int32), Dims: []uint64{1}}), f.Write("all/b/x", Numbers(loop.Int32), Rows{0, 1}, []byte{1, 0, 0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if err := f.Read("all/a/to/x", Numbers(loop.Int32), Rows{0, 1}, got); err != nil || got[0] != 1 {
		t.Errorf("read %v: %v", got, err)
	}
	if err := f.Group("all/b"); err == nil {
		t.Error("a group twice")
	}
}

// Empty datasets, and files that are none.
func TestOdd(t *testing.T) {
	l := library(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.h5")
	float := must(loop.LayoutOf(reflect.TypeFor[float32]()))
	f := must(l.Create(path, nil))
	for _, d := range []Dataset{{Path: "none", Of: float, Dims: []uint64{0, 3}}, {Path: "packed", Of: float, Dims: []uint64{0}, Deflate: 1}} {
		if err := errors.Join(f.Create(d), f.Write(d.Path, float, Rows{}, nil), f.Read(d.Path, float, Rows{}, nil)); err != nil {
			t.Errorf("%s: %v", d.Path, err)
		}
	}
	if _, err := f.Shape("packed/x"); err == nil {
		t.Error("a dataset within a dataset")
	}
	if _, err := f.Shape("a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dataset that is missing: %v", err)
	}
	if _, err := f.Text("", "title"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an attribute that is missing: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	whole := must(os.ReadFile(path))
	for name, want := range map[string]string{"text": "file signature not found", "cut": "truncated file", "missing": "No such file"} {
		other := filepath.Join(dir, name)
		switch name {
		case "text":
			must(0, os.WriteFile(other, []byte("no HDF5"), 0o666))
		case "cut":
			must(0, os.WriteFile(other, whole[:len(whole)/2], 0o666))
		}
		var failed *Error
		if _, err := l.Open(other, false, nil); !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without the library, the error says what was looked for and what to install.
func TestMissing(t *testing.T) {
	t.Setenv(Variable, "/nowhere/libhdf5.so")
	var missing *native.NotFoundError
	if err := search(nil).Find(func(*native.Library) error { return nil }); !errors.As(err, &missing) ||
		!strings.HasPrefix(err.Error(), "no HDF5: looked for /nowhere/libhdf5.so (OP2_HDF5_LIBRARY)") ||
		!strings.Contains(err.Error(), "apt install libhdf5-dev (Debian, Ubuntu)") {
		t.Errorf("%v", err)
	}
	if err := search(&MPI{Build: "openmpi"}).Find(func(*native.Library) error { return nil }); !strings.Contains(err.Error(), "apt install libhdf5-openmpi-dev") {
		t.Errorf("%v", err)
	}
}
