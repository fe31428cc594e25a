package record_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
)

var (
	mesh = record.Mesh{
		Sets:   []record.Set{{Name: "edges", Size: 2}, {Name: "nodes", Size: 3}},
		Maps:   []record.Map{{Name: "ends", From: 0, To: 1, Arity: 2, Values: []int32{0, 1, 1, 2}}},
		Points: []record.Points{{Name: "x", Set: 1, Dim: 2, Values: []float64{0, 0, 1, 0, 1, 1}}},
	}
	loops = []record.Loop{
		{Hash: loop.Hash{1, 2}, Kernel: "spread", Over: "edges", Set: "edges", Plan: plan.Input{Last: 2, BlockSize: 1}, Bytes: []int{8},
			Args: []record.Arg{{Dat: 1, Set: "nodes", Bytes: 8, Access: loop.Inc, Mapped: true}}, Reduces: true},
		{Kernel: "clear", Over: "outer", Set: "nodes", Subset: []int32{0, 2}},
	}
)

// write records the mesh and the loops, and returns the file.
func write(t *testing.T, dir string, loops []record.Loop) string {
	t.Helper()
	before, _ := filepath.Glob(filepath.Join(dir, "*"))
	w, err := record.Create(dir, &mesh)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range loops {
		if err := w.Add(&l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	after, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, path := range after {
		if !slices.Contains(before, path) {
			return path
		}
	}
	t.Fatal("no file was written")
	return ""
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name  string
		write [][]record.Loop // by runtime
	}{
		{"a mesh alone", [][]record.Loop{nil}},
		{"loops", [][]record.Loop{loops}},
		{"two runtimes", [][]record.Loop{loops[:1], loops[:1]}},
		{"nothing", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a", "b")
			for _, loops := range test.write {
				write(t, dir, loops)
			}
			got, err := record.Read(dir)
			if err != nil || len(got) != len(test.write) {
				t.Fatalf("%d runtimes, error %v", len(got), err)
			}
			for i, r := range got {
				if !reflect.DeepEqual(r.Mesh, mesh) || !reflect.DeepEqual(r.Loops, test.write[i]) {
					t.Errorf("got %+v", r)
				}
			}
		})
	}
}

// A program that is killed leaves a record that ends anywhere: the loops before that are read.
func TestReadTruncated(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, loops)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for size := len(whole) - 2; size > len(whole)/2; size -= 9 {
		if err := os.WriteFile(path, whole[:size], 0o666); err != nil {
			t.Fatal(err)
		}
		all, err := record.Read(dir)
		if err != nil || len(all) != 1 {
			t.Fatalf("%d bytes of %d: %d runtimes, error %v", size, len(whole), len(all), err)
		}
		for i, l := range all[0].Loops {
			if !reflect.DeepEqual(l, loops[i]) {
				t.Errorf("%d bytes of %d: loop %d is %+v", size, len(whole), i, l)
			}
		}
		most = max(most, len(all[0].Loops))
	}
	if most != 1 {
		t.Errorf("%d loops before the end of the last one", most)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.op2record"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := record.Read(dir); err == nil || !strings.HasSuffix(err.Error(), "old.op2record is no record of this version of op2") {
		t.Errorf("read %v", err)
	}
	if _, err := record.Create(filepath.Join(dir, "old.op2record"), &mesh); err == nil {
		t.Error("a file serves as a folder")
	}
}
