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

// publicNames returns the package's public names, "Dat" or "Dat.Zero": types, functions, constants, variables, and
// methods, those of interfaces among them.
func publicNames(t *testing.T) []string {
	var names []string
	add := func(of, name string) {
		if ast.IsExported(name) && (of == "" || ast.IsExported(of)) {
			names = append(names, strings.TrimPrefix(of+"."+name, "."))
		}
	}
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

// Public names are few, and each is in the pages; String and Error are methods of Go's interfaces.
func TestPublicNames(t *testing.T) {
	const most = 422 // to become 300
	names := publicNames(t)
	if len(names) > most {
		t.Errorf("there are %d public names, at most %d are wanted", len(names), most)
	}
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
	for _, name := range names {
		if own := name[strings.LastIndex(name, ".")+1:]; !words[own] {
			t.Errorf("no page mentions %s", name)
		}
	}
}

// Every op2.Something in the pages exists, and so do the pages that they link to.
func TestDocsNameWhatIsThere(t *testing.T) {
	optest.NotShort(t)
	exported := map[string]bool{}
	for _, name := range publicNames(t) {
		exported[name] = true
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
