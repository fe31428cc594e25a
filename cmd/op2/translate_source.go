package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/vet"
)

// runVerbs are the verbs of the library that run code, by what is said of a call that was not reached.
var runVerbs = map[string]string{
	"ParLoop": "the loop of %s", "NewLoop": "the loop of %s", "Chain.Compute": "the chain %s", "solver.Solver.Solve": "the solver %s", "Mat.Mul": "the product of %s",
}

// piece is a call or a kernel that a program's run should reach.
type piece struct {
	at     token.Position
	want   unit.Place // of a call, from this line
	last   int        // to this one
	about  string
	kernel string // that a call passes
}

// unreached returns a line for each call of the source that would have run code, and each kernel, that the run has not
// reached.
func (t *translation) unreached(reached map[unit.Place]bool) ([]string, error) {
	wanted, err := t.source()
	if err != nil {
		return nil, err
	}
	var missing []piece
	named := map[string]bool{}
	for _, w := range wanted {
		found := false
		for p := w.want; p.Line <= w.last; p.Line++ {
			found = found || reached[p]
		}
		if !found && !named[w.want.What] {
			missing = append(missing, w)
			named[w.kernel] = true
		}
	}
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, m := range missing {
		file, err := filepath.Rel(folder, m.at.Filename)
		if err != nil {
			file = m.at.Filename
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s was never reached: it is not translated; give arguments that reach it", file, m.at.Line, m.about))
	}
	return lines, nil
}

// source finds in the packages of the program that are of its own module the calls that run code, and after them
// the kernels.
func (t *translation) source() (list []piece, err error) {
	program, err := t.load(packages.NeedName|packages.NeedImports|packages.NeedDeps|packages.NeedModule, t.program)
	if err != nil {
		return nil, err
	}
	var own []string
	packages.Visit(program, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main && !callsite.InLibrary(p.PkgPath) && p.PkgPath != t.input.Path {
			own = append(own, p.PkgPath)
		}
	})
	slices.Sort(own)
	loaded, err := t.load(packages.LoadSyntax, own...)
	if err != nil {
		return nil, err
	}
	var kernels []piece
	for _, p := range loaded {
		for _, file := range p.Syntax {
			called := map[ast.Expr]bool{}
			for n := range ast.Preorder(file) {
				switch n := n.(type) {
				case *ast.CallExpr:
					called[n.Fun] = true
					if verb := vet.Callee(p.TypesInfo, n); runVerbs[verb] != "" {
						list = append(list, callOf(p, n, verb))
					}
				case *ast.SelectorExpr:
					called[n.Sel] = called[n]
				case *ast.Ident:
					if f, ok := p.TypesInfo.Uses[n].(*types.Func); ok && !called[n] && isKernel(f) {
						at := p.Fset.Position(f.Pos())
						k := piece{at: at, want: unit.Place{What: f.Name(), File: at.Filename}, about: "a loop of " + f.Name()}
						if !slices.Contains(kernels, k) {
							kernels = append(kernels, k)
						}
					}
				}
			}
		}
	}
	return append(list, kernels...), nil
}

// load reads packages of the program.
func (t *translation) load(mode packages.LoadMode, patterns ...string) ([]*packages.Package, error) {
	list, err := packages.Load(&packages.Config{Mode: mode, Context: t, BuildFlags: []string{"-overlay=" + t.overlay}}, patterns...)
	if err != nil {
		return nil, err
	}
	var wrong []error
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			wrong = append(wrong, e)
		}
	})
	return list, errors.Join(wrong...)
}

// callOf describes a call that runs code: the receiver of a method, or the first argument of a function, says
// which. The line that the run tells is between that of the call and that of its parenthesis.
func callOf(p *packages.Package, call *ast.CallExpr, verb string) piece {
	at := p.Fset.Position(call.Pos())
	s := piece{at: at, want: unit.Place{What: verb, File: at.Filename, Line: at.Line}, last: p.Fset.Position(call.Lparen).Line}
	what := "?"
	if fun, ok := call.Fun.(*ast.SelectorExpr); ok && strings.Contains(strings.TrimPrefix(verb, "solver."), ".") {
		what = types.ExprString(fun.X)
	} else if len(call.Args) > 0 {
		kernel := call.Args[0]
		if made, ok := kernel.(*ast.CallExpr); ok && vet.Callee(p.TypesInfo, made) == "Source.Func" && len(made.Args) == 1 {
			kernel = made.Args[0]
		}
		what = types.ExprString(kernel)
		s.kernel = what[strings.LastIndex(what, ".")+1:]
	}
	s.about = fmt.Sprintf(runVerbs[verb], what)
	return s
}

// isKernel reports whether a function whose value a program uses is probably a kernel: it has no results, and
// its parameters are pointers to plain data, or slices of it.
func isKernel(f *types.Func) bool {
	s := f.Signature()
	if s.Recv() != nil || s.TypeParams() != nil || s.Results().Len() > 0 || s.Params().Len() == 0 {
		return false
	}
	for p := range s.Params().Variables() {
		switch t := p.Type().(type) {
		case *types.Pointer:
			if !isPlain(t.Elem()) {
				return false
			}
		case *types.Slice:
			if !isPlain(t.Elem()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isPlain reports whether values of a type are numbers alone.
func isPlain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Array:
		return isPlain(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !isPlain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
