package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/petsc"
)

// describePETSc reports whether PETSc is installed, and solves a system with it.
func describePETSc(out io.Writer) bool {
	return describeLibrary(out, "petsc", "PETSc", "PETSc's linear solvers", func() (string, error) {
		library, err := petsc.Open(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, nil)
		if err != nil {
			return "", err
		}
		return library.Version + " in " + library.Dir, checkSolver("petsc")
	})
}

// describeHDF5 reports whether the library of HDF5 is installed.
func describeHDF5(out io.Writer) bool {
	return describeLibrary(out, "hdf5", "HDF5", "files of sets, maps and dats", func() (string, error) {
		l, err := hdf5.Open(nil)
		if err != nil {
			return "", err
		}
		return l.Version + " in " + l.Path, nil
	})
}

// describeLibrary reports whether a library is installed, which check uses and describes; it returns false if it is installed
// but fails.
func describeLibrary(out io.Writer, name, what, summary string, check func() (string, error)) bool {
	status := "PASS"
	text, err := check()
	var missing *native.NotFoundError
	switch {
	case errors.As(err, &missing):
		status, what = "missing", "no "+what
		_, text, _ = strings.Cut(err.Error(), ": ")
	case err != nil:
		status, what, text = "FAIL", "error", fmt.Sprintf("%+v", err)
	}
	fmt.Fprintf(out, "\n%-11s %-8s %s\n", name, status, summary)
	detail(out, what, text)
	return status != "FAIL"
}

// detail writes a line below that of a backend, indenting continuation lines.
func detail(out io.Writer, what, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	fmt.Fprintf(out, "  %s: %s\n", what, strings.Join(lines, "\n    "))
}
