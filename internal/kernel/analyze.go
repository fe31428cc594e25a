package kernel

// Analyze fills in k.Uses, one for each parameter of the kernel, and sets InRange of each Index
// that is proven to be within its array whenever it is executed, and Fits of arithmetic that never
// wraps. Shapes holds one shape for each parameter; it may be nil for a Go kernel, whose types
// contain the lengths.
//
// Analyze is an abstract interpretation of the kernel over intervals of its integers (P. and R. Cousot,
// "Abstract interpretation", POPL 1977). Where a condition is not decided, it follows both branches.
// A loop is executed iteration by iteration as long as its condition is decided; from then on the
// intervals are widened until they hold in every further iteration. It assumes that two parameters
// never share memory.
func Analyze(k *Kernel, shapes []Shape) {
	a := newAnalysis(k, shapes)
	k.Strays = nil
	a.run()
	a.conclude()
	k.Uses = a.uses
}

func newAnalysis(k *Kernel, shapes []Shape) *analysis {
	a := &analysis{k: k, vars: map[*Var]*variable{}, consts: map[*Const]*variable{}, there: map[*Index]interval{}, limit: unrollBudget}
	entry := k.Entry()
	a.somewhere = entry.Pos
	if !a.somewhere.Known() {
		a.somewhere = Pos{File: k.File, Line: 1}
	}
	for _, f := range k.Funcs {
		a.declare(f)
	}
	a.c = entry.C
	bits := 0
	for i, v := range entry.Params {
		p := newParam(v.Type)
		if i < len(shapes) && a.c {
			p.cols = shapes[i].Cols * shapes[i].scalars()
			p.total = shapes[i].Rows * p.cols
		}
		p.bits = bits
		a.params = append(a.params, p)
		here := location{root: i}
		here.size = a.count(Elem(v.Type), here)
		p.room = max(p.total, here.size)
		a.params[i] = p
		bits += p.room
		if bound := a.vars[v]; !bound.moves {
			bound.target = here
		}
	}
	a.uses = make([]Use, len(a.params))
	a.s = &state{
		values:  append([]interval(nil), a.ranges...),
		written: make([]uint64, (bits+63)/64),
		blurred: make([]bool, len(a.params)),
	}
	return a
}

func newParam(t Type) param {
	p := param{total: Count(t), cols: Count(t)}
	if array, ok := Elem(t).(*Array); ok {
		if row, ok := array.Elem.(*Array); ok {
			p.cols = Count(row)
		}
	}
	return p
}

// declare finds the variables of f, and those among them that cannot be tracked.
func (a *analysis) declare(f *Func) {
	a.c = f.C
	for _, v := range f.Params {
		a.variable(v, true)
	}
	Walk(f.Body, func(s Stmt) {
		withdraw(s)
		switch s := s.(type) {
		case *Decl:
			a.variable(s.Var, false)
		case *Assign:
			if v := a.vars[Root(s.L)]; v != nil && a.isPointer(s.L.Type()) {
				v.moves = v.pointer
			}
		}
	}, func(e Expr) {
		withdraw(e)
		switch e := e.(type) {
		case *Index:
			e.Of = 0
		case *Opaque:
			Walk(&Do{X: e}, nil, a.lose)
		case *AddrOf:
			if a.c {
				a.lose(e.X)
			}
		}
	})
}

// variable allocates slots for the value of v.
func (a *analysis) variable(v *Var, parameter bool) {
	b := &variable{slot: -1, count: Count(v.Type)}
	a.vars[v] = b
	if Is[*Pointer](v.Type) || Is[*Array](v.Type) && parameter && a.c {
		b.pointer = true
		b.moves = !parameter
		b.target = location{root: nowhere}
		return
	}
	n := followed(v.Type, a.c)
	if n == 0 {
		return
	}
	b.slot = len(a.ranges)
	for range n {
		a.ranges = append(a.ranges, rangeOf(Leaf(v.Type)))
	}
}

// lose stops tracking the variable that contains the lvalue e.
func (a *analysis) lose(e Expr) {
	if v := a.vars[Root(e)]; v != nil {
		v.slot = -1
	}
}

func (a *analysis) run() {
	entry := a.k.Entry()
	for i, v := range entry.Params {
		if a.vars[v].moves {
			a.escape(location{root: i}, entry.Pos)
		}
	}
	a.frame = &frame{entry: true}
	a.block(entry.Body)
	a.leave(entry.End)
}

// conclude records which components the kernel leaves unwritten, and withdraws claims that cannot
// be made.
func (a *analysis) conclude() {
	for i := range a.uses {
		use, p := &a.uses[i], &a.params[i]
		if a.gaveUp {
			use.Opaque = a.somewhere
		}
		if use.Opaque.Known() {
			use.Early, use.EarlyAt = Pos{}, 0
			continue
		}
		a.concludeUnset(use, p, i)
	}
	if !a.gaveUp {
		return
	}
	for _, node := range All[any](a.k) {
		withdraw(node)
	}
}

// withdraw takes back the claims that a subscript is in range and how many values there are, or that arithmetic fits.
func withdraw(node any) {
	switch n := node.(type) {
	case *Assign:
		n.Fits = false
	case *Index:
		n.InRange, n.There, n.Before = false, 0, 0
	case *Unary:
		n.Fits = false
	case *Binary:
		n.Fits = false
	}
}

func (a *analysis) concludeUnset(use *Use, p *param, number int) {
	for c := range p.total {
		if isBlank(a.k.Entry().Params[number].Type, c) {
			continue
		}
		for _, x := range a.frame.exits {
			if !x.blurred[number] && !x.isWritten(p.bits+c) {
				use.Unset = c
				a.note(&use.UnsetPos, location{}, x.pos)
				return
			}
		}
	}
}
