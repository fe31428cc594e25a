package jit

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRecord(t *testing.T) {
	k := newKey("x")
	m := metadata{Name: "flux", Compiler: "gcc", Flags: []string{"-O3"}, Checked: time.Unix(1e9, 0).UTC()}
	for _, payload := range []string{"", "x", strings.Repeat("library", 999)} {
		data, err := encodeRecord(k, m, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		gotKey, got, gotPayload, err := decodeRecord(data)
		if err != nil || gotKey != k || got.Name != m.Name || got.Compiler != m.Compiler || !slices.Equal(got.Flags, m.Flags) ||
			!got.Checked.Equal(m.Checked) || string(gotPayload) != payload {
			t.Errorf("got %v, %+v, %d bytes, %v", gotKey, got, len(gotPayload), err)
		}
	}
}

// No prefix of a record is one, nor a record with any byte changed or added.
func TestDamagedRecord(t *testing.T) {
	k := newKey("x")
	good, err := encodeRecord(k, metadata{Name: "flux"}, []byte("some bytes of a library"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if _, _, _, err := decodeRecord(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes pass", n, len(good))
		}
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := slices.Clone(good)
			bad[n] ^= flip
			if _, _, _, err := decodeRecord(bad); err == nil {
				t.Errorf("byte %d changed by %#x passes", n, flip)
			}
		}
	}
	if _, _, _, err := decodeRecord(append(slices.Clone(good), 0)); err == nil {
		t.Error("a byte more passes")
	}
}

func FuzzDecodeRecord(f *testing.F) {
	good, err := encodeRecord(newKey("x"), metadata{Name: "flux"}, []byte("library"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:headerSize])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, m, payload, err := decodeRecord(data)
		if err != nil {
			return
		}
		if again, err := encodeRecord(k, m, payload); err != nil || len(again) > 2*len(data)+headerSize {
			t.Errorf("%q decodes, and encodes to %q, %v", data, again, err)
		}
	})
}

// Whatever is in an entry's place, the result is right, and the entry is restored if possible.
func TestDamagedEntry(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	rewrite := func(change func(data []byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, change(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	truncate := func(keep func(n int) int) func(*testing.T, string) {
		return rewrite(func(data []byte) []byte { return data[:keep(len(data))] })
	}
	flip := func(at func(n int) int) func(*testing.T, string) {
		return rewrite(func(data []byte) []byte { data[at(len(data))] ^= 0x10; return data })
	}
	mkdir := func(t *testing.T, path string) {
		if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name     string
		damage   func(*testing.T, string)
		compiled int
		warnings int
		healed   bool
	}{
		{"untouched", func(*testing.T, string) {}, 0, 0, true},
		{"gone", func(t *testing.T, path string) { _ = os.Remove(path) }, 1, 0, true},
		{"source gone", func(t *testing.T, path string) { _ = os.Remove(strings.TrimSuffix(path, librarySuffix) + sourceSuffix) }, 0, 0, true},
		{"empty", truncate(func(int) int { return 0 }), 1, 0, true},
		{"magic cut", truncate(func(int) int { return 5 }), 1, 0, true},
		{"magic only", truncate(func(int) int { return len(magic) }), 1, 0, true},
		{"header cut", truncate(func(int) int { return headerSize - 1 }), 1, 0, true},
		{"header only", truncate(func(int) int { return headerSize }), 1, 0, true},
		{"half", truncate(func(n int) int { return n / 2 }), 1, 0, true},
		{"last byte cut", truncate(func(n int) int { return n - 1 }), 1, 0, true},
		{"longer", rewrite(func(data []byte) []byte { return append(data, 0) }), 1, 0, true},
		{"zeros", rewrite(func(data []byte) []byte { return make([]byte, len(data)) }), 1, 0, true},
		{"magic changed", flip(func(int) int { return 0 }), 1, 0, true},
		{"version changed", flip(func(int) int { return 8 }), 1, 0, true},
		{"length changed", flip(func(int) int { return 12 }), 1, 0, true},
		{"key changed", flip(func(int) int { return 20 }), 1, 0, true},
		{"checksum changed", flip(func(int) int { return checksumAt }), 1, 0, true},
		{"metadata changed", flip(func(int) int { return headerSize + 3 }), 1, 0, true},
		{"library changed", flip(func(n int) int { return n / 2 }), 1, 0, true},
		{"last byte changed", flip(func(n int) int { return n - 1 }), 1, 0, true},
		{"of another key", rewrite(func([]byte) []byte {
			data, _ := encodeRecord(newKey("other"), metadata{Name: "flux"}, []byte("library"))
			return data
		}), 1, 0, true},
		{"empty folder in its place", mkdir, 1, 0, true},
		{"folder in its place", func(t *testing.T, path string) {
			mkdir(t, path)
			if err := os.WriteFile(filepath.Join(path, "mine"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, 1, 1, false},
		{"named pipe in its place", func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), makePipe(path)); err != nil {
				t.Skip(err)
			}
		}, 1, 0, true},
		{"dangling link in its place", func(t *testing.T, path string) {
			if err := errors.Join(os.Remove(path), os.Symlink("nowhere", path)); err != nil {
				t.Skip(err)
			}
		}, 1, 0, true},
	}
	dir := t.TempDir()
	mustAdd(t, newBench(t, Config{CacheDir: dir}).Builder, "flux", 1)
	entry := only(t, dir, librarySuffix)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.damage(t, entry)
			b := newBench(t, Config{CacheDir: dir})
			mustAdd(t, b.Builder, "flux", 1)
			b.expect(t, test.compiled, test.warnings)
			if !test.healed {
				if err := os.RemoveAll(entry); err != nil {
					t.Fatal(err)
				}
			}
			again := newBench(t, Config{CacheDir: dir})
			mustAdd(t, again.Builder, "flux", 1)
			if test.healed {
				again.expect(t, 0, 0)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*"+tempSuffix)); len(left) > 0 {
				t.Errorf("temporary files left: %q", left)
			}
		})
	}
}

// If the cache cannot be written, everything works, with one warning.
func TestUnwritableCache(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/op2"} {
		t.Run(dir, func(t *testing.T) {
			b := newBench(t, Config{CacheDir: dir})
			if err := buildAll(b.Builder); err != nil {
				t.Errorf("%+v", err)
			}
			if err := buildAll(b.Builder); err != nil {
				t.Errorf("from memory: %+v", err)
			}
			b.expect(t, buildAllUnits, 1)
			if len(b.warnings) == 0 {
				return
			}
			reason := regexp.MustCompile(`\([a-z ]+\)`)
			got := reason.ReplaceAllString(b.warnings[0], "(REASON)")
			if want := "the cache of compiled code in " + dir + " cannot be written (REASON): the next start compiles again"; got != want {
				t.Errorf("warning\n%s\nwant\n%s", b.warnings[0], want)
			}
		})
	}
	t.Run("no home", func(t *testing.T) {
		t.Setenv("HOME", "")
		t.Setenv("XDG_CACHE_HOME", "")
		t.Setenv("LocalAppData", "")
		b := newBench(t, Config{})
		mustAdd(t, b.Builder, "flux", 1)
		b.expect(t, 1, 1)
		if len(b.warnings) > 0 && !strings.HasPrefix(b.warnings[0], "there is no folder for the cache of compiled code (") {
			t.Errorf("warning %s", b.warnings[0])
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		b, err := newBuilder(Config{CacheDir: file}, newRegistry(1))
		if err != nil {
			t.Fatal(err)
		}
		mustAdd(t, b, "flux", 1)
	})
}

func TestFolderVanishes(t *testing.T) {
	needCompiler(t)
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	b := newBench(t, Config{CacheDir: dir})
	for n := range 3 {
		mustAdd(t, b.Builder, "flux", n)
		only(t, dir, librarySuffix)
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
	}
	mustAdd(t, b.Builder, "flux", 0)
	b.expect(t, 3, 0)
}

func TestTemporaryFolderMissing(t *testing.T) {
	needCompiler(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	dir := t.TempDir()
	b := newBench(t, Config{CacheDir: dir})
	mustAdd(t, b.Builder, "flux", 1)
	b.expect(t, 1, 0)
	for _, name := range list(t, dir) {
		if !cacheFilePattern.MatchString(name) {
			t.Errorf("left in the cache: %s", name)
		}
	}
}

func TestLastUse(t *testing.T) {
	needCompiler(t)
	dir := t.TempDir()
	mustAdd(t, newBench(t, Config{CacheDir: dir}).Builder, "flux", 1)
	entry := only(t, dir, librarySuffix)
	for _, test := range []struct {
		age     time.Duration
		touched bool
	}{{time.Hour, false}, {23 * time.Hour, false}, {25 * time.Hour, true}, {1000 * time.Hour, true}} {
		setAge(t, entry, test.age)
		mustAdd(t, newBench(t, Config{CacheDir: dir}).Builder, "flux", 1)
		info, err := os.Stat(entry)
		if err != nil {
			t.Fatal(err)
		}
		if touched := time.Since(info.ModTime()) < time.Minute; touched != test.touched {
			t.Errorf("used %v after the last time: touched %v, want %v", test.age, touched, test.touched)
		}
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	record, err := encodeRecord(newKey("x"), metadata{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	name := func(n string) string { return "tmp-00000000000000" + n + tempSuffix }
	tests := []struct {
		name    string
		content map[string]string // of a folder; nil: a file
		text    string
		age     time.Duration
		goes    bool
	}{
		{name: name("01"), text: string(record[:50]), age: 2 * time.Hour, goes: true},
		{name: name("02"), text: "", age: 2 * time.Hour, goes: true},
		{name: name("03"), text: magic[:3], age: 2 * time.Hour, goes: true},
		{name: name("04"), text: string(record), age: 30 * time.Minute},
		{name: name("05"), text: "a letter", age: 2 * time.Hour},
		{name: "tmp-1" + tempSuffix, text: string(record), age: 2 * time.Hour},
		{name: "flux-" + newKey("x").short() + librarySuffix, text: string(record), age: 2 * time.Hour},
		{name: "op2-jit-1234", content: map[string]string{workDirMark: "", "flux.c": "int x;"}, age: 2 * time.Hour, goes: true},
		{name: "op2-jit-1235", content: map[string]string{}, age: 2 * time.Hour, goes: true},
		{name: "op2-jit-1236", content: map[string]string{"flux.c": "int x;"}, age: 2 * time.Hour},
		{name: "op2-jit-1237", content: map[string]string{workDirMark: ""}, age: 30 * time.Minute},
		{name: "op2-jit-mine", content: map[string]string{workDirMark: ""}, age: 2 * time.Hour},
		{name: "op2-jit-1238", text: "a file", age: 2 * time.Hour},
	}
	for _, test := range tests {
		path := filepath.Join(dir, test.name)
		if test.content == nil {
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			for file, text := range test.content {
				if err := os.WriteFile(filepath.Join(path, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		setAge(t, path, test.age)
	}
	sweep(dir, time.Now())
	sweep(filepath.Join(dir, "missing"), time.Now())
	for _, test := range tests {
		if _, err := os.Lstat(filepath.Join(dir, test.name)); (err != nil) != test.goes {
			t.Errorf("%s %v: gone is %v, want %v", test.name, test.content, err != nil, test.goes)
		}
	}
}
