package kernel

import (
	"go/constant"

	"github.com/go-op2/op2/internal/loop"
)

// NewRef returns a reference to v.
func NewRef(v *Var, pos Pos) *Ref { return &Ref{At: At{T: v.Type, At: pos}, Var: v} }

// NewLit returns the constant v, which is one of type t.
func NewLit(v constant.Value, t Type, pos Pos) *Lit { return &Lit{At: At{T: t, At: pos}, Value: v} }

// NewInt returns the integer n as a constant of type t.
func NewInt[N int | int64](n N, t Type, pos Pos) *Lit {
	return NewLit(constant.MakeInt64(int64(n)), t, pos)
}

// NewZero returns the zero value of type t.
func NewZero(t Type, pos Pos) Expr {
	switch u := t.(type) {
	case *Array:
		return &Composite{At: At{T: t, At: pos}, Elems: make([]Expr, u.Len)}
	case *Struct:
		return &Composite{At: At{T: t, At: pos}, Elems: make([]Expr, len(u.Fields))}
	}
	if Scalar(t) == loop.Bool {
		return NewBool(false, pos)
	}
	return NewInt(0, t, pos)
}

// NewBool returns the constant true or false.
func NewBool(value bool, pos Pos) *Lit {
	return NewLit(constant.MakeBool(value), Basic(loop.Bool), pos)
}

// IsZero reports whether e is the literal 0.
func IsZero(e Expr) bool {
	l, ok := e.(*Lit)
	return ok && l.Value.Kind() != constant.Bool && constant.Sign(l.Value) == 0
}

// IntOf returns the value of e if it is an integer constant.
func IntOf(e Expr) (value int64, known bool) {
	l, ok := e.(*Lit)
	if !ok || l.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(l.Value)
}

// Truth returns the value of a condition that is a constant.
func Truth(e Expr) (value, known bool) {
	l, ok := e.(*Lit)
	if !ok || l.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(l.Value), true
}

// NewIndex returns x[i], where x is an array or a pointer to one: (*p)[i] is p[i].
func NewIndex(x, i Expr, pos Pos) *Index {
	return &Index{At: At{T: Elem(x.Type()).(*Array).Elem, At: pos}, X: through(x), I: i}
}

// NewSelect returns field i of x, a struct: (*p).f is p.f.
func NewSelect(x Expr, i int, pos Pos) *Select {
	f := x.Type().(*Struct).Fields[i]
	return &Select{At: At{T: f.Type, At: pos}, X: through(x), Field: f.Name}
}

// NewPlace returns a copy of a place, with what subscript makes of its subscripts.
func NewPlace(e Expr, subscript func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Ref:
		return NewRef(e.Var, e.At.At)
	case *Index:
		return &Index{At: e.At, X: NewPlace(e.X, subscript), I: subscript(e.I)}
	case *Select:
		return &Select{At: e.At, X: NewPlace(e.X, subscript), Field: e.Field, Walked: e.Walked}
	case *Deref:
		return &Deref{At: e.At, X: NewPlace(e.X, subscript)}
	}
	return e
}

// through returns x as the X of an Index or Select: p for *p.
func through(x Expr) Expr {
	if d, ok := x.(*Deref); ok {
		return d.X
	}
	return x
}

// NewNot returns !x, or its value if that is known.
func NewNot(x Expr) Expr {
	if value, known := Truth(x); known {
		return NewBool(!value, x.Pos())
	}
	return &Unary{At: At{T: Basic(loop.Bool), At: x.Pos()}, Op: Not, X: x}
}

// NewLeave returns a statement that leaves a loop unless c holds.
func NewLeave(loop *For, c Expr) *If {
	leave := &Branch{Target: loop, Pos: c.Pos()}
	return &If{Cond: NewNot(c), Then: &Block{Stmts: []Stmt{leave}}, Pos: c.Pos()}
}

// NewShort returns x && y or x || y, where statements lead to y: they run only where y counts. The variable that holds the
// value is declared with x.
func NewShort(op Op, v *Var, stmts []Stmt, y Expr, pos Pos) *If {
	cond := Expr(NewRef(v, pos))
	if op == LOr {
		cond = NewNot(cond)
	}
	return &If{Cond: cond, Then: &Block{Stmts: append(stmts, &Assign{L: NewRef(v, y.Pos()), R: y, Pos: y.Pos()})}, Pos: pos}
}

// Ends reports whether nothing after a statement of its block is reached. It may say no where both branches of an if jump.
func Ends(s Stmt) bool {
	switch s := s.(type) {
	case *Return, *Branch:
		return true
	case *Block:
		return len(s.Stmts) > 0 && Ends(s.Stmts[len(s.Stmts)-1])
	}
	return false
}

// NewCount returns for i := 0; i < n; i++ { body }.
func NewCount(i *Var, n Expr, body []Stmt, pos Pos) *For {
	return &For{
		Init: &Decl{Var: i, Init: NewInt(0, i.Type, pos), Pos: i.Pos},
		Cond: &Binary{At: At{T: Basic(loop.Bool), At: pos}, Op: Lt, X: NewRef(i, pos), Y: n},
		Post: &Assign{L: NewRef(i, pos), Op: Add, R: NewInt(1, i.Type, pos), Pos: pos},
		Body: &Block{Stmts: body},
		Pos:  pos,
	}
}
