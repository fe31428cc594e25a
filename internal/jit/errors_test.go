package jit

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/native"
)

const moreHint = "\n  hint: formatted with %+v this error shows the command, the compiler's messages and the source"

func compileFailure(t *testing.T, config Config, u Unit) *CompileError {
	t.Helper()
	b := newBench(t, config)
	build := b.Start(u)
	err := build.Wait()
	var failure *CompileError
	if !errors.As(err, &failure) {
		t.Fatalf("error %T: %v", err, err)
	}
	if _, acquireErr := build.Acquire(); acquireErr != err {
		t.Errorf("Wait gives %v, and Acquire %v", err, acquireErr)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.events); n != 2 || b.events[n-1][1] != 1 {
		t.Errorf("progress of a failure: %+v", b.events)
	}
	return failure
}

// The text of an error from a real compiler, which points to the line in the original source file.
func TestCompileErrorOfTheCompiler(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	dir := t.TempDir()
	failure := compileFailure(t, Config{CacheDir: dir}, Unit{Name: "res_calc", Source: "int ok;\n#line 12 \"kernels.go\"\n#error \"out of cells\"\n"})
	got := strings.ReplaceAll(failure.Error(), "#error ", "") // gcc has it, clang has not
	if want := `compiling res_calc: kernels.go:12:2: error: "out of cells"` + moreHint; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var exit *exec.ExitError
	if !errors.As(failure, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the error wraps %v", errors.Unwrap(failure))
	}
	if found, _ := Entries(dir); len(found) > 0 {
		t.Errorf("a failure is in the cache: %+v", found)
	}
}

// fakeCompiler answers --version and otherwise runs the script.
func fakeCompiler(t *testing.T, text string) string {
	return script(t, "[ \"$1\" = --version ] && { echo 'gcc (Fake) 1.0'; exit; }\n"+text)
}

func TestCompileErrorTexts(t *testing.T) {
	if !native.Supported {
		t.Skip("nothing is compiled where nothing can be loaded")
	}
	emptyTemp(t)
	tests := []struct {
		name   string
		script string
		want   string // with CC for the compiler's path
	}{
		{
			"first error", `echo "In file included from a.c:1:"
echo "res_calc.c: In function 'f':"
echo "res_calc.c:1:2: warning: unused"
echo "res_calc.c:3:9: error: first"
echo "res_calc.c:4:9: error: second"; exit 1`,
			"res_calc.c:3:9: error: first",
		}, {
			"private folder", `echo "$PWD/res_calc.c:3:9: error: first"; exit 1`,
			"res_calc.c:3:9: error: first",
		}, {
			"linker", `echo "/usr/bin/ld: cannot find -lpetsc: No such file or directory"
echo "collect2: error: ld returned 1 exit status"; exit 1`,
			"/usr/bin/ld: cannot find -lpetsc: No such file or directory",
		}, {
			"killed", `kill -9 $$`,
			"CC was ended by a signal: killed\n  hint: the machine or container may have run out of memory",
		}, {
			"ended", `kill -15 $$`,
			"CC was ended by a signal: terminated",
		}, {
			"part killed", `echo "gcc: fatal error: Killed signal terminated program cc1"; exit 1`,
			"gcc: fatal error: Killed signal terminated program cc1\n  hint: the machine or container may have run out of memory",
		}, {
			"no compiler proper", `echo "gcc: fatal error: cannot execute 'cc1': posix_spawnp: No such file or directory"; exit 1`,
			"gcc: fatal error: cannot execute 'cc1': posix_spawnp: No such file or directory" +
				"\n  hint: the compiler is installed incompletely; on Debian and Ubuntu: apt install gcc",
		}, {
			"no headers", `echo "res_calc.c:1:10: fatal error: math.h: No such file or directory"; exit 1`,
			"res_calc.c:1:10: fatal error: math.h: No such file or directory" +
				"\n  hint: the headers and files of the C library are missing; on Debian and Ubuntu: apt install libc6-dev",
		}, {
			"no headers, clang", `echo "res_calc.c:1:10: fatal error: 'math.h' file not found"; exit 1`,
			"res_calc.c:1:10: fatal error: 'math.h' file not found" +
				"\n  hint: the headers and files of the C library are missing; on Debian and Ubuntu: apt install libc6-dev",
		}, {
			"own header", `echo "res_calc.c:1:10: fatal error: mymath.h: No such file or directory"; exit 1`,
			"res_calc.c:1:10: fatal error: mymath.h: No such file or directory",
		}, {
			"disk full", `echo "/tmp/ccX.s: fatal error: cannot write: No space left on device"; exit 1`,
			"/tmp/ccX.s: fatal error: cannot write: No space left on device" +
				"\n  hint: free some disk space, or set TMPDIR to a folder that has some",
		}, {
			"says nothing", `exit 1`,
			"CC ended with exit status 1 and no message; is it a C compiler?",
		}, {
			"does nothing", `exit 0`,
			"CC reports success but wrote no library; is it a C compiler?",
		}, {
			"empty library", `: >res_calc.so`,
			"CC reports success but its library is damaged (empty)",
		}, {
			"usage", `echo "usage: frobnicate FILE" >&2; exit 2`,
			"usage: frobnicate FILE",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cc := fakeCompiler(t, test.script)
			failure := compileFailure(t, Config{CC: cc, CacheDir: t.TempDir()}, Unit{Name: "res_calc", Source: "int x;"})
			got := strings.ReplaceAll(failure.Error(), cc, "CC")
			if want := "compiling res_calc: " + test.want + moreHint; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	t.Run("flag of the user's", func(t *testing.T) {
		cc := fakeCompiler(t, `echo "gcc: error: unrecognized command-line option '-bad'"; exit 1`)
		failure := compileFailure(t, Config{CC: cc, CFlags: []string{"-ba", "-bad"}, CacheDir: t.TempDir()}, Unit{Name: "res_calc", Source: "int x;"})
		want := "compiling res_calc: gcc: error: unrecognized command-line option '-bad'" +
			"\n  hint: -bad is one of the flags that OP2_CFLAGS or op2.WithCFlags gave: -ba -bad" + moreHint
		if failure.Error() != want {
			t.Errorf("got\n%s\nwant\n%s", failure, want)
		}
	})
	t.Run("not a compiler", func(t *testing.T) {
		path, err := exec.LookPath("false")
		if err != nil {
			t.Skip(err)
		}
		failure := compileFailure(t, Config{CC: "false", CacheDir: t.TempDir()}, Unit{Name: "res_calc"})
		if want := path + " ended with exit status 1 and no message; is it a C compiler?"; failure.Reason != want {
			t.Errorf("got %q, want %q", failure.Reason, want)
		}
	})
	t.Run("not a program", func(t *testing.T) {
		cc := script(t, "")
		writeProgram(t, cc, "\x00\x01\x02")
		failure := compileFailure(t, Config{CC: cc, CacheDir: t.TempDir()}, Unit{Name: "res_calc"})
		if want := cc + ": exec format error"; failure.Reason != want {
			t.Errorf("got %q, want %q", failure.Reason, want)
		}
	})
}

func TestLoadError(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	b := newBench(t, Config{CacheDir: t.TempDir()})
	_, err := b.Start(Unit{Name: "incomplete", Source: "void missing_part(void);\nvoid wrap(void **args) { missing_part(); }\n"}).Acquire()
	var failure *CompileError
	if !errors.As(err, &failure) || !strings.Contains(failure.Reason, "missing_part") {
		t.Fatalf("error %T: %v", err, err)
	}
	want := "compiling incomplete: the compiled library cannot be loaded: undefined symbol: missing_part" + moreHint
	if strings.Contains(err.Error(), "undefined symbol: ") && err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestCompileErrorInFull(t *testing.T) {
	if !native.Supported {
		t.Skip("nothing is compiled where nothing can be loaded")
	}
	cc := fakeCompiler(t, `echo "res_calc.c:9:1: error: bad"
echo
echo "   9 | }"; exit 1`)
	source := "int a;\n\n" + strings.Repeat("int b;\n", 6) + "}\nint c;\n"
	failure := compileFailure(t, Config{CC: cc + " -m64", CFlags: []string{"-DNAME=a b", "-DQUOTE='x'"}, CacheDir: t.TempDir()},
		Unit{Name: "res_calc", Source: source, Flags: []string{"-O3", "-march=native"}})
	got := strings.ReplaceAll(fmt.Sprintf("%+v", failure), cc, "CC")
	got = strings.Replace(got, " -Wl,-Bsymbolic", "", 1)
	want := `compiling res_calc: res_calc.c:9:1: error: bad
compiler: CC (VERSION)
command: CC -m64 -shared -fPIC -o res_calc.so res_calc.c -O3 -march=native '-DNAME=a b' '-DQUOTE='\''x'\''' -lm
messages:
  res_calc.c:9:1: error: bad

     9 | }
source:
   1 | int a;
   2 | 
   3 | int b;
   4 | int b;
   5 | int b;
   6 | int b;
   7 | int b;
   8 | int b;
   9 | }
  10 | int c;`
	// With arguments in CC, the version query is not the first argument.
	want = strings.Replace(want, "VERSION", "unknown version", 1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	for format, want := range map[string]string{
		"%v": failure.Error(),
		"%s": failure.Error(),
		"%q": fmt.Sprintf("%q", failure.Error()),
		"%d": "%!d(*jit.CompileError=compiling res_calc: res_calc.c:9:1: error: bad)",
	} {
		if got := fmt.Sprintf(format, failure); got != want {
			t.Errorf("%s gives %s, want %s", format, got, want)
		}
	}
	if got := fmt.Sprintf("%+v", &CompileError{Name: "x", Reason: "y"}); !strings.Contains(got, "messages:\n  (none)\n") {
		t.Errorf("without messages:\n%s", got)
	}
}

func TestLongLogIsCut(t *testing.T) {
	var b cappedBuffer
	chunk := []byte(strings.Repeat("x", 700_000))
	for range 3 {
		if n, err := b.Write(chunk); n != len(chunk) || err != nil {
			t.Fatal(n, err)
		}
	}
	b.Write([]byte("the end"))
	if got, cut := b.String(), "\n… 1051431 bytes …\n"; len(got) != maxLog+len(cut) || !strings.Contains(got, cut) || !strings.HasSuffix(got, "xthe end") {
		t.Errorf("kept %d bytes, want %d, of which the last are %q", len(got), maxLog+len(cut), got[len(got)-20:])
	}
}
