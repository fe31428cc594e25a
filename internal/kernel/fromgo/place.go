package fromgo

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// freezeIndices stores indices in place in temporaries, except for constants and variables that do
// not change.
func (l *lowerer) freezeIndices(place kernel.Expr, changes func(*kernel.Var) bool) {
	for _, x := range slices.Backward(indices(place)) {
		if varies(x.I, changes) {
			x.I = l.Hoist("i", x.I)
		}
	}
}

// indices returns the subscripts that lead to a place, the last first.
func indices(place kernel.Expr) (list []*kernel.Index) {
	for {
		switch x := place.(type) {
		case *kernel.Index:
			list, place = append(list, x), x.X
		case *kernel.Select:
			place = x.X
		default:
			return list
		}
	}
}

// varies reports whether a subscript is neither a constant nor a variable that does not change.
func varies(i kernel.Expr, changes func(*kernel.Var) bool) bool {
	switch i := i.(type) {
	case *kernel.Lit:
		return false
	case *kernel.Ref:
		return changes(i.Var)
	}
	return true
}

func constOf(e kernel.Expr) *kernel.Const {
	if ref, ok := kernel.Base(e).(*kernel.ConstRef); ok {
		return ref.Const
	}
	return nil
}

func isConst(e kernel.Expr) bool { return constOf(e) != nil }

// follow returns the pointee of a pointer, as the X of an Index or Select.
func follow(p kernel.Expr) kernel.Expr {
	if a, ok := p.(*kernel.AddrOf); ok {
		return a.X
	}
	return p
}

func (l *lowerer) deref(p kernel.Expr, at kernel.At) kernel.Expr {
	if a, ok := p.(*kernel.AddrOf); ok {
		return a.X // *&x is x
	}
	return &kernel.Deref{At: at, X: p}
}
