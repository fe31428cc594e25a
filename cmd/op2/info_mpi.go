package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/mpi"
)

// describeMPI reports whether MPI is installed, and starts it; it returns false if MPI is installed
// but fails.
func describeMPI(out io.Writer) bool {
	status, what, text := "PASS", "MPI", ""
	l, err := checkMPI()
	var missing *mpi.NotFoundError
	switch {
	case errors.As(err, &missing):
		status, what, text = "missing", "no MPI", strings.TrimPrefix(err.Error(), "no MPI library: ")
	case err != nil:
		status, what, text = "FAIL", "error", err.Error()
	default:
		text = fmt.Sprintf("%s in %s, through %s ABI", l.Name, l.Path, l.ABI)
	}
	fmt.Fprintf(out, "\n%-11s %-8s %s\n", "mpi", status, "many processes, started by mpirun")
	detail(out, what, text)
	return status != "FAIL"
}

// checkMPI sums over all ranks, usually this one alone. MPI runs until the process ends, so that
// others can use it.
func checkMPI() (*mpi.Library, error) {
	if _, err := mpi.Retain(); err != nil {
		return nil, err
	}
	c, err := mpi.Open(mpi.Config{})
	if err != nil {
		return nil, err
	}
	ranks := []int64{1}
	if err := comm.Sum(c, ranks); err != nil {
		return nil, err
	}
	if ranks[0] != int64(c.Size()) {
		return nil, fmt.Errorf("the sum over %d ranks is %d", c.Size(), ranks[0])
	}
	return c.Library(), c.Close()
}
