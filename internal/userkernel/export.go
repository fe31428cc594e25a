package userkernel

import (
	"io/fs"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/kernel/fromgo"
)

// exports holds the files of packages that export their source, by import path. Packages do it when the
// program starts.
var exports struct {
	sync.Mutex
	of map[string][]fs.FS
}

// Export makes the Go files of a package, to which function belongs, available to kernels of packages
// that import it.
func Export(function string, files fs.FS) {
	if files == nil {
		return
	}
	pkg := strings.ReplaceAll(callsite.PackageOf(function), "%2e", ".") // so are dots in the last element of a path written in names
	exports.Lock()
	defer exports.Unlock()
	if exports.of == nil {
		exports.of = map[string][]fs.FS{}
	}
	exports.of[pkg] = append(exports.of[pkg], files)
}

// exportedBy returns the files of a package that are compiled on this platform; nil if it exports none.
func exportedBy(pkg string) (list []fromgo.File) {
	exports.Lock()
	defer exports.Unlock()
	for _, files := range exports.of[pkg] {
		names, _ := fs.Glob(files, "*.go") // the pattern is well-formed
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err == nil && thisPlatform().compiles(name, text) && !strings.HasSuffix(name, "_test.go") { // without a file its names are undefined
				list = append(list, fromgo.File{Name: name, Text: string(text)})
			}
		}
	}
	return list
}
