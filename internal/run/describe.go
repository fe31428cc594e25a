package run

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
)

// describe keeps what a loop is made of, which loops that are gone could no longer say.
func (e *Engine) describe(l *Loop) {
	kernel, set := l.kernel.Name(), l.total.Set
	if slices.ContainsFunc(e.loopCode, func(d Described) bool { return d.Kernel == kernel && d.Set == set }) {
		return
	}
	d := Described{Kernel: kernel, Set: set, At: l.kernel.At(), Source: l.source(), Plan: l.Figures()}
	if !e.rt.Backend().CallsKernels() {
		d.Generated, _ = l.Generate() // "" says enough
	}
	e.loopCode = append(e.loopCode, d)
}

// source returns the source of the kernel, or of the kernels that a fused loop joins.
func (l *Loop) source() string {
	if l.parts == nil {
		if text := l.kernel.Text(); text != "" || l.spec.Kernel == nil {
			return text
		}
		return strings.TrimSpace(l.spec.Kernel.Source)
	}
	var texts []string
	for _, p := range l.parts {
		if text := p.source(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// DescribedLoops returns what the loops of a runtime that is to be reported are made of.
func DescribedLoops(rt *entity.Runtime) []Described { return engineOf(rt).loopCode }
