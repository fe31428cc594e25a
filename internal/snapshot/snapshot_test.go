package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/snapshot"
)

// write writes a complete checkpoint of one part.
func write(t *testing.T, f snapshot.Folder, rows []byte) int {
	t.Helper()
	n, err := f.New()
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Create(n, 0, 1<<22) // more than it will have
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("rows", rows); err != nil {
		t.Fatal(err)
	}
	p, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Commit(n, &snapshot.Index{Place: n, Parts: []snapshot.Part{p}}), f.Prune(n)); err != nil {
		t.Fatal(err)
	}
	return n
}

// A folder keeps the last two complete checkpoints, and none that was begun and never completed before them.
func TestFolder(t *testing.T) {
	f := snapshot.Folder(filepath.Join(t.TempDir(), "run.chk"))
	var rows [][]byte
	for i := range 4 {
		rows = append(rows, bytes.Repeat([]byte{byte(i)}, 1<<20+i))
		write(t, f, rows[i])
		if _, err := f.New(); err != nil { // one that is never completed
			t.Fatal(err)
		}
	}
	complete, err := f.Complete()
	entries, _ := os.ReadDir(string(f))
	if err != nil || !slices.Equal(complete, []int{7, 5}) || len(entries) != 3 {
		t.Fatalf("%v, %v: %v", complete, entries, err)
	}
	x, err := f.Index(7)
	if err != nil || x.Place != 7 {
		t.Fatalf("%+v, %v", x, err)
	}
	r, err := f.Open(7, 0, x.Parts[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := make([]byte, r.Size("rows"))
	if err := r.Read("rows", got); err != nil || !bytes.Equal(got, rows[3]) || r.Verify() != nil || r.Size("columns") != -1 {
		t.Errorf("%d bytes: %v", len(got), err)
	}
}

// Every byte of a checkpoint matters: one that is changed, or missing, is an error.
func TestDamaged(t *testing.T) {
	f := snapshot.Folder(filepath.Join(t.TempDir(), "run.chk"))
	n := write(t, f, []byte("some rows"))
	read := func() error {
		x, err := f.Index(n)
		if err != nil {
			return err
		}
		r, err := f.Open(n, 0, x.Parts[0])
		if err != nil {
			return err
		}
		defer r.Close()
		return r.Verify()
	}
	for _, name := range []string{"index", "part-00000"} {
		path := filepath.Join(f.Name(n), name)
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sound {
			for what, data := range map[string][]byte{"cut": sound[:i], "changed": append(append(slices.Clone(sound[:i]), sound[i]^4), sound[i+1:]...)} {
				if err := os.WriteFile(path, data, 0o666); err != nil {
					t.Fatal(err)
				}
				if err := read(); err == nil {
					t.Errorf("%s, %s at byte %d of %d, is read", name, what, i, len(sound))
				}
			}
		}
		if err := os.WriteFile(path, sound, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := read(); err != nil {
		t.Error(err)
	}
	if err := snapshot.Rewrite(f, n, 1); err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Error(err)
	}
	if err := snapshot.Rewrite(f, n, 3); err != nil {
		t.Fatal(err)
	}
	if err, want := read(), "is of version 3 of the format, at most 2 is known"; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("version 3: %v, want %q", err, want)
	}
}
