package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

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

// showUsage prints how a command is used.
func showUsage(c console, f *flag.FlagSet) error {
	f.SetOutput(c.results)
	f.Usage()
	if text := usageExamples[f.Name()]; text != "" {
		fmt.Fprintf(c.results, "\nFor example:\n\n    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	}
	return flag.ErrHelp
}

// usageError is the error of a command that was called incorrectly: the status of the process is 2 rather than 1.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// wrongUse returns the error of a command that was called incorrectly.
func wrongUse(f *flag.FlagSet, err error) error {
	return usageError{fmt.Errorf("op2 %s: %w\n  hint: op2 %s -help shows how it is used", f.Name(), err, f.Name())}
}
