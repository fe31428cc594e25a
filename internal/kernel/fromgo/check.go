package fromgo

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"github.com/go-op2/op2/internal/callsite"
)

// check parses and type-checks everything, once.
func (p *Package) check() { p.once.Do(p.checkNow) }

func (p *Package) checkNow() {
	p.fset = token.NewFileSet()
	for i, text := range p.sources {
		file, err := parser.ParseFile(p.fset, sourceName(i), text, parser.SkipObjectResolution)
		var list scanner.ErrorList
		errors.As(err, &list)
		p.files = append(p.files, file)
		p.syntax = append(p.syntax, list)
	}
	p.info = types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	p.funcs = map[types.Object]*ast.FuncDecl{}
	p.decls = map[types.Object][]ast.Node{}
	p.others = map[string]*other{}
	files := p.complete()
	p.load(files)
	if slices.ContainsFunc(files, namesComplex) || slices.ContainsFunc(slices.Collect(maps.Values(p.others)), (*other).namesComplex) {
		complexNumbers, _ := parser.ParseFile(p.fset, complexFile, "package "+files[0].Name.Name+"\n\n"+complexFunctions(), parser.SkipObjectResolution)
		files = append(files, complexNumbers)
	}
	p.pkg = p.checkFiles(ownPath, files)
}

// checkFiles type-checks the files of one package.
func (p *Package) checkFiles(path string, files []*ast.File) *types.Package {
	conf := types.Config{
		GoVersion:                "go1.25",
		Importer:                 imports{p},
		Sizes:                    types.SizesFor("gc", "amd64"),
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				p.errs = append(p.errs, e)
			}
		},
	}
	pkg, _ := conf.Check(path, p.fset, files, &p.info)
	p.index(files)
	return pkg
}

// checkOther type-checks a package, once. One that imports itself, which the compiler refuses, finds
// itself empty.
func (p *Package) checkOther(path string, o *other) *types.Package {
	if o.pkg == nil {
		o.pkg = types.NewPackage(path, "")
		o.pkg = p.checkFiles(path, o.files)
	}
	return o.pkg
}

// imports provides package math as declared below, the printing functions of package fmt, packages that
// export their source, and nothing else. A failed import yields an empty package, whose uses the type
// checker accepts; kernels that use one are refused later.
type imports struct{ *Package }

func (i imports) Import(path string) (*types.Package, error) {
	switch path {
	case "math":
		return mathPackage(), nil
	case "fmt":
		return fmtPackage(), nil
	}
	if o := i.others[path]; o != nil {
		return i.checkOther(path, o), nil
	}
	return nil, errors.New("not available to kernels")
}

// load parses the packages of the library that files import, and those that these import.
func (p *Package) load(files []*ast.File) {
	for _, file := range files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if p.library == nil || p.others[path] != nil {
				continue
			}
			o := &other{}
			for _, f := range p.library(path) {
				file, err := parser.ParseFile(p.fset, callsite.FileIn(path, f.Name), f.Text, parser.SkipObjectResolution)
				if err == nil { // without it its names are undefined
					o.files = append(o.files, file)
				}
			}
			if len(o.files) > 0 {
				p.others[path] = o
				p.load(o.files)
			}
		}
	}
}
