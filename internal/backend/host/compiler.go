package host

import (
	"cmp"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/jit"
)

// compiler compiles the code of loops that have chosen it, with their flags.
type compiler struct {
	builder *jit.Builder // nil if static, or if there is none
	family  string       // GCC if there is none
	flags   choice.Flags // chosen, after the library's own
	name    string       // of one that is not the runtime's; code that the program contains does not take its place
}

// rounds reports whether the chosen flags round products and sums separately.
func (c *compiler) rounds() bool { return c.flags.Has(uncontracted) }

// key tells the code of compilers and flags apart.
func (c *compiler) key() string { return c.name + "\x00" + string(c.flags) + "\x00" }

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
