package fromgo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"

	"github.com/go-op2/op2/internal/callsite"
)

// Importing sets where the sources of other packages come from, and returns p.
func (p *Package) Importing(library Library) *Package {
	p.library = library
	return p
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
