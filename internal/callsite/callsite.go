// Package callsite finds where in a program the library has been called, for messages.
package callsite

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
)

type here struct{}

// library is the module path of the library.
var library = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/callsite")

// public matches the functions of the packages that programs call.
var public = regexp.MustCompile("^" + regexp.QuoteMeta(library) + `(/mesh|/solver|/vtk)?\.`)

// A Site is where a program has called the library.
type Site struct {
	Verb string // "Dat.Gather", "ParLoop"; "" if the program has called nothing that is public
	At   string // "main.go:31"
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
		if s.At != "" && !strings.HasPrefix(f.Function, library+"/internal/entity.declare[") {
			return s
		}
		s.At = "" // a closure of a constructor, which was inlined
		switch {
		case f.Function == "" || strings.HasPrefix(f.Function, library+"/internal/"):
		case public.MatchString(f.Function):
			s.Verb = verb(f.Function)
		default:
			s.At = fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
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
