// Command op2 shows what the library finds on this machine and keeps there.
//
//	op2 info     what each backend needs, what is there, and whether it computes
//	op2 cache    list, prune or clear the compiled code on disk
//	op2 mesh     make the mesh of the airfoil example
//	op2 order    renumber the airfoil example's mesh and draw the cells' numbers
//	op2 plan     make and draw the plan of the airfoil example's loop over edges
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-op2/op2/internal/spell"
)

// command is one of the things that op2 does.
type command struct {
	name    string
	summary string
	run     func(out io.Writer, args []string) error
}

var commands = []command{
	{"info", "what each backend needs, what is there, and whether it computes", info},
	{"cache", "list, prune or clear the compiled code on disk", cache},
	{"mesh", "make the mesh of the airfoil example", makeMesh},
	{"order", "renumber the airfoil example's mesh and draw the cells' numbers", makeOrder},
	{"plan", "make and draw the plan of the airfoil example's loop over edges", makePlan},
}

// errFailed ends the command with status 1 when all has been said.
var errFailed = errors.New("failed")

func main() {
	err := run(os.Stdout, os.Args[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errFailed):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(out io.Writer, args []string) error {
	if len(args) == 0 || args[0] == "help" || strings.TrimLeft(args[0], "-") == "help" || args[0] == "-h" {
		usage(out)
		return nil
	}
	var names []string
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(out, args[1:])
		}
		names = append(names, c.name)
	}
	return fmt.Errorf("op2: there is no command %q%s: op2 help lists them", args[0], spell.DidYouMean(args[0], names))
}

func usage(out io.Writer) {
	fmt.Fprintln(out, "op2 shows what the library finds on this machine and keeps there.")
	fmt.Fprintln(out)
	for _, c := range commands {
		fmt.Fprintf(out, "  op2 %-6s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(out, "\nop2 COMMAND -help shows the flags of one.")
}

// parse reads the flags of a command that takes no further arguments.
func parse(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("op2 %s: %w", f.Name(), err)
	}
	if f.NArg() > 0 {
		return fmt.Errorf("op2 %s: unexpected argument %q", f.Name(), f.Arg(0))
	}
	return nil
}

// newFlags is a set of flags that reports its errors through parse alone.
func newFlags(name string, out io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(out)
	return f
}
