package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// Config is one way to run the suite: a backend with options.
type Config struct {
	Name    string       // the backend, and what the options make of it: openmp/scalar
	Options []op2.Option // WithBackend among them
	Needs   string       // the name in OP2_REQUIRE of what may be missing
	Missing string       // why it is missing
	Parts   []string     // of the suite; nil: all
}

// configOf returns the configuration of a form of a backend.
func configOf(b op2.BackendInfo, form string, options ...op2.Option) Config {
	c := Config{Name: b.Name + form, Needs: b.Name, Options: append([]op2.Option{op2.WithBackend(b.Name)}, options...)}
	if !b.Available {
		c.Missing = fmt.Sprint(b.Missing)
	}
	return c
}

// Require skips the test if the configuration lacks something, or fails it if OP2_REQUIRE requires
// that.
func (c Config) Require(t testing.TB) {
	t.Helper()
	optest.Require(t, c.Needs, c.Missing)
}

// Open opens a runtime, as an optest.Opener does. On the host, parts that count compilations in a cache of their own do
// so where the whole suite runs, and share the tests' cache elsewhere.
func (c Config) Open(t testing.TB, options ...op2.Option) *op2.Runtime {
	t.Helper()
	if c.Parts != nil && !slices.Contains(devices, c.Needs) {
		options = append(slices.Clip(options), op2.WithCacheDir(os.Getenv("OP2_CACHE_DIR")))
	}
	return optest.Open(t, slices.Concat(c.Options, options)...)
}

// run runs f in the configuration, as a subtest.
func (c Config) run(t *testing.T, name string, f func(t *testing.T, open optest.Opener)) {
	t.Run(name, func(t *testing.T) {
		c.Require(t)
		f(t, c.Open)
	})
}

// Each runs f on goroutines, on one core, on threads and on a device; with OP2_HEAVY, in every configuration that the
// machine has, and with -short on threads alone.
func Each(t *testing.T, f func(t *testing.T, open optest.Opener)) {
	few := []string{"go/2", "sequential", "openmp", "test"}
	if testing.Short() {
		few = []string{"go/2", "openmp"}
	}
	for _, c := range Configs(t) {
		if heavy.On() || slices.Contains(few, c.Name) {
			c.run(t, c.Name, f)
		}
	}
}

// EachCompiler runs f for each compiler of the host, on one core and on threads, and for OpenCL.
func EachCompiler(t *testing.T, f func(t *testing.T, open optest.Opener)) {
	for _, c := range Configs(t) {
		if slices.Contains([]string{"sequential", "sequential/clang", "openmp", "opencl/auto"}, c.Name) {
			c.run(t, c.Name, f)
		}
	}
}

// Configs returns every backend of the registry, each in the forms that may differ in their
// results. Unless OP2_HEAVY is set, one form of each backend runs the whole suite, the others parts of it, and
// openmp and opencl compile with little optimization: the default flags are tested on sequential, and in TestDevices.
func Configs(t testing.TB) []Config {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	quick, some, few := op2.WithCFlags("-O1"), hostParts, fewParts
	if heavy.On() {
		quick, some, few = op2.WithCFlags(), nil, nil
	}
	var all []Config
	for _, b := range infos {
		if b.Name == gputest.Standin { // which DeviceConfigs contains
			continue
		}
		add := func(form string, options ...op2.Option) { all = append(all, configOf(b, form, options...)) }
		switch b.Name {
		case "go":
			for i, n := range []int{1, 2, 3, 8} {
				add(fmt.Sprintf("/%d", n), op2.WithThreads(n), op2.WithBlockSize([]int{4096, 1, 7, 1 << 20}[i]))
			}
			add("/diags", op2.WithThreads(2), op2.WithDiags(true))
		case "test":
			add("")
			add("/soa", op2.WithLayout(op2.SoA))
			all[len(all)-1].Parts = some
		case "sequential":
			add("")
			add("/simd", op2.WithSIMD(op2.On))
			all[len(all)-1].Parts = some
			add("/scalar", op2.WithSIMD(op2.Off))
			all[len(all)-1].Parts = few
			clang := Config{Name: "sequential/clang", Needs: "clang", Options: []op2.Option{
				op2.WithBackend("sequential"), op2.WithCompiler("clang"),
			}, Parts: few}
			if _, err := exec.LookPath("clang"); err != nil {
				clang.Missing = err.Error()
			}
			all = append(all, clang)
			if runtime.GOARCH == "amd64" { // packs of the processors without AVX, with both compilers
				add("/sse4", op2.WithSIMD(op2.On), op2.WithCFlags("-march=x86-64-v2"))
				all[len(all)-1].Parts = few
				clang.Name, clang.Options = "sequential/clang/sse4", append(slices.Clip(clang.Options), op2.WithSIMD(op2.On), op2.WithCFlags("-march=x86-64-v2"))
				all = append(all, clang)
			}
		case "openmp":
			add("", quick)
			for _, c := range []struct{ threads, block int }{{1, 1 << 20}, {2, 1}, {3, 7}, {8, 64}} {
				add(fmt.Sprintf("/%d/block=%d", c.threads, c.block), op2.WithThreads(c.threads), op2.WithBlockSize(c.block), op2.WithSIMD(op2.On), quick)
				all[len(all)-1].Parts = some
			}
			add("/scalar", op2.WithThreads(3), op2.WithBlockSize(64), op2.WithSIMD(op2.Off), quick)
			add("/dynamic", op2.WithThreads(2), op2.WithBlockSize(64), op2.WithDynamicSchedule(true), quick)
			for i := range 2 {
				all[len(all)-1-i].Parts = few
			}
		case "translated": // missing but in TestHeavyTranslated
			add("")
			add("/3/block=7", op2.WithThreads(3), op2.WithBlockSize(7))
		case "opencl":
			add("/auto", optest.Unoptimized())
			all[len(all)-1].Parts = quickParts
		default:
			add("")
		}
	}
	if testing.Short() { // one of each backend, of devices in TestDevices
		all = slices.DeleteFunc(all, func(c Config) bool {
			return c.Parts != nil || strings.Contains(c.Name, "=") || strings.HasSuffix(c.Name, "/dynamic") || strings.HasSuffix(c.Name, "/scalar")
		})
	}
	return all
}

// hostParts are the parts of the suite whose code differs most with packs and with threads.
var hostParts = []string{"types", "dims", "arities", "sizes", "inc", "repeats", "index", "subsets", "halos", "mixed", "mats", "several mats", "globals", "reduce", "floats", "packs", "declared numbers"}

// fewParts are the parts that run each time where the code is much like that of other configurations.
var fewParts = []string{"sizes", "inc", "subsets", "globals", "several mats"}

// quickParts are the parts of the suite that OpenCL's slow compilers run each time. They leave out
// those with many sources, solvers, of which that package tests all, and those that TestDevices runs there.
var quickParts = []string{
	"types", "dims", "arities", "most arguments", "arity one", "repeats", "index", "subsets", "mixed", "mass", "mat poison", "mat threads",
	"globals", "floats", "packs", "consts", "c consts", "names", "chain", "renumber", "cache", "faults", "poison", "two runtimes", "static",
	"closed", "concurrent use",
}

// devices are the backends that run loops on devices.
var devices = []string{"opencl", "cuda", gputest.Standin}

// DeviceConfigs returns the ways in which devices run loops: each strategy and layout.
func DeviceConfigs(t testing.TB) []Config {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	var all []Config
	for _, b := range infos {
		if !slices.Contains(devices, b.Name) {
			continue
		}
		add := func(form string, options ...op2.Option) { all = append(all, configOf(b, "/"+form, options...)) }
		add("auto")
		quick := op2.WithCFlags("-O0") // which OpenCL compiles in half the time
		for _, strategy := range []op2.Strategy{op2.Staged, op2.InPlace, op2.Atomic, op2.GlobalColor, op2.Gather, op2.Blocks, op2.Scratchpad} {
			add(string(strategy)+"-aos", op2.WithStrategy(strategy), op2.WithLayout(op2.AoS))
			add(string(strategy)+"-soa", op2.WithStrategy(strategy), op2.WithLayout(op2.SoA), quick)
		}
		add("staged-small", op2.WithStrategy(op2.Staged), op2.WithBlockSize(40), quick)
		add("blocks-small", op2.WithStrategy(op2.Blocks), op2.WithBlockSize(7))
		add("deterministic", op2.WithoutAtomics())
		add("measure", op2.WithStrategy(op2.Measure))
		if b.Name == "opencl" {
			add("packs", op2.WithSIMD(op2.On))
			add("scalar", op2.WithSIMD(op2.Off))
		}
	}
	return all
}

// EachDevice runs f for the backends that compile for devices, as far as they need no GPU; with -short for the one
// whose devices have threads of their own.
func EachDevice(t *testing.T, f func(t *testing.T, open optest.Opener)) {
	for _, c := range DeviceConfigs(t) {
		if c.Name == "opencl/auto" || c.Name == "standin/auto" && !testing.Short() {
			c.Options = append(c.Options, optest.Unoptimized())
			c.run(t, c.Needs, f)
		}
	}
}
