package jit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fill creates a cache of three entries, and files that are not the cache's.
func fill(t *testing.T) (dir string, foreign []string) {
	t.Helper()
	dir = t.TempDir()
	s := store{dir}
	for n, name := range []string{"res_calc", "adt_calc", "update"} {
		k := newKey(name)
		if err := s.write(cacheFile(name, k, librarySuffix), k, metadata{Name: name, Compiler: "/usr/bin/gcc (12.2)"}, make([]byte, 1000*n)); err != nil {
			t.Fatal(err)
		}
		s.writeSource(cacheFile(name, k, sourceSuffix), k, "int x;\n")
	}
	k := newKey("gcc")
	if err := s.write(cacheFile("gcc", k, compilerSuffix), k, metadata{Name: "gcc"}, []byte("gcc 12")); err != nil {
		t.Fatal(err)
	}
	digits := newKey("x").short()
	for name, text := range map[string]string{
		"thesis.c":                             "int main(void) { return 0; }",
		"notes.op2lib":                         magic,
		"flux-" + digits + ".so":               magic,
		"flux-" + digits + librarySuffix:       "not a record",
		"mine-" + digits + sourceSuffix:        "int y;\n",
		"flux-" + digits + sourceSuffix:        "int z;\n",
		"flux-" + digits + compilerSuffix:      "something else",
		"flux-" + digits[1:] + librarySuffix:   magic,
		"tmp-0000000000000001" + tempSuffix:    "a letter",
		"fl.ux-" + digits + librarySuffix:      magic,
		"flux-" + digits + librarySuffix + "~": magic,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		setAge(t, path, 1000*time.Hour)
		foreign = append(foreign, name)
	}
	for _, name := range []string{"folder", "deep-" + digits + librarySuffix} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		foreign = append(foreign, name)
	}
	slices.Sort(foreign)
	return dir, foreign
}

func entryFile(dir, name, suffix string) string {
	return filepath.Join(dir, cacheFile(name, newKey(name), suffix))
}

func TestEntries(t *testing.T) {
	dir, _ := fill(t)
	damaged := entryFile(dir, "update", librarySuffix)
	if err := os.Truncate(damaged, 200); err != nil {
		t.Fatal(err)
	}
	setAge(t, damaged, 48*time.Hour)
	entries, err := Entries(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	if want := []string{"adt_calc", "flux", "res_calc", "update"}; !slices.Equal(names, want) {
		t.Fatalf("entries %q, want %q", names, want)
	}
	e := entries[0]
	if !e.OK || e.Key != newKey("adt_calc").short() || e.Compiler != "/usr/bin/gcc (12.2)" || e.Path != entryFile(dir, "adt_calc", librarySuffix) ||
		e.Size < 1000 || time.Since(e.LastUse) > time.Minute {
		t.Errorf("entry %+v", e)
	}
	if e := entries[3]; e.OK || e.Compiler != "" || time.Since(e.LastUse) < 47*time.Hour {
		t.Errorf("damaged entry %+v", e)
	}
}

func TestClear(t *testing.T) {
	dir, foreign := fill(t)
	temp := filepath.Join(dir, "tmp-0000000000000002"+tempSuffix)
	for path, text := range map[string]string{
		temp:                                    magic + "...",
		entryFile(dir, "orphan", sourceSuffix):  "int x;" + sourceMark(newKey("orphan").short()),
		entryFile(dir, "killed", librarySuffix): "", // as a file system may leave it after a power failure
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(entryFile(dir, "adt_calc", sourceSuffix), []byte("int"), 0o600); err != nil { // truncated
		t.Fatal(err)
	}
	size := int64(0)
	for _, name := range list(t, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !slices.Contains(foreign, name) {
			size += info.Size()
		}
	}
	entries, freed, err := Clear(dir)
	if entries != 4 || freed != size || err != nil {
		t.Errorf("Clear: %d entries, %d bytes, %v; want 4 entries, %d bytes", entries, freed, err, size)
	}
	if left := list(t, dir); !slices.Equal(left, foreign) {
		t.Errorf("left %q\nwant %q", left, foreign)
	}
	if entries, freed, err := Clear(dir); entries != 0 || freed != 0 || err != nil {
		t.Errorf("Clear again: %d entries, %d bytes, %v", entries, freed, err)
	}
}

func TestPrune(t *testing.T) {
	dir, foreign := fill(t)
	for name, age := range map[string]time.Duration{"res_calc": 10 * 24 * time.Hour, "adt_calc": 40 * 24 * time.Hour} {
		setAge(t, entryFile(dir, name, librarySuffix), age)
		setAge(t, entryFile(dir, name, sourceSuffix), 100*24*time.Hour) // never read: its age says nothing
	}
	old, young := filepath.Join(dir, "tmp-0000000000000002"+tempSuffix), filepath.Join(dir, "tmp-0000000000000003"+tempSuffix)
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, []byte(magic), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	setAge(t, old, 2*time.Hour)
	entries, freed, err := Prune(dir, 30*24*time.Hour)
	if entries != 1 || freed < 1000 || freed > 2000 || err != nil {
		t.Errorf("Prune: %d entries, %d bytes, %v; want one entry", entries, freed, err)
	}
	want := slices.Clone(foreign)
	for _, path := range []string{
		young, entryFile(dir, "gcc", compilerSuffix),
		entryFile(dir, "res_calc", librarySuffix), entryFile(dir, "res_calc", sourceSuffix),
		entryFile(dir, "update", librarySuffix), entryFile(dir, "update", sourceSuffix),
	} {
		want = append(want, filepath.Base(path))
	}
	slices.Sort(want)
	if left := list(t, dir); !slices.Equal(left, want) {
		t.Errorf("left %q\nwant %q", left, want)
	}
}

func TestAdministrationOfNothing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if entries, err := Entries(missing); len(entries) != 0 || err != nil {
		t.Errorf("Entries: %v, %v", entries, err)
	}
	if n, size, err := Prune(missing, 0); n != 0 || size != 0 || err != nil {
		t.Errorf("Prune: %d, %d, %v", n, size, err)
	}
	if n, size, err := Clear(missing); n != 0 || size != 0 || err != nil {
		t.Errorf("Clear: %d, %d, %v", n, size, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Entries(file); err == nil {
		t.Error("Entries of a file: no error")
	}
}

func TestDefaultCacheDir(t *testing.T) {
	t.Setenv("HOME", "/home/x")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "/home/x")
	dir, err := DefaultCacheDir()
	if err != nil || filepath.Base(dir) != "op2" || !strings.HasPrefix(dir, "/home/x") {
		t.Errorf("got %s, %v", dir, err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if entries, err := Entries(""); len(entries) != 0 || err != nil {
		t.Errorf("Entries of the default folder: %v, %v", entries, err)
	}
}
