package op2_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/optest"
)

// snippetNames declares the names that snippets of the pages use but do not declare.
const snippetNames = `package docs

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/hdf5"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
	"github.com/go-op2/op2/vtk"
)

var (
	rt *op2.Runtime
	m *mesh.Mesh
	d *mesh.Declared
	h, velocity []float64
	source string
	kernels *op2.Source
	kernel, resCalc, fix, stiffness, saddle, load *op2.Kernel
	save, areas, fluxes, boundary, update, assemble *op2.Loop
	add, copied, sum *op2.Kernel
	y, z *op2.Dat[float64]
	total *op2.Global[float64]
	edges, nodes, cells, facets, triangles *op2.Set
	wall, corners, left, clamped, inflow *op2.Subset
	edge2node, cell2node, facet2cell, elem2node, pedge, pecell *op2.Map
	x, xy, q, res, u, b, profile, diagonal, momentum, continuity *op2.Dat[float64]
	force, rms *op2.Global[float64]
	k, mass *op2.Mat[float64]
	a solver.Operator
	flow *op2.Mat[float64]
	up, f *op2.MixedDat[float64]
	bc *op2.Dirichlet[float64]
	wave *op2.Condition[float64]
	system *solver.Solver
	coordinates, myPoints []float64
	parts []int32
	myCells []int64
	ctx context.Context
	args []op2.Arg
	steps int
	omega, dt, gam float64
	err error
)

func flux(x *float64) {}
func size() {}
func between() {}
func outwards() {}
`

// The Go snippets of the pages compile, except for unused variables: each is the body of a
// function. Snippets with omissions, marked by a line of three dots, are skipped.
func TestDocsSnippetsCompile(t *testing.T) {
	optest.NotShort(t)
	pages, err := filepath.Glob("docs/*.md")
	optest.OK(t, err)
	fset := token.NewFileSet()
	parse := func(name, text string) *ast.File {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
		}
		return f
	}
	head := snippetNames[:strings.Index(snippetNames, "var (")]
	files := []*ast.File{parse("names.go", snippetNames)}
	fence := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	function, left := regexp.MustCompile(`(?m)^func (\w+)\(`), regexp.MustCompile(`(?m)^\s*\.\.\.$`)
	for _, page := range append(pages, "README.md") {
		if page == "docs/tutorial.md" {
			continue // examples/tutorial compares it with the programs
		}
		text, err := os.ReadFile(page)
		optest.OK(t, err)
		for _, at := range fence.FindAllSubmatchIndex(text, -1) {
			snippet := string(text[at[2]:at[3]])
			if left.MatchString(snippet) {
				continue
			}
			line := 1 + strings.Count(string(text[:at[2]]), "\n")
			body := function.ReplaceAllString(snippet, "$1 := func(")
			files = append(files, parse("", fmt.Sprintf("%sfunc snippet%d() error {\n//line %s:%d\n%s\nreturn nil\n}\n", head, len(files), page, line, body)))
		}
	}
	if len(files) < 15 {
		t.Errorf("only %d snippets are found", len(files)-1)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", exportData(t)), Error: func(err error) {
		if e := err.(types.Error); !e.Soft { // such as an unused variable
			t.Error(err)
		}
	}}
	conf.Check("docs", fset, files, nil)
}

// exportData returns a function that finds the go command's compiled export data of the packages and of
// everything that they import.
func exportData(t *testing.T) importer.Lookup {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".", "./ckernel", "./elements", "./hdf5", "./mesh", "./plot", "./solver", "./vtk", "os/signal").Output()
	optest.OK(t, err)
	paths := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		paths[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(paths[path]) }
}
