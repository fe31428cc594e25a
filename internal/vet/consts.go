package vet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// declaredElsewhere returns the names of consts that the packages declare which a command imports, directly or not, and
// whether these are all there may be: none is declared by a name that only a run knows, and no package's source is
// missing. Of a package that others import, it is never all: they may declare consts, too.
func (c *checker) declaredElsewhere() (names map[string]bool, all bool) {
	if c.elsewhere == nil {
		c.elsewhere = map[string]bool{}
		c.whole = c.Pkg.Name() == "main"
		seen := map[string]bool{}
		for _, f := range c.Files {
			for _, i := range f.Imports {
				c.scan(i, seen)
			}
		}
	}
	return c.elsewhere, c.whole
}

// scan looks for declarations of consts in a package, and in those that it imports.
func (c *checker) scan(i *ast.ImportSpec, seen map[string]bool) {
	path, err := strconv.Unquote(i.Path.Value)
	domain, _, _ := strings.Cut(path, "/")
	if err != nil || seen[path] || !strings.Contains(domain, ".") || path == module || strings.HasPrefix(path, module+"/") && !c.inModule() {
		return // the standard library, and op2 itself, declare none
	}
	seen[path] = true
	names := c.filesOf(path)
	c.whole = c.whole && len(names) > 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			c.whole = false
			continue
		}
		for _, i := range f.Imports {
			c.scan(i, seen)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 3 && named(call.Fun) == "NewConst" {
				text, ok := call.Args[1].(*ast.BasicLit)
				if !ok || text.Kind != token.STRING {
					c.whole = false
				} else if name, err := strconv.Unquote(text.Value); err == nil {
					c.elsewhere[name] = true
				}
			}
			return true
		})
	}
}

// inModule reports whether the package is one of op2's own module, such as an example.
func (c *checker) inModule() bool { return strings.HasPrefix(c.Pkg.Path(), module+"/") }

// named returns the name of a function as a call has it, without its package and type arguments.
func named(f ast.Expr) string {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.IndexExpr:
		return named(f.X)
	}
	return ""
}
