package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/translate"
	"github.com/go-op2/op2/internal/translate/compile"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/wisdom"
)

// targetsByName are what -targets accepts.
var targetsByName = map[string]compile.Target{"x86-64-v3": compile.AMD64v3, "x86-64-v4": compile.AMD64v4, "arm64": compile.ARM64}

// makeTranslation runs a program, and writes a package with the code of its loops.
func makeTranslation(c console, args []string) error {
	f := newFlags("translate", "PACKAGE [-- ARGUMENTS]...\n\nruns a program, with small input as a rule, once for each list of arguments, and writes a package with the machine code of all that it ran,\nwhich the program imports for its effects: _ \".../op2gen\".")
	list := f.String("targets", "x86-64-v3,x86-64-v4", "the `processors`: x86-64-v3, x86-64-v4, arm64; and devices: cuda, opencl, opencl-cpu")
	dir := f.String("o", "op2gen", "the `folder` of the package")
	check := f.Bool("check", false, "write nothing, and report whether the package is what would be written")
	inC := f.String("project", "", "write the loops and the first run as a project in C into this `folder`, instead of the package")
	cc := f.String("cc", "", "the C `compiler` (default: OP2_CC, or gcc)")
	wise := f.String("wisdom", "", "also translate the packs, or single elements, that this `file` chooses, written by op2 wisdom export on the machines where the program will run")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case given["project"] && *inC == "":
		return wrongUse(f, errors.New("-project: which folder?"))
	case given["project"] && (*check || given["targets"] || given["wisdom"]):
		return wrongUse(f, errors.New("-project writes all targets in C: -check, -targets and -wisdom are for packages"))
	case f.NArg() == 0:
		return wrongUse(f, errors.New("which program? As in: op2 translate ./examples/airfoil -- -i 8 -j 8"))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := translation{console: c, Context: ctx, program: f.Arg(0), folder: packageFolder{dir: filepath.Clean(*dir)}, project: *inC, wisdom: *wise}
	for i, arg := range f.Args()[1:] {
		switch {
		case arg == "--":
			t.runs = append(t.runs, nil)
		case i == 0:
			return wrongUse(f, fmt.Errorf("unexpected argument %q: the program's own follow --", arg))
		default:
			t.runs[len(t.runs)-1] = append(t.runs[len(t.runs)-1], arg)
		}
	}
	if len(t.runs) == 0 {
		t.runs = [][]string{nil}
	}
	t.input.CC = *cc
	for _, name := range strings.Split(*list, ",") {
		name = strings.TrimSpace(name)
		target, ok := targetsByName[name]
		switch {
		case slices.Contains(t.input.Targets, target) || slices.Contains(t.devices, name): // again
		case ok:
			t.input.Targets = append(t.input.Targets, target)
		case slices.Contains(translate.Devices, name):
			t.devices = append(t.devices, name)
		default:
			return wrongUse(f, fmt.Errorf("-targets: %q: %w", name, spell.Expected(name, append(slices.Sorted(maps.Keys(targetsByName)), translate.Devices...))))
		}
	}
	err := t.run(*check)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted; nothing was written")
	}
	return err
}

// run runs the program, and writes the package, or compares it.
func (t *translation) run(check bool) error {
	if err := t.describe(); err != nil {
		return err
	}
	if !check && t.project == "" {
		for _, target := range t.input.Targets {
			if _, err := t.input.Compiler(target); err != nil {
				return err
			}
		}
		if err := t.folder.begin(); err != nil {
			return err
		}
		defer t.folder.fresh.Discard()
	}
	units, err := os.MkdirTemp("", "op2-translate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(units)
	if t.project != "" {
		return t.writeProject(units)
	}
	if t.wisdom != "" {
		text, err := os.ReadFile(t.wisdom)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(units, wisdom.FileName), text, 0o600); err != nil { // where the program's runtimes find it
			return err
		}
	}
	if err := t.record(units); err != nil {
		return err
	}
	if t.input.Units, err = unit.Read(units); err != nil {
		return err
	}
	if len(t.input.Units) == 0 {
		return fmt.Errorf("%s ran no loop that is compiled", t.program)
	}
	if check {
		return t.compare()
	}
	reached, err := unit.Reached(units)
	if err != nil {
		return err
	}
	missing, err := t.unreached(reached)
	if err != nil {
		return err
	}
	t.findNVRTC()
	files, err := translate.Generate(t.input)
	var refused *translate.Refused
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	if err := t.Err(); err != nil {
		return err
	}
	if err := t.folder.replace(files); err != nil {
		return err
	}
	for _, line := range missing {
		fmt.Fprintln(t.status, line)
	}
	if refused != nil {
		fmt.Fprintf(t.status, "%s stay with a compiler, or Go:\n%v\n", strings.Join(refused.Loops, ", "), refused)
	}
	return t.wrote(t.folder.dir)
}

// compare reports how the C of the package differs from that of the program.
func (t *translation) compare() error {
	old, err := t.folder.generated()
	if err != nil {
		return err
	}
	changes := translate.Compare(old, t.input)
	if len(changes) == 0 {
		fmt.Fprintf(t.results, "%s is as it would be written\n", t.folder.dir)
		return nil
	}
	for _, change := range changes {
		fmt.Fprintln(t.results, change)
	}
	return fmt.Errorf("%s is not as it would be written; run op2 translate without -check", t.folder.dir)
}

// findNVRTC looks for the compiler of PTX, and says what the package lacks without.
func (t *translation) findNVRTC() {
	if !slices.Contains(t.devices, "cuda") {
		return
	}
	c, err := nvrtc.Open(0)
	if err != nil {
		fmt.Fprintf(t.status, "there will be CUDA C++, but no PTX, so that NVRTC is needed where the program runs: %v\n", err)
		return
	}
	t.input.NVRTC = c
}
