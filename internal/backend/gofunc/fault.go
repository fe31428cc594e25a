package gofunc

import (
	"errors"
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
)

// failureOf converts a panic in the kernel or a callee to a *backend.Fault, with the
// position of the innermost frame and the element that the worker is at. A panic that is not one of Go's
// own, or comes from this package, is returned unchanged.
func (c *crew) failureOf(p any, number int) any {
	if f, ok := p.(*backend.Fault); ok { // of the interpreter
		c.locate(f, number)
		return f
	}
	var fault runtime.Error
	err, ok := p.(error)
	if !ok || !errors.As(err, &fault) {
		return p
	}
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, thisPackage), !more:
			return p
		case strings.HasPrefix(frame.Function, "runtime."):
			continue
		}
		f := &backend.Fault{Pos: kernel.Pos{File: path.Base(frame.File), Line: frame.Line}, Msg: strings.TrimPrefix(err.Error(), "runtime error: ")}
		c.locate(f, number)
		return f
	}
}

// thisPackage is the prefix of the names of this package's functions.
var thisPackage = reflect.TypeFor[batch]().PkgPath() + "."
