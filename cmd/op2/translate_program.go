package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/translate"
	"github.com/go-op2/op2/internal/translate/unit"
)

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

// runForDevices runs the program for GPUs and for OpenCL's processors, as far as there are such targets: it does other
// things there than on the host, and keeps its data in different layouts.
func (t *translation) runForDevices(units, binary string) error {
	for _, cpu := range []bool{false, true} {
		devices := slices.DeleteFunc(slices.Clone(t.devices), func(d string) bool { return strings.HasSuffix(d, gpu.OfProcessors) != cpu })
		if len(devices) == 0 {
			continue
		}
		if err := unit.RequestPrograms(units, devices...); err != nil {
			return err
		}
		if err := t.runAll(units, binary); err != nil {
			return err
		}
	}
	return nil
}
