package main

import (
	"encoding/json"
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
	if len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	config := strings.HasSuffix(last, ".cfg")
	if config && onlyImported(last) {
		os.Exit(0)
	}
	if config || args[0] == "-V=full" || args[0] == "-flags" {
		unitchecker.Main(vet.Analyzer)
	}
}

// onlyImported reports whether a package is to be checked only for facts about it that the packages which import it
// need. The analyzer has none: they are written without reading the package, as there are hundreds.
func onlyImported(config string) bool {
	var unit unitchecker.Config
	text, err := os.ReadFile(config)
	if err != nil || json.Unmarshal(text, &unit) != nil || !unit.VetxOnly {
		return false
	}
	return os.WriteFile(unit.VetxOutput, nil, 0o666) == nil
}
