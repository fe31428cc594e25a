package jit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/native"
)

// programs creates a folder of executable files.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		writeProgram(t, filepath.Join(dir, name), "#!/bin/sh\n")
	}
	return dir
}

func TestFindCompiler(t *testing.T) {
	tests := []struct {
		name string
		has  []string
		cc   string
		want string
		args []string
	}{
		{name: "gcc first", has: []string{"cc", "clang", "gcc", "gcc-14"}, want: "gcc"},
		{name: "clang next", has: []string{"cc", "clang", "clang-19", "gcc-14"}, want: "clang"},
		{name: "newest by number", has: []string{"cc", "clang-9", "clang-19", "clang-format-20", "clang-14"}, want: "clang-19"},
		{name: "numbered gcc", has: []string{"cc", "gcc-9", "gcc-13", "gcc-ar-14"}, want: "gcc-13"},
		{name: "cc last", has: []string{"cc", "tcc"}, want: "cc"},
		{name: "by name", has: []string{"gcc", "tcc"}, cc: "tcc", want: "tcc"},
		{name: "with arguments", has: []string{"gcc", "ccache"}, cc: "ccache gcc -m64", want: "ccache", args: []string{"gcc", "-m64"}},
		{name: "name with a blank", has: []string{"my cc", "my"}, cc: "my cc", want: "my cc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := programs(t, test.has...)
			t.Setenv("PATH", dir)
			c, err := findCompiler(test.cc)
			if err != nil {
				t.Fatal(err)
			}
			if c.Path != filepath.Join(dir, test.want) || !slices.Equal(c.Args, test.args) {
				t.Errorf("found %s %q, want %s %q", c.Path, c.Args, test.want, test.args)
			}
		})
	}
	t.Run("by path", func(t *testing.T) {
		dir := programs(t, "cc")
		t.Chdir(dir)
		c, err := findCompiler("./cc")
		if err != nil || c.Path != filepath.Join(dir, "cc") {
			t.Errorf("found %s, %v", c.Path, err)
		}
	})
	t.Run("not in the current folder", func(t *testing.T) {
		t.Chdir(programs(t, "gcc", "cc"))
		t.Setenv("PATH", ".")
		if c, err := findCompiler(""); err == nil {
			t.Errorf("found %s", c.Path)
		}
	})
}

func TestCompilerNotFound(t *testing.T) {
	dir := programs(t, "not-a-compiler")
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const hint = "\n  hint: install one: apt install gcc (Debian, Ubuntu), dnf install gcc (Fedora, RHEL)"
	const named = "\n  hint: without OP2_CC and op2.WithCompiler the first of gcc, clang and cc is used"
	tests := []struct {
		name, cc, path string
		want           string
		is             error
	}{
		{"none", "", dir, "no C compiler: looked for gcc, clang, gcc-NN, clang-NN, cc in PATH (" + dir + ")" + hint, nil},
		{"empty PATH", "", "", "no C compiler: looked for gcc, clang, gcc-NN, clang-NN, cc in PATH, which is empty" + hint, nil},
		{"by name", "mycc", dir, `no C compiler called "mycc" in PATH (` + dir + ")" + named, nil},
		{"by path", "/nowhere/cc", dir, `C compiler "/nowhere/cc" cannot be used: no such file or directory` + named, os.ErrNotExist},
		{"not executable", plain, dir, `C compiler "` + plain + `" cannot be used: permission denied` + named, os.ErrPermission},
		{"folder", dir, dir, `C compiler "` + dir + `" cannot be used: is a directory` + named, syscall.EISDIR},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if !native.Supported {
				t.Skip("nothing is looked for where nothing can be loaded")
			}
			t.Setenv("PATH", test.path)
			_, err := New(Config{CC: test.cc, CacheDir: t.TempDir()})
			var missing *native.NotFoundError
			if !errors.As(err, &missing) || test.is != nil && !errors.Is(err, test.is) {
				t.Fatalf("error %T %v", err, err)
			}
			got := strings.Replace(err.Error(), "hint: "+installHint("darwin"), "hint: "+installHint("linux"), 1)
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestParseVersion(t *testing.T) {
	tests := []struct{ text, line, family string }{
		{"gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n", "gcc (Debian 12.2.0-14+deb12u1) 12.2.0", GCC},
		{"cc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n", "cc (Debian 12.2.0-14+deb12u1) 12.2.0", GCC},
		{"Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n", "Debian clang version 14.0.6", Clang},
		{"Apple clang version 15.0.0 (clang-1500.3.9.4)\n", "Apple clang version 15.0.0 (clang-1500.3.9.4)", Clang},
		{"\ntcc version 0.9.27 (x86_64 Linux)\n", "tcc version 0.9.27 (x86_64 Linux)", Unknown},
		{"", "", Unknown},
	}
	for _, test := range tests {
		if line, family := parseVersion(test.text); line != test.line || family != test.family {
			t.Errorf("%q: got %q, %s; want %q, %s", test.text, line, family, test.line, test.family)
		}
	}
}

func TestVersionIsRemembered(t *testing.T) {
	cc := needCompiler(t)
	dir := t.TempDir()
	logging, runs := loggingCompiler(t, cc)
	first := newBench(t, Config{CC: logging, CacheDir: dir}).Compiler()
	memory := only(t, dir, compilerSuffix)
	good, err := os.ReadFile(memory)
	if err != nil {
		t.Fatal(err)
	}
	restore := func() {
		if err := os.WriteFile(memory, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name    string
		prepare func()
		asked   bool
	}{
		{"as it was", func() {}, false},
		{"damaged", func() { _ = os.WriteFile(memory, good[:len(good)-1], 0o600) }, true},
		{"empty", func() { _ = os.WriteFile(memory, nil, 0o600) }, true},
		{"gone", func() { _ = os.Remove(memory) }, true},
		{"good again", restore, false},
		{"of the day before", func() {
			c := Compiler{Path: logging}
			c.askVersion(t.Context(), os.Environ(), store{dir}, time.Now().Add(-25*time.Hour))
		}, true},
		{"compiler updated", func() { setAge(t, logging, time.Hour) }, true},
		{"the same again", func() {}, false},
	}
	for _, step := range steps {
		step.prepare()
		before := runs("version")
		c := newBench(t, Config{CC: logging, CacheDir: dir}).Compiler()
		if c.Version != first.Version || c.Family != first.Family || c.Version == "" {
			t.Errorf("%s: the version is %+v, was %+v", step.name, c, first)
		}
		if asked := runs("version") > before; asked != step.asked {
			t.Errorf("%s: asked %v, want %v", step.name, asked, step.asked)
		}
	}
}
