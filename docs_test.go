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
	"github.com/go-op2/op2/solver"
)

// publicNames returns the public names of the package in a folder, "Dat" or "Dat.Zero": types, functions, constants,
// variables, and methods, those of interfaces among them.
func publicNames(t *testing.T, folder string) []string {
	var names []string
	add := func(of, name string) {
		if ast.IsExported(name) && (of == "" || ast.IsExported(of)) {
			names = append(names, strings.TrimPrefix(of+"."+name, "."))
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
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
				add(receiver(d), d.Name.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add("", s.Name.Name)
						if of, is := s.Type.(*ast.InterfaceType); is {
							for _, m := range of.Methods.List {
								for _, n := range m.Names {
									add(s.Name.Name, n.Name)
								}
							}
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							add("", n.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type that a method belongs to; "" for a function.
func receiver(d *ast.FuncDecl) (name string) {
	if d.Recv == nil {
		return ""
	}
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// Public names are few, and each of op2, ckernel, hdf5 and solver is in the pages; String and Error are methods of Go's interfaces.
func TestPublicNames(t *testing.T) {
	var text strings.Builder
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(content)
	}
	words := map[string]bool{"String": true, "Error": true}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(text.String(), -1) {
		words[w] = true
	}
	for _, p := range []struct {
		folder string
		most   int
		listed bool // each name is in the pages
	}{
		{".", 327, true},
		{"ckernel", 4, true},
		{"elements", 39, true},
		{"hdf5", 23, true},
		{"mesh", 126, false},
		{"plot", 24, false},
		{"progress", 4, false},
		{"solver", 63, true},
		{"vtk", 20, false},
	} {
		names := publicNames(t, p.folder)
		if len(names) > p.most {
			t.Errorf("%s has %d public names, at most %d are wanted", p.folder, len(names), p.most)
		}
		for _, name := range names {
			if own := name[strings.LastIndex(name, ".")+1:]; p.listed && !words[own] {
				t.Errorf("no page mentions %s of %s", name, p.folder)
			}
		}
	}
}

// Every op2.Something and solver.Something in the pages exists, and so do the pages that they link to.
func TestDocsNameWhatIsThere(t *testing.T) {
	optest.NotShort(t)
	exported := map[string]bool{}
	for folder, of := range map[string]string{".": "op2.", "solver": "solver."} {
		for _, name := range publicNames(t, folder) {
			exported[of+name] = true
		}
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	name, link := regexp.MustCompile(`\b(?:op2|solver)\.[A-Z]\w*`), regexp.MustCompile(`\]\(([^)\s:#]+)(#[^)]*)?\)`)
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range name.FindAllString(line, -1) {
				if !exported[m] {
					t.Errorf("%s:%d: there is no %s", page, i+1, m)
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
	for _, value := range []any{op2.Stats{}, solver.Convergence{}, op2.Transfers{}} {
		if of := reflect.TypeOf(value); strings.Contains(of.PkgPath(), "internal") {
			t.Errorf("%s is defined in %s", of.Name(), of.PkgPath())
		}
	}
}

// The fields of types that are defined elsewhere are listed with what op2 says of them.
func TestAliasesListTheirFields(t *testing.T) {
	text := map[string]string{}
	for _, path := range []string{"chain.go", "errors.go", "plan.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range f.Decls {
			if d, ok := declaration.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				text[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
			}
		}
	}
	for name, value := range map[string]any{
		"ShapeError": op2.ShapeError{}, "ArgError": op2.ArgError{}, "ValueError": op2.ValueError{}, "KernelError": op2.KernelError{},
		"FaultError": op2.FaultError{}, "PlanFigures": op2.PlanFigures{}, "ChainPlan": op2.ChainPlan{},
	} {
		of := reflect.TypeOf(value)
		listed := regexp.MustCompile(`(?m)^\t(\w+(?:, \w+)*) +(?:\[\])?\w+(?: +//.*)?$`).FindAllStringSubmatch(text[name], -1)
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
			t.Errorf("%s lists the fields %v, it has %v", name, got, want)
		}
	}
}
