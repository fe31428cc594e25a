package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/go-op2/op2/internal/vet"
)

// vetPackages runs go vet on packages with this program as its tool.
func vetPackages(c console, args []string) error {
	f := newFlags("vet", "[packages]\n\nChecks the kernels of packages, and the arguments of the loops that call them, without running anything.")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	vet := exec.Command("go", append([]string{"vet", "-vettool=" + self}, f.Args()...)...)
	vet.Stdout, vet.Stderr = c.results, c.results
	var failed *exec.ExitError
	switch err := vet.Run(); {
	case errors.As(err, &failed):
		return errFailed
	case err != nil:
		return fmt.Errorf("op2 vet: %w\n  hint: it needs the go command, which loads the packages", err)
	}
	return nil
}

// asVetTool checks one package, which go vet describes, and ends the process, if that is how the program was called.
func asVetTool(args []string) {
	if len(args) > 0 && (args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")) {
		unitchecker.Main(vet.Analyzer)
	}
}
