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
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/spell"
)

// console is where a command writes.
type console struct {
	results io.Writer
	status  io.Writer // progress, and names of written files
}

// wrote reports a new file.
func (c console) wrote(path string) error {
	_, err := fmt.Fprintf(c.status, "wrote %s\n", path)
	return err
}

// subcommand is one of op2: of its name, and with the line that help shows.
type subcommand struct {
	name    string
	summary string
	run     func(c console, args []string) error
}

// commands returns the subcommands: a function, since completion refers to the list that it is in.
func commands() []subcommand {
	return []subcommand{
		{"new", "make a small module to start from", makeModule},
		{"info", "what each backend needs, what is available, and whether it works", showInfo},
		{"cache", "list, prune or clear the compiled code on disk", cacheCommand},
		{"mesh", "describe, check, convert and draw a mesh, or make the airfoil example's", meshCommand},
		{"compare", "compare the results of two runs: the largest difference of each field", compareFiles},
		{"order", "renumber the airfoil example's mesh and draw the cells' numbers", makeOrder},
		{"partition", "divide a mesh between ranks, and predict what that costs", makePartition},
		{"vet", "check kernels, and the arguments of loops, without running anything", vetPackages},
		{"plan", "run a program and show the plans of its loops", makePlan},
		{"report", "run a program and report what it measures: loops, bandwidth, a timeline", makeReport},
		{"translate", "run a program, and write a package with the machine code of its loops", makeTranslation},
		{"tune", "run a program and find the fastest choices for its loops", tuneCommand},
		{"wisdom", "list, explain, export, import or forget what tuning has learned about loops", wisdomCommand},
		{"completion", "a script that completes commands and flags in bash, zsh or fish", completionCommand},
		{"version", "the version of op2, of Go, and the platform", showVersion},
	}
}

// errFailed is a failure of which everything has been reported.
var errFailed = errors.New("failed")

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

// findCommand returns the command of a name.
func findCommand(name string) (subcommand, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	return subcommand{}, usageError{fmt.Errorf("op2: there is no command %q%s\n  hint: op2 help lists them", name, spell.DidYouMean(name, commandNames()))}
}

func commandNames() []string {
	names := []string{"help"}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// parse reads the flags of a command that takes no further arguments.
func parse(c console, f *flag.FlagSet, args []string) error {
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return wrongUse(f, fmt.Errorf("unexpected argument %q", f.Arg(0)))
	}
	return nil
}

// parseFlags reads the flags of a command. If help is requested, it prints the help and returns
// flag.ErrHelp.
func parseFlags(c console, f *flag.FlagSet, args []string) error {
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showUsage(c, f)
	case err != nil:
		return wrongUse(f, err)
	}
	return nil
}

// newFlags returns a flag set that prints nothing itself: parse does. Arguments describes the
// command's arguments, for its help.
func newFlags(name, arguments string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), strings.TrimSpace("op2 "+name+" [flags] "+arguments))
		f.PrintDefaults()
	}
	return f
}
