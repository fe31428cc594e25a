package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/translate"
	"github.com/go-op2/op2/internal/translate/compile"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/wisdom"
)

// targetsByName are what -targets accepts.
var targetsByName = map[string]compile.Target{"x86-64-v3": compile.AMD64v3, "x86-64-v4": compile.AMD64v4, "arm64": compile.ARM64}

// translation is one run of op2 translate.
type translation struct {
	console
	context.Context               // ends with Ctrl-C
	program         string        // the package to run
	runs            [][]string    // the arguments of each run
	devices         []string      // whose programs the package has, too
	folder          packageFolder // of the package
	project         string        // the folder of a project in C, which is written instead of the package; empty: none
	input           translate.Input
	wisdom          string // a file of it, whose choices are translated, too; empty: none
	overlay         string // file that makes the go command see an empty package in the folder
}

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

// describe finds the package that is to be written: its name and its import path.
func (t *translation) describe() error {
	out, err := t.goTool("list", "-f", "{{.Name}}\n{{with .Module}}{{.Path}}\n{{.Dir}}{{end}}", t.program)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	switch {
	case len(lines) > 3:
		return fmt.Errorf("%s are several packages: name the one that is the program", t.program)
	case lines[0] != "main":
		return fmt.Errorf("%s is the package %s, not a program: name one that runs the loops, with arguments for small input", t.program, lines[0])
	case len(lines) < 3:
		return fmt.Errorf("%s is in no module", t.program)
	}
	module, root := lines[1], lines[2]
	abs, err := filepath.Abs(t.folder.dir)
	if err != nil {
		return err
	}
	within, err := filepath.Rel(root, abs)
	if err != nil || within == ".." || strings.HasPrefix(within, ".."+string(filepath.Separator)) {
		return fmt.Errorf("-o %s is outside the module in %s", t.folder.dir, root)
	}
	t.input.Name, t.input.Path = filepath.Base(abs), path.Join(module, filepath.ToSlash(within))
	if !token.IsIdentifier(t.input.Name) || t.input.Name == "main" {
		return fmt.Errorf("-o %s: %s is no name of a package to import", t.folder.dir, t.input.Name)
	}
	own, err := t.folder.own()
	if len(own) > 0 {
		return fmt.Errorf("-o %s has files of others (%s): name a folder for the package alone", t.folder.dir, strings.Join(own, ", "))
	}
	return err
}

// record builds the program and runs it, which leaves its C in a folder, and its programs for devices.
func (t *translation) record(units string) error {
	if err := t.hide(units); err != nil {
		return err
	}
	binary := filepath.Join(units, "program")
	if _, err := t.goTool("build", "-trimpath=false", "-overlay", t.overlay, "-o", binary, t.program); err != nil {
		return err
	}
	if t.project != "" {
		return t.runAll(units, binary)
	}
	if len(t.input.Targets) > 0 {
		if err := t.runAll(units, binary); err != nil {
			return err
		}
	}
	return t.runForDevices(units, binary)
}

// runAll runs the program with each list of arguments.
func (t *translation) runAll(units, binary string) error {
	for _, args := range t.runs {
		n := 0
		for n < len(args) && setsVariable.MatchString(args[n]) {
			n++
		}
		program := exec.CommandContext(t, binary, args[n:]...)
		program.Cancel = func() error { return program.Process.Signal(os.Interrupt) }
		program.WaitDelay = 5 * time.Second
		program.Env = append(append(os.Environ(), args[:n]...), unit.Variable+"="+units, "OP2_BACKEND=translated", "OP2_MPI=off", "OP2_REQUIRE=")
		if t.project != "" {
			program.Env = append(program.Env, "OP2_BACKEND=sequential", "OP2_CHAINS=off", "OP2_LAZY=off")
		}
		if t.input.CC != "" {
			program.Env = append(program.Env, "OP2_CC="+t.input.CC)
		}
		program.Stdin, program.Stdout, program.Stderr = os.Stdin, t.status, t.status
		if err := program.Run(); err != nil {
			return fmt.Errorf("%s: %w; nothing was written", strings.Join(append([]string{t.program}, args...), " "), err)
		}
	}
	return nil
}

// setsVariable matches what sets a variable of the environment for a run.
var setsVariable = regexp.MustCompile(`^OP2_\w+=`)

// hide makes the go command see an empty package in place of what there is, if anything: a program may import it before it
// is there, and code of before is of no use.
func (t *translation) hide(units string) error {
	abs, err := filepath.Abs(t.folder.dir)
	if err != nil {
		return err
	}
	old, err := t.folder.generated()
	if err != nil {
		return err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name := range old {
		overlay.Replace[filepath.Join(abs, filepath.FromSlash(name))] = ""
	}
	empty := filepath.Join(units, "empty.go")
	overlay.Replace[filepath.Join(abs, "manifest.go")] = empty
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	t.overlay = filepath.Join(units, "overlay")
	return errors.Join(os.WriteFile(empty, []byte("package "+t.input.Name+"\n"), 0o666), os.WriteFile(t.overlay, text, 0o666))
}

// goTool runs the go command, whose messages are those of the error.
func (t *translation) goTool(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t, "go", args...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(messages.String()))
	}
	return out, nil
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
