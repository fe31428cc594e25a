package op2

import (
	"io/fs"
	"runtime"

	"github.com/go-op2/op2/internal/userkernel"
)

// ExportSource lets kernels of packages that import the calling package use its functions, types and
// constants. A package calls it from init with its own source, which must be embedded, since other
// backends than go translate the functions where there may be no Go installation:
//
//	//go:embed *.go
//	var files embed.FS
//
//	func init() { op2.ExportSource(files) }
//
// Of the files, only what a kernel reaches has to be within the subset of Go that kernels have. Tests
// among them are left out.
func ExportSource(files fs.FS) {
	var caller [1]uintptr
	frame, _ := runtime.CallersFrames(caller[:runtime.Callers(2, caller[:])]).Next()
	userkernel.Export(frame.Function, files)
}
