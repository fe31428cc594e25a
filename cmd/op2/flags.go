package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

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

// parseFile reads the flags of a command that takes at most one further argument, a file, before, after or among
// them.
func parseFile(c console, f *flag.FlagSet, args []string) (file string, err error) {
	if err := parseFlags(c, f, args); err != nil || f.NArg() == 0 {
		return "", err
	}
	file = f.Arg(0)
	return file, parse(c, f, f.Args()[1:])
}

// showUsage prints how a command is used.
func showUsage(c console, f *flag.FlagSet) error {
	f.SetOutput(c.results)
	f.Usage()
	if text := usageExamples[f.Name()]; text != "" {
		fmt.Fprintf(c.results, "\nFor example:\n\n    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	}
	return flag.ErrHelp
}

// usageExamples shows each command at work.
var usageExamples = map[string]string{
	"new":        "op2 new heat && cd heat && go mod tidy && go run .\nop2 new -kind fv -mesh bay.msh bay     # a program with the groups of the mesh in it",
	"info":       "op2 info\nOP2_CC=clang op2 info      # with another compiler",
	"cache":      "op2 cache\nop2 cache prune -older 7d",
	"compare":    "op2 compare -tol 1e-12 before/end.vtu after/end.vtu",
	"mesh":       "op2 mesh coast.msh                         # what it holds, and whether it is all right\nop2 mesh foil.msh -o foil.vtu -png foil.png",
	"order":      "op2 order -o order.png",
	"partition":  "op2 partition -parts 2,4,8 coast.msh",
	"plan":       "op2 plan go run ./examples/airfoil -i 50 -j 75\nop2 plan -loop resCalc -o plan.png go run ./examples/airfoil -i 50 -j 75",
	"report":     "op2 report go run ./examples/airfoil\nop2 report -o run.trace.json mpirun -n 4 ./program",
	"translate":  "op2 translate . -- -n 4\nop2 translate -check . -- -n 4      # in CI",
	"tune":       "op2 tune go run ./examples/airfoil\nop2 tune -budget 5m -exhaustive ./program -n 100",
	"wisdom":     "op2 wisdom\nop2 wisdom explain resCalc\nop2 wisdom export node.json",
	"completion": ". <(op2 completion bash)\nop2 completion fish > ~/.config/fish/completions/op2.fish",
	"version":    "op2 version",
	"vet":        "op2 vet ./...\ngo vet -vettool=$(which op2) ./...      # the same",
}

// usageError is the error of a command that was called incorrectly: the status of the process is 2 rather than 1.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// wrongUse returns the error of a command that was called incorrectly.
func wrongUse(f *flag.FlagSet, err error) error {
	return usageError{fmt.Errorf("op2 %s: %w\n  hint: op2 %s -help shows how it is used", f.Name(), err, f.Name())}
}
