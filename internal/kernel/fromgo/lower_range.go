package fromgo

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// ranger lowers a range loop to a counting loop.
type ranger struct {
	*lowerer
	s    *ast.RangeStmt
	loop *kernel.For
	pos  kernel.Pos

	limit  kernel.Expr // of the counter
	values kernel.Expr // the array, or a pointer to it; nil if only the counter matters
	isCopy bool        // the loop ranges over a copy of the array
	key    *kernel.Var // the iteration variables that the loop declares, or nil
	value  *kernel.Var
	row    *kernel.Var // the counter, if the value is a slice
}

// rangeStmt lowers a loop over a range to one that counts. The range is evaluated once, before it, and an
// array that the body may change is copied, as ranging over its values demands.
func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) {
	pos := l.pos(s.Pos())
	r := &ranger{lowerer: l, s: s, pos: pos, loop: &kernel.For{Pos: pos}}
	stmts := l.Collect(func() {
		r.over()
		r.variables()
		r.body(l.loopBody(target{stmt: r.loop, label: label}, s.Body))
		l.Emit(r.loop)
	})
	if len(stmts) == 1 {
		l.Emit(stmts[0])
	} else {
		l.Emit(&kernel.Block{Stmts: stmts})
	}
}

// over evaluates the range expression.
func (r *ranger) over() {
	x := r.s.X
	r.begin(x)
	a, ok := r.arrayIn(x)
	switch {
	case !ok:
		r.limit = r.whole(x)
		if _, lit := r.limit.(*kernel.Lit); !lit {
			r.limit = r.Hoist("n", r.limit)
		}
		return
	case r.s.Value != nil && !isBlank(r.s.Value):
		r.values = r.base(x)
		r.isCopy = isArray(r.info.TypeOf(x))
		if !r.isCopy {
			r.freezeIndices(r.values, func(*kernel.Var) bool { return true })
		}
	case hasCall(x):
		r.effect(x)
	}
	r.limit = r.length(a, r.pos)
}

// arrayIn returns the array that x is, points to, or is a slice of.
func (l *lowerer) arrayIn(x ast.Expr) (a *kernel.Array, ok bool) {
	t := l.info.TypeOf(x)
	if isSlice(t) {
		return l.sliced(x), true
	}
	if _, ok := array(t); !ok {
		return nil, false
	}
	return kernel.Elem(l.typ(t)).(*kernel.Array), true
}

func hasCall(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || kernel.Is[*ast.CallExpr](n)
		return !found
	})
	return found
}

// variables creates those that the loop declares.
func (r *ranger) variables() {
	if r.s.Tok != token.DEFINE {
		return
	}
	if !isBlank(r.s.Key) {
		r.key = r.variable(r.defines(r.s.Key))
	}
	if r.values == nil {
		return
	}
	value := r.defines(r.s.Value)
	if !isSlice(value.Type()) {
		r.value = r.variable(value)
		return
	}
	r.row = r.key
	if r.key == nil || r.assigned(r.s.Body, r.defines(r.s.Key)) {
		r.row = &kernel.Var{Name: "i", Type: integer, Pos: r.pos}
	}
	r.views[value] = r.current(kernel.NewRef(r.row, r.pos))
}

// body completes the loop with its body. The key is the counter itself, unless the body changes it.
func (r *ranger) body(body *kernel.Block) {
	stored := kernel.Stored(&kernel.Func{Body: body})
	if r.values != nil && r.isCopy && (r.s.Tok == token.ASSIGN || mayChange(r.values, stored)) {
		t := r.values.Type()
		if p, ok := t.(*kernel.Pointer); ok {
			r.values = r.deref(r.values, kernel.At{T: p.Elem, At: r.values.Pos()})
		}
		r.values = r.Hoist("copy", r.values)
	}
	counter := cmp.Or(r.row, r.key)
	if counter == nil || stored[counter] {
		counter = &kernel.Var{Name: "i", Type: r.limit.Type(), Pos: r.pos}
	}
	first := r.Collect(func() { r.assignVariables(counter) })
	*r.loop = *kernel.NewCount(counter, r.limit, append(first, body.Stmts...), r.pos)
}

// assignVariables starts an iteration.
func (r *ranger) assignVariables(counter *kernel.Var) {
	i := kernel.NewRef(counter, r.pos)
	if r.s.Tok == token.ASSIGN {
		r.assignPlaces(i)
		return
	}
	if r.key != nil && r.key != counter {
		r.Emit(&kernel.Decl{Var: r.key, Init: i, Pos: r.key.Pos})
	}
	if r.value != nil {
		r.Emit(&kernel.Decl{Var: r.value, Init: r.current(i), Pos: r.value.Pos})
	}
}

// assignPlaces starts an iteration of a loop over existing variables.
func (r *ranger) assignPlaces(i kernel.Expr) {
	lhs := []ast.Expr{r.s.Key}
	if r.s.Value != nil {
		lhs = append(lhs, r.s.Value)
	}
	r.begin(lhs...)
	to := r.destinations(lhs)
	r.freeze(to)
	if to[0].place != nil {
		r.Emit(&kernel.Assign{L: to[0].place, R: i, Pos: r.pos})
	}
	if len(to) > 1 && to[1].place != nil {
		r.Emit(&kernel.Assign{L: to[1].place, R: r.current(i), Pos: r.pos})
	}
}

// current returns the element of the array in iteration i.
func (r *ranger) current(i kernel.Expr) kernel.Expr {
	return kernel.NewIndex(r.values, i, r.values.Pos())
}

// mayChange reports whether place has another value, or is another place, after the variables in
// stored have changed.
func mayChange(place kernel.Expr, stored map[*kernel.Var]bool) bool {
	root := kernel.Root(place)
	if root == nil {
		return false
	}
	for v := range stored {
		if kernel.Is[*kernel.Pointer](root.Type) && kernel.Is[*kernel.Pointer](v.Type) {
			return true
		}
	}
	return stored[root] || slices.ContainsFunc(indices(place), func(x *kernel.Index) bool {
		return varies(x.I, func(v *kernel.Var) bool { return stored[v] })
	})
}
