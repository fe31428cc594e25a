package gofunc

import (
	"errors"
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/kernel"
)

// failures returns a function that converts a panic in the kernel or a callee to a *backend.Fault, with the
// position of the innermost frame and the element that locate finds the worker at. A panic that is not one of Go's
// own, or comes from this package, is returned unchanged.
func failures(locate func(f *backend.Fault, number int)) func(p any, number int) any {
	return func(p any, number int) any {
		f := faultOf(p)
		if f == nil {
			return p
		}
		locate(f, number)
		return f
	}
}

func faultOf(p any) *backend.Fault {
	if f, ok := p.(*backend.Fault); ok { // of the interpreter
		return f
	}
	var fault runtime.Error
	err, ok := p.(error)
	if !ok || !errors.As(err, &fault) {
		return nil
	}
	pcs := make([]uintptr, 40)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	var inner, outer runtime.Frame // of the program: where it panics, and the kernel
	for panicked := false; ; {
		frame, more := frames.Next()
		switch {
		case !more:
			return nil
		case strings.HasPrefix(frame.Function, "runtime."):
			panicked = panicked || frame.Function == "runtime.gopanic"
		case panicked && !strings.HasPrefix(frame.Function, thisPackage):
			outer = frame
			if inner.PC == 0 {
				inner = frame
			}
		case inner.PC != 0:
			return &backend.Fault{Pos: kernel.Pos{File: fileIn(inner, outer), Line: inner.Line}, Msg: strings.TrimPrefix(err.Error(), "runtime error: ")}
		case panicked:
			return nil
		}
	}
}

// fileIn returns how messages name the file of a function that a kernel calls.
func fileIn(function, kernel runtime.Frame) string {
	if pkg := callsite.PackageOf(function.Function); pkg != callsite.PackageOf(kernel.Function) {
		return callsite.FileIn(pkg, function.File)
	}
	return path.Base(function.File)
}

// thisPackage is the prefix of the names of this package's functions.
var thisPackage = reflect.TypeFor[runner]().PkgPath() + "."
