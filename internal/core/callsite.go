package core

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// callSite returns the position in the program that called the library: "main.go:31".
func callSite() string {
	library := strings.TrimSuffix(reflect.TypeFor[Set]().PkgPath(), "/internal/core")
	ours := func(function string) bool {
		return slices.ContainsFunc([]string{".", "/internal/", "/mesh."}, func(part string) bool { return strings.HasPrefix(function, library+part) })
	}
	var calls [16]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	for {
		f, more := frames.Next()
		if !ours(f.Function) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
