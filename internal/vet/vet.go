// Package vet checks the kernels of a program, and the loops that call them, without running it: as an
// analyzer for go vet.
//
// A kernel is checked where a program makes it, Source.Func or ckernel.New, by the front ends that read it at
// run time. A loop is checked where it is declared or called, if its kernel is known: the number of arguments,
// the type of each, and what the kernel does with it against the access. Dims and arities count where they are
// constants. What depends on values that only a run has is left to the run: nothing is said of it.
package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/go-op2/op2/internal/kernel"
)

// Analyzer reports mistakes in kernels and loops.
var Analyzer = &analysis.Analyzer{
	Name: "op2",
	Doc:  "check kernels, and the arguments of the loops that call them",
	URL:  "https://pkg.go.dev/" + module + "/cmd/op2",
	Run:  run,
}

const module = "github.com/go-op2/op2"

// checker checks one package.
type checker struct {
	*analysis.Pass
	values    map[types.Object]ast.Expr // what a variable or field holds: nil where that is not one expression
	texts     map[types.Object][]string // the files that a variable embeds
	consts    map[string]bool           // the names of declared consts
	types     map[string]bool           // the names of declared types
	open      bool                      // a const is declared by a name that only a run knows
	kernels   map[*ast.CallExpr]*goKernel
	elsewhere map[string]bool // the names of consts that imported packages declare; nil until they are needed
	whole     bool            // these are all there may be, besides the package's own
	lost      bool            // a package that kernels may use is not where the compiler found it
	reported  map[string]bool
}

func run(pass *analysis.Pass) (any, error) {
	if !imports(pass.Pkg) {
		return nil, nil
	}
	c := &checker{Pass: pass, values: map[types.Object]ast.Expr{}, texts: map[types.Object][]string{}, consts: map[string]bool{},
		types: map[string]bool{}, kernels: map[*ast.CallExpr]*goKernel{}, reported: map[string]bool{}}
	for _, f := range pass.Files {
		c.index(f)
	}
	calls := map[string]func(call *ast.CallExpr){"Source.Func": c.kernel, "ckernel.New": c.inC, "ParLoop": c.loop, "NewLoop": c.loop}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if check := calls[c.callee(call)]; check != nil {
					check(call)
				}
			}
			return true
		})
	}
	return nil, nil
}

// imports reports whether a package uses the library.
func imports(p *types.Package) bool {
	return slices.ContainsFunc(p.Imports(), func(p *types.Package) bool {
		return p.Path() == module || strings.HasPrefix(p.Path(), module+"/")
	})
}

func (c *checker) callee(call *ast.CallExpr) string { return Callee(c.TypesInfo, call) }

// Callee returns which function of the library is called: "NewDat", "Source.Func", "ckernel.New"; "" if it is none.
func Callee(info *types.Info, call *ast.CallExpr) string {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	prefix := ""
	switch path := f.Pkg().Path(); {
	case path == module:
	case strings.HasPrefix(path, module+"/"):
		prefix = f.Pkg().Name() + "."
	default:
		return ""
	}
	if recv := f.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			prefix += named.Obj().Name() + "."
		}
	}
	return prefix + f.Name()
}

// problem reports a problem of a kernel at its place; at another place where the file is not one of the package.
func (c *checker) problem(p kernel.Problem, files []string, otherwise token.Pos) {
	message := p.Msg
	if p.Hint != "" {
		message += "\n  hint: " + p.Hint
	}
	at := token.NoPos
	for _, name := range files {
		if filepath.Base(name) == p.Pos.File {
			at = c.place(name, p.Pos)
		}
	}
	if at == token.NoPos {
		if at = otherwise; p.Pos.Known() {
			message = p.Pos.String() + ": " + message
		}
	}
	c.report(at, message)
}

// place returns a place in a file of the package.
func (c *checker) place(name string, p kernel.Pos) token.Pos {
	for _, f := range c.Files {
		if file := c.Fset.File(f.FileStart); file.Name() == name && 1 <= p.Line && p.Line <= file.LineCount() {
			return file.LineStart(p.Line) + token.Pos(max(p.Col, 1)-1)
		}
	}
	return token.NoPos
}

// report reports what has not been reported.
func (c *checker) report(at token.Pos, message string) {
	if key := c.Fset.Position(at).String() + message; !c.reported[key] {
		c.reported[key] = true
		c.Report(analysis.Diagnostic{Pos: at, Message: message})
	}
}
