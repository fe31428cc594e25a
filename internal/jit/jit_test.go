package jit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/native"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		runChild(job)
	}
	os.Exit(m.Run())
}

// needCompiler skips a test if there is no C compiler, unless OP2_REQUIRE requires one.
func needCompiler(t testing.TB) string {
	t.Helper()
	c, err := findCompiler("")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "cc") {
			t.Fatal(err)
		}
		t.Skip("cc: ", err)
	}
	if !native.Supported {
		t.Skip("cc: compiled code cannot be loaded on " + runtime.GOOS)
	}
	return c.Path
}

// A bench is a builder together with its reports. Each has its own registry, as if it were in its
// own process.
type bench struct {
	*Builder
	mu       sync.Mutex
	warnings []string
	compiled []string // names, when they end
	events   [][2]int // started, done
}

func newBench(t testing.TB, config Config) *bench {
	t.Helper()
	return newBenchWith(t, config, newRegistry(runtime.NumCPU()))
}

// hangs is how long what does not hang never takes, on whatever machine.
const hangs = 2 * time.Minute

func newBenchWith(t testing.TB, config Config, r *registry) *bench {
	t.Helper()
	b := &bench{}
	config.Warn = func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.warnings = append(b.warnings, text)
	}
	config.Progress = func(name string, started, done int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if n := len(b.events); n > 0 && b.events[n-1][1] < done || n == 0 && done > 0 {
			b.compiled = append(b.compiled, name)
		}
		b.events = append(b.events, [2]int{started, done})
	}
	var err error
	if b.Builder, err = newBuilder(config, r); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) expect(t *testing.T, compiled, warnings int) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.compiled) != compiled || len(b.warnings) != warnings {
		t.Errorf("compiled %q, warned %q; want %d compilations and %d warnings", b.compiled, b.warnings, compiled, warnings)
	}
}

// adder returns a unit whose function adds n and counts its calls in a file-scope variable.
func adder(name string, n int) Unit {
	return Unit{
		Name: name,
		Source: fmt.Sprintf(`static long calls;
void wrap(void **args) {
	calls++;
	*(double *)args[0] += %d;
	*(long *)args[1] = calls;
}
`, n),
		Flags: []string{"-O1"},
	}
}

// add calls an adder's function.
func add(t testing.TB, i *Instance, x float64) (sum float64, calls int64) {
	t.Helper()
	wrap, err := i.Symbol("wrap")
	if err != nil {
		t.Fatal(err)
	}
	call(wrap, unsafe.Pointer(&x), unsafe.Pointer(&calls))
	return x, calls
}

// call calls a C function with the signature void f(void **args).
func call(function uintptr, args ...unsafe.Pointer) {
	var pin runtime.Pinner
	defer pin.Unpin()
	for _, a := range args {
		pin.Pin(a)
	}
	var first unsafe.Pointer
	if len(args) > 0 {
		first = unsafe.Pointer(&args[0])
	}
	purego.SyscallN(function, uintptr(first))
	runtime.KeepAlive(args)
}

// mustAdd builds an adder and checks that it works.
func mustAdd(t testing.TB, b *Builder, name string, n int) {
	t.Helper()
	i, err := b.Start(adder(name, n)).Acquire()
	if err != nil {
		t.Fatalf("%+v", err)
	}
	defer i.Release()
	if sum, _ := add(t, i, 1); sum != float64(n+1) {
		t.Fatalf("%s(1) = %v, want %d", name, sum, n+1)
	}
}

// script writes an executable shell script.
func script(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cc")
	writeProgram(t, path, "#!/bin/sh\n"+text)
	return path
}

func writeProgram(t testing.TB, path, text string) {
	t.Helper()
	// A program that is open for writing in a child just being forked cannot be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// loggingCompiler returns a compiler that appends a line to a file each time it is run; runs counts
// the lines.
func loggingCompiler(t testing.TB, cc string) (path string, runs func(what string) int) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	path = script(t, fmt.Sprintf(`case "$1" in
--version) echo version >>'%s' ;;
*) echo compile >>'%s' ;;
esac
exec '%s' "$@"
`, log, log, cc))
	return path, func(what string) int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), what)
	}
}

// emptyTemp gives the test its own temporary folder; files left there at the end are an error.
func emptyTemp(t testing.TB) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		if left := list(t, dir); len(left) > 0 {
			t.Errorf("left in the temporary folder: %q", left)
		}
	})
}

func list(t testing.TB, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Name() != ".locks" {
			names = append(names, f.Name())
		}
	}
	return names
}

// only returns the one file in dir that ends in suffix.
func only(t testing.TB, dir, suffix string) string {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if len(found) != 1 {
		t.Fatalf("files *%s in the cache: %q, want one", suffix, found)
	}
	return found[0]
}

func setAge(t testing.TB, path string, age time.Duration) {
	t.Helper()
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

const (
	childJob = "OP2_JIT_TEST_JOB"
	childDir = "OP2_JIT_TEST_DIR"
)

// child prepares this test binary to run a job on a cache folder.
func child(job, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+job, childDir+"="+dir,
		"GORACE=atexit_sleep_ms=0") // else each child takes a second to end under -race
	return cmd
}

// childJobs are the jobs of a child.
var childJobs = map[string]func() error{
	"build": func() error { // all units once
		b, err := New(Config{CacheDir: os.Getenv(childDir)})
		if err != nil {
			return err
		}
		return buildAll(b)
	},
	"compile": func() error {
		b, err := New(Config{CC: os.Getenv("CC"), CacheDir: os.Getenv(childDir)})
		if err != nil {
			return err
		}
		return b.Start(adder("unit", 1)).Wait()
	},
	"until killed": func() error {
		for n := 0; ; n++ {
			b, err := newBuilder(Config{CacheDir: os.Getenv(childDir)}, newRegistry(1))
			if err != nil {
				return err
			}
			if _, err := b.Start(adder("killed", n%3)).Acquire(); err != nil {
				return err
			}
			if _, _, err := Clear(os.Getenv(childDir)); err != nil {
				return err
			}
		}
	},
}

func runChild(job string) {
	if err := childJobs[job](); err != nil {
		fmt.Printf("%+v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

const buildAllUnits = 4

func buildAll(b *Builder) error {
	var builds [buildAllUnits]*Build
	for n := range builds {
		builds[n] = b.Start(adder(fmt.Sprintf("unit_%d", n), n))
	}
	for n, build := range builds {
		i, err := build.Acquire()
		if err != nil {
			return err
		}
		wrap, err := i.Symbol("wrap")
		if err != nil {
			return err
		}
		x, calls := 1.0, int64(0)
		call(wrap, unsafe.Pointer(&x), unsafe.Pointer(&calls))
		if x != float64(n+1) || calls != 1 {
			return fmt.Errorf("unit_%d(1) = %v in call %d", n, x, calls)
		}
	}
	return nil
}
