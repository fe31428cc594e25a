package ckernel

import (
	"slices"
	"strings"

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

// chain prints the switch as ifs. The tag is evaluated once; a variable, which does not change
// before a case is chosen, is its own tag. A break becomes a goto, since there is nothing in C for
// it to leave, and so does falling through.
func (p *Printer) chain(s *kernel.Switch) {
	tag := s.Tag
	if _, variable := tag.(*kernel.Ref); tag != nil && !variable {
		p.w.Open("{")
		defer p.w.Close("")
		mark := p.scope.Enter()
		defer p.scope.Leave(mark)
		v := &kernel.Var{Name: "tag", Type: tag.Type()}
		p.declare(&kernel.Decl{Var: v, Init: tag})
		tag = kernel.NewRef(v, tag.Pos())
	}
	bodies := make([]string, len(s.Cases)) // labels of the bodies that are fallen into
	for i, c := range s.Cases {
		if c.Fallthrough && i+1 < len(s.Cases) {
			bodies[i+1] = p.label("body")
		}
	}
	conds := make([]string, len(s.Cases))
	otherwise := -1
	for i, c := range s.Cases {
		if c.Default {
			otherwise = i
		}
		conds[i] = p.caseCond(tag, c)
	}
	if fallsThrough(s) {
		p.jumpTable(s, conds, otherwise, bodies)
	} else {
		first := true
		for i, c := range s.Cases {
			if i == otherwise {
				continue
			}
			if first {
				p.w.Open("if (%s) {", conds[i])
			} else {
				p.w.Reopen("} else if (%s) {", conds[i])
			}
			first = false
			p.stmts(c.Body)
		}
		if otherwise >= 0 {
			if first {
				p.w.Open("{")
			} else {
				p.w.Reopen("} else {")
			}
			first = false
			p.stmts(s.Cases[otherwise].Body)
		}
		if !first {
			p.w.Close("")
		}
	}
}

// jumpTable prints ifs that jump to the bodies, which follow in order.
func (p *Printer) jumpTable(s *kernel.Switch, conds []string, otherwise int, bodies []string) {
	end := labelKey{s, false}
	if p.labels[end] == "" {
		p.labels[end] = p.label("done")
	}
	for i := range s.Cases {
		if bodies[i] == "" {
			bodies[i] = p.label("body")
		}
		if i != otherwise {
			p.w.Line("if (%s) goto %s;", conds[i], bodies[i])
		}
	}
	if otherwise >= 0 {
		p.w.Line("goto %s;", bodies[otherwise])
	} else {
		p.w.Line("goto %s;", p.labels[end])
	}
	for i, c := range s.Cases {
		p.w.Line("%s:;", bodies[i])
		p.w.Open("{")
		p.stmts(c.Body)
		p.w.Close("")
		if !c.Fallthrough {
			p.w.Line("goto %s;", p.labels[end])
		}
	}
}

func fallsThrough(s *kernel.Switch) bool {
	return slices.ContainsFunc(s.Cases, func(c *kernel.Case) bool { return c.Fallthrough })
}

func (p *Printer) caseCond(tag kernel.Expr, c *kernel.Case) string {
	var conds []string
	for _, v := range c.Values {
		if tag != nil {
			v = &kernel.Binary{At: kernel.At{T: facts.BoolType, At: v.Pos()}, Op: kernel.Eq, X: tag, Y: v}
		}
		if len(c.Values) == 1 {
			conds = append(conds, p.expr(v))
		} else {
			conds = append(conds, p.within(v, precLOr, kernel.LOr))
		}
	}
	return strings.Join(conds, " || ")
}
