package userkernel

import (
	"go/build"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/kernel/fromgo"
)

// exports holds the files of packages that export their source, a []fs.FS by import path. Packages
// do it when the program starts.
var exports sync.Map

// Export makes the Go files of a package, to which function belongs, available to kernels of packages
// that import it.
func Export(function string, files fs.FS) {
	pkg := callsite.PackageOf(function)
	if plain, err := url.PathUnescape(pkg); err == nil { // a dot in its last element is %2e in names
		pkg = plain
	}
	if files != nil {
		known, _ := exports.Load(pkg)
		list, _ := known.([]fs.FS)
		exports.Store(pkg, append(list, files))
	}
}

// exportedBy returns the files of a package that are compiled on this platform; nil if it exports none.
func exportedBy(pkg string) (list []fromgo.File) {
	known, _ := exports.Load(pkg)
	all, _ := known.([]fs.FS)
	for _, files := range all {
		platform := build.Default
		platform.OpenFile = func(name string) (io.ReadCloser, error) { return files.Open(name) }
		names, _ := fs.Glob(files, "*.go") // the pattern is well-formed
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			matches, _ := platform.MatchFile("", name)
			if err == nil && matches && !strings.HasSuffix(name, "_test.go") { // without a file its names are undefined
				list = append(list, fromgo.File{Name: name, Text: string(text)})
			}
		}
	}
	return list
}
