package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wisdom"
)

// example is a program that -programs tunes, with arguments for runs of about a second: over data that fit a cache, and over more.
type example struct {
	name         string
	small, large []string
}

// assembly is the program that assembles matrices, which is bench itself.
const assembly = "assembly"

var examples = []example{
	{"airfoil", []string{"-i", "40", "-j", "100", "-iterations", "1500", "-o", ""}, []string{"-i", "240", "-j", "400", "-iterations", "40", "-o", ""}},
	{"aero", []string{"-i", "64", "-j", "120", "-o", ""}, []string{"-i", "120", "-j", "200", "-iterations", "3", "-o", ""}},
	{"dg", []string{"-n", "24", "-o", ""}, []string{"-n", "64", "-time", "0.2", "-o", ""}},
	{"tsunami", []string{"-refine", "0", "-o", ""}, []string{"-refine", "2", "-time", "300", "-o", ""}},
	{assembly, []string{"-assemble", "150"}, []string{"-assemble", "600"}},
}

// programSettings say which programs are tuned, and how.
type programSettings struct {
	only, backends, compilers string
	budget                    time.Duration // of tuning, for each program on each backend
	learns                    bool          // runs learn, in place of op2 tune
	bad                       bool          // tuning begins with choices that are bad on purpose
}

// Choices that are bad on purpose: small blocks and one thread, and on a processor as a device the layout for a GPU.
var badChoices = []string{"OP2_BLOCK_SIZE=64", "OP2_THREADS=1", "OP2_LAYOUT=soa"}

// programs tunes whole programs on each backend and with each compiler, and compares them with OP2_TUNE=off, in turn: each run is a
// process, so that data are elsewhere in memory each time. Time is what counts on a quiet machine, and processor time beside busy
// neighbors. Environment variables, as OP2_CFLAGS, hold for all.
func programs(out io.Writer, s programSettings, rounds int, quick bool) error {
	dir, err := os.MkdirTemp("", "op2-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := build(dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%-33s  %8s  %9s  %9s  %6s  %6s  %9s", "program, on a backend", "changed", "untuned s", "tuned s", "ratio", "median", "processor")
	if s.bad {
		fmt.Fprintf(out, "  %9s", "as begun")
	}
	fmt.Fprintln(out)
	all := map[string]*[3][]float64{} // by machine, "" for all: ratios of the shortest times, of times, and of processor times
	for _, e := range examples {
		program := filepath.Join(dir, e.name)
		if e.name == assembly {
			program = self
		}
		sizes := [][]string{e.small, e.large}
		if quick {
			sizes = sizes[:1]
		}
		for i, args := range sizes {
			for _, on := range s.machines() {
				name := strings.Join([]string{e.name, []string{"small", "large"}[i], on.name()}, " ")
				if !strings.Contains(name, s.only) {
					continue
				}
				m := tunedProgram{settings: s, dir: dir, on: on, command: append([]string{program}, args...)}
				g, err := m.measure(rounds)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				for _, of := range []string{"", on.name()} {
					if all[of] == nil {
						all[of] = new([3][]float64)
					}
					for i, ratio := range []float64{g.least[1] / g.least[0], g.took, g.processor} {
						all[of][i] = append(all[of][i], ratio)
					}
				}
				g.print(out, name)
			}
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("no program and backend hold %q, as in \"dg small openmp\"", s.only)
	}
	fmt.Fprintf(out, "tuned / untuned, geometric means, of %d rounds:\n", rounds)
	for _, on := range sorting.Keys(all) {
		r := all[on]
		_, err = fmt.Fprintf(out, "%-20s  %2d programs  %.3f of the shortest times, %.3f by medians, %.3f of processor time\n", cmp.Or(on, "all"), len(r[0]),
			geometric(r[0]), geometric(r[1]), geometric(r[2]))
	}
	return err
}

// build builds what runs as processes.
func build(dir string) error {
	args := []string{"build", "-o", dir, "./cmd/op2"}
	for _, e := range examples {
		if e.name != assembly {
			args = append(args, "./examples/"+e.name)
		}
	}
	if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("building the programs, in the root of the repository: %w\n%s", err, text)
	}
	return nil
}

// machine is a backend with a compiler of C; "" if it has none, or any may be chosen.
type machine struct{ backend, compiler string }

func (m machine) name() string { return strings.TrimSpace(m.backend + " " + m.compiler) }

// compiles reports whether the backend compiles C.
func (m machine) compiles() bool { return m.backend == "sequential" || m.backend == "openmp" }

// machines returns the backends, those that compile C once for each compiler.
func (s programSettings) machines() (all []machine) {
	for backend := range strings.SplitSeq(s.backends, ",") {
		compilers := []string{""}
		if (machine{backend: backend}).compiles() {
			compilers = strings.Split(s.compilers, ",")
		}
		for _, c := range compilers {
			all = append(all, machine{backend, c})
		}
	}
	return all
}

// tunedProgram is a program on a backend, whose wisdom and code are in a folder.
type tunedProgram struct {
	settings programSettings
	dir      string
	on       machine
	command  []string
}

// gained is what tuning has made of a program.
type gained struct {
	decided, changed int        // loops
	least            [2]float64 // seconds, untuned and tuned, of the shortest run
	took, processor  float64    // medians of the ratios within a round, tuned by untuned: time, and processor time
	begun            float64    // that of the processor time with bad choices by the untuned one; 0 without
}

func (g gained) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%-33s  %2d of %2d  %9.4f  %9.4f  %6.3f  %6.3f  %9.3f", name, g.changed, g.decided, g.least[0], g.least[1], g.least[1]/g.least[0], g.took, g.processor)
	if g.begun > 0 {
		fmt.Fprintf(out, "  %9.3f", g.begun)
	}
	fmt.Fprintln(out)
}

// measure tunes the program, and runs it in turn untuned and tuned, and as tuning began.
func (p *tunedProgram) measure(rounds int) (g gained, err error) {
	began := time.Now()
	if err := p.tune(); err != nil {
		return g, err
	}
	for _, f := range wisdom.Open(p.cache(), nil).All() {
		if f.When.After(began) && f.Breadth >= 0 {
			if g.decided++; f.Choice != "" {
				g.changed++
			}
		}
	}
	ways := [][]string{{"OP2_TUNE=off"}, {"OP2_TUNE=use,patient"}}
	switch {
	case p.settings.bad:
		ways[1] = append(badChoices, "OP2_TUNE=use,patient,blocks,override")
		ways = append(ways, append(badChoices, "OP2_TUNE=off"))
	case p.settings.learns:
		ways[1] = []string{"OP2_TUNE=use"}
	}
	took, processor := make([][]float64, len(ways)), make([][]float64, len(ways))
	for range rounds {
		for i, way := range ways {
			t, cpu, err := p.run(way...)
			if err != nil {
				return g, err
			}
			took[i], processor[i] = append(took[i], t), append(processor[i], cpu)
		}
	}
	g.least = [2]float64{slices.Min(took[0]), slices.Min(took[1])}
	g.took, g.processor = ratio(took[1], took[0]), ratio(processor[1], processor[0])
	if p.settings.bad {
		g.begun = ratio(processor[2], processor[0])
	}
	return g, nil
}

// tune tunes the program within the budget.
func (p *tunedProgram) tune() error {
	if p.settings.learns {
		for start := time.Now(); time.Since(start) < p.settings.budget; {
			if _, _, err := p.run("OP2_TUNE=learn"); err != nil {
				return err
			}
		}
		return nil
	}
	args, environment := []string{"tune", "-budget", p.settings.budget.String()}, []string(nil)
	if p.settings.bad {
		args, environment = append(args, "-blocks", "-override"), badChoices
	}
	if text, err := p.with(exec.Command(filepath.Join(p.dir, "op2"), append(args, p.command...)...), environment...).CombinedOutput(); err != nil {
		return fmt.Errorf("op2 tune: %w\n%s", err, text)
	}
	return nil
}

// cache returns the folder of wisdom and code.
func (p *tunedProgram) cache() string { return filepath.Join(p.dir, "cache") }

// with makes a command run on the backend with the folder.
func (p *tunedProgram) with(c *exec.Cmd, environment ...string) *exec.Cmd {
	c.Env = slices.Concat(os.Environ(), []string{"OP2_BACKEND=" + p.on.backend, "OP2_CACHE_DIR=" + p.cache()}, environment)
	if p.on.compiler != "" {
		c.Env = append(c.Env, "OP2_CC="+p.on.compiler)
	}
	if p.on.compiles() { // also what the program contains translated, for which these are other flags
		c.Env = append(c.Env, "OP2_CFLAGS="+strings.TrimSpace(os.Getenv("OP2_CFLAGS")+" -g0"))
	}
	return c
}

// run runs the program once, and returns the seconds that it takes, and those of the processor.
func (p *tunedProgram) run(environment ...string) (took, processor float64, err error) {
	c := p.with(exec.Command(p.command[0], p.command[1:]...), environment...)
	start := time.Now()
	if text, err := c.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, text)
	}
	return time.Since(start).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}

// assembleOften is the program that assembles the mass matrix of 2n² triangles again and again, and multiplies by it.
func assembleOften(n int) error {
	m := newTriangles(n)
	on, err := newMassOn(m)
	if err != nil {
		return err
	}
	defer on.rt.Close()
	for range max(1, assembled/len(m.of)) {
		if err := on.mat.Zero(); err != nil {
			return err
		}
		if err := on.loop.Compute(); err != nil {
			return err
		}
		if err := on.mat.Mul(on.y, on.x); err != nil {
			return err
		}
	}
	return nil
}

// assembled is how many corners of triangles are assembled in a run.
const assembled = 150_000_000
