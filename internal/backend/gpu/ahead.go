package gpu

import (
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/translated"
)

// OfProcessors ends the names of those kinds of devices that are processors.
const OfProcessors = "-cpu"

// Target returns the kind of device as op2 translate names it. Sources for processors differ from those for GPUs.
func (k Kind) Target(cpu bool) string {
	switch {
	case k.Dialect == codegen.CUDA:
		return "cuda"
	case cpu:
		return "opencl" + OfProcessors
	}
	return "opencl"
}

// compile starts to compile a source, or takes what was made of it ahead of time.
func (e *engine) compile(s device.Source) device.Program {
	target := e.kind.Target(e.info.CPU)
	packages := translated.ProgramPackages(target)
	if len(packages) == 0 && !e.config.OnlyTranslated {
		return e.device.Build(s)
	}
	if p := translated.FindProgram(target, e.key(s)); p != nil {
		e.translations.Found++
		if p.PTX != "" {
			s.PTX = &device.PTX{Text: p.PTX, For: p.Level}
		}
	} else if err := e.translations.Miss(s.Name, packages, target, &e.config); err != nil {
		return refused{err}
	}
	return e.device.Build(s)
}

// key identifies a source.
func (e *engine) key(s device.Source) string {
	return unit.ProgramKey(e.kind.Dialect.String(), s.Flags, s.Text)
}

// refused is a program that must not be compiled.
type refused struct{ err error }

func (r refused) Wait() error                          { return r.err }
func (refused) Found() bool                            { return false }
func (refused) Translated() string                     { return "" }
func (r refused) Kernel(string) (device.Kernel, error) { return nil, r.err }
func (refused) Release()                               {}
