// Command op2 shows what the library finds on this machine and stores there, and creates programs
// that use it.
//
//	op2 new        make a small module to start from
//	op2 info       what each backend needs, what is available, and whether it works
//	op2 cache      list, prune or clear the compiled code on disk
//	op2 mesh       describe, check, convert and draw a mesh, or make the airfoil example's
//	op2 compare    compare the results of two runs: the largest difference of each field
//	op2 order      renumber the airfoil example's mesh and draw the cells' numbers
//	op2 partition  divide a mesh between ranks, and predict what that costs
//	op2 vet        check kernels, and the arguments of loops, without running anything
//	op2 plan       run a program and show the plans of its loops
//	op2 report     run a program and report what it measures: loops, bandwidth, a timeline
//	op2 translate  run a program, and write a package with the machine code of its loops
//	op2 tune       run a program and find the fastest choices for its loops
//	op2 wisdom     list, explain, export, import or forget what tuning has learned about loops
//	op2 completion a script that completes commands and flags in bash, zsh or fish
//	op2 version    the version of op2, of Go, and the platform
//	op2 help       this list, or how a command is used
//
// Results go to standard output; progress and the names of written files go to standard error. The status
// is 1 after a failure, and 2 if a command was called incorrectly.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	asVetTool(os.Args[1:])
	err := runCommand(console{os.Stdout, os.Stderr}, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) && !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(exitStatus(err))
}

// exitStatus returns the status of the process: 0, 1 for a failure, 2 for a command that was called incorrectly.
func exitStatus(err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, new(usageError)):
		return 2
	}
	return 1
}

func runCommand(c console, args []string) error {
	if len(args) == 0 {
		return showHelp(c, nil)
	}
	if slices.Contains([]string{"help", "-help", "--help", "-h"}, args[0]) {
		return showHelp(c, args[1:])
	}
	name := args[0]
	if name == "-version" || name == "--version" {
		name = "version"
	}
	command, err := findCommand(name)
	if err != nil {
		return err
	}
	err = command.run(c, args[1:])
	if err == nil || errors.Is(err, flag.ErrHelp) || errors.Is(err, errFailed) || errors.As(err, new(usageError)) {
		return err
	}
	return fmt.Errorf("op2 %s: %s", name, strings.TrimPrefix(err.Error(), name+": ")) // as those of package mesh begin
}
