// Package host implements the backends that compile C for the host: `sequential`, one C function
// per loop, run by the calling goroutine, and `openmp`, the same over the blocks of a plan, on
// threads.
//
// Package codegen prints the source, package jit compiles, caches and loads it, and package team
// has the threads; this package chooses the flags and makes the calls.
package host

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/host/team"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

// Sequential is the backend `sequential`.
var Sequential = backend.Driver{
	Name:    "sequential",
	Summary: "C compiled at run time, one core",
	Probe:   probe(false),
	Open:    open(false),
}

// Threads is the backend `openmp`.
var Threads = backend.Driver{
	Name:    "openmp",
	Summary: "C compiled at run time, all cores",
	Probe:   probe(true),
	Open:    open(true),
}

// Flags returns the flags for loops, before the user's own: optimized for this processor, with Go's
// wrapping integers, and without floating-point side effects that cost speed and kernels never see
// (errno, exception flags). None of them changes a value, except that products and sums may be
// contracted.
func Flags(family string) []string {
	flags := []string{"-std=gnu11", "-O3", "-march=native", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"}
	if runtime.GOARCH == "arm64" && family == "gcc" || strings.HasPrefix(runtime.GOARCH, "ppc64") {
		flags[2] = "-mcpu=native"
	}
	return flags
}

// uncontracted is the flag with which products and sums are rounded separately.
const uncontracted = "-ffp-contract=off"

// lenient are additional flags for C kernels. Their int, long and long long are, to C, other types
// than the wrapper's int32_t and int64_t, even where they are the same; and their casts are their
// own responsibility. Inline functions exist even if the compiler does not inline them.
var lenient = []string{"-fno-strict-aliasing", "-Wno-incompatible-pointer-types", "-fgnu89-inline"}

// macrosInPlace makes gcc report mistakes where names of a C kernel are used in its source, instead
// of where the macros that rename them are defined.
const macrosInPlace = "-ftrack-macro-expansion=0"

// engine is an open backend.
type engine struct {
	threads  int             // 0: sequential
	options  codegen.Options // except for SIMD
	schedule tune.Schedule   // of products
	config   backend.Config
	builder  *jit.Builder // nil if static
	flags    []string
	rounds   bool       // the user's flags round products and sums separately
	team     *team.Team // nil if static or sequential
	loaded   libraries
	stop     *stop.Flag
	cached   int // bytes of a chain below which what tiles use is in a cache anyway

	keepSource string                      // the folder for generated source; empty: not kept
	kept       map[string]*codegen.Program // programs whose #line directives refer to it, by the source without them
	named      map[string]int              // number of files with each name
}

func jitConfig(c backend.Config) jit.Config {
	config := jit.Config{CC: c.CC, CFlags: c.CFlags, CacheDir: c.CacheDir, Warn: c.Warn, Context: c.Stop.Context(), Rank: c.Rank, Ranks: c.Ranks}
	if c.Progress != nil {
		config.Progress = func(p jit.Progress) { c.Progress(p.Name, p.Started, p.Done) }
	}
	return config
}

func open(threads bool) func(backend.Config) (backend.Backend, error) {
	return func(c backend.Config) (backend.Backend, error) {
		e := &engine{
			options:  codegen.Options{Poison: c.Poison, SameBits: c.SameBits},
			schedule: c.Tune.Schedule, stop: c.Stop, cached: tune.DefaultMachine().Tiles.Cached,
			config: c, keepSource: c.KeepSource, kept: map[string]*codegen.Program{}, named: map[string]int{},
		}
		if threads {
			e.threads = c.Threads
		}
		if c.Static {
			return e, nil
		}
		e.rounds = slices.Contains(c.CFlags, uncontracted)
		if err := e.use(jitConfig(c)); err != nil {
			return nil, backend.Unavailable(err)
		}
		return e, nil
	}
}

// use makes a compiler that of the engine.
func (e *engine) use(c jit.Config) (err error) {
	if e.builder, err = jit.New(c); err != nil {
		return err
	}
	e.flags = Flags(e.builder.Compiler().Family)
	if e.threads > 0 {
		e.team = team.New(e.builder, e.flags, e.threads)
	}
	return nil
}

// probe looks for a compiler.
func probe(threads bool) func(backend.Config) backend.Report {
	return func(c backend.Config) backend.Report {
		b, err := open(threads)(c)
		if err != nil {
			return backend.Report{Missing: []backend.Item{{What: "C compiler", Detail: err.Error()}}}
		}
		defer b.Close()
		return backend.Report{Found: []backend.Item{{What: "C compiler", Detail: b.(*engine).builder.Compiler().String()}}}
	}
}

func (e *engine) Generate(s backend.Spec) (string, error) {
	return e.program(s).Text, nil
}

func (e *engine) program(s backend.Spec) *codegen.Program {
	if e.threads > 0 {
		return host.Threads(e.input(s))
	}
	return host.Sequential(e.input(s))
}

func (e *engine) input(s backend.Spec) codegen.Input {
	in := codegen.Input{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: e.options}
	in.Options.SIMD = s.Tune.SIMD
	return in
}

// CallsKernels reports that loops are compiled.
func (e *engine) CallsKernels() bool { return false }

// Builder returns the builder of code that ranks share, which includes the threads' library.
func (e *engine) Builder() *jit.Builder {
	if e.team != nil {
		e.team.Begin()
	}
	return e.builder
}

// Check compiles an empty function with the flags of loops, which on later starts is a cache
// lookup: a compiler may be found but lack its headers, say. With threads, it compiles their
// library instead. If that fails, and neither the compiler nor flags were requested, Check goes on to
// the next compiler that is found.
func (e *engine) Check() error {
	if e.builder == nil {
		return nil
	}
	err := e.tryCompiler()
	if err == nil || e.config.CC != "" || len(e.config.CFlags) > 0 || e.stop.Err() != nil {
		return err
	}
	failed := e.builder.Compiler()
	for _, path := range jit.OtherCompilers(failed) {
		c := jitConfig(e.config)
		c.CC = path
		if e.use(c) == nil && e.tryCompiler() == nil {
			e.config.Warn(fmt.Sprintf("%s is used, since %s does not work: %v", path, failed.Path, err))
			return nil
		}
	}
	return err
}

// tryCompiler compiles something small.
func (e *engine) tryCompiler() error {
	if e.team != nil {
		return e.team.Compiled()
	}
	source := "#include <math.h>\n#include <stdint.h>\nvoid op2_check(void **args) { (void)args; }\n"
	return e.builder.Start(jit.Unit{Name: "op2_check", Source: source, Flags: e.flags}).Wait()
}

// Close ends the threads, and releases the libraries for other runtimes of the process.
func (e *engine) Close() error {
	if e.team != nil {
		e.team.Close()
	}
	e.loaded.release()
	return nil
}
