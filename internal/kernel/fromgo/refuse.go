package fromgo

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// refuse records all problems of one function.
func (b *builder) refuse(d *ast.FuncDecl) {
	r := &refuser{builder: b, refused: map[string]bool{}}
	obj, ok := b.info.Defs[d.Name].(*types.Func)
	if ok && !r.signature(d, obj.Signature()) {
		return
	}
	if ok && obj == b.entry {
		r.own = obj.Signature().Params()
	}
	if d.Body == nil {
		b.problem(d.Name.Pos(), "write it in Go", "function %s has no body", d.Name.Name)
		return
	}
	ast.Inspect(d.Body, r.visit)
	if r.unknown.IsValid() && len(b.problems) == 0 {
		b.problem(r.unknown, "give the source that declares it to op2.Kernels as well",
			"the type of this is not known")
	}
}

func (r *refuser) visit(n ast.Node) bool {
	if n == nil {
		r.parents = r.parents[:len(r.parents)-1]
		return true
	}
	if !r.node(n) {
		return false
	}
	r.parents = append(r.parents, n)
	return true
}

// node refuses n or accepts it; it returns false if it refused n, or if there is nothing of
// interest in it.
func (r *refuser) node(n ast.Node) bool {
	switch n := n.(type) {
	case ast.Expr:
		return r.expr(n)
	case ast.Stmt:
		return r.stmt(n)
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.TypeSpec:
		if n.TypeParams != nil {
			r.generic(n.Name)
			return false
		}
	}
	return true
}

// signature returns false for a function whose body should not be checked.
func (r *refuser) signature(d *ast.FuncDecl, sig *types.Signature) bool {
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
		r.generic(d.Name)
		return false
	}
	if v := sig.Recv(); v != nil {
		r.signatureType(d.Recv.Pos(), "the receiver of "+d.Name.Name, v.Type(), true)
	}
	if sig.Variadic() {
		last := d.Type.Params.List[len(d.Type.Params.List)-1]
		return r.problem(last.Pos(), "declare one parameter for each argument, or an array",
			"%s takes any number of arguments", d.Name.Name)
	}
	eachParam(d.Type.Params, func(i int, pos token.Pos) {
		v := sig.Params().At(i)
		r.signatureType(pos, "parameter "+paramName(v, i), v.Type(), true)
	})
	eachParam(d.Type.Results, func(i int, pos token.Pos) {
		r.signatureType(pos, "a result", sig.Results().At(i).Type(), false)
	})
	return true
}

func (r *refuser) signatureType(pos token.Pos, what string, t types.Type, pointers bool) {
	why, hint := outside(t, pointers)
	switch why {
	case "":
	case invalidType:
		r.unknown = pos
	default:
		r.refused[typeString(t)] = true
		r.problem(pos, hint, "%s is %s", what, why)
	}
}

func (r *refuser) generic(name *ast.Ident) {
	r.problem(name.Pos(), "write it for one type", "%s has type parameters", name.Name)
}

// refuseVar refuses a package variable that cannot be a const.
func (b *builder) refuseVar(u use) {
	name, t := u.v.Name(), u.v.Type()
	if t == types.Typ[types.Invalid] {
		b.problem(u.at, "declare it with its type, as in var "+name+" float64",
			"the type of package variable %s is not known", name)
		return
	}
	if what, hint := outside(t, false); what != "" {
		b.problem(u.at, hint, "package variable %s has type %s", name, typeString(t))
	}
}

func (r *refuser) stmt(s ast.Stmt) bool {
	const alone = "a kernel is the work for one element; the loop runs the elements in parallel"
	refuse := func(what, hint string) bool { return r.problem(s.Pos(), hint, "%s", what) }
	switch s := s.(type) {
	case *ast.GoStmt:
		return refuse("a go statement", alone)
	case *ast.SelectStmt:
		return refuse("a select statement", alone)
	case *ast.SendStmt:
		return refuse("a send to a channel", alone)
	case *ast.DeferStmt:
		return refuse("a defer statement", "write the call where the function ends")
	case *ast.TypeSwitchStmt:
		return refuse("a type switch", "types are fixed in a kernel: write one function for each")
	case *ast.BranchStmt:
		if s.Tok == token.GOTO {
			return refuse("a goto statement", "write a loop, or a labeled break or continue")
		}
		return false
	case *ast.LabeledStmt:
		return true
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if !r.writes(l) || s.Tok == token.DEFINE && !r.declares(l) {
				return false
			}
		}
	case *ast.IncDecStmt:
		return r.writes(s.X)
	case *ast.RangeStmt:
		if s.Tok == token.ASSIGN {
			return r.writes(s.Key) && r.writes(s.Value)
		}
	case *ast.SwitchStmt:
		if t := r.info.TypeOf(s.Tag); s.Tag != nil && t != nil && (isAggregate(t) || isComplex(t)) {
			return r.problem(s.Tag.Pos(), "switch on a number in it", "a switch on %s", kernel.WithArticle(typeString(t)))
		}
	}
	return true
}

// writes refuses the place e of an assignment if it is in a package variable.
func (r *refuser) writes(e ast.Expr) bool {
	if e == nil {
		return true
	}
	v := r.root(e)
	if !isPackageVar(v) {
		return true
	}
	return r.problem(e.Pos(), "make it an argument of the loop, a Global",
		"the package variable %s is changed", v.Name())
}

func (r *refuser) expr(e ast.Expr) bool {
	if !r.syntax(e) {
		return false
	}
	tv, ok := r.info.Types[e]
	switch {
	case !ok:
		r.untyped(e)
		return true
	case tv.IsVoid() || tv.IsBuiltin():
		return true
	case tv.IsType():
		r.valueType(e, tv.Type)
		return false
	case tv.Value != nil && scalar(tv.Type) != 0:
		if tv.Value.Kind() == constant.Unknown {
			r.unknown = e.Pos()
		}
		return false
	case r.text(e) && r.printed(e):
		return false
	case tv.IsNil():
		r.valueType(e, types.Typ[types.UntypedNil])
		return false
	}
	switch t := tv.Type.Underlying().(type) {
	case *types.Tuple:
		return true
	case *types.Signature:
		return r.funcValue(e)
	case *types.Pointer:
		if !r.pointerUse(e) {
			return false
		}
		return r.valueType(e, t.Elem())
	case *types.Slice:
		if r.isView(e) {
			return r.sliceUse(e)
		}
	}
	return r.valueType(e, tv.Type)
}

// untyped handles an expression to which the type checker gave no type: there was a mistake in it,
// or in the declaration of its name.
func (r *refuser) untyped(e ast.Expr) {
	if r.unknown.IsValid() {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		if obj := r.info.Uses[e]; obj == nil || obj.Type() != types.Typ[types.Invalid] {
			return
		}
	case *ast.KeyValueExpr, *ast.Ellipsis:
		return
	}
	r.unknown = e.Pos()
}

// syntax refuses what is outside the subset whatever its type.
func (r *refuser) syntax(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit:
		r.problem(e.Pos(), "write a top-level function in the same file, and call it", "a function literal")
		r.markRefused(e)
		return false
	case *ast.SliceExpr:
		return r.slicing(e)
	case *ast.TypeAssertExpr:
		return r.problem(e.Pos(), "types are fixed in a kernel: use a numeric type", "a type assertion")
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return r.problem(e.Pos(), "a kernel is the work for one element, without communication", "a receive from a channel")
		}
	case *ast.SelectorExpr:
		return r.selector(e)
	case *ast.BinaryExpr:
		return r.comparison(e)
	case *ast.CallExpr:
		return r.call(e)
	}
	return true
}

// slicing refuses a slice of anything but the whole of an array or a slice.
func (r *refuser) slicing(e *ast.SliceExpr) bool {
	t := r.info.TypeOf(e.X)
	whole := e.Low == nil && e.High == nil && e.Max == nil
	if isSlice(t) {
		if !whole {
			r.problem(e.Pos(), "give a function the whole slice, and the first index", "a part of a slice")
			r.markRefused(e)
		}
		return whole
	}
	hint := "use an array and an index"
	if t != nil {
		if _, ok := array(t); ok {
			if whole {
				return true
			}
			hint = "give a function the whole array, &a, and the first index"
			if isPointer(t) {
				hint = "give a function the whole array, and the first index"
			}
		}
		r.refused[typeString(t)] = true
	}
	r.markRefused(e)
	return r.problem(e.Pos(), hint, "a part of an array as a slice")
}

func (r *refuser) comparison(e *ast.BinaryExpr) bool {
	t := r.info.TypeOf(e.X)
	if t == nil || e.Op != token.EQL && e.Op != token.NEQ {
		return true
	}
	switch {
	case isAggregate(t) && values(t) > maxCompared:
		return r.problem(e.OpPos, "compare their elements in a loop", "a comparison of %ss of more than %d values, %s", map[bool]string{true: "array", false: "struct"}[isArray(t)], maxCompared, typeString(t))
	case r.isOwn(r.againstNil(e)):
		return false
	case isPointer(t), isPointer(r.info.TypeOf(e.Y)):
		return r.problem(e.OpPos, "say by a bool or a number what is to be known", "a comparison of pointers")
	case isSlice(t), isSlice(r.info.TypeOf(e.Y)):
		return r.problem(e.OpPos, "slices always hold values: say by a bool or a number what is to be known", "a comparison of slices")
	}
	return true
}
