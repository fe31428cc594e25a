package kernel

// loop executes a loop: iteration by iteration while its condition is decided, then once for all
// further iterations.
func (a *analysis) loop(f *For) {
	a.execute(f.Init)
	if a.s == nil {
		return
	}
	t := a.push(f)
	defer a.pop()

	outer := a.limit
	a.limit = a.steps + max(0, outer-a.steps)/2
	end, rest := a.unroll(f, t)
	a.limit = outer
	if rest != nil {
		end = a.merge(end, a.settle(f, t, rest))
	}
	a.s = a.merge(end, t.breaks)
}

// unroll executes iteration by iteration. It returns the state where the condition has become
// false, and the state at the start of an iteration from which on iterations are no longer
// distinguished: because the condition is undecided, there were too many, or a loop without a
// condition was left on some but not all paths.
func (a *analysis) unroll(f *For, t *target) (end, rest *state) {
	for a.s != nil {
		if a.steps >= a.limit || f.Cond == nil && t.left {
			return nil, a.s
		}
		yes, no := a.enter(f)
		switch {
		case yes == nil:
			return no, nil
		case no != nil:
			return nil, a.merge(yes, no)
		}
		a.s = yes
		a.round(f, t)
	}
	return nil, nil
}

// settle executes iterations up to the fixed point: until another one would add nothing. Head is the state
// at the start of the first. It returns the state where the condition is false.
func (a *analysis) settle(f *For, t *target, head *state) (end *state) {
	for n := 0; ; n++ {
		a.s = a.clone(head)
		yes, no := a.enter(f)
		a.s = yes
		a.round(f, t)
		if a.s == nil || head.covers(a.s) {
			a.release(a.s)
			a.release(head)
			return no
		}
		a.release(no)
		head.widen(a.s, a.ranges, n)
		a.release(a.s)
	}
}

// enter decides whether another iteration starts.
func (a *analysis) enter(f *For) (yes, no *state) {
	if f.Cond == nil {
		return a.s, nil
	}
	return a.branch(f.Cond)
}

// round executes the body of f and its post statement.
func (a *analysis) round(f *For, t *target) {
	if a.s == nil || a.step() {
		return
	}
	a.block(f.Body)
	a.s = a.merge(a.s, t.continues)
	t.continues = nil
	a.execute(f.Post)
}
