package host

import (
	"cmp"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/crew"
	"github.com/go-op2/op2/internal/backend/host/team"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

// form is which of the backends an engine is.
type form struct {
	threads bool // several threads
	linked  bool // code may be translated ahead of time; several threads are goroutines then
}

// engine is an open backend.
type engine struct {
	threads      int             // 0: sequential
	options      codegen.Options // except for SIMD
	schedule     tune.Schedule   // of products
	config       backend.Config
	own          compiler             // for loops that have not chosen another one, and for all other code
	others       map[string]*compiler // that loops have chosen, by key
	flags        []string             // of the library
	team         *team.Team           // nil unless threads are C's
	pool         *crew.Pool           // nil unless they are goroutines
	loaded       libraries
	holding      map[heldLoop]bool // loops whose code this binary contains, or not
	linked       bool
	translations backend.Translations
	stop         *stop.Flag
	cached       int // bytes of a chain below which what tiles use is in a cache anyway

	keepSource string                      // the folder for generated source; empty: not kept
	kept       map[string]*codegen.Program // programs whose #line directives refer to it, by the source without them
	named      map[string]int              // number of files with each name
}

// heldLoop is a loop that this binary may contain the code of.
type heldLoop struct {
	compiler string
	kernel   *kernel.Kernel
	loop     loop.Hash
	options  codegen.Options
}

func jitConfig(c backend.Config) jit.Config {
	return jit.Config{CC: c.Choices.Compiler, CFlags: c.Choices.HostFlags.List(), CacheDir: c.CacheDir, Warn: c.Warn, Context: c.Stop.Context(), Rank: c.Rank, Ranks: c.Ranks, Progress: c.Progress}
}

// use makes a compiler that of the engine.
func (e *engine) use(c jit.Config) error {
	b, err := jit.New(c)
	if err != nil {
		return err
	}
	e.own.builder, e.own.family = b, b.Compiler().Family
	e.flags = Flags(e.own.family)
	if e.threads > 0 && e.pool == nil {
		e.team = team.New(e.own.builder, e.flags, e.threads)
	}
	return nil
}

// compilerOf returns what compiles a loop with these choices.
func (e *engine) compilerOf(m choice.Made) (*compiler, error) {
	c := compiler{family: e.own.family, flags: cmp.Or(m.HostFlags, e.own.flags)}
	if m.Compiler != e.config.Choices.Compiler {
		c.name = m.Compiler
	}
	if c.name == "" && c.flags == e.own.flags {
		return &e.own, nil
	}
	if known := e.others[c.key()]; known != nil {
		return known, nil
	}
	if !e.config.Static && (e.own.builder != nil || c.name != "") {
		config := jitConfig(e.config)
		config.CFlags = c.flags.List()
		config.Rank, config.Ranks = 0, 0 // only the runtime's own share code
		switch {
		case c.name != "":
			config.CC = c.name
		case config.CC == "":
			config.CC = e.own.builder.Compiler().Path
		}
		b, err := jit.New(config)
		if err != nil && m.Who(choice.Compiler) != choice.User { // a compiler of another machine
			m.Drop(choice.Compiler)
			return e.compilerOf(m)
		}
		if err != nil {
			return nil, backend.Unavailable(err)
		}
		c.builder, c.family = b, b.Compiler().Family
	}
	if e.others == nil {
		e.others = map[string]*compiler{}
	}
	e.others[c.key()] = &c
	return &c, nil
}

func (e *engine) input(s backend.Spec) codegen.Input {
	in := codegen.Input{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: e.options}
	in.Options.SIMD, in.Options.Width = s.Chosen.SIMD, s.Chosen.Width
	return in
}

// print prints a loop for the engine's threads.
func (e *engine) print(in codegen.Input) *codegen.Program {
	if e.threads > 0 {
		return host.Threads(in)
	}
	return host.Sequential(in)
}

func (e *engine) program(s backend.Spec) *codegen.Program { return e.print(e.input(s)) }
