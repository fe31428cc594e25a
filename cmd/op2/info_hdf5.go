package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/native"
)

// describeHDF5 reports whether the library of HDF5 is installed; it returns false if it is installed but fails.
func describeHDF5(out io.Writer) bool {
	status, what, text := "PASS", "HDF5", ""
	l, err := hdf5.Open(nil)
	var missing *native.NotFoundError
	switch {
	case errors.As(err, &missing):
		status, what, text = "missing", "no HDF5", strings.TrimPrefix(err.Error(), "no HDF5: ")
	case err != nil:
		status, what, text = "FAIL", "error", err.Error()
	default:
		text = l.Version + " in " + l.Path
	}
	fmt.Fprintf(out, "\n%-11s %-8s %s\n", "hdf5", status, "files of sets, maps and dats")
	detail(out, what, text)
	return status != "FAIL"
}
