package ckernel

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/mathfn"
)

func (p *Printer) stmts(b *kernel.Block) {
	if b == nil {
		return
	}
	mark := p.scope.Enter()
	p.laneStmts(b)
	p.scope.Leave(mark)
}

// stmt prints a statement: under masks if it splits a pack, whose elements may take different paths through it.
func (p *Printer) stmt(s kernel.Stmt) {
	split := p.lanes.Splits(s)
	switch s := s.(type) {
	case *kernel.Block:
		p.w.Open("{")
		p.stmts(s)
		p.w.Close("")
	case *kernel.Decl:
		p.declare(s)
	case *kernel.Assign:
		p.assign(s)
	case *kernel.Do:
		p.do(s)
	case *kernel.If:
		either(split, p.splitIf, p.ifElse)(s)
	case *kernel.For:
		either(split, p.splitLoop, p.forLoop)(s)
	case *kernel.Switch:
		either(split, p.splitSwitch, p.switchCase)(s)
	case *kernel.Branch:
		either(p.lanes.Splits(s.Target), p.splitBranch, p.branch)(s)
	case *kernel.Barrier:
		p.barrier(s)
	case *kernel.Return:
		p.ret(s)
	default:
		panic(fmt.Sprintf("codegen: no C for statement %T", s))
	}
}

// either returns how a statement is printed: where elements take different paths, or all the same.
func either[S kernel.Stmt](split bool, masked, plain func(S)) func(S) {
	if split {
		return masked
	}
	return plain
}

// declare prints a declaration. It prints the initial value before it names the variable: in Go the
// value still refers to an outer variable of the same name.
func (p *Printer) declare(s *kernel.Decl) {
	each := p.lanes.Varies(s.Var)
	switch init := s.Init.(type) {
	case nil:
		name := p.name(s.Var)
		p.w.Line("%s = %s;", p.Decl(s.Var.Type, name, each), p.zero(s.Var.Type, each))
	case *kernel.Composite:
		if p.plain(init) {
			text := p.initializer(init, each)
			p.w.Line("%s = %s;", p.Decl(s.Var.Type, p.name(s.Var), each), text)
			return
		}
		p.build(s.Var, init)
	default:
		if facts.IsArray(s.Var.Type) {
			text := p.expr(init)
			name := p.name(s.Var)
			p.w.Line("%s;", p.Decl(s.Var.Type, name, each))
			p.copyArray(name, text, "sizeof "+name, init, each)
			return
		}
		text := p.value(init, each)
		name := p.name(s.Var)
		p.w.Line("%s = %s;", p.Decl(s.Var.Type, name, each), text)
	}
}

// build declares v and sets it element by element, for a composite without a C initializer.
func (p *Printer) build(v *kernel.Var, c *kernel.Composite) {
	name := p.scope.Fresh(v.Name)
	each := p.lanes.Varies(v)
	p.w.Line("%s = %s;", p.Decl(v.Type, name, each), p.zero(v.Type, each))
	p.fill(name, c, each)
	p.vars[v] = name
}

// fill sets the elements of a place that is zero: those that are given, and what inner composites give.
func (p *Printer) fill(place string, c *kernel.Composite, each bool) {
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

// fillResult sets all elements of a result, value by value: compilers then see which are constant where the function
// is inlined.
func (p *Printer) fillResult(place string, c *kernel.Composite, each bool) {
	for i, e := range c.Elems {
		at := fmt.Sprintf("%s[%d]", place, i)
		t := kernel.PartType(c.Type(), i)
		switch inner, ok := e.(*kernel.Composite); {
		case ok && facts.IsArray(t):
			p.fillResult(at, inner, each)
		case e == nil && facts.IsArray(t):
			p.fillResult(at, &kernel.Composite{At: kernel.At{T: t}, Elems: make([]kernel.Expr, t.(*kernel.Array).Len)}, each)
		case e == nil:
			p.store(at, kernel.NewZero(t, c.Pos()), each)
		default:
			p.store(at, e, each)
		}
	}
}

// store prints place = e.
func (p *Printer) store(place string, e kernel.Expr, each bool) {
	if facts.IsArray(e.Type()) {
		p.copyArray(place, p.value(e, each && facts.IsComposite(e)), p.sizeof(e.Type(), each), e, each)
		return
	}
	p.w.Line("%s = %s;", place, p.value(e, each))
}

// copyArray prints place = e for an array, where text is e in C. On packs, a const holds scalars
// where place has vectors.
func (p *Printer) copyArray(place, text, size string, e kernel.Expr, each bool) {
	if each && !facts.IsComposite(e) && !p.lanes.Each(e) {
		p.copyLanes(place, e, "")
		return
	}
	p.copyValues(place, text, size, e.Type())
}

func (p *Printer) sizeof(t kernel.Type, each bool) string {
	return "sizeof(" + p.Ctype(t, each) + dims(t) + ")"
}

// assign prints an assignment. Arrays are copied, under a mask where only some elements of a pack assign.
func (p *Printer) assign(s *kernel.Assign) {
	if p.lanes.Each(s.L) && facts.IsArray(s.L.Type()) {
		if m := p.storeMask(kernel.Root(s.L)); m != "" {
			p.copyLanes(p.expr(s.L), s.R, m)
			return
		}
	}
	if c, ok := s.R.(*kernel.Composite); ok && !p.plain(c) {
		// The elements may read the assigned variable: build the value separately.
		v := &kernel.Var{Name: "value", Type: c.Type()}
		if p.lanes.Each(s.L) {
			p.lanes.Declare(v, true)
		}
		p.build(v, c)
		s = &kernel.Assign{L: s.L, R: kernel.NewRef(v, kernel.Pos{})}
	}
	if facts.IsArray(s.L.Type()) {
		each := p.lanes.Each(s.L)
		p.copyArray(p.expr(s.L), p.value(s.R, each && facts.IsComposite(s.R)), p.sizeof(s.L.Type(), each), s.R, each)
		return
	}
	p.w.Line("%s;", p.assignText(s))
}

// assignText prints an assignment to a scalar or struct, without its semicolon.
func (p *Printer) assignText(s *kernel.Assign) string {
	if p.lanes.Each(s.L) {
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

// do prints an expression, or a call whose results go to variables.
func (p *Printer) do(s *kernel.Do) {
	switch {
	case s.X != nil:
		p.w.Line("(void)%s;", p.operand(s.X, precUnary))
	case s.Math != nil:
		p.w.Line("%s;", p.mathInto(s.Math, p.into(s)))
	case facts.Outs(s.Call.Func):
		p.w.Line("%s(%s);", p.funcs[s.Call.Func], strings.Join(p.callArgs(s.Call, p.into(s)), ", "))
		p.assignValues()
	case len(s.Into) == 1 && s.Into[0] != nil:
		v := s.Into[0]
		p.w.Line("%s;", p.assignText(&kernel.Assign{L: kernel.NewRef(v, kernel.Pos{}), R: s.Call}))
	default:
		p.w.Line("%s;", p.expr(s.Call))
	}
}

// into returns pointers to the variables that receive the results of a call; unused results get a
// variable, too.
func (p *Printer) into(s *kernel.Do) []string {
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
		each := s.Call != nil && p.lanes.Result(s.Call.Func, i)
		switch v := wanted(s, i); {
		case v == nil:
			name = p.scope.Fresh("unused")
			p.w.Line("%s;", p.Decl(t, name, each))
		case p.apart(v, each):
			name = p.declareValue(v, each)
		default:
			name = p.vars[v]
		}
		if !facts.IsArray(t) {
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

// ifElse prints an if that all elements take the same way, and those in its else branches as one chain, up to one
// at which elements part.
func (p *Printer) ifElse(s *kernel.If) {
	p.w.Open("if (%s) {", p.expr(s.Cond))
	p.stmts(s.Then)
	for {
		if e, ok := s.Else.(*kernel.If); ok && !p.lanes.Splits(e) {
			p.w.Reopen("} else if (%s) {", p.expr(e.Cond))
			p.stmts(e.Then)
			s = e
			continue
		}
		switch e := s.Else.(type) {
		case *kernel.Block:
			if e != nil {
				p.w.Reopen("} else {")
				p.stmts(e)
			}
		case nil:
		default:
			p.w.Reopen("} else {")
			p.stmt(e)
		}
		p.w.Close("")
		return
	}
}

// forLoop prints a loop that all elements leave together. The label that a continue from within a switch jumps to
// is the last thing in the body; where jumps must not lead past declarations, those have a block of their own.
func (p *Printer) forLoop(s *kernel.For) {
	mark := p.scope.Enter()
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
		p.w.Open("while (%s) {", cond[1:])
	} else {
		p.w.Open("%sfor (%s;%s;%s) {", p.unroll(s), init, cond, post)
	}
	p.inside = append(p.inside, s)
	apart := !p.target.Jumps && facts.ContinuedFromWithin(s) // the declarations in a block of their own
	if apart {
		p.w.Open("{")
	}
	p.stmts(s.Body)
	if apart {
		p.w.Close("")
	}
	p.inside = p.inside[:len(p.inside)-1]
	if label, ok := p.labels[labelKey{s, true}]; ok {
		p.w.Line("%s:;", label)
	}
	p.w.Close("")
	p.scope.Leave(mark)
	p.endLabel(s)
}

// stops reports whether a loop has to end when something in it has failed.
func (p *Printer) stops(s *kernel.For) bool {
	if p.target.Leaves {
		return false
	}
	fails, _ := p.examine(s)
	return fails
}

// goesOn returns the condition of a loop that ends when something has failed.
func (p *Printer) goesOn(cond kernel.Expr) string {
	if cond == nil {
		return "!op2->failed"
	}
	return "!op2->failed && " + p.operand(cond, precLAnd)
}

// loopHead prints a statement in the head of a for loop.
func (p *Printer) loopHead(t kernel.Stmt) string {
	switch t := t.(type) {
	case nil:
		return ""
	case *kernel.Decl:
		each := p.lanes.Varies(t.Var)
		init := p.zero(t.Var.Type, each)
		if t.Init != nil {
			init = p.value(t.Init, each)
		}
		return p.Decl(t.Var.Type, p.name(t.Var), each) + " = " + init
	case *kernel.Assign:
		return p.assignText(t)
	}
	panic(fmt.Sprintf("codegen: %T in the head of a for loop", t))
}

// endLabel prints the label that gotos out of s jump to, if there are any.
func (p *Printer) endLabel(s kernel.Stmt) {
	if label, ok := p.labels[labelKey{s, false}]; ok {
		p.w.Line("%s:;", label)
	}
}

func (p *Printer) label(name string) string { return p.labelNames.Fresh(name) }

// branch prints break and continue, or a goto where C's would have the wrong target: break leaves the innermost loop or
// switch, p.inside's last, and continue goes on with the innermost loop, also from within a switch. The target may be
// farther out, or a switch that is printed as ifs.
func (p *Printer) branch(s *kernel.Branch) {
	if s.Continue {
		for i := len(p.inside) - 1; i >= 0; i-- {
			if _, isLoop := p.inside[i].(*kernel.For); isLoop {
				if p.inside[i] == s.Target {
					p.w.Line("continue;")
					return
				}
				break
			}
		}
	} else if n := len(p.inside); n > 0 && p.inside[n-1] == s.Target {
		p.w.Line("break;")
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
	p.w.Line("goto %s;", p.labels[key])
}

// ret prints a return. Several results, and arrays, leave through pointers; a composite literal that C cannot
// write as one expression is built in a variable first.
func (p *Printer) ret(s *kernel.Return) {
	if p.lanes.Leave(p.fn) && p.top().mask != "" {
		p.laneReturn(s)
		return
	}
	each := func(i int) bool { return p.lanes.Result(p.fn, i) }
	if facts.Outs(p.fn) {
		for i, e := range s.Results {
			if c, ok := e.(*kernel.Composite); ok && facts.IsArray(e.Type()) && p.plain(c) {
				p.fillResult(p.results[i], c, each(i))
			} else if facts.IsArray(e.Type()) {
				p.store(p.results[i], e, each(i))
			} else {
				p.store("*"+p.results[i], e, each(i))
			}
		}
		p.w.Line("return;")
		return
	}
	if len(s.Results) == 0 {
		p.w.Line("return;")
		return
	}
	if c, ok := s.Results[0].(*kernel.Composite); ok && !p.plain(c) {
		v := &kernel.Var{Name: "value", Type: c.Type()}
		p.build(v, c)
		p.w.Line("return %s;", p.vars[v])
		return
	}
	p.w.Line("return %s;", p.value(s.Results[0], each(0)))
}

// The longest loop that asks to be unrolled, and the most runs of its innermost statements.
const (
	unrolledTrips = 16
	unrolledRuns  = 64
)

// unroll returns what precedes a loop of a kernel: a request to unroll it, if it is short. Loops inside count with their
// trips, since they may be unrolled, too, and the sizes multiply.
func (p *Printer) unroll(s *kernel.For) string {
	if p.target.Unroll == "" || p.stops(s) {
		return ""
	}
	if n := facts.TripsOf(s, 1); n < 2 || n > unrolledTrips || n*runsOf(s.Body) > unrolledRuns {
		return ""
	}
	return p.target.Unroll
}

// runsOf returns how often the innermost statements of s run.
func runsOf(s kernel.Stmt) int {
	most := 1
	for _, inner := range kernel.All[*kernel.For](s) {
		most = max(most, facts.TripsOf(inner, 1)*runsOf(inner.Body))
	}
	return most
}
