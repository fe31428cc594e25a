package ckernel

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// If-conversion (Allen, Kennedy, Porterfield and Warren, "Conversion of control dependence to data
// dependence", POPL 1983): where elements of a pack take different paths, the pack takes all of them, each
// under a mask of its elements. Assignments use the mask to select between the new value and the old. A
// path that might fault, loop or access beyond an array is only taken if some element takes it.

// beginMasks starts a function; on is the mask that it is called with, or "". If elements return at different
// places, p.on is the mask of those that have not returned, and p.result collects a single result: each
// return sets the values of its elements.
func (p *Printer) beginMasks(f *kernel.Func, on string) {
	p.sections = []section{{mask: on, body: f.Body}}
	p.on, p.result = on, ""
	if !p.lanes.Leave(f) {
		return
	}
	if on == "" {
		p.on = p.scope.Fresh("on")
		p.w.Line("op2_mask %s = %s(true);", p.on, p.vec.Use("all", loop.Bool))
	}
	if len(f.Results) == 1 && !facts.Outs(f) {
		p.result = p.scope.Fresh("result")
		p.w.Line("%s = %s;", p.Decl(f.Results[0], p.result, true), p.zero(f.Results[0], true))
	}
}

// endMasks ends it, if elements return at different places.
func (p *Printer) endMasks() {
	if p.result != "" && !p.returned {
		p.w.Line("return %s;", p.result)
	}
}

// storeMask returns the mask for assignments to v or its pointee; empty if they count for
// all elements that use v.
func (p *Printer) storeMask(v *kernel.Var) string {
	if v != nil && !kernel.Is[*kernel.Pointer](v.Type) && p.lanes.HomeOf(v) == p.top().Region {
		return ""
	}
	return p.top().mask
}

// laneStmts prints statements in sequence. After a statement that elements jump out of, none may be left: the
// rest is guarded by a test if it is dear. The mask of the function itself comes into use before the first
// statement that some elements return from; up to there all of them are active.
func (p *Printer) laneStmts(b *kernel.Block) {
	for i, s := range b.Stmts {
		p.last = b == p.top().body && i == len(b.Stmts)-1
		isReturn := kernel.Is[*kernel.Return](s)
		if p.lanes.Leave(p.fn) && !isReturn && b == p.fn.Body && facts.Returns(s) {
			p.sections[0].mask = p.on
		}
		p.stmt(s)
		p.returned = isReturn && b == p.fn.Body
		if rest := b.Stmts[i+1:]; len(rest) > 0 && p.top().mask != "" && p.escapes(s) && p.lanes.Dear(rest...) {
			p.w.Open("if (%s(%s)) {", p.vec.Use("any", loop.Bool), p.top().mask)
			p.laneStmts(&kernel.Block{Stmts: rest})
			p.w.Close("")
			return
		}
	}
}

// escapes reports whether some elements that reach s may not reach what follows it.
func (p *Printer) escapes(s kernel.Stmt) bool {
	found := p.lanes.Leave(p.fn) && facts.Returns(s)
	inside := map[kernel.Stmt]bool{}
	kernel.Walk(s, func(s kernel.Stmt) {
		inside[s] = true
		if b, ok := s.(*kernel.Branch); ok && !inside[b.Target] {
			found = found || p.lanes.Splits(b.Target)
		}
	}, nil)
	return found
}

// and returns a mask of those in outer, if there is one, for which cond holds.
func and(outer, cond string) string {
	if outer == "" {
		return cond
	}
	return outer + " & " + cond
}

// andCond returns a mask of those in outer, if there is one, for which the condition holds.
func (p *Printer) andCond(outer string, cond kernel.Expr) string {
	if outer == "" {
		return p.lane(cond, precComma)
	}
	return outer + " & " + p.lane(cond, precAdd)
}

// splitIf prints an if at which elements take different branches: one branch after the other, each under the
// part of the outer mask for which the condition selects it. The condition is evaluated once, before the
// first branch can change its operands.
func (p *Printer) splitIf(s *kernel.If) {
	if p.blend(s) {
		return
	}
	outer := p.top().mask
	on := p.scope.Fresh("on")
	if s.Else == nil {
		p.w.Line("op2_mask %s = %s;", on, p.andCond(outer, s.Cond))
		p.inSection(section{lanes.BranchOf(s, 0), on, "", s.Then}, s.Then)
		return
	}
	when := p.scope.Fresh("when")
	p.w.Line("const op2_mask %s = %s;", when, p.lane(s.Cond, precComma))
	p.w.Line("op2_mask %s = %s;", on, and(outer, when))
	p.inSection(section{lanes.BranchOf(s, 0), on, "", s.Then}, s.Then)
	off := p.scope.Fresh("off")
	p.w.Line("op2_mask %s = %s;", off, and(outer, "~"+when))
	otherwise, ok := s.Else.(*kernel.Block)
	if !ok {
		otherwise = &kernel.Block{Stmts: []kernel.Stmt{s.Else}}
	}
	p.inSection(section{lanes.BranchOf(s, 1), off, "", otherwise}, otherwise)
}

// inSection prints the block b as a section, in braces if it is guarded or declares something. The guard skips a dear
// block whose mask is empty; a cheap one is executed under an empty mask, and changes nothing.
func (p *Printer) inSection(s section, b *kernel.Block) {
	p.sections = append(p.sections, s)
	defer func() { p.sections = p.sections[:len(p.sections)-1] }()
	guarded := p.lanes.Dear(b)
	braces := guarded
	for _, s := range b.Stmts {
		switch s.(type) {
		case *kernel.Assign, *kernel.Branch, *kernel.Return:
		default: // including masks
			braces = true
		}
	}
	switch {
	case guarded:
		p.w.Open("if (%s(%s)) {", p.vec.Use("any", loop.Bool), s.mask)
	case braces:
		p.w.Open("{")
	}
	p.stmts(b)
	if braces {
		p.w.Close("")
	}
}

// blend prints an if that chooses between two values of one variable as a single assignment, and
// reports whether it is one. Both values are computed for all elements: they are cheap, fault for none and change
// nothing. Without an else, the other value is that of the variable itself.
func (p *Printer) blend(s *kernel.If) bool {
	yes := facts.OnlyAssign(s.Then)
	if yes == nil || p.lanes.Dear(s) || facts.IsArray(yes.L.Type()) || facts.Changes(yes.R) {
		return false
	}
	l, t := p.expr(yes.L), kernel.Scalar(yes.L.Type())
	outer := p.storeMask(kernel.Root(yes.L))
	choose := p.vec.Use("select", t)
	if s.Else == nil {
		p.w.Line("%s = %s(%s, %s, %s);", l, choose, p.andCond(outer, s.Cond), p.assigned(yes), l)
		return true
	}
	block, _ := s.Else.(*kernel.Block)
	no := facts.OnlyAssign(block)
	if no == nil || p.expr(no.L) != l || facts.Changes(no.R) {
		return false
	}
	value := fmt.Sprintf("%s(%s, %s, %s)", choose, p.lane(s.Cond, precComma), p.assigned(yes), p.assigned(no))
	if outer != "" {
		value = fmt.Sprintf("%s(%s, %s, %s)", choose, outer, value, l)
	}
	p.w.Line("%s = %s;", l, value)
	return true
}

// assigned returns the value that s assigns to its place.
func (p *Printer) assigned(s *kernel.Assign) string {
	if s.Op == kernel.None {
		return p.lane(s.R, precComma)
	}
	return p.lane(facts.Updated(s), precComma)
}

// laneAssign prints an assignment to a scalar that differs from element to element, without its
// semicolon.
func (p *Printer) laneAssign(s *kernel.Assign) string {
	l, t := p.expr(s.L), kernel.Scalar(s.L.Type())
	if m := p.storeMask(kernel.Root(s.L)); m != "" {
		return fmt.Sprintf("%s = %s(%s, %s, %s)", l, p.vec.Use("select", t), m, p.assigned(s), l)
	}
	if s.Op == kernel.None || kernel.Scalar(s.R.Type()) != t {
		return l + " = " + p.assigned(s)
	}
	if s.Op == kernel.AndNot {
		return l + " &= ~" + p.lane(s.R, precUnary)
	}
	if t.Float() {
		return l + " " + s.Op.String() + "= " + p.expr(s.R)
	}
	return l + " " + s.Op.String() + "= " + p.besideVector(s.R, precComma)
}

// splitLoop prints a loop that elements leave at different times. It runs until the mask in is empty: the
// condition removes elements from it, and so does a break. A continue removes elements only from the mask
// round, which starts each iteration as a copy of in.
func (p *Printer) splitLoop(s *kernel.For) {
	in := p.scope.Fresh("in")
	mark := p.scope.Enter()
	outer := p.top().mask
	init := p.loopHead(s.Init)
	if outer == "" {
		outer = p.vec.Use("all", loop.Bool) + "(true)"
	}
	p.w.Line("op2_mask %s = %s;", in, outer)
	sec := section{lanes.BranchOf(s, 0), in, in, s.Body}
	p.sections = append(p.sections, sec)
	post := p.loopHead(s.Post)
	if post != "" {
		post = " " + post
	}
	p.w.Open("for (%s;;%s) {", init, post)
	more := p.vec.Use("any", loop.Bool)
	if p.escapes(s.Body) {
		p.w.Line("if (!%s(%s)) break;", more, in)
	}
	switch {
	case s.Cond == nil:
	case p.lanes.Each(s.Cond):
		p.w.Line("%s &= %s;", in, p.lane(s.Cond, precComma))
		p.w.Line("if (!%s(%s)) break;", more, in)
	default:
		p.w.Line("if (!(%s)) break;", p.expr(s.Cond))
	}
	if facts.Continued(s.Body, s) {
		p.top().mask = p.scope.Fresh("round")
		p.w.Line("op2_mask %s = %s;", p.top().mask, in)
	}
	p.inside = append(p.inside, s)
	p.stmts(s.Body)
	p.inside = p.inside[:len(p.inside)-1]
	p.w.Close("")
	p.sections = p.sections[:len(p.sections)-1]
	p.scope.Leave(mark)
}

// splitSwitch prints a switch in which elements take different cases, as ifs. If there are breaks, they
// remove elements from a mask of its own.
func (p *Printer) splitSwitch(s *kernel.Switch) {
	chain, tag := p.lanes.Ifs(s)
	if chain == nil {
		return
	}
	p.w.Open("{")
	mark := p.scope.Enter()
	if tag != nil {
		p.declare(&kernel.Decl{Var: tag, Init: s.Tag})
	}
	in := p.top().mask
	if slices.ContainsFunc(kernel.All[*kernel.Branch](chain), func(b *kernel.Branch) bool { return b.Target == s }) {
		outer := in
		if outer == "" {
			outer = p.vec.Use("all", loop.Bool) + "(true)"
		}
		in = p.scope.Fresh("in")
		p.w.Line("op2_mask %s = %s;", in, outer)
	}
	p.sections = append(p.sections, section{lanes.BranchOf(s, 0), in, "", nil})
	p.laneStmts(&kernel.Block{Stmts: []kernel.Stmt{chain}})
	p.sections = p.sections[:len(p.sections)-1]
	p.scope.Leave(mark)
	p.w.Close("")
}

// splitBranch prints a break or continue of some elements: the masks of the sections that they leave lose
// them.
func (p *Printer) splitBranch(s *kernel.Branch) {
	at := len(p.sections) - 1
	for !p.sections[at].IsOf(s.Target) {
		at--
	}
	p.clear(at, !s.Continue, p.last)
}

// clear removes the current elements from the sections from number at on. A continue leaves them in
// the loop of the first. After the last statement of a section its own mask is of no use.
func (p *Printer) clear(at int, leave, last bool) {
	m := p.top().mask
	gone := map[string]bool{m: true, "": true}
	for i := len(p.sections) - 1; i >= at; i-- {
		s := p.sections[i]
		masks := []string{s.mask, s.loop}
		if i == at && !leave && s.loop != s.mask {
			masks = masks[:1]
		}
		for _, name := range masks {
			if !gone[name] {
				gone[name] = true
				p.w.Line("%s &= ~%s;", name, m)
			}
		}
	}
	if top := p.top(); !last || top.loop == top.mask {
		p.w.Line("%s = %s(false);", top.mask, p.vec.Use("all", loop.Bool))
	}
}

// laneReturn prints a return where elements return at different places. On the top level of the function it
// is the last one, for all elements that are left: their values are selected over those collected before.
// Inside a region it stores values under the mask, and removes the elements from all masks.
func (p *Printer) laneReturn(s *kernel.Return) {
	last, m := p.last, p.top().mask
	inside := p.top().Region != lanes.Region{}
	for i, e := range s.Results {
		t := e.Type()
		switch {
		case !facts.Outs(p.fn) && !inside:
			p.w.Line("return %s(%s, %s, %s);", p.vec.Use("select", kernel.Scalar(t)), m, p.lane(e, precComma), p.result)
			return
		case !facts.Outs(p.fn):
			p.w.Line("%s = %s(%s, %s, %s);", p.result, p.vec.Use("select", kernel.Scalar(t)), m, p.lane(e, precComma), p.result)
		case facts.IsArray(t):
			p.copyLanes(p.results[i], e, m)
		default:
			place := "*" + p.results[i]
			p.w.Line("%s = %s(%s, %s, %s);", place, p.vec.Use("select", kernel.Scalar(t)), m, p.lane(e, precComma), place)
		}
	}
	if !inside {
		p.w.Line("return;")
		return
	}
	p.clear(0, true, last)
}

// apart reports whether the result of a call cannot go straight into v: not all elements take it,
// or only v has a value for each. Each says that the result has.
func (p *Printer) apart(v *kernel.Var, each bool) bool {
	return p.lanes.Varies(v) != each || p.lanes.Varies(v) && p.storeMask(v) != ""
}

// declareValue declares a variable for a result that v will get from it: by assignValues, behind the call, under the
// mask that an assignment to v has.
func (p *Printer) declareValue(v *kernel.Var, each bool) string {
	value := &kernel.Var{Name: "value", Type: v.Type}
	p.lanes.Declare(value, each)
	name := p.name(value)
	p.w.Line("%s;", p.Decl(v.Type, name, each))
	p.values = append(p.values, &kernel.Assign{
		L: kernel.NewRef(v, kernel.Pos{}),
		R: kernel.NewRef(value, kernel.Pos{}),
	})
	return name
}

// assignValues prints the assignments from such variables.
func (p *Printer) assignValues() {
	list := p.values
	p.values = nil
	for _, s := range list {
		p.assign(s)
	}
}

// copyLanes prints place = e for an array with a value for each element, under the mask m if there
// is one. The array is copied vector by vector, in the order in memory, whatever its dimensions.
func (p *Printer) copyLanes(place string, e kernel.Expr, m string) {
	if c, ok := e.(*kernel.Composite); ok {
		p.w.Open("{")
		mark := p.scope.Enter()
		v := &kernel.Var{Name: "value", Type: c.Type()}
		p.lanes.Declare(v, true)
		p.build(v, c)
		p.copyLanes(place, kernel.NewRef(v, kernel.Pos{}), m)
		p.scope.Leave(mark)
		p.w.Close("")
		return
	}
	t := kernel.Leaf(e.Type())
	c, vec := p.scope.Fresh("c"), p.vec.Name(t)
	value := fmt.Sprintf("((const %s *)%s)[%s]", vec, p.expr(e), c)
	if !p.lanes.Each(e) { // a const holds scalars where place has vectors
		value = fmt.Sprintf("%s(((const %s *)%s)[%s])", p.vec.Use("all", t), t.C(), p.expr(e), c)
	}
	at := fmt.Sprintf("((%s *)%s)[%s]", vec, place, c)
	if m != "" {
		value = fmt.Sprintf("%s(%s, %s, %s)", p.vec.Use("select", t), m, value, at)
	}
	p.w.Line("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++) %[3]s = %[4]s;", c, kernel.Count(e.Type()), at, value)
}
