package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/settings"
)

// showInfo lists the backends, solver engines, MPI and HDF5, and runs a computation on each available one.
func showInfo(c console, args []string) error {
	if err := parse(c, newFlags("info", ""), args); err != nil {
		return err
	}
	out := c.results
	if launched, is := launch.Detect(); is {
		if release, err := mpi.Retain(); err == nil { // from one check to the next
			defer release()
		}
		if launched.Rank > 0 { // one rank speaks
			out = io.Discard
		}
	}
	fmt.Fprintf(out, "op2 %s, %s, %s/%s, %d processors\n", op2Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	describeSettings(out, os.Environ())
	backends, err := op2.Backends()
	if err != nil {
		return err
	}
	failed := false
	for _, b := range backends {
		fmt.Fprintln(out)
		status := "missing"
		var reason error
		if b.Available {
			status = "PASS"
			if reason = selfCheck(b.Name); reason != nil {
				status, failed = "FAIL", true
			}
		}
		fmt.Fprintf(out, "%-11s %-8s %s\n", b.Name, status, b.Summary)
		for _, r := range b.Found {
			detail(out, r.What, r.Detail)
		}
		for _, r := range b.Missing {
			detail(out, "no "+r.What, r.Detail)
			if r.Hint != "" {
				detail(out, "hint", r.Hint)
			}
		}
		if reason != nil {
			detail(out, "error", fmt.Sprintf("%+v", reason))
		}
	}
	failed = !describePETSc(out) || failed
	failed = !describeMPI(out) || failed
	failed = !describeHDF5(out) || failed
	fmt.Fprintln(out)
	describeAuto(out)
	if dir := cacheDir(); dir != "" {
		fmt.Fprintf(out, "cache: %s\n", dir)
	}
	if failed {
		return errFailed
	}
	return nil
}

func describeAuto(out io.Writer) {
	rt, err := op2.Open(op2.WithBackend("auto"), op2.WithMPI(op2.Off), op2.WithLog(nil))
	if err != nil {
		fmt.Fprintf(out, "auto: %v\n", err)
		return
	}
	defer rt.Close()
	fmt.Fprintf(out, "auto: %s\n", rt.Backend())
}

// describeSettings lists the environment variables of the library that are set, with their meaning.
func describeSettings(out io.Writer, environ []string) {
	for _, v := range slices.Sorted(slices.Values(environ)) {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "OP2_") {
			doc := "means nothing here"
			if s := settings.Of(name); s != nil {
				doc = s.Doc
			}
			fmt.Fprintf(out, "  %s (%s)\n", v, doc)
		}
	}
}
