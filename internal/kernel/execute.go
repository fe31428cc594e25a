package kernel

// push makes s a target; pop removes the last one.
func (a *analysis) push(s Stmt) *target {
	t := &target{stmt: s}
	a.targets = append(a.targets, t)
	return t
}

func (a *analysis) pop() { a.targets = a.targets[:len(a.targets)-1] }

func (a *analysis) block(b *Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		if a.s == nil {
			return
		}
		a.execute(s)
	}
}

// execute advances a.s over the statement s.
func (a *analysis) execute(s Stmt) {
	if s == nil || a.s == nil || a.step() {
		return
	}
	switch s := s.(type) {
	case *Block:
		a.block(s)
	case *Decl:
		a.decl(s)
	case *Assign:
		a.assign(s)
	case *Do:
		a.do(s)
	case *If:
		a.whole(func() { a.ifElse(s) })
	case *For:
		a.whole(func() { a.loop(s) })
	case *Switch:
		a.whole(func() { a.switchCase(s) })
	case *Branch:
		a.jump(s)
	case *Return:
		a.returns(s)
	}
}

// step counts a statement, and gives up after too many.
func (a *analysis) step() (gaveUp bool) {
	a.steps++
	if a.steps > stepLimit {
		a.gaveUp = true
		a.s = nil
	}
	return a.gaveUp
}

func (a *analysis) decl(s *Decl) {
	v := a.vars[s.Var]
	if v.pointer {
		if s.Init != nil {
			a.eval(s.Init)
		}
		return
	}
	here := location{root: local, local: v, size: v.count}
	switch {
	case s.Init == nil && a.c:
		a.storeAll(here, nil, s.Pos)
	case s.Init == nil && v.slot >= 0:
		clear(a.s.values[v.slot : v.slot+v.count])
	case s.Init != nil:
		a.assignTo(here, s.Var.Type, s.Init, s.Pos)
	}
}

func (a *analysis) assign(s *Assign) {
	pos := s.L.Pos()
	if !pos.Known() {
		pos = s.Pos
	}
	if a.isPointer(s.L.Type()) {
		a.escape(a.locate(s.L), pos)
		a.eval(s.R)
		return
	}
	l := a.locate(s.L)
	if s.Op == None {
		a.assignTo(l, s.L.Type(), s.R, pos)
		return
	}
	adds := s.Op == Add || s.Op == Sub
	old := a.load(l, s.L.Type(), pos, adds)
	t, by := Scalar(s.L.Type()), a.eval(s.R)
	a.markWrap(&s.Fits, s.Op, t, old, by)
	a.store(l, binaryInterval(s.Op, t, old, by), pos, adds)
}

// assignTo stores the value of e, of type t, at l.
func (a *analysis) assignTo(l location, t Type, e Expr, pos Pos) {
	if _, scalar := t.(Basic); scalar {
		v := a.eval(e)
		a.store(l, v, pos, false)
		return
	}
	values := a.aggregate(e)
	a.storeAll(l, values, pos)
}

func (a *analysis) do(s *Do) {
	var results []interval
	switch {
	case s.Call != nil:
		results = a.call(s.Call)
	case s.Math != nil:
		a.eval(s.Math)
	case s.X != nil:
		a.eval(s.X)
	}
	for i, into := range s.Into {
		v := a.vars[into]
		if v == nil || v.pointer {
			continue
		}
		here := location{root: local, local: v, size: v.count}
		if _, scalar := into.Type.(Basic); scalar && i < len(results) {
			a.store(here, results[i], s.Pos, false)
		} else {
			a.storeAll(here, nil, s.Pos)
		}
	}
}

// whole executes a statement with several paths. Execution certainly reaches the next statement, unless
// one of the paths jumps away.
func (a *analysis) whole(execute func()) {
	maybe, jumps := a.s.maybe, a.jumps
	execute()
	if a.s != nil && a.jumps == jumps {
		a.s.maybe = maybe
	}
}

func (a *analysis) ifElse(s *If) {
	yes, no := a.branch(s.Cond)
	a.s = yes
	a.block(s.Then)
	yes = a.s
	a.s = no
	a.execute(s.Else)
	a.s = a.merge(yes, a.s)
}

// jump ends the path at a break or continue: its state waits at the target, merged with those of other paths,
// and every loop and switch in between has been left.
func (a *analysis) jump(s *Branch) {
	a.jumps++
	for i := len(a.targets) - 1; i >= a.frame.targets; i-- {
		t := a.targets[i]
		if t.stmt != s.Target {
			t.left = true
			continue
		}
		if s.Continue {
			t.continues = a.merge(t.continues, a.s)
		} else {
			t.breaks = a.merge(t.breaks, a.s)
			t.left = true
		}
		break
	}
	a.s = nil
}

func (a *analysis) returns(s *Return) {
	a.jumps++
	for i, r := range s.Results {
		v := a.result(r)
		if a.s == nil {
			return
		}
		if f := a.frame; i < len(f.results) {
			f.results[i] = f.results[i].hull(v)
		} else {
			f.results = append(f.results, v)
		}
	}
	a.leave(s.Pos)
}

// result evaluates a function result; an array's values are not tracked.
func (a *analysis) result(e Expr) interval {
	if _, scalar := e.Type().(Basic); scalar {
		return a.eval(e)
	}
	a.aggregate(e)
	return rangeOf(Scalar(e.Type()))
}

// leave ends the path at the end of the function, pos. States are kept by place, so that a parameter that is
// not written on every path can be reported where the path ends.
func (a *analysis) leave(pos Pos) {
	if a.s == nil {
		return
	}
	for _, t := range a.targets[a.frame.targets:] {
		t.left = true
	}
	f := a.frame
	if !f.entry {
		pos = Pos{}
	}
	for i := range f.exits {
		if f.exits[i].pos == pos {
			f.exits[i].state = a.merge(f.exits[i].state, a.s)
			a.s = nil
			return
		}
	}
	f.exits = append(f.exits, exit{pos, a.s})
	a.s = nil
}

// switchCase executes a switch: first the values of its cases in order, then the bodies, each from
// the states where a value was equal or the previous body fell through.
func (a *analysis) switchCase(s *Switch) {
	t := a.push(s)
	defer a.pop()
	entered, other := a.choose(s)
	for i, c := range s.Cases {
		if c.Default {
			entered[i], other = a.merge(entered[i], other), nil
		}
	}
	t.breaks = a.merge(t.breaks, other)
	var fallen *state
	for i, c := range s.Cases {
		a.s = a.merge(entered[i], fallen)
		fallen = nil
		a.block(c.Body)
		if c.Fallthrough {
			fallen = a.s
		} else {
			t.breaks = a.merge(t.breaks, a.s)
		}
	}
	a.s = a.merge(t.breaks, fallen)
}

// choose returns the state in which each case of s is entered because of its values, and the state
// where none matches.
func (a *analysis) choose(s *Switch) (entered []*state, other *state) {
	entered = make([]*state, len(s.Cases))
	var tag interval
	if s.Tag != nil {
		tag = a.eval(s.Tag)
	}
	for i, c := range s.Cases {
		for _, v := range c.Values {
			var yes *state
			if s.Tag == nil {
				yes, a.s = a.branch(v)
			} else {
				if _, variable := s.Tag.(*Ref); variable {
					tag = a.eval(s.Tag) // no longer the values of the cases before
				}
				yes, a.s = a.compare(Eq, s.Tag, tag, v, a.eval(v))
			}
			entered[i] = a.merge(entered[i], yes)
		}
	}
	return entered, a.s
}

const (
	// unrollBudget is the number of statements up to which loops are executed iteration by
	// iteration; each loop may use up half of the remaining budget.
	unrollBudget = 100_000
	// stepLimit is the number of statements at which the analysis gives up.
	stepLimit = 2 * unrollBudget
)
