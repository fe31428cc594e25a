package fromgo

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// reach is the part of its package, and of those that it imports, that a kernel needs.
type reach struct {
	*builder
	funcs []*ast.FuncDecl // callees before callers; the last is the kernel
	vars  []use           // package variables, at their first use
	nodes []ast.Node      // declarations whose type errors count

	seen  map[types.Object]bool
	stack []*ast.FuncDecl // the calls that lead to the current function
}

// use is the first place where a package variable is used.
type use struct {
	v  *types.Var
	at token.Pos
}

// reachFrom collects what the function and its callees use.
func (b *builder) reachFrom(decl *ast.FuncDecl) *reach {
	r := &reach{builder: b, seen: map[types.Object]bool{}}
	if obj := b.info.Defs[decl.Name]; obj != nil {
		r.seen[obj] = true
	}
	r.function(decl)
	return r
}

func (r *reach) function(d *ast.FuncDecl) {
	r.stack = append(r.stack, d)
	r.uses(d)
	r.stack = r.stack[:len(r.stack)-1]
	r.funcs = append(r.funcs, d)
}

// uses follows the names in declaration n.
func (r *reach) uses(n ast.Node) {
	r.nodes = append(r.nodes, n)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			r.name(id)
		}
		return true
	})
}

func (r *reach) name(id *ast.Ident) {
	obj := r.info.Uses[id]
	if obj == nil {
		return
	}
	switch obj := obj.(type) {
	case *types.Func:
		if d := r.Package.funcs[obj]; d != nil {
			r.call(id, obj, d)
		}
	case *types.Var:
		if isPackageVar(obj) && r.first(obj) {
			r.vars = append(r.vars, use{obj, id.Pos()})
		}
	default: // a constant or a type
		if nodes := r.decls[obj]; nodes != nil && r.first(obj) {
			for _, n := range nodes {
				r.uses(n)
			}
		}
	}
}

// isPackageVar reports whether obj is a variable of a package.
func isPackageVar(obj types.Object) bool {
	return kernel.Is[*types.Var](obj) && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

func (r *reach) call(id *ast.Ident, obj types.Object, d *ast.FuncDecl) {
	if i := slices.Index(r.stack, d); i >= 0 {
		r.recursion(id, r.stack[i:])
		return
	}
	if r.first(obj) {
		r.function(d)
	}
}

func (r *reach) recursion(id *ast.Ident, cycle []*ast.FuncDecl) {
	var names []string
	for _, d := range cycle {
		names = append(names, d.Name.Name)
	}
	names = append(names, id.Name)
	r.problem(id.Pos(), "kernels cannot recurse: write a loop",
		"recursion: %s", strings.Join(names, " calls "))
}

// first reports whether obj is new.
func (r *reach) first(obj types.Object) bool {
	if r.seen[obj] {
		return false
	}
	r.seen[obj] = true
	return true
}
