package kernel

// Walk visits every statement and expression below s, in source order. Either function may be nil.
func Walk(s Stmt, onStmt func(Stmt), onExpr func(Expr)) {
	w := walker{onStmt, onExpr}
	w.stmt(s)
}

// Has reports whether a kernel has a statement of type T.
func Has[T Stmt](k *Kernel) bool {
	found := false
	for _, f := range k.Funcs {
		Walk(f.Body, func(s Stmt) {
			_, is := s.(T)
			found = found || is
		}, nil)
	}
	return found
}

type walker struct {
	onStmt func(Stmt)
	onExpr func(Expr)
}

func (w walker) stmt(s Stmt) {
	if w.onStmt != nil && s != nil {
		w.onStmt(s)
	}
	switch s := s.(type) {
	case *Block:
		if s == nil {
			return
		}
		for _, t := range s.Stmts {
			w.stmt(t)
		}
	case *Decl:
		w.expr(s.Init)
	case *Assign:
		w.expr(s.L)
		w.expr(s.R)
	case *Do:
		if s.Call != nil {
			w.expr(s.Call)
		}
		if s.Math != nil {
			w.expr(s.Math)
		}
		w.expr(s.X)
	case *If:
		w.expr(s.Cond)
		w.stmt(s.Then)
		w.optional(s.Else)
	case *For:
		w.optional(s.Init)
		w.expr(s.Cond)
		w.optional(s.Post)
		w.stmt(s.Body)
	case *Switch:
		w.expr(s.Tag)
		for _, c := range s.Cases {
			for _, v := range c.Values {
				w.expr(v)
			}
			w.stmt(c.Body)
		}
	case *Return:
		for _, r := range s.Results {
			w.expr(r)
		}
	}
}

func (w walker) optional(s Stmt) {
	if s != nil {
		w.stmt(s)
	}
}

func (w walker) expr(e Expr) {
	if e == nil {
		return
	}
	if w.onExpr != nil {
		w.onExpr(e)
	}
	switch e := e.(type) {
	case *Index:
		w.expr(e.X)
		w.expr(e.I)
	case *Select:
		w.expr(e.X)
	case *Deref:
		w.expr(e.X)
	case *AddrOf:
		w.expr(e.X)
	case *Unary:
		w.expr(e.X)
	case *Binary:
		w.expr(e.X)
		w.expr(e.Y)
	case *Convert:
		w.expr(e.X)
	case *Call:
		for _, a := range e.Args {
			w.expr(a)
		}
	case *Math:
		for _, a := range e.Args {
			w.expr(a)
		}
	case *Composite:
		for _, x := range e.Elems {
			w.expr(x)
		}
	case *Opaque:
		for _, x := range e.Parts {
			w.expr(x)
		}
	}
}

// Root returns the variable at the bottom of an lvalue: q in (*q)[1].x. It is nil if there is none
// (a const, an opaque expression).
func Root(e Expr) *Var {
	for {
		switch x := e.(type) {
		case *Ref:
			return x.Var
		case *Index:
			e = x.X
		case *Select:
			e = x.X
		case *Deref:
			e = x.X
		case *AddrOf:
			e = x.X
		default:
			return nil
		}
	}
}

// Stored returns the variables of f whose value, or the value that they point to, f changes after
// their declaration: by assignment, or by passing a pointer to a function that does.
func Stored(f *Func) map[*Var]bool {
	return storedBy(f, map[*Func]map[*Var]bool{})
}

// storedBy does the work of Stored, given the results for functions already visited.
func storedBy(f *Func, known map[*Func]map[*Var]bool) map[*Var]bool {
	if stored, ok := known[f]; ok {
		return stored
	}
	stored := map[*Var]bool{}
	known[f] = stored
	calls := func(c *Call) {
		below := storedBy(c.Func, known)
		for i, p := range c.Func.Params {
			if _, pointer := p.Type.(*Pointer); pointer && below[p] {
				if v := Root(c.Args[i]); v != nil {
					stored[v] = true
				}
			}
		}
	}
	Walk(f.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			if v := Root(s.L); v != nil {
				stored[v] = true
			}
		case *Do:
			for _, v := range s.Into {
				if v != nil {
					stored[v] = true
				}
			}
		}
	}, func(e Expr) {
		if c, ok := e.(*Call); ok {
			calls(c)
		}
	})
	return stored
}

// Pure reports whether calling f changes nothing but its own variables.
func Pure(f *Func) bool {
	stored := Stored(f)
	for _, p := range f.Params {
		if _, pointer := p.Type.(*Pointer); pointer && stored[p] {
			return false
		}
	}
	return true
}
