package fromgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/go-op2/op2/internal/mathfn"
)

// onlyMath is the hint for other names of the packages fmt and unsafe.
const onlyMath = "of Go's packages, kernels have math, and fmt's Print, Printf and Println: write the function in the kernel's file"

// withoutPackage returns the hint for a name of another package that does not export its source: what to
// write there, which Go's own packages do not offer, or instead of the function, type or value.
func (r *refuser) withoutPackage(e *ast.SelectorExpr, path string) string {
	if path == "fmt" || path == "unsafe" {
		return onlyMath
	}
	instead := r.insteadOf(e)
	if domain, _, _ := strings.Cut(path, "/"); strings.Contains(domain, ".") {
		return "let package " + path + " export its source by op2.ExportSource, or " + instead
	}
	return instead
}

// insteadOf returns what to write in the kernel's package.
func (r *refuser) insteadOf(e *ast.SelectorExpr) string {
	own := e.X.(*ast.Ident).Name + e.Sel.Name // never a keyword
	switch p := r.parent().(type) {
	case *ast.CallExpr:
		if ast.Unparen(p.Fun) == e {
			return fmt.Sprintf("write func %s in this package, in a file whose text op2.Kernels gets, too: op2.Kernels(source, helpers)", own)
		}
	case *ast.CompositeLit:
		if p.Type == e {
			return "declare the type in this package, in a file whose text op2.Kernels gets, too: op2.Kernels(source, types)"
		}
	}
	return fmt.Sprintf("set a number of this package from it before the loop, and declare that: var %[1]s float64, and op2.NewConst(rt, %[1]q, &%[1]s)", own)
}

// noBuiltin lists the builtin functions that kernels do not have, and what to write instead.
var noBuiltin = map[string]string{
	"append":  "slices have fixed lengths: use an array of the greatest length, and a count",
	"close":   "a kernel is the work for one element, without communication",
	"delete":  "use an array",
	"make":    "use an array, of the greatest length if it varies: var a [n]float64",
	"new":     "declare a variable, var x float64, and give &x to a function",
	"panic":   "let the kernel set a flag in a Global, and look at it after the loop",
	"recover": "kernels do not panic",
}

// call refuses calls that kernels cannot make.
func (r *refuser) call(e *ast.CallExpr) bool {
	if tv := r.info.Types[e.Fun]; tv.IsType() {
		if isPointer(tv.Type) || isSlice(tv.Type) {
			what := "a pointer"
			if isSlice(tv.Type) {
				what = "a slice"
				r.markRefused(e)
			}
			return r.problem(e.Pos(), "declare the parameter with the type that it is used as", "a conversion of %s", what)
		}
		return true
	}
	switch f := r.callee(e).(type) {
	case *types.Builtin:
		return r.builtin(e, f)
	case *types.Func:
		if f.Signature().Recv() != nil && r.function(e) == nil {
			return r.problem(e.Pos(), "write a top-level function, and give it the receiver as an argument",
				"a call of method %s", f.Name())
		}
		if f.Pkg().Path() == "math" {
			if hint := mathfn.Lookup(f.Name()).Refused; hint != "" {
				return r.problem(e.Pos(), hint, "math.%s is not available to kernels", f.Name())
			}
		}
		if f.Signature().TypeParams() != nil { // refused at its declaration
			return false
		}
	}
	return true
}

func (r *refuser) builtin(e *ast.CallExpr, f *types.Builtin) bool {
	if name := f.Name(); name == "copy" || name == "clear" {
		return r.copyOrClear(e, name)
	}
	hint := noBuiltin[f.Name()]
	if hint == "" || r.info.Types[e].Value != nil {
		return true
	}
	r.markRefused(e)
	return r.problem(e.Pos(), hint, "a call of %s", f.Name())
}

// selector refuses other packages, and methods as values.
func (r *refuser) selector(e *ast.SelectorExpr) bool {
	if id, ok := e.X.(*ast.Ident); ok {
		if p, ok := r.info.Uses[id].(*types.PkgName); ok {
			if r.statement(e) {
				return true
			}
			if path := p.Imported().Path(); path != "math" && r.others[path] == nil && r.info.Types[e].Value == nil {
				return r.problem(e.Pos(), r.withoutPackage(e, path), "%s.%s is not available to kernels", id.Name, e.Sel.Name)
			}
			return !isPackageVar(r.info.Uses[e.Sel]) // of which id is no part
		}
	}
	s := r.info.Selections[e]
	if s == nil || s.Kind() == types.FieldVal {
		return true
	}
	if s.Kind() == types.MethodExpr {
		r.problem(e.Pos(), "call it of a value, as x."+e.Sel.Name+"()", "method %s of a type instead of a value", e.Sel.Name)
		r.markRefused(e)
		return false
	}
	if call, ok := r.parent().(*ast.CallExpr); ok && ast.Unparen(call.Fun) == e {
		return s.Kind() == types.MethodVal && r.function(call) != nil // otherwise refused together with the call
	}
	r.problem(e.Pos(), "write a top-level function, and give it the receiver as an argument",
		"method %s as a value", e.Sel.Name)
	r.markRefused(e)
	return false
}

// funcValue refuses functions that are not called.
func (r *refuser) funcValue(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		call, ok := r.parent().(*ast.CallExpr)
		if ok && ast.Unparen(call.Fun) == ast.Unparen(e) && r.callee(call) != nil {
			if f, ok := r.callee(call).(*types.Func); ok {
				return f.Signature().Recv() != nil // what it is called of is checked
			}
		}
	}
	return r.valueType(e, r.info.TypeOf(e))
}

// pointerUse refuses pointers except where they are dereferenced or passed to functions.
func (r *refuser) pointerUse(e ast.Expr) bool {
	const hint = "only parameters are pointers: use them directly, or copy the value"
	refuse := func(what, hint string) bool { return r.problem(e.Pos(), hint, "%s", what) }
	if r.isOpened(e) {
		return true
	}
	switch p := r.parent().(type) {
	case *ast.StarExpr, *ast.SelectorExpr:
		return true
	case *ast.CallExpr:
		f := r.callee(p)
		if _, ok := f.(*types.Builtin); ok || f == nil || r.function(p) != nil {
			return r.argument(e)
		}
		if r.printed(e) {
			return true
		}
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if ast.Unparen(l) == e {
				return refuse("an assignment to the pointer itself", "assign to what it points to, *p = ..., or use another parameter")
			}
		}
		if p.Tok == token.ASSIGN {
			return true // the left side is refused, or blank
		}
		return refuse("a pointer in a variable", hint)
	case *ast.ValueSpec:
		return refuse("a pointer in a variable", hint)
	case *ast.ReturnStmt:
		return refuse("a pointer as a result", "return the value itself")
	}
	return refuse("a pointer as a value", hint)
}

// argument checks a pointer that is passed to a function.
func (r *refuser) argument(e ast.Expr) bool {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return true
	}
	if _, ok := ast.Unparen(u.X).(*ast.CompositeLit); ok {
		return r.problem(e.Pos(), "declare a variable with this value, and give its address", "the address of a composite literal")
	}
	return true
}
