package host

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/translated"
)

// ErrNoCode is wrapped by the error for a loop for which the program contains no translated code, and for which there is no
// compiler either.
var ErrNoCode = fmt.Errorf("it is not translated, and there is no C compiler: %w", backend.ErrUnavailable)

// code returns the code of a program that is to be compiled with flags: translated ahead of time, if this
// program contains it, or else from the cache or a compiler.
func (e *engine) code(c *compiler, p *codegen.Program, flags []string) (*library, error) {
	return e.loaded.get(c.key()+p.Text, func() (*library, error) {
		if code := e.contained(c, p, flags); code != nil {
			e.translations.Found++
			return &library{program: p, linked: code, lanes: max(1, code.Lanes), held: &held{}}, nil
		}
		if err := e.miss(c, p.Name); err != nil {
			return nil, err
		}
		return &library{program: p, by: c.builder.Compiler().Path, build: c.builder.Start(jit.Unit{Name: p.Name, Source: p.Text, Flags: flags}), held: &held{}}, nil
	})
}

// contained returns the code of a program that this binary contains; nil if it does not, or if the code is not to be used.
func (e *engine) contained(c *compiler, p *codegen.Program, flags []string) *translated.Code {
	if !e.linked || c.name != "" || e.keepSource != "" || e.config.Translate != "" {
		return nil
	}
	return translated.Find(c.keyOf(p, flags))
}

// HasCode reports whether a loop need not run as a Go function, nor be refused.
func (e *engine) HasCode(s backend.Spec) bool {
	c, err := e.compilerOf(s.Chosen)
	if err != nil || e.config.Translate != "" || c.builder != nil && !(e.linked && e.config.OnlyTranslated) {
		return true // or Prepare returns the error
	}
	return e.holds(c, s)
}

// holds reports whether this binary contains the code of a loop. It is asked for each binding of one, and printing takes longer than
// all else in that.
func (e *engine) holds(c *compiler, s backend.Spec) bool {
	of := heldLoop{c.key(), s.Kernel, s.Hash(), e.input(s).Options}
	is, known := e.holding[of]
	if !known {
		p := e.program(s)
		is = e.contained(c, p, c.flagsFor(p, s.Kernel)) != nil
		e.holding[of] = is
	}
	return is
}

// codeOf returns the code of the program of a loop. For op2 translate it leaves the programs for one core and for
// several, over a subset also those with and without a list of its elements, on which it depends which of them runs.
func (e *engine) codeOf(p *codegen.Program, s backend.Spec) (*library, error) {
	c, err := e.compilerOf(s.Chosen)
	if err != nil {
		return nil, err
	}
	flags := c.flagsFor(p, s.Kernel)
	if e.config.Translate != "" {
		about := unit.Unit{About: s.Kernel.Name, Hash: s.Hash().String(), At: s.Place()}
		gcc, forms, inputs := &compiler{family: jit.GCC, flags: c.flags}, []*codegen.Program{p}, []codegen.Input{e.input(s)}
		if e.config.Variants != nil {
			for _, v := range e.config.Variants(s.Hash()) {
				variant := s
				variant.Chosen = s.Chosen.Over(v.By(choice.Wisdom))
				inputs = append(inputs, e.input(variant))
			}
		}
		for _, in := range inputs {
			forms = append(forms, host.Sequential(in), host.Threads(in))
			if s.Subset {
				in.Options.Listed = true
				forms = append(forms, host.Sequential(in), host.Threads(in))
			}
		}
		for _, form := range forms {
			if err := e.leave(gcc, form, gcc.flagsFor(form, s.Kernel), about); err != nil {
				return nil, err
			}
		}
	}
	if e.keepSource != "" {
		if p, err = e.keep(p, s.Kernel); err != nil {
			return nil, err
		}
		flags = append(flags, "-g")
	}
	tried := s.Chosen.Has(choice.Tuning)
	if (tried || s.Chosen.Has(choice.Wisdom)) && !e.config.OnlyTranslated {
		defer e.translations.Forgive()() // what is missing is so on purpose
	}
	l, err := e.code(c, p, flags)
	if tried && err == nil && l.build != nil {
		l.build.Begin() // no other rank has the code
	}
	return l, err
}

// flagsFor returns the flags for a program of a kernel, without those that were chosen.
func (c *compiler) flagsFor(p *codegen.Program, k *kernel.Kernel) []string {
	flags := Flags(c.family)
	if k.IsC() {
		flags = append(flags, lenient...)
		if c.family == jit.GCC {
			flags = append(flags, macrosInPlace)
		}
	}
	if p.Words && !k.IsC() {
		flags = append(flags, "-fno-strict-aliasing")
	}
	if p.Rounds {
		flags = append(flags, uncontracted)
	}
	if (p.Rounds || c.rounds()) && c.family == jit.GCC && k.Alternates() {
		flags = append(flags, "-fno-tree-vectorize")
	}
	if c.family == jit.GCC && k.Truncates() {
		flags = append(flags, "-ftrapping-math")
	}
	return flags
}

// keyOf identifies the code of a program, whichever compiler it is from.
func (c *compiler) keyOf(p *codegen.Program, flags []string) string {
	return unit.Key(p.Text, c.rounds() || slices.Contains(flags, uncontracted), c.flags.List())
}

// miss takes note of a piece of code that must be compiled. It returns an error if that is not
// possible, or not permitted.
func (e *engine) miss(c *compiler, name string) error {
	if !e.linked {
		return nil
	}
	packages := translated.Packages()
	if e.keepSource != "" && !e.config.OnlyTranslated { // loops whose source is kept are compiled on purpose
		packages = nil
	}
	if err := e.translations.Miss(name, packages, "this processor", &e.config); err != nil {
		return err
	}
	if c.builder == nil {
		return fmt.Errorf("%s: %w", name, ErrNoCode)
	}
	return nil
}

// warnOfMissed names the loops that were not translated, once.
func (e *engine) warnOfMissed() {
	then := "compiled when the program ran"
	if e.own.builder == nil {
		then = "run as Go functions, which takes several times as long"
	}
	e.translations.Warn(then, &e.config)
}

// leave leaves a program in the folder for op2 translate, if there is one, with flags of GCC, so that it does not depend
// on the compiler here.
func (e *engine) leave(c *compiler, p *codegen.Program, flags []string, u unit.Unit) error {
	if e.config.Translate == "" {
		return nil
	}
	u.Key, u.Name, u.Symbol, u.Block, u.Lanes, u.Text, u.Flags = c.keyOf(p, flags), p.Name, p.Symbol, p.Block, p.Lanes, p.Text, slices.Concat(flags, c.flags.List())
	return u.Write(e.config.Translate)
}
