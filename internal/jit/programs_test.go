package jit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	open := func() *Programs {
		return NewPrograms(dir, func(text string) { t.Errorf("warning: %s", text) })
	}
	key := []string{"opencl", "a device", "", "kernel void f() {\n}\n"}
	if _, ok := open().Load("flux", key...); ok {
		t.Error("a hit in a folder that does not exist")
	}
	open().Keep("flux", "kernel void f() {\n}\n", []byte("binary"), key...)
	if image, ok := open().Load("flux", key...); !ok || string(image) != "binary" {
		t.Errorf("got %q, %v", image, ok)
	}
	for what, other := range map[string][]string{
		"another part":         {"opencl", "b device", "", key[3]},
		"parts moved together": {"opencla", " device", "", key[3]},
		"a part less":          key[:3],
	} {
		if _, ok := open().Load("flux", other...); ok {
			t.Errorf("%s: a hit", what)
		}
	}
	if _, ok := open().Load("flow", key...); ok {
		t.Error("another name: a hit")
	}

	entries, err := Entries(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("entries %+v, %v", entries, err)
	}
	if e := entries[0]; e.Name != "flux" || !e.OK || e.Compiler != "opencl, a device" || !strings.HasSuffix(e.Path, programSuffix) {
		t.Errorf("entry %+v", e)
	}
	source, err := os.ReadFile(only(t, dir, programSourceSuffix))
	if err != nil || !strings.HasPrefix(string(source), "kernel void f() {\n}\n\n/* op2 jit ") {
		t.Errorf("source %q, %v", source, err)
	}
	if e := entries[0]; e.Size != int64(len(source))+fileSize(t, e.Path) {
		t.Errorf("size %d", e.Size)
	}

	entry := only(t, dir, programSuffix)
	if err := os.Truncate(entry, 100); err != nil {
		t.Fatal(err)
	}
	if _, ok := open().Load("flux", key...); ok {
		t.Error("a damaged entry: a hit")
	}
	open().Keep("flux", "", []byte("again"), key...)
	if image, ok := open().Load("flux", key...); !ok || string(image) != "again" {
		t.Errorf("kept again: got %q, %v", image, ok)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Programs are removed like libraries, each with its source.
func TestRemovePrograms(t *testing.T) {
	dir, foreign := fill(t)
	p := NewPrograms(dir, nil)
	p.Keep("old", "source", []byte("binary"), "a")
	p.Keep("new", "source", []byte("binary"), "b")
	old := filepath.Join(dir, cacheFile("old", programKey("old", []string{"a"}), programSuffix))
	setAge(t, old, 40*24*time.Hour)
	if n, _, err := Prune(dir, 30*24*time.Hour); n != 1 || err != nil {
		t.Errorf("Prune: %d entries, %v; want 1", n, err)
	}
	if left := list(t, dir); slices.ContainsFunc(left, func(name string) bool { return strings.HasPrefix(name, "old-") }) {
		t.Errorf("left %q", left)
	}
	if _, ok := p.Load("new", "b"); !ok {
		t.Error("Prune removed what is in use")
	}
	if err := os.Remove(filepath.Join(dir, cacheFile("new", programKey("new", []string{"b"}), programSuffix))); err != nil {
		t.Fatal(err) // its source is an orphan now, and known by its last line
	}
	if n, _, err := Clear(dir); n != 3 || err != nil {
		t.Errorf("Clear: %d entries, %v; want the 3 libraries", n, err)
	}
	if left := list(t, dir); !slices.Equal(left, foreign) {
		t.Errorf("left %q\nwant %q", left, foreign)
	}
}

func TestProgramsCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	warn := func(text string) { warnings = append(warnings, text) }
	p := NewPrograms(file, warn)
	p.Keep("flux", "", []byte("binary"), "a")
	p.Keep("flow", "", []byte("binary"), "b")
	if _, ok := p.Load("flux", "a"); ok {
		t.Error("a hit")
	}
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "the cache of compiled code in "+file+" cannot be written (") {
		t.Errorf("warnings %q", warnings)
	}
	NewPrograms(file, nil).Keep("flux", "", []byte("binary"), "a")

	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	warnings = nil
	p = NewPrograms("", warn)
	p.Keep("flux", "", []byte("binary"), "a")
	if _, ok := p.Load("flux", "a"); ok {
		t.Error("a hit without a folder")
	}
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "there is no folder for the cache of compiled code (") {
		t.Errorf("warnings %q", warnings)
	}
}
