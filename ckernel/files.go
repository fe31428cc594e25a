package ckernel

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/userkernel"
)

// Source is C text, in files, that contains kernels.
type Source struct {
	units   []unit
	err     error // what is wrong with the files
	kernels userkernel.Table[string, *op2.Kernel]
}

// unit is a file, with what it includes.
type unit struct {
	given     csource.Given
	functions map[string]kernel.Pos
}

// sources caches the most recent ones: the same files give the same kernels.
var sources = userkernel.Table[matching, *Source]{Most: 64}

// matching is the files of a file system that match one of the patterns.
type matching struct {
	files    fs.FS
	patterns string
}

// Files takes files with kernels in C, or in C++ as OP2's kernels are, usually embedded. Patterns
// name files as in fs.Glob; without one, all that end in .c, .h, .cc, .cpp, .hpp, .cu or .cuh are taken:
//
//	//go:embed kernels
//	var files embed.FS // with kernels/flux.c, which includes "common.h"
//
//	kernels := ckernel.Files(files)
//	flux := kernels.Func("flux")
//
// A file may include others of the file system. Only what a kernel needs has to be there: consts,
// types and headers that other functions use may be missing. The same files give the same Source.
func Files(files fs.FS, patterns ...string) *Source {
	if files == nil {
		return &Source{kernels: userkernel.Table[string, *op2.Kernel]{Most: 1}, err: errors.New("the files are nil\n  hint: embed them: //go:embed kernels, and in the next line: var kernels embed.FS")}
	}
	read := func() *Source { return newSource(files, patterns) }
	if !reflect.TypeOf(files).Comparable() {
		return read()
	}
	return userkernel.Get(&sources, matching{files, strings.Join(patterns, "\x00")}, read)
}

func newSource(files fs.FS, patterns []string) *Source {
	s := &Source{kernels: userkernel.Table[string, *op2.Kernel]{Most: userkernel.ManyKernels}}
	names, err := namesOf(files, patterns)
	for _, name := range names {
		text, failed := fs.ReadFile(files, name)
		if failed != nil {
			err = failed
			break
		}
		given := csource.Given{File: name, Text: strings.TrimPrefix(string(text), "\ufeff"), Files: files}
		s.units = append(s.units, unit{given, fromc.Functions(given)})
	}
	s.err = err
	return s
}

// endings are those of files that may contain kernels.
var endings = []string{".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh"}

// manyFiles limits how many files an error lists.
const manyFiles = 8

// namesOf returns the names of the files that match a pattern.
func namesOf(files fs.FS, patterns []string) (names []string, err error) {
	for _, p := range patterns {
		found, err := fs.Glob(files, p)
		if errors.Is(err, path.ErrBadPattern) {
			return nil, fmt.Errorf("the pattern %q is malformed\n  hint: patterns are those of path.Match: a [ begins a list of characters, and \\[ stands for itself", p)
		}
		if err != nil || len(found) == 0 {
			all, err := namesOf(files, nil)
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

// Func returns the kernel that is the function called name, as for New. The same name gives the same
// kernel.
func (s *Source) Func(name string) *op2.Kernel {
	if s == nil {
		return failed(name, errors.New("its *ckernel.Source is nil, or was not made by ckernel.Files"))
	}
	return userkernel.Get(&s.kernels, name, func() *op2.Kernel {
		unit, err := s.find(name)
		if err != nil {
			return failed(name, err)
		}
		return read(name, unit.given)
	})
}

// find returns the file that defines a function: rather one that includes it, and so what it needs, than
// the file by itself.
func (s *Source) find(name string) (found unit, err error) {
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
		return found, fmt.Errorf("it is defined in %s\n  hint: name the files for one of them: ckernel.Files(files, %q)", strings.Join(places, " and "), found.given.File)
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
