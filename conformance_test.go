package op2_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
)

// The suite below compares every available backend with plain loops over plain slices, which share
// no code with the library. Values are small integers, of whatever type, so that sums are exact in
// any order and results must be equal; otherwise the tolerance is stated.

// The source files of the suite's kernels, for the backends that translate them.
var (
	//go:embed conformance_kernels_test.go
	kernelSource string
	//go:embed conformance_types_test.go
	typesSource string

	kernels = op2.Kernels(kernelSource, typesSource, matSource)
)

// TestMain gives all tests of the package one cache, so that each source is compiled once. It is
// OP2_TEST_CACHE_DIR, or is removed with the process.
func TestMain(m *testing.M) {
	registrytest.Add(testDriver)
	gputest.Register()
	os.Exit(func() int {
		dir := os.Getenv("OP2_TEST_CACHE_DIR")
		if dir == "" {
			var err error
			if dir, err = os.MkdirTemp("", "op2-test-"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(dir)
		}
		os.Setenv("OP2_CACHE_DIR", dir)
		for _, name := range []string{"OP2_BACKEND", "OP2_THREADS", "OP2_CC", "OP2_CFLAGS", "OP2_DIAGS", "OP2_QUIET",
			"OP2_BLOCK_SIZE", "OP2_SCHEDULE", "OP2_SIMD", "OP2_SOLVER", "OP2_STRATEGY", "OP2_DETERMINISTIC",
			"OP2_LAYOUT", "OP2_OPENCL_DEVICE", "OP2_CUDA_DEVICE", "OMP_NUM_THREADS"} {
			os.Unsetenv(name)
		}
		if os.Getenv(gputest.SourcesFolder) == "" { // otherwise it is that of the process which started this one
			sources, err := os.MkdirTemp("", "op2-test-sources-")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(sources)
			os.Setenv(gputest.SourcesFolder, sources)
		}
		return m.Run()
	}())
}

// configuration is one way to run the suite.
type configuration struct {
	name    string
	needs   string // the name in OP2_REQUIRE of what may be missing
	missing string // why it is missing
	options []op2.Option
	parts   []string // of the suite; nil: all
}

// configurationOf is a form of a backend.
func configurationOf(b op2.BackendInfo, form string, options ...op2.Option) configuration {
	c := configuration{name: b.Name + form, needs: b.Name, options: append([]op2.Option{op2.WithBackend(b.Name)}, options...)}
	if !b.Available {
		c.missing = fmt.Sprint(b.Missing)
	}
	return c
}

// configurations returns every backend of the registry, each in the forms that may differ in their
// results.
func configurations(t testing.TB) []configuration {
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	var all []configuration
	for _, b := range infos {
		if b.Name == gputest.Standin { // which deviceConfigurations contains
			continue
		}
		add := func(form string, options ...op2.Option) { all = append(all, configurationOf(b, form, options...)) }
		switch b.Name {
		case "go":
			for i, n := range []int{1, 2, 3, 8} {
				add(fmt.Sprintf("/%d", n), op2.WithThreads(n), op2.WithBlockSize([]int{0, 1, 7, 1 << 20}[i]))
			}
			add("/diags", op2.WithThreads(2), op2.WithDiags(true))
		case "test":
			add("")
			add("/soa", op2.WithLayout("soa"))
		case "sequential":
			add("")
			add("/simd", op2.WithSIMD("on"))
			add("/scalar", op2.WithSIMD("off"))
			clang := configuration{name: "sequential/clang", needs: "clang", options: []op2.Option{
				op2.WithBackend("sequential"), op2.WithCompiler("clang"),
			}}
			if _, err := exec.LookPath("clang"); err != nil {
				clang.missing = err.Error()
			}
			all = append(all, clang)
		case "openmp":
			add("")
			quick := op2.WithCFlags("-O1") // what differs is not for the compiler to see, and it takes half the time
			for _, c := range []struct{ threads, block int }{{1, 0}, {2, 1}, {3, 7}, {8, 64}, {2, 1 << 20}} {
				add(fmt.Sprintf("/%d/block=%d", c.threads, c.block), op2.WithThreads(c.threads), op2.WithBlockSize(c.block), op2.WithSIMD("on"), quick)
			}
			add("/scalar", op2.WithThreads(3), op2.WithBlockSize(64), op2.WithSIMD("off"), quick)
			add("/dynamic", op2.WithThreads(2), op2.WithBlockSize(64), op2.WithDynamicSchedule(true), quick)
		case "opencl":
			add("/auto")
			all[len(all)-1].parts = quickParts
		default:
			add("")
		}
	}
	if testing.Short() { // one of each backend, of devices in TestDevices
		all = slices.DeleteFunc(all, func(c configuration) bool {
			return c.parts != nil || strings.Contains(c.name, "=") || strings.HasSuffix(c.name, "/dynamic") || strings.HasSuffix(c.name, "/scalar")
		})
	}
	return all
}

// require skips the test if something is missing, or fails it if OP2_REQUIRE, a comma-separated
// list of names, requires it.
func require(t testing.TB, name, missing string) {
	t.Helper()
	if missing == "" {
		return
	}
	if required(name) {
		t.Fatalf("%s is required by OP2_REQUIRE, and missing: %s", name, missing)
	}
	t.Skipf("no %s: %s", name, missing)
}

func required(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name)
}

// opener opens a runtime of the configuration under test, with further options, and
// closes it when the test ends.
type opener func(t testing.TB, options ...op2.Option) *op2.Runtime

func (c configuration) open(t testing.TB, options ...op2.Option) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(slices.Concat(c.options, []op2.Option{op2.WithLog(nil), op2.CheckPlans()}, options)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

// eachConfiguration runs f for every configuration that the machine has.
func eachConfiguration(t *testing.T, f func(t *testing.T, open opener)) {
	for _, c := range configurations(t) {
		t.Run(c.name, func(t *testing.T) {
			require(t, c.needs, c.missing)
			f(t, c.open)
		})
	}
}

// TestLibrary runs the library's own loops, and those that hardly differ between configurations, on
// each host backend.
func TestLibrary(t *testing.T) {
	for _, c := range configurations(t) {
		switch c.name {
		case "go/2", "sequential", "openmp":
			t.Run(c.needs, func(t *testing.T) {
				require(t, c.needs, c.missing)
				t.Parallel()
				conformLibrary(t, c.open)
			})
		}
	}
}

func conformLibrary(t *testing.T, open opener) {
	t.Run("arithmetic", func(t *testing.T) { conformArithmetic(t, open) })
	t.Run("dirichlet", func(t *testing.T) { conformDirichlet(t, open) })
	t.Run("components", func(t *testing.T) { conformComponents(t, open) })
}

func TestConformance(t *testing.T) {
	for _, c := range configurations(t) {
		t.Run(c.name, func(t *testing.T) {
			require(t, c.needs, c.missing)
			t.Parallel()
			conformance(t, c.open, c.parts)
		})
	}
}

// consts are the parts of the suite that change package variables which kernels read: parallel
// configurations take turns.
var (
	consts           = []string{"consts", "c consts"}
	packageVariables sync.Mutex
)

// conformance is the suite, for one configuration: the named parts, or all.
func conformance(t *testing.T, open opener, parts []string) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, opener)
	}{
		{"types", conformTypes},
		{"dims", conformDims},
		{"arities", conformArities},
		{"most arguments", conformMost},
		{"sizes", conformSizes},
		{"inc", conformInc},
		{"repeats", conformRepeats},
		{"index", conformIndex},
		{"subsets", conformSubsets},
		{"halos", conformHalos},
		{"mass", conformMass},
		{"mats", conformMats},
		{"several mats", conformSeveralMats},
		{"mat poison", conformMatPoison},
		{"mat threads", conformMatThreads},
		{"globals", conformGlobals},
		{"floats", conformFloats},
		{"c kernels", conformC},
		{"consts", conformConsts},
		{"c consts", conformCConsts},
		{"names", conformNames},
		{"chain", conformChain},
		{"renumber", conformRenumber},
		{"cache", conformCache},
		{"faults", conformFaults},
		{"poison", conformPoison},
		{"two runtimes", conformTwoRuntimes},
		{"solvers", conformSolvers},
		{"static", conformStatic},
		{"closed", conformClosed},
		{"concurrent use", conformConcurrentUse},
	} {
		if parts == nil || slices.Contains(parts, test.name) {
			t.Run(test.name, func(t *testing.T) {
				if slices.Contains(consts, test.name) {
					packageVariables.Lock()
					defer packageVariables.Unlock()
				}
				test.run(t, open)
			})
		}
	}
}

// compiles reports whether the runtime translates kernels, and so takes C.
func compiles(rt *op2.Runtime) bool { return rt.Backend() != "go" }

// vectorizes reports whether a runtime without a strategy may run elements in vector lanes.
func vectorizes(rt *op2.Runtime) bool {
	return slices.Contains([]string{"sequential", "openmp", "opencl"}, rt.Backend())
}

// topology is a random mesh: two sets, and maps of all kinds between them.
type topology struct {
	random       *rand.Rand
	edges, nodes int
}

func newTopology(edges, nodes int) *topology {
	return &topology{rand.New(rand.NewPCG(uint64(edges), uint64(nodes))), edges, nodes}
}

// anywhere returns map values of the given arity that lead to any node, any number of times.
func (m *topology) anywhere(arity int) []int32 {
	values := make([]int32, m.edges*arity)
	for i := range values {
		values[i] = int32(m.random.IntN(m.nodes))
	}
	return values
}

// once returns map values of the given arity without duplicates, into a set of edges times arity
// elements.
func (m *topology) once(arity int) []int32 {
	values := make([]int32, m.edges*arity)
	for i, v := range m.random.Perm(len(values)) {
		values[i] = int32(v)
	}
	return values
}

// some returns n small integers as values of type T, signed if T is.
func some[T op2.Scalar](random *rand.Rand, n int) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = T(random.IntN(60))
		if random.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}

// newDat declares a dat, or fails the test; likewise the three after it.
func newDat[T op2.Scalar](t testing.TB, set *op2.Set, dim int, values []T, name string) *op2.Dat[T] {
	t.Helper()
	d, err := op2.NewDat(set, dim, values, name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func newGlobal[T op2.Scalar](t testing.TB, rt *op2.Runtime, name string, values ...T) *op2.Global[T] {
	t.Helper()
	g, err := op2.NewGlobal(rt, values, name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newSet(t testing.TB, rt *op2.Runtime, size int, name string) *op2.Set {
	t.Helper()
	s, err := rt.NewSet(size, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newMap(t testing.TB, from, to *op2.Set, arity int, values []int32, name string) *op2.Map {
	t.Helper()
	m, err := op2.NewMap(from, to, arity, values, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run runs a loop that must succeed.
func run(t testing.TB, k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
	t.Helper()
	if err := op2.ParLoop(k, over, args...); err != nil {
		t.Fatal(err)
	}
}

// holder has values: a dat or a global.
type holder[T op2.Scalar] interface {
	DataRO() ([]T, error)
	Name() string
}

// expect fails the test if a dat or global does not have exactly the given values; all NaNs are
// equal.
func expect[T op2.Scalar](t testing.TB, d holder[T], want []T) {
	t.Helper()
	got, err := d.DataRO()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", d.Name(), len(got), len(want))
	}
	wrong, first := 0, 0
	for i := range got {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			if wrong++; wrong == 1 {
				first = i
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d values are wrong, the first at %d: %v, want %v",
			d.Name(), wrong, len(got), first, got[first], want[first])
	}
}
