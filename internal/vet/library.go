package vet

import (
	"go/build"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/kernel/fromgo"
)

// library returns the files of a package that exports its source, from the folder in which the compiler found it.
func (c *checker) library(path string) []fromgo.File {
	var files []fromgo.File
	exports, names := false, c.filesOf(path)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if fits, err := build.Default.MatchFile(filepath.Split(name)); err != nil || !fits {
			continue
		}
		files = append(files, fromgo.File{Name: filepath.Base(name), Text: string(text)})
		exports = exports || strings.Contains(string(text), ".ExportSource(") // whatever op2 is called there
	}
	if !exports {
		return nil
	}
	return files
}

// filesOf returns the Go files in the folder of a package that the checked one imports, also by others.
func (c *checker) filesOf(path string) []string {
	seen := map[*types.Package]bool{}
	var find func(p *types.Package) []string
	find = func(p *types.Package) []string {
		if seen[p] {
			return nil
		}
		seen[p] = true
		if p.Path() == path {
			for _, name := range p.Scope().Names() {
				if at := c.Fset.Position(p.Scope().Lookup(name).Pos()); at.IsValid() {
					files, _ := filepath.Glob(filepath.Join(filepath.Dir(at.Filename), "*.go")) // the pattern is well-formed
					c.lost = c.lost || len(files) == 0 && strings.Contains(path, ".")           // compiled with -trimpath, say
					return files
				}
			}
		}
		for _, i := range p.Imports() {
			if files := find(i); files != nil {
				return files
			}
		}
		return nil
	}
	return find(c.Pkg)
}
