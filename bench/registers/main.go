// Command registers compiles the loops of the examples and of the native solvers for NVIDIA GPUs,
// with every strategy except blocks, which is for CPUs, and writes the resources that their kernels
// need to bench/results/registers.txt. It needs NVRTC, but no GPU.
//
//	go run ./bench/registers
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/cuda/offline"
	"github.com/go-op2/op2/internal/tune"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	c, err := offline.Compiler()
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("registers: go list: %w", err)
	}
	root := strings.TrimSpace(string(out))
	programs, err := collect(root)
	if err != nil {
		return err
	}
	t := table{compiler: c}
	for _, p := range programs {
		if err := t.add(p); err != nil {
			return err
		}
	}
	path := filepath.Join(root, "bench/results/registers.txt")
	if err := os.WriteFile(path, []byte(t.String()), 0o666); err != nil {
		return err
	}
	fmt.Printf("%s: %d kernels, %d of which spill registers\n", path, t.kernels, len(t.spilling))
	return nil
}

// program holds the sources of a program's loops.
type program struct {
	name  string
	texts []gpu.Text
}

// collect makes the tests of the examples write their sources, and returns them. Sources of the solvers' loops are
// attributed to the solvers, wherever else they occur.
func collect(root string) ([]program, error) {
	dir, err := os.MkdirTemp("", "op2-texts-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	test := exec.Command("go", "test", "-count=1", "-run", "^TestTexts$", ".", "./examples/...")
	test.Dir, test.Env = root, append(os.Environ(), "OP2_TEXTS="+dir)
	if out, err := test.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("registers: %s: %w\n%s", test, err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	const solvers = "solvers"
	var all []program
	var last program
	for _, file := range files {
		p := program{name: strings.TrimSuffix(filepath.Base(file), ".json")}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &p.texts)
		}
		if err != nil {
			return nil, err
		}
		if p.name == solvers {
			last = p
		} else {
			all = append(all, p)
		}
	}
	theirs := map[string]bool{}
	for _, text := range last.texts {
		theirs[text.Source.Text] = true
	}
	for i := range all {
		all[i].texts = without(all[i].texts, func(t gpu.Text) bool { return theirs[t.Source.Text] })
	}
	all = append(all, last)
	for i := range all {
		all[i].texts = without(all[i].texts, func(t gpu.Text) bool { return t.Strategy == tune.Blocks })
	}
	return all, nil
}

func without(texts []gpu.Text, drop func(gpu.Text) bool) (kept []gpu.Text) {
	for _, t := range texts {
		if !drop(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// table is the file under construction.
type table struct {
	compiler *nvrtc.Compiler
	text     strings.Builder
	kernels  int
	spilling []string
}

// add compiles the loops of a program.
func (t *table) add(p program) error {
	var jobs []offline.Job
	for _, text := range p.texts {
		for _, arch := range offline.Archs {
			jobs = append(jobs, offline.Job{Source: text.Source, Arch: arch})
		}
	}
	results := offline.Compile(t.compiler, jobs)
	fmt.Fprintf(&t.text, "\n%s\n", p.name)
	combined := map[string]bool{}
	for i, text := range p.texts {
		byArch := results[i*len(offline.Archs):][:len(offline.Archs)]
		for _, r := range byArch {
			if r.Err != nil {
				return r.Err
			}
		}
		loop, over := text.Source.Name, ""
		if text.Subset {
			over = " (list)"
		}
		t.line(p.name, loop+over, string(text.Strategy), "op2_loop_"+loop, byArch)
		if combine := "op2_loop_" + loop + "_combine"; !combined[combine] && byArch[0].Usages[combine].Registers > 0 {
			combined[combine] = true
			t.line(p.name, loop, "combine", combine, byArch)
		}
	}
	return nil
}

// line adds one kernel, of one program for each architecture.
func (t *table) line(program, loop, what, kernel string, byArch []offline.Result) {
	t.kernels++
	fmt.Fprintf(&t.text, "%-16s %-14s", loop, what)
	spills := false
	for _, r := range byArch {
		u := r.Usages[kernel]
		fmt.Fprintf(&t.text, "%6d%6d%6d  ", u.Registers, u.Stack, u.Spilled)
		spills = spills || u.Spilled > 0
	}
	u := byArch[0].Usages[kernel]
	fmt.Fprintf(&t.text, "%6d%6d\n", u.Shared, u.Const)
	if spills {
		t.spilling = append(t.spilling, fmt.Sprintf("%s of %s, %s", loop, program, what))
	}
}

func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, `What the kernels of loops need on NVIDIA GPUs, compiled by NVRTC %s; written by go run ./bench/registers.
Per thread: registers of 32 bits, bytes of stack, and bytes of registers spilled to it. Per group, on %s: bytes of
shared memory, without what staging adds at run time, and of constant memory, including parameters. Groups have 256
threads, and dats are stored component by component. A loop that is listed twice is also run with some arguments
that are the same.

%-16s %-14s`, t.compiler.Version(), offline.Archs[0], "", "")
	for _, arch := range offline.Archs {
		fmt.Fprintf(&b, "%18s  ", arch)
	}
	fmt.Fprintf(&b, "\n%-16s %-14s", "loop", "strategy")
	for range offline.Archs {
		fmt.Fprintf(&b, "%6s%6s%6s  ", "regs", "stack", "spill")
	}
	fmt.Fprintf(&b, "%6s%6s\n%s\n", "shared", "const", t.text.String())
	spilling := " none"
	if len(t.spilling) > 0 {
		spilling = "\n" + strings.Join(slices.Compact(t.spilling), "\n")
	}
	fmt.Fprintf(&b, "registers are spilled by:%s\n", spilling)
	return b.String()
}
