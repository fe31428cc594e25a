package main

import (
	"fmt"
	"io"

	"github.com/go-op2/op2/internal/spell"
)

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

func commandNames() []string {
	names := []string{"help"}
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
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

// showHelp lists the commands, or shows how one of them is used.
func showHelp(c console, args []string) error {
	if len(args) == 0 {
		usage(c.results)
		return nil
	}
	command, err := findCommand(args[0])
	if err != nil {
		return err
	}
	return command.run(c, []string{"-help"})
}

func usage(out io.Writer) {
	fmt.Fprintln(out, "op2 shows what the library finds on this machine and keeps there, and begins programs that use it.")
	fmt.Fprintln(out)
	for _, c := range append(commands(), subcommand{name: "help", summary: "this list, or how a command is used"}) {
		fmt.Fprintf(out, "  op2 %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(out, "\nop2 help COMMAND shows the flags of one, and examples.")
}
