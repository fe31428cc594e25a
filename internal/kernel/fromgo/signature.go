package fromgo

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-op2/op2/internal/kernel"
)

// kernelSignature refuses parameters and results that a kernel cannot have; those that no function
// can have are refused elsewhere.
func (b *builder) kernelSignature(d *ast.FuncDecl) {
	obj, ok := b.info.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	sig := obj.Signature()
	if sig.TypeParams() != nil {
		return
	}
	if n := sig.Results(); n.Len() > 0 {
		b.problem(d.Type.Results.Pos(), "give what it computes to a parameter, *T or *[n]T",
			"kernel %s has a result", d.Name.Name)
	}
	if sig.Params().Len() == 0 {
		b.problem(d.Name.Pos(), "add one pointer for each argument of the loop", "kernel %s has no parameters", d.Name.Name)
	}
	if sig.Variadic() {
		return
	}
	eachParam(d.Type.Params, func(i int, pos token.Pos) {
		v := sig.Params().At(i)
		if what, hint := notArgument(v.Type()); what != "" {
			b.problem(pos, hint, "parameter %s of kernel %s is %s", paramName(v, i), d.Name.Name, what)
		}
	})
}

// notArgument returns why a parameter of type t cannot take an argument of a loop.
func notArgument(t types.Type) (what, hint string) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if sliceLevels(t) > 2 {
			return "a slice of three levels, " + typeString(t), "use []T, or [][]T through a whole map"
		}
		return "", ""
	case *types.Pointer:
		return "", ""
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return "", ""
		}
	}
	return fmt.Sprintf("no pointer but %s", kernel.WithArticle(typeString(t))), "declare it as *" + typeString(t)
}

// eachParam calls f for every parameter in a list, named or not.
func eachParam(list *ast.FieldList, f func(i int, pos token.Pos)) {
	if list == nil {
		return
	}
	i := 0
	for _, field := range list.List {
		if len(field.Names) == 0 {
			f(i, field.Type.Pos())
			i++
		}
		for _, n := range field.Names {
			f(i, n.Pos())
			i++
		}
	}
}

// paramName returns the name of parameter i, even if it has none.
func paramName(v *types.Var, i int) string {
	if v.Name() == "" || v.Name() == "_" {
		return fmt.Sprintf("arg%d", i)
	}
	return v.Name()
}
