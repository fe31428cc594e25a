package op2

import (
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Kernel is the work for one element: a Go function together with its source, or a C function, which
// package ckernel takes. It can be used in any number of loops and runtimes. Mistakes in it are
// reported by the first loop that uses it.
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
	choices := k.user().Choices().With(c.Backend.Choices)
	if err != nil {
		return (*Kernel)(k.user().Refused(choices, problem.Kernelf(k.Name(), "With: %s", strings.TrimPrefix(err.Error(), "op2: "))))
	}
	return (*Kernel)(k.user().With(choices))
}
