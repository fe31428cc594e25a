// Package fromgo lowers a kernel written as a Go function to the IR of package kernel.
//
// A source is parsed and type-checked with the standard library's go/parser and go/types, against a
// stub of package math and the sources of other packages that export theirs, so that no Go installation
// is needed where the program runs. What a kernel reaches (functions, types, constants and package
// variables) is checked to be within the subset that the IR supports; anything else is refused with its
// position and what to write instead; the rest is lowered, function by function. Ordinary code in the
// same files is neither checked nor lowered.
//
// The package is pure: it reads only the sources passed to it.
package fromgo

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"sync"
)

// Package is the source of one Go package, or of the part of it that kernels need. Its methods are
// safe for concurrent use.
type Package struct {
	sources []string
	library Library
	once    sync.Once

	fset   *token.FileSet
	files  []*ast.File
	syntax []scanner.ErrorList // of each file
	errs   []types.Error       // of all packages, in order of discovery
	pkg    *types.Package
	others map[string]*other // the packages that are imported, by path
	info   types.Info
	funcs  map[types.Object]*ast.FuncDecl // and methods
	decls  map[types.Object][]ast.Node    // of package constants and types
}

// Parse parses Go source files, given as their texts. They belong to one package, but need not be
// all of it. Mistakes are recorded, and reported for the kernels that they concern.
func Parse(sources ...string) *Package {
	p := &Package{}
	for _, s := range sources {
		if !slices.Contains(p.sources, s) {
			p.sources = append(p.sources, s)
		}
	}
	return p
}

// ownPath stands for the import path of the package.
const ownPath = "kernels"

// complete returns the files without syntax errors; the others are not inspected.
func (p *Package) complete() []*ast.File {
	var files []*ast.File
	for i, f := range p.files {
		if len(p.syntax[i]) == 0 {
			files = append(files, f)
		}
	}
	return files
}

// index finds the declaration of each object of a package.
func (p *Package) index(files []*ast.File) {
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if obj := p.info.Defs[d.Name]; obj != nil {
					p.funcs[obj] = d
				}
			case *ast.GenDecl:
				p.indexSpecs(d)
			}
		}
	}
}

func (p *Package) indexSpecs(d *ast.GenDecl) {
	var repeated ast.Node // the specification whose values an empty constant specification repeats
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			p.declare(s.Name, s)
		case *ast.ValueSpec:
			if d.Tok != token.CONST {
				continue
			}
			nodes := []ast.Node{s}
			if len(s.Values) > 0 {
				repeated = s
			} else if repeated != nil {
				nodes = append(nodes, repeated)
			}
			for _, n := range s.Names {
				p.declare(n, nodes...)
			}
		}
	}
}

func (p *Package) declare(name *ast.Ident, nodes ...ast.Node) {
	if obj := p.info.Defs[name]; obj != nil {
		p.decls[obj] = nodes
	}
}

// sourceName returns a substitute for the name of a file.
func sourceName(i int) string { return fmt.Sprintf("source%d", i+1) }

// Library returns the files of a package that exports its source, by its import path; nil for others.
type Library func(path string) []File

// File is a source file.
type File struct {
	Name string // without a folder
	Text string
}

// other is a package that the kernels' package imports, or that such a one imports, and that exports
// its source.
type other struct {
	files []*ast.File
	pkg   *types.Package // nil until it is checked
}

func (o *other) namesComplex() bool { return slices.ContainsFunc(o.files, namesComplex) }

// callee returns the callee of a call: a function, a builtin or, for a conversion, a type; nil if
// unknown.
func (p *Package) callee(call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return p.info.Uses[f]
	case *ast.SelectorExpr:
		return p.info.Uses[f.Sel]
	case *ast.IndexExpr:
		return p.callee(&ast.CallExpr{Fun: f.X})
	case *ast.IndexListExpr:
		return p.callee(&ast.CallExpr{Fun: f.X})
	}
	return nil
}

// function returns the function of this package that is called; nil if none is.
func (p *Package) function(call *ast.CallExpr) *types.Func {
	f, ok := p.callee(call).(*types.Func)
	if !ok || p.funcs[f] == nil {
		return nil
	}
	return f
}

// builtinOf returns the name of the builtin function that is called; "" if none is.
func (p *Package) builtinOf(e *ast.CallExpr) string {
	if f, ok := p.callee(e).(*types.Builtin); ok {
		return f.Name()
	}
	return ""
}

// Importing sets where the sources of other packages come from, and returns p.
func (p *Package) Importing(library Library) *Package {
	p.library = library
	return p
}

// otherAt returns the other package that a position is in; nil in the kernels' own.
func (p *Package) otherAt(pos token.Pos) *other {
	for _, o := range p.others {
		for _, f := range o.files {
			if f.FileStart <= pos && pos <= f.FileEnd {
				return o
			}
		}
	}
	return nil
}
