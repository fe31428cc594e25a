package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/report"
)

// makeReport runs a program, whose runtimes write reports when they are closed.
func makeReport(c console, args []string) error {
	f := newFlags("report", "PROGRAM [ARGUMENTS]\n\nruns the program, or the package in the folder PROGRAM, and writes what it has measured: each loop's time, bandwidth and code, a timeline, memory and ranks.")
	path := f.String("o", "report.html", "the `file` to write: .html to look at, .json, .csv, or .trace.json for Perfetto; of several runtimes, the second writes report-2.html")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return wrongUse(f, errors.New("which program? As in: op2 report ./examples/airfoil"))
	}
	if err := report.Check(*path); err != nil {
		return wrongUse(f, fmt.Errorf("-o %s: %w", *path, err))
	}
	return reportProgram(c, *path, f.Args())
}

// reportProgram runs the program, and moves its reports to the file and its neighbors. They are there even if the program
// fails: what it has measured until then may say why.
func reportProgram(c console, path string, program []string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), ".op2-report-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	failed := runWith(c, "OP2_REPORT="+filepath.Join(temp, filepath.Base(path)), program)
	made, err := os.ReadDir(temp)
	if err != nil {
		return errors.Join(failed, err)
	}
	for _, file := range made {
		to := filepath.Join(filepath.Dir(path), file.Name())
		if err := os.Rename(filepath.Join(temp, file.Name()), to); err != nil {
			return errors.Join(failed, err)
		}
		if err := c.wrote(to); err != nil {
			return err
		}
	}
	if failed == nil && len(made) == 0 {
		return fmt.Errorf("%s: no runtime was opened and closed again\n  hint: defer rt.Close() where it is opened", strings.Join(program, " "))
	}
	return failed
}
