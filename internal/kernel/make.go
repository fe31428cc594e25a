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
		return NewLit(constant.MakeBool(false), t, pos)
	}
	return NewInt(0, t, pos)
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

// through returns x as the X of an Index or Select: p for *p.
func through(x Expr) Expr {
	if d, ok := x.(*Deref); ok {
		return d.X
	}
	return x
}

// NewNot returns !x.
func NewNot(x Expr) *Unary { return &Unary{At: At{T: Basic(loop.Bool), At: x.Pos()}, Op: Not, X: x} }

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
