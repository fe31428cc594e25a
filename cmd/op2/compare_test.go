package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/vtk"
)

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 1, 1, 1, 1))
	write := func(name string, m *mesh.Mesh, fields ...vtk.Field) string {
		path := filepath.Join(dir, name)
		optest.OK(t, vtk.WriteFile(path, m, fields...))
		return path
	}
	h := []float64{1, 2, 3, -4}
	next := []float64{1, math.Nextafter(2, 3), 3, -4}
	far := []float64{1, 2, 3, -4.5}
	a := write("a.vtu", m, vtk.NodeValues("h", h), vtk.CellValues("w", []float64{1, 0, 5, 6}))
	for _, test := range []struct {
		name, b string
		args    []string
		want    []string // lines, without repeated spaces; the last: "ok", "failed", or a part of an error
	}{
		{"same", write("b.vtu", m, vtk.NodeValues("h", h), vtk.CellValues("w", []float64{1, 0, 5, 6})), nil,
			[]string{"coordinates nodes 12 0 none", "h nodes 4 0 none", "w cells 6 0 none", "ok"}},
		{"JSON", write("j.vtu", m, vtk.NodeValues("h", []float64{1, math.NaN(), 3, -4}), vtk.CellValues("w", []float64{1, 2})), []string{"-json"},
			[]string{`"Field": "h",`, `"Differ": 1,`, `"Largest": null,`, `"Error": "one has 3 components, the other 1",`, "failed"}},
		{"one ulp", write("c.vtu", m, vtk.NodeValues("h", next), vtk.CellValues("w", []float64{1, 0, 5, 7})), nil,
			[]string{"h nodes 4 1 4.44e-16 1.1e-16 1 1", "w cells 6 1 1 0.14 1.13e+15 1, component 1", "failed"}},
		{"within", write("d.vtu", m, vtk.NodeValues("h", next), vtk.CellValues("w", []float64{1, 0, 5, 6})), []string{"-tol", "1e-15"},
			[]string{"h nodes 4 1 4.44e-16 1.1e-16 1 1", "ok"}},
		{"beyond", write("e.vtu", m, vtk.NodeValues("h", far), vtk.CellValues("w", []float64{1, 0, 5, 6})), []string{"-tol", "0.1"},
			[]string{"h nodes 4 1 0.5 0.11 5.63e+14 3", "failed"}},
		{"not finite", write("f.vtu", m, vtk.NodeValues("h", []float64{1, math.NaN(), 3, -4}), vtk.CellValues("w", []float64{1, 0, 5, 6})), []string{"-tol", "1"},
			[]string{"h nodes 4 1 not finite in one of them 1", "failed"}},
		{"other fields", write("g.vtu", m, vtk.NodeValues("g", h)), nil,
			[]string{"h nodes only in A", "g nodes only in B", "w cells only in A", "failed"}},
		{"components", write("h.vtu", m, vtk.NodeValues("h", h), vtk.CellValues("w", []float64{1, 2})), nil,
			[]string{"w cells one has 3 components, the other 1", "failed"}},
		{"other mesh", write("i.vtu", optest.Must(mesh.Rectangle(mesh.Triangle, 2, 1, 1, 1))), nil, []string{"one has 4 nodes, the other 6"}},
		{"no file", filepath.Join(dir, "none.vtu"), nil, []string{"no such file"}},
		{"flag", a, []string{"-tol", "-1"}, []string{"expected a number of at least 0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := output(t, append(append([]string{"compare"}, test.args...), a, test.b)...)
			out = regexp.MustCompile(` +`).ReplaceAllString(strings.NewReplacer(a, "A", test.b, "B").Replace(out), " ")
			lines, status := test.want[:len(test.want)-1], test.want[len(test.want)-1]
			for _, line := range lines {
				if !strings.Contains(out, line+"\n") {
					t.Errorf("no line %q in\n%s", line, out)
				}
			}
			switch {
			case status == "ok" && err == nil, status == "failed" && errors.Is(err, errFailed):
			case status == "ok" || status == "failed" || err == nil || !strings.Contains(err.Error(), status):
				t.Errorf("error %v, want %s", err, status)
			}
		})
	}
	optest.OK(t, os.WriteFile(filepath.Join(dir, "text"), []byte("no file of VTK"), 0o644))
	if _, err := output(t, "compare", a, filepath.Join(dir, "text")); err == nil || !strings.Contains(err.Error(), "hint: it compares files .vtu") {
		t.Error(err)
	}
}
