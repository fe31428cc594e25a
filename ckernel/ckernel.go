// Package ckernel makes kernels of functions in C: of their text, or of files, which may be those of a
// program for OP2. It is a package of its own because it brings a front end for C, which a program
// whose kernels are in Go neither compiles nor links.
package ckernel

import (
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// New returns a kernel written in C99: the function called name in source, which may contain other
// functions. For an argument with values on the element, or through one component of a map, it
// takes a pointer to them, double *x or double x[2]; through a whole map an array of pointers,
// double *x[3], or a copy, double x[3][2]. The same name and source give the same kernel.
func New(name, source string) *op2.Kernel {
	source = strings.TrimPrefix(source, "\ufeff") // a byte order mark
	return userkernel.Get(&kernels, named{name, source}, func() *op2.Kernel {
		if err := userkernel.NotText("the source", source, ".c"); err != nil {
			return failed(name, err)
		}
		return read(name, csource.Given{File: name + ".c", Text: source})
	})
}

// kernels caches the most recent ones, which cached loops are found by.
var kernels = userkernel.Table[named, *op2.Kernel]{Most: userkernel.ManyKernels}

type named struct{ name, source string }

// read returns the kernel called name in a text, which the first loop reads.
func read(name string, given csource.Given) *op2.Kernel {
	return (*op2.Kernel)(userkernel.New(name, given.File, func(shapes []kernel.Shape, consts []kernel.Const, types ...kernel.Type) (*kernel.Kernel, error) {
		return fromc.Of(name, given, shapes, consts, types...)
	}))
}

// failed returns a kernel whose loops report an error.
func failed(name string, err error) *op2.Kernel {
	err = problem.Kernelf(name, "%w", err)
	return (*op2.Kernel)(userkernel.New(name, "", func([]kernel.Shape, []kernel.Const, ...kernel.Type) (*kernel.Kernel, error) { return nil, err }))
}
