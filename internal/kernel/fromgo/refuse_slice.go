package fromgo

import "go/ast"

// isView reports whether the slice e may be a view of values behind a parameter or of a local
// array. Other slices are refused where they are made.
func (r *refuser) isView(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := r.info.ObjectOf(e)
		return obj != nil && !isPackageVar(obj) && sliceLevels(obj.Type()) <= 2
	case *ast.IndexExpr:
		return isSlice(r.info.TypeOf(e.X))
	case *ast.SliceExpr:
		return true
	}
	return false
}

// declares refuses e, on the left of :=, if it is a slice that has been declared before.
func (r *refuser) declares(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok || r.info.Defs[id] != nil || r.info.Uses[id] == nil || !isSlice(r.info.Uses[id].Type()) {
		return true
	}
	return r.sliceAssigned(e)
}

func (r *refuser) sliceAssigned(e ast.Expr) bool {
	return r.problem(e.Pos(), "assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y", "an assignment to the slice itself")
}

// sliceUse refuses slices except where they are indexed, ranged over, named or passed on.
func (r *refuser) sliceUse(e ast.Expr) bool {
	refuse := func(what, hint string) bool { return r.problem(e.Pos(), hint, "%s", what) }
	if r.isOpened(e) {
		return true
	}
	switch p := r.parent().(type) {
	case *ast.RangeStmt:
		return r.sliceAssigned(e)
	case *ast.CallExpr:
		if r.builtinOf(p) != "" || r.function(p) != nil || r.printed(e) {
			return true
		}
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if _, call := ast.Unparen(p.Rhs[0]).(*ast.CallExpr); ast.Unparen(l) == e && !call { // append and make are refused
				return r.sliceAssigned(e)
			}
		}
		return true // to a new name, or to what is refused
	case *ast.ValueSpec:
		return true
	case *ast.ReturnStmt:
		return refuse("a slice as a result", "give the function the slice that it is to fill")
	}
	return refuse("a slice as a value", "only parameters and local names are slices: use an array, or an index")
}

// copyOrClear refuses calls of copy and clear with arguments that have no lowering.
func (r *refuser) copyOrClear(e *ast.CallExpr, name string) bool {
	refuse := func(what, hint string) bool {
		r.markRefused(e)
		return r.problem(e.Pos(), hint, "%s", what)
	}
	if _, statement := r.parent().(*ast.ExprStmt); !statement {
		return refuse("the result of "+name, "call it as a statement: len says how much there is")
	}
	for _, a := range e.Args {
		switch n := sliceLevels(r.info.TypeOf(a)); {
		case n == 0:
			return true // refused as what it is
		case n > 1:
			return refuse("a call of "+name+" for slices of slices", "call it for each row")
		}
	}
	return true
}
