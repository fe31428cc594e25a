package kernel

import "slices"

// Walk visits every statement and expression below s, in source order. Either function may be nil.
func Walk(s Stmt, onStmt func(Stmt), onExpr func(Expr)) {
	w := walker{onStmt, onExpr}
	w.stmt(s)
}

// All returns the statements and expressions of type T in a kernel, a statement or an expression, in
// source order.
func All[T any](in any) (found []T) {
	visit := func(node any) {
		if t, ok := node.(T); ok {
			found = append(found, t)
		}
	}
	w := walker{func(s Stmt) { visit(s) }, func(e Expr) { visit(e) }}
	switch in := in.(type) {
	case *Kernel:
		for _, f := range in.Funcs {
			w.stmt(f.Body)
		}
	case Stmt:
		w.stmt(in)
	case Expr:
		w.expr(in)
	}
	return found
}

// Has reports whether there is a statement or expression of type T in a kernel, a statement or an
// expression.
func Has[T any](in any) bool { return len(All[T](in)) > 0 }

// Is reports whether a type, a statement or an expression is a T.
func Is[T any](node any) bool {
	_, is := node.(T)
	return is
}

// each returns what f makes of the elements of a list.
func each[T, U any](list []T, f func(T) U) []U {
	of := make([]U, len(list))
	for i, e := range list {
		of[i] = f(e)
	}
	return of
}

// concat returns what f makes of the elements of a list, one after another.
func concat[T, U any](list []T, f func(T) []U) (all []U) {
	for _, e := range list {
		all = append(all, f(e)...)
	}
	return all
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
		w.stmt(s.Else)
	case *For:
		w.stmt(s.Init)
		w.expr(s.Cond)
		w.stmt(s.Post)
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

func (w walker) expr(e Expr) {
	if e == nil {
		return
	}
	if w.onExpr != nil {
		w.onExpr(e)
	}
	for _, x := range Operands(e) {
		w.expr(x)
	}
}

// Operands returns the expressions directly within e, in source order; those of a composite may be nil.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Index:
		return []Expr{e.X, e.I}
	case *Select:
		return []Expr{e.X}
	case *Deref:
		return []Expr{e.X}
	case *AddrOf:
		return []Expr{e.X}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Convert:
		return []Expr{e.X}
	case *Call:
		return e.Args
	case *Math:
		return e.Args
	case *Composite:
		return e.Elems
	case *Opaque:
		return e.Parts
	}
	return nil
}

// SameExpr reports whether two expressions without calls are written the same way, on the same variables.
func SameExpr(a, b Expr) bool {
	same := false
	switch a := a.(type) {
	case *Ref:
		b, ok := b.(*Ref)
		return ok && a.Var == b.Var
	case *ConstRef:
		b, ok := b.(*ConstRef)
		return ok && a.Const == b.Const
	case *Lit:
		b, ok := b.(*Lit)
		return ok && a.Value.ExactString() == b.Value.ExactString()
	case *Index:
		same = Is[*Index](b)
	case *Deref:
		same = Is[*Deref](b)
	case *Select:
		b, ok := b.(*Select)
		same = ok && a.Field == b.Field
	case *Unary:
		b, ok := b.(*Unary)
		same = ok && a.Op == b.Op
	case *Binary:
		b, ok := b.(*Binary)
		same = ok && a.Op == b.Op
	case *Convert:
		b, ok := b.(*Convert)
		same = ok && a.T == b.T
	}
	return same && slices.EqualFunc(Operands(a), Operands(b), SameExpr)
}

// Base returns the expression at the bottom of an lvalue: q in (*q)[1].x.
func Base(e Expr) Expr {
	switch e.(type) {
	case *Index, *Select, *Deref, *AddrOf:
		return Base(Operands(e)[0])
	}
	return e
}

// Root returns the variable at the bottom of an lvalue. It is nil if there is none (a const, an opaque
// expression).
func Root(e Expr) *Var {
	if ref, ok := Base(e).(*Ref); ok {
		return ref.Var
	}
	return nil
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
	for _, s := range All[*Assign](f.Body) {
		stored[Root(s.L)] = true
	}
	for _, s := range All[*Do](f.Body) {
		for _, v := range s.Into {
			stored[v] = true
		}
	}
	for _, c := range All[*Call](f.Body) {
		below := storedBy(c.Func, known)
		for i, p := range c.Func.Params {
			if Is[*Pointer](p.Type) && below[p] {
				stored[Root(c.Args[i])] = true
			}
		}
	}
	delete(stored, nil)
	return stored
}

// Pure reports whether calling f changes nothing but its own variables.
func Pure(f *Func) bool {
	stored := Stored(f)
	return !slices.ContainsFunc(f.Params, func(p *Var) bool { return Is[*Pointer](p.Type) && stored[p] })
}
