package core_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The engine knows neither the packages above it nor any backend.
func TestImportsRunDownward(t *testing.T) {
	const module = "github.com/go-op2/op2"
	below := map[string]bool{}
	for _, p := range strings.Fields("backend callsite chain codegen comm device exact fuse given halo jit kernel loop order partition plan problem profile record sparse spell stop trial tune") {
		below[module+"/internal/"+p] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(p, module) {
				seen++
				if !below[p] {
					t.Errorf("%s imports %s", path, p)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no imports")
	}
}
