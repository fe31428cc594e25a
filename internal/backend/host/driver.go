// Package host implements the backends that run machine code made from C on the host: `sequential`, one C function
// per loop, run by the calling goroutine; `openmp`, the same over the blocks of a plan, on
// threads; and `translated`, which is `openmp` on goroutines.
//
// Package codegen/host prints the source, package jit compiles, caches and loads it, unless the program contains the
// code already (package translated); package team
// has the threads, package crew the goroutines; this package chooses the flags and makes the calls.
package host

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/translated"
)

// Sequential is the backend `sequential`.
var Sequential = backend.Driver{
	Name:    "sequential",
	Summary: "C compiled at run time or translated before, one core",
	Probe:   probe(form{linked: true}),
	Open:    open(form{linked: true}),
}

// Threads is the backend `openmp`.
var Threads = backend.Driver{
	Name:    "openmp",
	Summary: "C compiled at run time, all cores",
	Probe:   probe(form{threads: true}),
	Open:    open(form{threads: true}),
}

// Translated is the backend `translated`.
var Translated = backend.Driver{
	Name:    "translated",
	Summary: "code that op2 translate has made ahead of time, all cores",
	Probe:   probe(form{threads: true, linked: true}),
	Open:    open(form{threads: true, linked: true}),
}

func open(f form) func(backend.Config) (backend.Backend, error) {
	return func(c backend.Config) (backend.Backend, error) {
		e := &engine{
			options:  codegen.Options{Poison: c.Poison, SameBits: c.SameBits},
			schedule: c.Choices.Schedule, stop: c.Stop, cached: tune.DefaultMachine().Tiles.Cached,
			holding: map[heldLoop]bool{},
			config:  c, keepSource: c.KeepSource, kept: map[string]*codegen.Program{}, named: map[string]int{},
			linked: f.linked, own: compiler{family: jit.GCC, flags: c.Choices.HostFlags}, flags: Flags(jit.GCC),
		}
		if f.threads {
			e.threads = c.Threads
		}
		if c.Static {
			return e, nil
		}
		contains := f.linked && len(translated.Packages()) > 0
		if f == (form{threads: true, linked: true}) {
			if !contains && c.Translate == "" {
				return nil, fmt.Errorf("%w: the program contains no translated code for this processor\n  hint: op2 translate writes a package of it to import", backend.ErrUnavailable)
			}
			e.pool = crew.NewPool(c.Threads)
		}
		if err := e.use(jitConfig(c)); err != nil && (!contains && c.Translate == "" || c.Choices.Compiler != "") {
			return nil, backend.Unavailable(err)
		}
		return e, nil
	}
}

// probe looks for translated code, and for a compiler.
func probe(f form) func(backend.Config) backend.Report {
	return func(c backend.Config) (r backend.Report) {
		if f.linked {
			for _, p := range translated.Packages() {
				r.Found = append(r.Found, backend.Item{What: "translated code", Detail: fmt.Sprintf("%s: %d loops, %s", p.Path, len(p.Names), p.Level)})
			}
		}
		b, err := open(f)(c)
		if err != nil {
			return backend.Report{Missing: []backend.Item{{What: map[bool]string{true: "translated code", false: "C compiler"}[f.threads && f.linked], Detail: err.Error()}}}
		}
		defer b.Close()
		if b := b.(*engine).own.builder; b != nil {
			r.Found = append(r.Found, backend.Item{What: "C compiler", Detail: b.Compiler().String()})
		}
		return r
	}
}

func (e *engine) Generate(s backend.Spec) (string, error) {
	return e.program(s).Text, nil
}

// Place returns the processor, and what a loop's code is from.
func (e *engine) Place(s backend.Spec) (machine, compiler string) {
	switch c, err := e.compilerOf(s.Chosen); {
	case err == nil && e.linked && len(translated.Packages()) > 0 && e.holds(c, s):
		compiler = choice.Translated
	case e.own.builder != nil:
		compiler = e.own.builder.Compiler().String()
	}
	return jit.Processor(), compiler
}

// CallsKernels reports that loops are compiled.
func (e *engine) CallsKernels() bool { return false }

// Builder returns the builder of code that ranks share, which includes the threads' library.
func (e *engine) Builder() *jit.Builder {
	if e.team != nil {
		e.team.Begin()
	}
	return e.own.builder
}

// Check compiles an empty function with the flags of loops, which on later starts is a cache
// lookup: a compiler may be found but lack its headers, say. With threads, it compiles their
// library instead. If that fails, and neither the compiler nor flags were requested, Check goes on to
// the next compiler that is found.
func (e *engine) Check() error {
	if e.own.builder == nil || e.linked && len(translated.Packages()) > 0 { // a compiler is used when it is needed, if ever
		return nil
	}
	err := e.tryCompiler()
	if err == nil || e.config.Choices.Compiler != "" || e.config.Choices.HostFlags != "" || e.stop.Err() != nil {
		return err
	}
	failed := e.own.builder.Compiler()
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
	return e.own.builder.Start(jit.Unit{Name: "op2_check", Source: source, Flags: e.flags}).Wait()
}

// Close names the loops that were not translated, ends the threads, and releases the libraries for other runtimes of the process.
func (e *engine) Close() error {
	e.warnOfMissed()
	if e.pool != nil {
		e.pool.Close()
	}
	if e.team != nil {
		e.team.Close()
	}
	e.loaded.release()
	return nil
}
