package op2_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// Every op2.Something in the pages exists, and so do the pages that they link to.
func TestDocsNameWhatIsThere(t *testing.T) {
	optest.NotShort(t)
	exported := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range f.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				exported[d.Name.Name] = exported[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						exported[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range s.Names {
							exported[n.Name] = true
						}
					}
				}
			}
		}
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	name, link := regexp.MustCompile(`\bop2\.([A-Z]\w*)`), regexp.MustCompile(`\]\(([^)\s:#]+)(#[^)]*)?\)`)
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range name.FindAllStringSubmatch(line, -1) {
				if !exported[m[1]] {
					t.Errorf("%s:%d: there is no op2.%s", page, i+1, m[1])
				}
			}
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
					t.Errorf("%s:%d: %v", page, i+1, err)
				}
			}
		}
	}
}

// go doc shows the fields of a type only where it is defined in the package itself.
func TestTypesHaveFields(t *testing.T) {
	for _, value := range []any{op2.Stats{}, op2.Convergence{}, op2.Transfers{}, op2.PlanFigures{}} {
		if of := reflect.TypeOf(value); of.PkgPath() != "github.com/go-op2/op2" {
			t.Errorf("%s is defined in %s", of.Name(), of.PkgPath())
		}
	}
}

// The fields of types that are defined elsewhere are listed with what op2 says of them.
func TestErrorsListTheirFields(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, declaration := range f.Decls {
		if d, ok := declaration.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			text[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
		}
	}
	for _, value := range []any{op2.ShapeError{}, op2.ArgError{}, op2.ValueError{}, op2.KernelError{}, op2.FaultError{}} {
		of := reflect.TypeOf(value)
		listed := regexp.MustCompile(`(?m)^\t(\w+(?:, \w+)*) +(?:\[\])?\w+(?: +//.*)?$`).FindAllStringSubmatch(text[of.Name()], -1)
		var got, want []string
		for _, line := range listed {
			got = append(got, strings.Split(line[1], ", ")...)
		}
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				want = append(want, of.Field(i).Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists the fields %v, it has %v", of.Name(), got, want)
		}
	}
}
