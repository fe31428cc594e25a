package jit

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

func TestCompileAndCall(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	b := newBench(t, Config{CacheDir: t.TempDir()})
	i, err := b.Start(Unit{
		Name: "hypotenuse",
		Source: `#include <math.h>
void wrap(void **args) {
	double *x = args[0];
	x[2] = sqrt(x[0] * x[0] + x[1] * x[1]);
}
`,
		Flags: []string{"-O3", "-march=native", "-fwrapv"},
	}).Acquire()
	if err != nil {
		t.Fatalf("%+v", err)
	}
	defer i.Release()
	wrap, err := i.Symbol("wrap")
	if err != nil {
		t.Fatal(err)
	}
	x := [3]float64{3, 4}
	call(wrap, unsafe.Pointer(&x))
	if x[2] != 5 {
		t.Errorf("got %v, want 5", x[2])
	}
	if _, err := i.Symbol("warp"); err == nil || err.Error() != "symbol warp of hypotenuse: not in the compiled library" {
		t.Errorf("missing symbol: %v", err)
	}
	b.expect(t, 1, 0)
}

func TestInstancesShareNoVariables(t *testing.T) {
	needCompiler(t)
	b := newBench(t, Config{CacheDir: t.TempDir()})
	build := b.Start(adder("counter", 1))
	acquire := func() *Instance {
		i, err := build.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	first, second := acquire(), acquire()
	for n := int64(1); n <= 3; n++ {
		if _, calls := add(t, first, 0); calls != n {
			t.Errorf("first instance: call %d, want %d", calls, n)
		}
	}
	if _, calls := add(t, second, 0); calls != 1 {
		t.Errorf("second instance: call %d, want 1", calls)
	}

	// A released instance is reused, with its variables.
	first.Release()
	first.Release()
	if _, err := first.Symbol("wrap"); !errors.Is(err, errReleased) {
		t.Errorf("symbol of a released instance: %v", err)
	}
	third, fourth := acquire(), acquire()
	if _, calls := add(t, third, 0); calls != 4 {
		t.Errorf("instance used again: call %d, want 4", calls)
	}
	if _, calls := add(t, fourth, 0); calls != 1 {
		t.Errorf("fourth instance: call %d, want 1", calls)
	}
	b.expect(t, 1, 0)
}

func TestHits(t *testing.T) {
	cc := needCompiler(t)
	emptyTemp(t)
	dir := t.TempDir()
	logging, runs := loggingCompiler(t, cc)

	b := newBench(t, Config{CC: logging, CacheDir: dir})
	mustAdd(t, b.Builder, "flux", 1)
	mustAdd(t, b.Builder, "flux", 1)
	b.expect(t, 1, 0)
	first, second := b.Start(adder("flux", 1)), b.Start(adder("flux", 1))
	if first != second {
		t.Error("the same unit gave two builds")
	}

	b = newBench(t, Config{CC: logging, CacheDir: dir})
	mustAdd(t, b.Builder, "flux", 1)
	b.expect(t, 0, 0)
	if b.Compiler().Version == "" || b.Compiler().Family == Unknown {
		t.Errorf("the compiler from the cache is %+v", b.Compiler())
	}
	if runs("compile") != 1 || runs("version") != 1 {
		t.Errorf("the compiler was run %d times, and %d times for its version; want 1 and 1", runs("compile"), runs("version"))
	}

	for what, u := range map[string]Unit{
		"source": adder("flux", 2),
		"name":   adder("flow", 1),
		"flags":  {Name: "flux", Source: adder("flux", 1).Source, Flags: []string{"-O2"}},
	} {
		if err := b.Start(u).Wait(); err != nil {
			t.Errorf("other %s: %v", what, err)
		}
	}
	b.expect(t, 3, 0)

	// Another folder is another cache, also within a process.
	other := newBenchWith(t, Config{CC: logging, CacheDir: t.TempDir()}, b.registry)
	mustAdd(t, other.Builder, "flux", 1)
	other.expect(t, 1, 0)
}

func TestSameBuilderInOneProcess(t *testing.T) {
	needCompiler(t)
	dir := t.TempDir()
	first, err := New(Config{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	second, err := New(Config{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	a, err := first.Start(adder("shared", 1)).Acquire()
	if err != nil {
		t.Fatal(err)
	}
	add(t, a, 1)
	b, err := second.Start(adder("shared", 1)).Acquire()
	if err != nil {
		t.Fatal(err)
	}
	if _, calls := add(t, b, 1); calls != 1 {
		t.Error("two builders gave out one instance at a time")
	}
	loaded := a.library
	a.Release()
	again, err := second.Start(adder("shared", 1)).Acquire()
	if err != nil {
		t.Fatal(err)
	}
	if again.library != loaded {
		t.Error("an idle instance of another builder was not used")
	}
}

func TestSingleFlight(t *testing.T) {
	cc := needCompiler(t)
	logging, runs := loggingCompiler(t, cc)
	b := newBench(t, Config{CC: logging, CacheDir: t.TempDir()})
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			i, err := b.Start(adder("same", 1)).Acquire()
			if err != nil {
				t.Error(err)
				return
			}
			if sum, _ := add(t, i, 1); sum != 2 {
				t.Errorf("got %v, want 2", sum)
			}
			i.Release()
		})
	}
	wait.Wait()
	if runs("compile") != 1 {
		t.Errorf("compiled %d times, want 1", runs("compile"))
	}
}

func TestBuildsOverlap(t *testing.T) {
	cc := needCompiler(t)
	meeting := t.TempDir()
	// Each compilation waits until another one runs.
	waiting := script(t, fmt.Sprintf(`case "$1" in --version) exec '%[2]s' "$@" ;; esac
: >'%[1]s'/$$
n=0
while [ $(ls '%[1]s' | wc -l) -lt 2 ]; do
	n=$((n+1))
	[ $n -gt 200 ] && { echo "error: alone"; exit 1; }
	sleep 0.05
done
exec '%[2]s' "$@"
`, meeting, cc))
	b := newBenchWith(t, Config{CC: waiting, CacheDir: t.TempDir()}, newRegistry(2))
	first, second := b.Start(adder("one", 1)), b.Start(adder("two", 2))
	if err := errors.Join(first.Wait(), second.Wait()); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.events) != 4 || b.events[1] != [2]int{2, 0} || b.events[3][1] != 2 {
		t.Errorf("progress: %+v", b.events)
	}
}

func TestCompilersAtATime(t *testing.T) {
	cc := needCompiler(t)
	lock := filepath.Join(t.TempDir(), "lock")
	alone := script(t, fmt.Sprintf(`case "$1" in --version) exec '%[2]s' "$@" ;; esac
mkdir '%[1]s' || exit 1
sleep 0.02
'%[2]s' "$@"
rmdir '%[1]s'
`, lock, cc))
	b := newBenchWith(t, Config{CC: alone, CacheDir: t.TempDir()}, newRegistry(1))
	if err := buildAll(b.Builder); err != nil {
		t.Errorf("%+v", err)
	}
}

func TestFailureIsTriedAgain(t *testing.T) {
	cc := needCompiler(t)
	flag := filepath.Join(t.TempDir(), "repaired")
	broken := script(t, fmt.Sprintf(`[ -e '%s' ] || exit 3
exec '%s' "$@"
`, flag, cc))
	b := newBench(t, Config{CC: broken, CacheDir: t.TempDir()})
	if err := b.Start(adder("later", 1)).Wait(); err == nil {
		t.Fatal("no error")
	}
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, b.Builder, "later", 1)
}

// An intact entry that the loader rejects is a miss.
func TestEntryThatDoesNotLoad(t *testing.T) {
	needCompiler(t)
	dir := t.TempDir()
	b := newBench(t, Config{CacheDir: dir})
	mustAdd(t, b.Builder, "flux", 1)
	build := b.Start(adder("flux", 1))
	if err := b.store.write(build.file(librarySuffix), build.key, metadata{Name: "flux"}, []byte("not a library")); err != nil {
		t.Fatal(err)
	}
	for compiled := 1; compiled >= 0; compiled-- {
		b = newBench(t, Config{CacheDir: dir})
		mustAdd(t, b.Builder, "flux", 1)
		b.expect(t, compiled, 0)
	}
}

func TestCallsStayInTheLibrary(t *testing.T) {
	needCompiler(t)
	if runtime.GOOS == "darwin" {
		t.Skip("libraries are bound to their own symbols there in any case")
	}
	b := newBench(t, Config{CacheDir: t.TempDir()})
	i, err := b.Start(Unit{Name: "own_getpid", Source: `int getpid(void) { return -42; }
void wrap(void **args) { *(int *)args[0] = getpid(); }
`}).Acquire()
	if err != nil {
		t.Fatal(err)
	}
	wrap, err := i.Symbol("wrap")
	if err != nil {
		t.Fatal(err)
	}
	var got int32
	call(wrap, unsafe.Pointer(&got))
	if got != -42 {
		t.Errorf("got %d: the call went to the C library", got)
	}
}

func TestDebugInformationNamesTheCachedSource(t *testing.T) {
	needCompiler(t)
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF")
	}
	dir := t.TempDir()
	b := newBench(t, Config{CacheDir: dir})
	u := adder("flux", 1)
	u.Flags = []string{"-g"}
	build := b.Start(u)
	if err := build.Wait(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "flux.so")
	if err := os.WriteFile(path, build.image, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	debug, err := file.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	unit, err := debug.Reader().Next()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(unit.Val(dwarf.AttrCompDir).(string), unit.Val(dwarf.AttrName).(string))
	if want := only(t, dir, sourceSuffix); source != want {
		t.Errorf("the source is %s in the debug information, and %s", source, want)
	}
	lines, err := debug.LineReader(unit)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(lines.Files(), func(f *dwarf.LineFile) bool { return f != nil && f.Name == source }) {
		t.Errorf("the lines are of %v, not of %s", lines.Files(), source)
	}
	text, err := os.ReadFile(source)
	if err != nil || !strings.HasPrefix(string(text), u.Source) {
		t.Errorf("the source in the cache (%v) is\n%s", err, text)
	}
}

func TestLoadedLibrariesHaveReadableNames(t *testing.T) {
	needCompiler(t)
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc/self/maps")
	}
	b := newBench(t, Config{CacheDir: t.TempDir()})
	mustAdd(t, b.Builder, "readable_name", 1)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	want := "readable_name-" + b.Start(adder("readable_name", 1)).key.short()[:8] + ".so"
	if !strings.Contains(string(maps), want) {
		t.Errorf("no %s in\n%s", want, maps)
	}
}

func TestCompilerThatHangs(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	pid := filepath.Join(t.TempDir(), "pid")
	hanging := script(t, fmt.Sprintf(`case "$1" in --version) echo "slow 1.0"; exit ;; esac
sleep 600 &
echo $! >'%s'
wait
`, pid))
	var text []byte
	for limit := 200 * time.Millisecond; len(text) == 0 && limit < hangs; limit *= 4 { // it may start late
		b := newBench(t, Config{CC: hanging, CacheDir: t.TempDir()})
		b.limit, b.patience = limit, limit/2
		start := time.Now()
		err := b.Start(adder("slow", 1)).Wait()
		if took := time.Since(start); took > limit+hangs {
			t.Errorf("waited %v", took)
		}
		var failure *CompileError
		if want := fmt.Sprintf("%s: did not finish within %v", hanging, limit); !errors.As(err, &failure) || failure.Reason != want {
			t.Fatalf("error: %v", err)
		}
		b.mu.Lock()
		if want := fmt.Sprintf("waiting for %s to compile slow.c, for %v so far; it is ended after %v", hanging, limit/2, limit); len(b.warnings) != 1 || b.warnings[0] != want {
			t.Errorf("warned %q, not %q", b.warnings, want)
		}
		b.mu.Unlock()
		text, _ = os.ReadFile(pid)
	}
	path := "/proc/" + strings.TrimSpace(string(text)) + "/stat"
	var status []byte
	for end := time.Now().Add(hangs); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var err error
		// The process may be a zombie that whoever inherited it has not reaped yet.
		if status, err = os.ReadFile(path); err != nil || strings.Contains(string(status), ") Z ") {
			return
		}
	}
	t.Errorf("what the compiler had started still runs: %s", status)
}

// A compiler that prints without end is ended, and what is kept of its messages does not grow with them.
func TestCompilerThatPrintsWithoutEnd(t *testing.T) {
	printing := script(t, "exec yes 'error: no'\n")
	b := newBench(t, Config{CC: printing, CacheDir: t.TempDir()})
	var failure *CompileError
	err := b.Start(adder("loud", 1)).Wait()
	if want := printing + ": was ended after 64 MB of messages"; !errors.As(err, &failure) || failure.Reason != want || len(failure.Log) > maxLog+100 {
		t.Errorf("the error is %.200v", err)
	}
}

// A compiler that leaves a server behind, which holds its output open, has still succeeded.
func TestCompilerThatLeavesAServer(t *testing.T) {
	cc := needCompiler(t)
	b := newBench(t, Config{CC: script(t, "sleep 3 &\nexec '"+cc+"' \"$@\"\n"), CacheDir: t.TempDir()})
	if b.Compiler().Version == "" {
		t.Error("no version")
	}
	mustAdd(t, b.Builder, "served", 1)
}
