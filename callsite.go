package op2

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/problem"
)

// callSite returns the position in the program that called the library: "main.go:31".
func callSite() string {
	ours := reflect.TypeFor[Runtime]().PkgPath()
	var calls [16]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, ours+".") && !strings.HasPrefix(f.Function, ours+"/mesh.") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// besides returns the set's name for a message that also names the other set, with distinguishing
// details if their names are equal or their runtimes differ.
func (s *Set) besides(other *Set) string {
	switch {
	case s == nil || other == nil || s == other:
	case s.rt != other.rt:
		return fmt.Sprintf("%s (of %s)", s.name, s.rt.what())
	case s.name == other.name:
		return fmt.Sprintf("%s (%s, declared at %s)", s.name, problem.Count(s.total(), "element"), s.at)
	}
	return s.Name()
}

// what describes the runtime for messages that also name another one.
func (rt *Runtime) what() string {
	if rt == nil || rt.at == "" {
		return "no runtime"
	}
	return fmt.Sprintf("the runtime opened at %s, %s", rt.at, rt.name)
}
