package userkernel

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/spell"
)

// CSource is C text in files that contain kernels.
type CSource struct {
	units   []cUnit
	err     error // what is wrong with the files
	kernels table[string, *Kernel]
}

// cUnit is a file, with what it includes.
type cUnit struct {
	given     csource.Given
	functions map[string]kernel.Pos
}

// cSources caches the most recent ones: the same files give the same kernels.
var cSources = table[cFiles, *CSource]{most: 64}

type cFiles struct {
	files    fs.FS
	patterns string
}

// CKernels takes files that match one of the patterns, or all that are C or C++ if there is none.
func CKernels(files fs.FS, patterns ...string) *CSource {
	if files == nil {
		return &CSource{kernels: table[string, *Kernel]{most: 1}, err: errors.New("the files are nil\n  hint: embed them: //go:embed kernels, and in the next line: var kernels embed.FS")}
	}
	read := func() *CSource { return newCSource(files, patterns) }
	if !reflect.TypeOf(files).Comparable() {
		return read()
	}
	return cSources.get(cFiles{files, strings.Join(patterns, "\x00")}, read)
}

func newCSource(files fs.FS, patterns []string) *CSource {
	s := &CSource{kernels: table[string, *Kernel]{most: manyKernels}}
	names, err := cNames(files, patterns)
	for _, name := range names {
		text, failed := fs.ReadFile(files, name)
		if failed != nil {
			err = failed
			break
		}
		given := csource.Given{File: name, Text: strings.TrimPrefix(string(text), "\ufeff"), Files: files}
		s.units = append(s.units, cUnit{given, fromc.Functions(given)})
	}
	s.err = err
	return s
}

// endings are those of files that may contain kernels.
var endings = []string{".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh"}

// manyFiles limits how many files an error lists.
const manyFiles = 8

// cNames returns the names of the files that match a pattern.
func cNames(files fs.FS, patterns []string) (names []string, err error) {
	for _, p := range patterns {
		found, err := fs.Glob(files, p)
		if err != nil || len(found) == 0 {
			all, err := cNames(files, nil)
			if err != nil {
				return nil, err
			}
			if len(all) > manyFiles {
				all = append(all[:manyFiles:manyFiles], "...")
			}
			return nil, fmt.Errorf("no file is called %q\n  hint: name files as in //go:embed, from its folder on; there are %s", p, strings.Join(all, ", "))
		}
		names = append(names, found...)
	}
	if len(patterns) > 0 {
		return names, nil
	}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains(endings, path.Ext(name)) {
			names = append(names, name)
		}
		return err
	})
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no file ends in %s\n  hint: embed them: //go:embed kernels, and in the next line: var kernels embed.FS", strings.Join(endings, ", "))
	}
	return names, err
}

// Func returns the kernel called name. The same name gives the same kernel.
func (s *CSource) Func(name string) *Kernel {
	if s == nil {
		return &Kernel{name: name, err: problem.Kernelf(name, "its *CSource is nil, or was not made by CKernels")}
	}
	return s.kernels.get(name, func() *Kernel {
		unit, err := s.find(name)
		if err != nil {
			return &Kernel{name: name, err: problem.Kernelf(name, "%w", err)}
		}
		k := newC(name, unit.given)
		k.file = unit.given.File
		return k
	})
}

// find returns the file that defines a function: rather one that includes it, and so what it needs, than
// the file by itself.
func (s *CSource) find(name string) (found cUnit, err error) {
	if s.err != nil {
		return found, s.err
	}
	var places []string
	known := map[string]bool{}
	for _, u := range s.units {
		for f := range u.functions {
			known[f] = true
		}
		pos, ok := u.functions[name]
		if !ok {
			continue
		}
		if place := pos.String(); !slices.Contains(places, place) {
			places = append(places, place)
		}
		if found.functions == nil || found.given.File == pos.File {
			found = u
		}
	}
	switch {
	case len(places) > 1:
		return found, fmt.Errorf("it is defined in %s\n  hint: name the files for one of them: op2.CKernels(files, %q)", strings.Join(places, " and "), found.given.File)
	case len(places) == 1:
		return found, nil
	}
	names := slices.Sorted(maps.Keys(known))
	switch best := spell.Nearest(name, names); {
	case best != "":
		return found, fmt.Errorf("no file defines it\n  hint: did you mean %s?", best)
	case len(names) == 0:
		return found, errors.New("no file defines a function")
	}
	return found, fmt.Errorf("no file defines it\n  hint: they define %s", strings.Join(names, ", "))
}
