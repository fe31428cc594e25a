package kernel

import (
	"go/constant"

	"github.com/go-op2/op2/internal/loop"
)

// NewRef returns a reference to v.
func NewRef(v *Var, pos Pos) *Ref { return &Ref{At: At{T: v.Type, At: pos}, Var: v} }

// NewLit returns the constant v, which is one of type t.
func NewLit(v constant.Value, t Type, pos Pos) *Lit { return &Lit{At: At{T: t, At: pos}, Value: v} }

// NewNot returns !x.
func NewNot(x Expr) *Unary { return &Unary{At: At{T: Basic(loop.Bool), At: x.Pos()}, Op: Not, X: x} }
