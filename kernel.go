package op2

import (
	"io/fs"
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Kernel is the work for one element: a Go function together with its source, or a C function. It
// can be used in any number of loops and runtimes. Mistakes in it are reported by the first loop
// that uses it.
type Kernel userkernel.Kernel

// Source is Go source text that contains kernels.
type Source userkernel.Source

// Kernels takes the source of the files that contain the program's kernels and the functions they
// call, usually embedded:
//
//	//go:embed kernels.go
//	var source string
//
// The same texts give the same Source.
func Kernels(files ...string) *Source { return (*Source)(userkernel.Kernels(files...)) }

// Func returns the kernel for the Go function f, whose source must be in s. f must be a top-level
// function without results whose parameters are pointers or slices. The same function gives the same
// kernel.
func (s *Source) Func(f any) *Kernel { return (*Kernel)((*userkernel.Source)(s).Func(f)) }

// C returns a kernel written in C99: the function called name in source, which may contain other
// functions. For an argument with values on the element, or through one component of a map, it
// takes a pointer to them, double *x or double x[2]; through a whole map an array of pointers,
// double *x[3], or a copy, double x[3][2]. The same name and source give the same kernel.
func C(name, source string) *Kernel { return (*Kernel)(userkernel.C(name, source)) }

// CSource is C text, in files, that contains kernels.
type CSource userkernel.CSource

// CKernels takes files with kernels in C, or in C++ as OP2's kernels are, usually embedded. Patterns
// name files as in fs.Glob; without one, all that end in .c, .h, .cc, .cpp, .hpp, .cu or .cuh are taken:
//
//	//go:embed kernels
//	var files embed.FS // with kernels/flux.c, which includes "common.h"
//
//	kernels := op2.CKernels(files)
//	flux := kernels.Func("flux")
//
// A file may include others of the file system. Only what a kernel needs has to be there: consts,
// types and headers that other functions use may be missing. The same files give the same CSource.
func CKernels(files fs.FS, patterns ...string) *CSource {
	return (*CSource)(userkernel.CKernels(files, patterns...))
}

// Func returns the kernel that is the function called name, as for C. The same name gives the same
// kernel.
func (s *CSource) Func(name string) *Kernel { return (*Kernel)((*userkernel.CSource)(s).Func(name)) }

// Name returns the name of the kernel's function.
func (k *Kernel) Name() string { return orEmpty(k.user()).Name() }

func (k *Kernel) user() *userkernel.Kernel { return (*userkernel.Kernel)(k) }

// With returns the kernel with options for its loops, which take precedence over the runtime's.
//
//	op2.ParLoop(kernels.Func(flux).With(op2.WithSIMD(op2.On)), edges, ...)
//
// The same kernel with the same options gives the same kernel. A wrong option is an error of the loop.
func (k *Kernel) With(options ...KernelOption) *Kernel {
	if k == nil {
		return nil
	}
	c, err := checked(options...)
	choices := k.user().Tune().With(c.Backend.Tune)
	if err != nil {
		return (*Kernel)(k.user().Refused(choices, problem.Kernelf(k.Name(), "With: %s", strings.TrimPrefix(err.Error(), "op2: "))))
	}
	return (*Kernel)(k.user().With(choices))
}
