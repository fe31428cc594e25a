package ckernel

import (
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
)

// switchCase prints a Go switch. One over an integer with constant, distinct cases becomes a C
// switch; others become a chain of ifs, with gotos where cases fall through.
func (p *Printer) switchCase(s *kernel.Switch) {
	if p.isCSwitch(s) {
		p.cSwitch(s)
	} else {
		p.chain(s)
	}
	p.endLabel(s)
}

// isCSwitch reports whether C has the switch: it needs an integer, and cases that are distinct constants.
func (p *Printer) isCSwitch(s *kernel.Switch) bool {
	if s.Tag == nil || !kernel.Scalar(s.Tag.Type()).Integer() {
		return false
	}
	seen := map[string]bool{}
	for _, c := range s.Cases {
		for _, v := range c.Values {
			lit, ok := v.(*kernel.Lit)
			if !ok || seen[lit.Value.ExactString()] {
				return false
			}
			seen[lit.Value.ExactString()] = true
		}
	}
	return true
}

// cSwitch prints a switch of C. Cases of Go break by themselves, and declare in a block of their own.
func (p *Printer) cSwitch(s *kernel.Switch) {
	p.w.Line("switch (%s) {", p.expr(s.Tag))
	p.inside = append(p.inside, s)
	for _, c := range s.Cases {
		for _, v := range c.Values {
			p.w.Line("case %s:", p.expr(v))
		}
		if c.Default {
			p.w.Line("default:")
		}
		p.w.Under("{")
		p.w.Indent(2)
		p.stmts(c.Body)
		p.w.Indent(-2)
		p.w.Under("}")
		if !c.Fallthrough {
			p.w.Under("break;")
		}
	}
	p.inside = p.inside[:len(p.inside)-1]
	p.w.Line("}")
}

// chain prints the switch as ifs. A break becomes a goto, since there is nothing in C for it to leave, and so
// does falling through.
func (p *Printer) chain(s *kernel.Switch) {
	tag, own := facts.Tag(s)
	if own != nil {
		p.w.Open("{")
		defer p.w.Close("")
		mark := p.scope.Enter()
		defer p.scope.Leave(mark)
		p.declare(&kernel.Decl{Var: own, Init: s.Tag})
	}
	first := facts.Ifs(s, tag)
	switch {
	case facts.FallsThrough(s):
		p.jumpTable(s, tag)
	case first == nil:
	case len(s.Cases) == 1 && s.Cases[0].Default:
		p.stmt(first.Then)
	default:
		p.ifElse(first)
	}
}

// jumpTable prints ifs that jump to the bodies, which follow in order. A body that falls through runs into the next one,
// and the others jump to the end. The default is where the last of the tests leads on, wherever its body is, as a case
// of Go's is preferred to the default that stands before it.
func (p *Printer) jumpTable(s *kernel.Switch, tag kernel.Expr) {
	bodies := make([]string, len(s.Cases)) // labels
	for i, c := range s.Cases {
		if c.Fallthrough && i+1 < len(s.Cases) {
			bodies[i+1] = p.label("body")
		}
	}
	end := labelKey{s, false}
	if p.labels[end] == "" {
		p.labels[end] = p.label("done")
	}
	otherwise := p.labels[end]
	for i, c := range s.Cases {
		if bodies[i] == "" {
			bodies[i] = p.label("body")
		}
		if c.Default {
			otherwise = bodies[i]
		} else {
			p.w.Line("if (%s) goto %s;", p.expr(facts.CaseCond(tag, c)), bodies[i])
		}
	}
	p.w.Line("goto %s;", otherwise)
	for i, c := range s.Cases {
		p.w.Line("%s:;", bodies[i])
		p.stmt(c.Body)
		if !c.Fallthrough {
			p.w.Line("goto %s;", p.labels[end])
		}
	}
}
