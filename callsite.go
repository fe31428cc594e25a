package op2

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// callSite is the place in the program that called the library: "main.go:31".
func callSite() string {
	ours := reflect.TypeFor[Runtime]().PkgPath() + "."
	var calls [16]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, ours) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// besides is the set's name in a message that names the other set as well: where their names
// are the same or their runtimes are not, with what tells them apart.
func (s *Set) besides(other *Set) string {
	switch {
	case s == nil || other == nil || s == other:
	case s.rt != other.rt:
		return fmt.Sprintf("%s (of %s)", s.name, s.rt.what())
	case s.name == other.name:
		return fmt.Sprintf("%s (%s, declared at %s)", s.name, count(s.total(), "element"), s.at)
	}
	return s.Name()
}

// what names the runtime for messages that name another one as well.
func (rt *Runtime) what() string {
	if rt == nil || rt.at == "" {
		return "no runtime"
	}
	return fmt.Sprintf("the runtime opened at %s, %s", rt.at, rt.name)
}
