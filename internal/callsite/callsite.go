// Package callsite finds where in a program the library has been called, for messages.
package callsite

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

type here struct{}

// library is the module path of the library.
var library = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/callsite")

// public matches the functions of the packages that programs call.
var public = regexp.MustCompile("^" + regexp.QuoteMeta(library) + `(/hdf5|/mesh|/solver|/vtk)?\.`)

// A Site is where a program has called the library.
type Site struct {
	Verb string // "Dat.Gather", "ParLoop"; "" if the program has called nothing that is public
	At   string // "main.go:31"

	File string // as the compiler was given it
	Line int
}

// InLibrary reports whether a package is one of the library's, which are not where a program calls it.
func InLibrary(path string) bool {
	return strings.HasPrefix(path, library+"/internal/") || public.MatchString(path+".")
}

// PackageOf returns the import path of a function's package, that of the program for "main".
func PackageOf(function string) string {
	folder, last := path.Split(function)
	name, _, _ := strings.Cut(last, ".")
	if built, ok := debug.ReadBuildInfo(); ok && folder+name == "main" {
		return built.Path
	}
	return folder + name
}

// Find returns where the program has called the library on the stack of this goroutine. It takes
// microseconds.
func Find() Site {
	var calls [64]uintptr
	return find(runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])]))
}

func find(frames *runtime.Frames) Site {
	var s Site
	for {
		f, more := frames.Next()
		if s.At != "" && !strings.HasPrefix(f.Function, library+"/internal/entity.declareOn[") {
			return s
		}
		s.At, s.File, s.Line = "", "", 0 // a closure of a constructor, which was inlined
		switch {
		case f.Function == "" || strings.HasPrefix(f.Function, library+"/internal/"):
		case public.MatchString(f.Function):
			s.Verb = verb(f.Function)
		default:
			s.At, s.File, s.Line = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line), f.File, f.Line
		}
		if !more {
			return s
		}
	}
}

// String returns "Dat.Gather (main.go:31)"; "" if the program has called nothing that is public.
func (s Site) String() string {
	switch {
	case s.Verb == "":
		return ""
	case s.At == "":
		return s.Verb
	}
	return fmt.Sprintf("%s (%s)", s.Verb, s.At)
}

// decoration is what a function's name has besides those of its package and receiver.
var decoration = regexp.MustCompile(`\[.*\]|[(*)]|\.(func|deferwrap)[0-9].*$`)

// verb returns the name of a function as a program writes it: "Dat.Gather" of
// "github.com/go-op2/op2.(*Dat[...]).Gather".
func verb(function string) string {
	v := decoration.ReplaceAllString(function, "")
	return strings.TrimPrefix(v[strings.LastIndex(v, "/")+1:], "op2.")
}

// version matches the last element of the path of a module's later version.
var version = regexp.MustCompile(`/v[0-9]+$`)

// FileIn returns how messages name a file of a package that is not the kernel's own: "gas/flux.go".
func FileIn(pkg, file string) string {
	return path.Join(path.Base(version.ReplaceAllString(pkg, "")), filepath.Base(file))
}
