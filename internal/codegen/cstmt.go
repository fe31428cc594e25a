package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/mathfn"
)

func (p *printer) stmts(b *kernel.Block) {
	if b == nil {
		return
	}
	mark := p.scope.enter()
	if p.lanes != nil {
		p.laneStmts(b)
	} else {
		for _, s := range b.Stmts {
			p.stmt(s)
		}
	}
	p.scope.leave(mark)
}

func (p *printer) stmt(s kernel.Stmt) {
	split := p.splits(s)
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
		if split {
			p.splitIf(s)
		} else {
			p.ifElse(s)
		}
	case *kernel.For:
		if split {
			p.splitLoop(s)
		} else {
			p.forLoop(s)
		}
	case *kernel.Switch:
		if split {
			p.splitSwitch(s)
		} else {
			p.switchCase(s)
		}
	case *kernel.Branch:
		if p.splits(s.Target) {
			p.splitBranch(s)
		} else {
			p.branch(s)
		}
	case *kernel.Barrier:
		p.barrier(s)
	case *kernel.Return:
		p.ret(s)
	default:
		panic(fmt.Sprintf("codegen: no C for statement %T", s))
	}
}

// declare prints a declaration. It prints the initial value before it names the variable: in Go the
// value still refers to an outer variable of the same name.
func (p *printer) declare(s *kernel.Decl) {
	each := p.eachOf(s.Var)
	switch init := s.Init.(type) {
	case nil:
		name := p.scope.declare(s.Var)
		p.w.line("%s = %s;", p.decl(s.Var.Type, name, each), p.zero(s.Var.Type, each))
	case *kernel.Composite:
		if p.plain(init) {
			text := p.initializer(init, each)
			p.w.line("%s = %s;", p.decl(s.Var.Type, p.scope.declare(s.Var), each), text)
			return
		}
		p.build(s.Var, init)
	default:
		if isArray(s.Var.Type) {
			text := p.expr(init)
			name := p.scope.declare(s.Var)
			p.w.line("%s;", p.decl(s.Var.Type, name, each))
			p.copyArray(name, text, "sizeof "+name, init, each)
			return
		}
		text := p.value(init, each)
		name := p.scope.declare(s.Var)
		p.w.line("%s = %s;", p.decl(s.Var.Type, name, each), text)
	}
}

// build declares v and sets it element by element, for a composite without a C initializer.
func (p *printer) build(v *kernel.Var, c *kernel.Composite) {
	name := p.scope.fresh(v.Name)
	each := p.eachOf(v)
	p.w.line("%s = %s;", p.decl(v.Type, name, each), p.zero(v.Type, each))
	p.fill(name, c, each)
	p.scope.vars[v] = name
}

func (p *printer) fill(place string, c *kernel.Composite, each bool) {
	for i, e := range c.Elems {
		if e == nil {
			continue
		}
		at := fmt.Sprintf("%s[%d]", place, i)
		if s, ok := c.Type().(*kernel.Struct); ok {
			at = place + "." + p.fields[s][s.Fields[i].Name]
		}
		if inner, ok := e.(*kernel.Composite); ok {
			p.fill(at, inner, each)
		} else {
			p.store(at, e, each)
		}
	}
}

// store prints place = e.
func (p *printer) store(place string, e kernel.Expr, each bool) {
	if isArray(e.Type()) {
		p.copyArray(place, p.value(e, each && isComposite(e)), p.sizeof(e.Type(), each), e, each)
		return
	}
	p.w.line("%s = %s;", place, p.value(e, each))
}

// copyArray prints place = e for an array, where text is e in C. On packs, a const holds scalars
// where place has vectors.
func (p *printer) copyArray(place, text, size string, e kernel.Expr, each bool) {
	if each && !isComposite(e) && !p.lanes.each(e) {
		p.copyLanes(place, e, "")
		return
	}
	p.copyValues(place, text, size, e.Type())
}

func (p *printer) sizeof(t kernel.Type, each bool) string {
	return "sizeof(" + p.ctype(t, each) + dims(t) + ")"
}

func (p *printer) assign(s *kernel.Assign) {
	if p.each(s.L) && isArray(s.L.Type()) {
		if m := p.storeMask(kernel.Root(s.L)); m != "" {
			p.copyLanes(p.expr(s.L), s.R, m)
			return
		}
	}
	if c, ok := s.R.(*kernel.Composite); ok && !p.plain(c) {
		// The elements may read the assigned variable: build the value separately.
		v := &kernel.Var{Name: "value", Type: c.Type()}
		if p.each(s.L) {
			p.lanes.varying[v] = true
		}
		p.build(v, c)
		s = &kernel.Assign{L: s.L, R: kernel.NewRef(v, kernel.Pos{})}
	}
	if isArray(s.L.Type()) {
		each := p.each(s.L)
		p.copyArray(p.expr(s.L), p.value(s.R, each && isComposite(s.R)), p.sizeof(s.L.Type(), each), s.R, each)
		return
	}
	p.w.line("%s;", p.assignText(s))
}

// assignText prints an assignment to a scalar or struct, without its semicolon.
func (p *printer) assignText(s *kernel.Assign) string {
	if p.each(s.L) {
		return p.laneAssign(s)
	}
	if s.Op == kernel.None {
		return p.expr(s.L) + " = " + p.expr(s.R)
	}
	whole := &kernel.Binary{At: kernel.At{T: s.L.Type(), At: s.Pos}, Op: s.Op, X: s.L, Y: s.R, Fits: s.Fits}
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
		p.w.line("%s(%s);", p.funcs[s.Call.Func], strings.Join(p.callArgs(s.Call, p.into(s)), ", "))
		p.assignValues()
	case len(s.Into) == 1 && s.Into[0] != nil:
		v := s.Into[0]
		p.w.line("%s;", p.assignText(&kernel.Assign{L: kernel.NewRef(v, kernel.Pos{}), R: s.Call}))
	default:
		p.w.line("%s;", p.expr(s.Call))
	}
}

// into returns pointers to the variables that receive the results of a call; unused results get a
// variable, too.
func (p *printer) into(s *kernel.Do) []string {
	var types []kernel.Type
	if s.Math != nil {
		for _, s := range mathfn.Lookup(s.Math.Name).Results {
			types = append(types, kernel.Basic(s))
		}
	} else {
		types = s.Call.Func.Results
	}
	pointers := make([]string, len(types))
	for i, t := range types {
		var name string
		each := p.lanes != nil && p.lanes.result(s.Call.Func, i)
		switch v := wanted(s, i); {
		case v == nil:
			name = p.scope.fresh("unused")
			p.w.line("%s;", p.decl(t, name, each))
		case p.lanes != nil && p.apart(v, each):
			name = p.declareValue(v, each)
		default:
			name = p.scope.vars[v]
		}
		if !isArray(t) {
			name = "&" + name
		}
		pointers[i] = name
	}
	return pointers
}

// wanted returns the variable that receives result i of a call; nil if there is none.
func wanted(s *kernel.Do, i int) *kernel.Var {
	if i < len(s.Into) {
		return s.Into[i]
	}
	return nil
}

func (p *printer) ifElse(s *kernel.If) {
	p.w.open("if (%s) {", p.expr(s.Cond))
	p.stmts(s.Then)
	for {
		if e, ok := s.Else.(*kernel.If); ok && !p.splits(e) {
			p.w.depth--
			p.w.open("} else if (%s) {", p.expr(e.Cond))
			p.stmts(e.Then)
			s = e
			continue
		}
		switch e := s.Else.(type) {
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
	mark := p.scope.enter()
	init := p.loopHead(s.Init)
	cond := ""
	if s.Cond != nil {
		cond = " " + p.expr(s.Cond)
	}
	if p.stops(s) {
		cond = " " + p.goesOn(s.Cond)
	}
	post := p.loopHead(s.Post)
	if post != "" {
		post = " " + post
	}
	if init+post == "" && cond != "" {
		p.w.open("while (%s) {", cond[1:])
	} else {
		p.w.open("%sfor (%s;%s;%s) {", p.unroll(s), init, cond, post)
	}
	p.inside = append(p.inside, s)
	// In C++ a goto must not pass a declaration in its own block.
	apart := p.device != nil && continuedFromWithin(s)
	if apart {
		p.w.open("{")
	}
	p.stmts(s.Body)
	if apart {
		p.w.close("")
	}
	p.inside = p.inside[:len(p.inside)-1]
	if label, ok := p.labels[labelKey{s, true}]; ok {
		p.w.line("%s:;", label)
	}
	p.w.close("")
	p.scope.leave(mark)
	p.endLabel(s)
}

// loopHead prints a statement in the head of a for loop.
func (p *printer) loopHead(t kernel.Stmt) string {
	switch t := t.(type) {
	case nil:
		return ""
	case *kernel.Decl:
		each := p.eachOf(t.Var)
		init := p.zero(t.Var.Type, each)
		if t.Init != nil {
			init = p.value(t.Init, each)
		}
		return p.decl(t.Var.Type, p.scope.declare(t.Var), each) + " = " + init
	case *kernel.Assign:
		return p.assignText(t)
	}
	panic(fmt.Sprintf("codegen: %T in the head of a for loop", t))
}

// endLabel prints the label that gotos out of s jump to, if there are any.
func (p *printer) endLabel(s kernel.Stmt) {
	if label, ok := p.labels[labelKey{s, false}]; ok {
		p.w.line("%s:;", label)
	}
}

// label returns a new label of the current function.
func (p *printer) label(name string) string { return p.labelNames.fresh(name) }

// branch prints break and continue, or a goto where C's would have the wrong target.
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
	if p.lanes != nil && p.lanes.leaves[p.fn] && p.top().mask != "" {
		p.laneReturn(s)
		return
	}
	each := func(i int) bool { return p.lanes != nil && p.lanes.result(p.fn, i) }
	if outs(p.fn) {
		for i, e := range s.Results {
			if isArray(e.Type()) {
				p.store(p.results[i], e, each(i))
			} else {
				p.store("*"+p.results[i], e, each(i))
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
	p.w.line("return %s;", p.value(s.Results[0], each(0)))
}
