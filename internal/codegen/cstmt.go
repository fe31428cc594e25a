package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

func (p *printer) stmts(b *kernel.Block) {
	if b == nil {
		return
	}
	mark := p.scope.enter()
	for _, s := range b.Stmts {
		p.stmt(s)
	}
	p.scope.leave(mark)
}

func (p *printer) stmt(s kernel.Stmt) {
	switch s := s.(type) {
	case *kernel.Block:
		p.w.open("{")
		p.stmts(s)
		p.w.close("")
	case *kernel.Decl:
		p.declare(s)
	case *kernel.Assign:
		p.assign(s)
	case *kernel.Do:
		p.do(s)
	case *kernel.If:
		p.ifElse(s)
	case *kernel.For:
		p.forLoop(s)
	case *kernel.Switch:
		p.switchCase(s)
	case *kernel.Branch:
		p.branch(s)
	case *kernel.Return:
		p.ret(s)
	default:
		panic(fmt.Sprintf("codegen: no C for statement %T", s))
	}
}

// declare prints a declaration. The initial value is printed before the variable
// has its name: in Go it still sees an outer one of the same name.
func (p *printer) declare(s *kernel.Decl) {
	switch init := s.Init.(type) {
	case nil:
		name := p.scope.declare(s.Var)
		p.w.line("%s = %s;", p.decl(s.Var.Type, name), p.zero(s.Var.Type))
	case *kernel.Composite:
		if p.plain(init) {
			text := p.initializer(init)
			p.w.line("%s = %s;", p.decl(s.Var.Type, p.scope.declare(s.Var)), text)
			return
		}
		p.build(s.Var, init)
	default:
		text := p.value(init)
		name := p.scope.declare(s.Var)
		if isArray(s.Var.Type) {
			p.w.line("%s;", p.decl(s.Var.Type, name))
			p.copyArray(name, text, "sizeof "+name, init)
			return
		}
		p.w.line("%s = %s;", p.decl(s.Var.Type, name), text)
	}
}

// zero is the initializer of a zero value of t.
func (p *printer) zero(t kernel.Type) string {
	switch s := kernel.Scalar(t); {
	case s == loop.Invalid, p.lanes && s == loop.Float64:
		return "{0}"
	case s == loop.Bool:
		return "false"
	}
	return "0"
}

// plain reports whether C has an initializer for c: none of its elements is an
// array that is not itself written out.
func (p *printer) plain(c *kernel.Composite) bool {
	for _, e := range c.Elems {
		if e == nil {
			continue
		}
		inner, ok := e.(*kernel.Composite)
		if ok && !p.plain(inner) || !ok && isArray(e.Type()) {
			return false
		}
	}
	return true
}

// initializer is c in braces.
func (p *printer) initializer(c *kernel.Composite) string {
	elems := make([]string, len(c.Elems))
	last := 0 // elements after the last that is given are zero in C too
	for i, e := range c.Elems {
		switch e := e.(type) {
		case nil:
			elems[i] = p.zero(elemType(c.Type(), i))
			continue
		case *kernel.Composite:
			elems[i] = p.initializer(e)
		default:
			elems[i] = p.value(e)
		}
		last = i + 1
	}
	if last == 0 {
		return "{0}"
	}
	return "{" + strings.Join(elems[:last], ", ") + "}"
}

func elemType(t kernel.Type, i int) kernel.Type {
	switch t := t.(type) {
	case *kernel.Array:
		return t.Elem
	case *kernel.Struct:
		return t.Fields[i].Type
	}
	panic(fmt.Sprintf("codegen: %s has no elements", t))
}

// build declares v and sets it element by element, for a composite without a C
// initializer.
func (p *printer) build(v *kernel.Var, c *kernel.Composite) {
	name := p.scope.fresh(v.Name)
	p.w.line("%s = {0};", p.decl(v.Type, name))
	p.fill(name, c)
	p.scope.vars[v] = name
}

func (p *printer) fill(place string, c *kernel.Composite) {
	for i, e := range c.Elems {
		if e == nil {
			continue
		}
		at := fmt.Sprintf("%s[%d]", place, i)
		if s, ok := c.Type().(*kernel.Struct); ok {
			at = place + "." + cName(s.Fields[i].Name)
		}
		if inner, ok := e.(*kernel.Composite); ok {
			p.fill(at, inner)
		} else {
			p.store(at, e)
		}
	}
}

// store prints place = e.
func (p *printer) store(place string, e kernel.Expr) {
	if isArray(e.Type()) {
		p.copyArray(place, p.expr(e), p.sizeof(e.Type()), e)
		return
	}
	p.w.line("%s = %s;", place, p.value(e))
}

// copyArray prints place = e for an array, which C calls text. On packs, a const
// holds values where place has vectors.
func (p *printer) copyArray(place, text, size string, e kernel.Expr) {
	_, written := e.(*kernel.Composite)
	if p.lanes && kernel.Leaf(e.Type()) == loop.Float64 && uniform(e) && !written {
		c := p.scope.fresh("c")
		p.w.line("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++) ((vec *)%[3]s)[%[1]s] = vec_all(((const double *)%[4]s)[%[1]s]);",
			c, kernel.Count(e.Type()), place, text)
		return
	}
	p.w.line("memcpy(%s, %s, %s);", place, text, size)
}

func (p *printer) sizeof(t kernel.Type) string {
	return "sizeof(" + p.ctype(t) + dims(t) + ")"
}

func (p *printer) assign(s *kernel.Assign) {
	if c, ok := s.R.(*kernel.Composite); ok && !p.plain(c) {
		// the elements may read what is being assigned: build it apart
		v := &kernel.Var{Name: "value", Type: c.Type()}
		p.build(v, c)
		s = &kernel.Assign{L: s.L, R: &kernel.Ref{At: kernel.At{T: v.Type}, Var: v}}
	}
	if isArray(s.L.Type()) {
		p.copyArray(p.expr(s.L), p.expr(s.R), p.sizeof(s.L.Type()), s.R)
		return
	}
	p.w.line("%s;", p.assignText(s))
}

// assignText is an assignment to a scalar or struct, without its semicolon.
func (p *printer) assignText(s *kernel.Assign) string {
	if s.Op == kernel.None {
		return p.expr(s.L) + " = " + p.value(s.R)
	}
	whole := &kernel.Binary{At: kernel.At{T: s.L.Type(), At: s.Pos}, Op: s.Op, X: s.L, Y: s.R}
	if !p.sameInC(whole) {
		return p.expr(s.L) + " = " + p.expr(whole)
	}
	if one, ok := s.R.(*kernel.Lit); ok && kernel.Scalar(s.L.Type()).Integer() && one.Value.ExactString() == "1" {
		switch s.Op {
		case kernel.Add:
			return p.operand(s.L, precPostfix) + "++"
		case kernel.Sub:
			return p.operand(s.L, precPostfix) + "--"
		}
	}
	if s.Op == kernel.AndNot {
		return p.expr(s.L) + " &= ~" + p.operand(s.R, precUnary)
	}
	return p.expr(s.L) + " " + s.Op.String() + "= " + p.expr(s.R)
}

func (p *printer) do(s *kernel.Do) {
	switch {
	case s.X != nil:
		p.w.line("(void)%s;", p.operand(s.X, precUnary))
	case s.Math != nil:
		p.w.line("%s;", p.mathInto(s.Math, p.into(s)))
	case outs(s.Call.Func):
		args := p.args(s.Call)
		args = append(args, p.into(s)...)
		p.w.line("%s(%s);", p.funcs[s.Call.Func], strings.Join(args, ", "))
	case len(s.Into) == 1 && s.Into[0] != nil:
		p.w.line("%s = %s;", p.scope.vars[s.Into[0]], p.expr(s.Call))
	default:
		p.w.line("%s;", p.expr(s.Call))
	}
}

// into are pointers to the variables that take the results of a call; results
// that nobody wants get a variable too.
func (p *printer) into(s *kernel.Do) []string {
	var types []kernel.Type
	if s.Math != nil {
		types = mathResults(s.Math.Name)
	} else {
		types = s.Call.Func.Results
	}
	pointers := make([]string, len(types))
	for i, t := range types {
		var name string
		if i < len(s.Into) && s.Into[i] != nil {
			name = p.scope.vars[s.Into[i]]
		} else {
			name = p.scope.fresh("unused")
			p.w.line("%s;", p.decl(t, name))
		}
		if !isArray(t) {
			name = "&" + name
		}
		pointers[i] = name
	}
	return pointers
}

func (p *printer) ifElse(s *kernel.If) {
	p.w.open("if (%s) {", p.expr(s.Cond))
	p.stmts(s.Then)
	for {
		switch e := s.Else.(type) {
		case *kernel.If:
			p.w.depth--
			p.w.open("} else if (%s) {", p.expr(e.Cond))
			p.stmts(e.Then)
			s = e
			continue
		case *kernel.Block:
			if e != nil {
				p.w.depth--
				p.w.open("} else {")
				p.stmts(e)
			}
		case nil:
		default:
			p.w.depth--
			p.w.open("} else {")
			p.stmt(e)
		}
		p.w.close("")
		return
	}
}

func (p *printer) forLoop(s *kernel.For) {
	head := func(t kernel.Stmt) string {
		switch t := t.(type) {
		case nil:
			return ""
		case *kernel.Decl:
			init := p.zero(t.Var.Type)
			if t.Init != nil {
				init = p.expr(t.Init)
			}
			return p.decl(t.Var.Type, p.scope.declare(t.Var)) + " = " + init
		case *kernel.Assign:
			return p.assignText(t)
		}
		panic(fmt.Sprintf("codegen: %T in the head of a for loop", t))
	}
	mark := p.scope.enter()
	init := head(s.Init)
	cond := ""
	if s.Cond != nil {
		cond = " " + p.expr(s.Cond)
	}
	post := head(s.Post)
	if post != "" {
		post = " " + post
	}
	if init+post == "" && cond != "" {
		p.w.open("while (%s) {", cond[1:])
	} else {
		p.w.open("for (%s;%s;%s) {", init, cond, post)
	}
	p.inside = append(p.inside, s)
	p.stmts(s.Body)
	p.inside = p.inside[:len(p.inside)-1]
	if label, ok := p.labels[labelKey{s, true}]; ok {
		p.w.line("%s:;", label)
	}
	p.w.close("")
	p.scope.leave(mark)
	p.endLabel(s)
}

// endLabel prints the label that gotos out of s jump to, if there are any.
func (p *printer) endLabel(s kernel.Stmt) {
	if label, ok := p.labels[labelKey{s, false}]; ok {
		p.w.line("%s:;", label)
	}
}

// label is a label that the function at hand does not have yet.
func (p *printer) label(name string) string { return p.labelNames.fresh(name) }

// branch prints break and continue, or a goto where C's would take the wrong target.
func (p *printer) branch(s *kernel.Branch) {
	if s.Continue {
		for i := len(p.inside) - 1; i >= 0; i-- {
			if _, isLoop := p.inside[i].(*kernel.For); isLoop {
				if p.inside[i] == s.Target {
					p.w.line("continue;")
					return
				}
				break
			}
		}
	} else if n := len(p.inside); n > 0 && p.inside[n-1] == s.Target {
		p.w.line("break;")
		return
	}
	key := labelKey{s.Target, s.Continue}
	if p.labels[key] == "" {
		name := "done"
		if s.Continue {
			name = "next"
		}
		p.labels[key] = p.label(name)
	}
	p.w.line("goto %s;", p.labels[key])
}

func (p *printer) ret(s *kernel.Return) {
	if outs(p.fn) {
		for i, e := range s.Results {
			if isArray(e.Type()) {
				p.store(p.results[i], e)
			} else {
				p.store("*"+p.results[i], e)
			}
		}
		p.w.line("return;")
		return
	}
	if len(s.Results) == 0 {
		p.w.line("return;")
		return
	}
	if c, ok := s.Results[0].(*kernel.Composite); ok && !p.plain(c) {
		v := &kernel.Var{Name: "value", Type: c.Type()}
		p.build(v, c)
		p.w.line("return %s;", p.scope.vars[v])
		return
	}
	p.w.line("return %s;", p.value(s.Results[0]))
}
