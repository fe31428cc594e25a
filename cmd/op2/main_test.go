package main

import (
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
)

// output runs the command and returns what it prints and its error.
func output(t *testing.T, args ...string) (results string, err error) {
	t.Helper()
	results, _, err = outputs(t, args...)
	return results, err
}

// outputs returns what goes to standard output and to standard error.
func outputs(t *testing.T, args ...string) (results, status string, err error) {
	t.Helper()
	var out, other strings.Builder
	err = runCommand(console{&out, &other}, args)
	return out.String(), other.String(), err
}

func TestHelp(t *testing.T) {
	want := `op2 shows what the library finds on this machine and keeps there, and begins programs that use it.

  op2 new        make a small module to start from
  op2 info       what each backend needs, what is available, and whether it works
  op2 cache      list, prune or clear the compiled code on disk
  op2 mesh       describe, check, convert and draw a mesh, or make the airfoil example's
  op2 compare    compare the results of two runs: the largest difference of each field
  op2 order      renumber the airfoil example's mesh and draw the cells' numbers
  op2 partition  divide a mesh between ranks, and predict what that costs
  op2 vet        check kernels, and the arguments of loops, without running anything
  op2 plan       run a program and show the plans of its loops
  op2 report     run a program and report what it measures: loops, bandwidth, a timeline
  op2 translate  run a program, and write a package with the machine code of its loops
  op2 tune       run a program and find the fastest choices for its loops
  op2 wisdom     list, explain, export, import or forget what tuning has learned about loops
  op2 completion a script that completes commands and flags in bash, zsh or fish
  op2 version    the version of op2, of Go, and the platform
  op2 help       this list, or how a command is used

op2 help COMMAND shows the flags of one, and examples.
`
	for _, args := range [][]string{nil, {"help"}, {"-h"}, {"-help"}, {"--help"}} {
		if out, status, err := outputs(t, args...); err != nil || out != want || status != "" {
			t.Errorf("op2 %s: error %v\n%s%s", args, err, out, status)
		}
	}
	// The documentation of the command lists what help lists.
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(want) {
		if strings.HasPrefix(line, "  op2 ") && !strings.Contains(string(text), "//\t"+strings.TrimPrefix(line, "  ")) {
			t.Errorf("main.go does not say %q", line)
		}
	}
	for _, c := range commands() {
		out, status, err := outputs(t, c.name, "-help")
		if !errors.Is(err, flag.ErrHelp) || !strings.HasPrefix(out, "op2 "+c.name) || status != "" {
			t.Errorf("op2 %s -help: error %v\n%s%s", c.name, err, out, status)
		}
	}
}

func TestInfo(t *testing.T) {
	t.Setenv("OP2_CACHE_DIR", t.TempDir())
	out, err := output(t, "info")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"go          PASS     kernels as Go functions on goroutines", "\nsequential  ", "\npetsc       ", "\nauto: ", "OP2_CACHE_DIR=", " (the folder of compiled code)\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	backends, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backends {
		status := "missing"
		if b.Available {
			status = "PASS"
		}
		if !strings.Contains(out, strings.TrimRight(b.Name+"            ", "")[:12]+status) {
			t.Errorf("%s is not said to be %s in\n%s", b.Name, status, out)
		}
	}
}

func TestInfoSaysWhatIsMissing(t *testing.T) {
	t.Setenv("OP2_CC", "no-such-compiler")
	out, err := output(t, "info")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"sequential  missing", `no C compiler called "no-such-compiler"`, "hint: without OP2_CC and op2.WithCompiler the first of gcc, clang and cc is used"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestInfoPETSc(t *testing.T) {
	var b strings.Builder
	t.Setenv("OP2_CACHE_DIR", t.TempDir())
	ok := describePETSc(&b)
	there := strings.HasPrefix(b.String(), "\npetsc       PASS     PETSc's linear solvers\n  PETSc: 3.")
	missing := strings.HasPrefix(b.String(), "\npetsc       missing  PETSc's linear solvers\n  no PETSc: looked for ")
	if !ok || !there && !missing || missing && strings.Contains(os.Getenv("OP2_REQUIRE"), "petsc") {
		t.Errorf("%v: %s", ok, b.String())
	}
}

func TestInfoHDF5(t *testing.T) {
	var b strings.Builder
	ok := describeHDF5(&b)
	there := regexp.MustCompile(`^\nhdf5        PASS     files of sets, maps and dats\n  HDF5: \d.* in /.*\n$`).MatchString(b.String())
	missing := strings.HasPrefix(b.String(), "\nhdf5        missing  files of sets, maps and dats\n  no HDF5: looked for ")
	if !ok || !there && !missing || missing && strings.Contains(os.Getenv("OP2_REQUIRE"), "hdf5") {
		t.Errorf("%v: %s", ok, b.String())
	}
}

func TestInfoMPI(t *testing.T) {
	var b strings.Builder
	ok := describeMPI(&b)
	there := regexp.MustCompile(`^\nmpi         PASS     many processes, started by mpirun\n  MPI: \S.* \d.* in /.*, through .* ABI\n$`).MatchString(b.String())
	missing := strings.HasPrefix(b.String(), "\nmpi         missing  many processes, started by mpirun\n  no MPI: looked for ")
	if !ok || !there && !missing || missing && strings.Contains(os.Getenv("OP2_REQUIRE"), "mpi") {
		t.Errorf("%v: %s", ok, b.String())
	}
}

// On several ranks it says what connects them, in the flags of op2 partition.
func TestInfoRanks(t *testing.T) {
	err := comm.Run(3, 50*time.Microsecond, func(c comm.Comm) error {
		got, err := measureRanks(c)
		if !regexp.MustCompile(`^op2 partition -scaling -latency [\d.]+[mµ]s -bandwidth [\d.e+-]+ -reduction [\d.]+[mµ]s$`).MatchString(got) {
			t.Errorf("%q, %v", got, err)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A compiler that does not compile is a failure, with status 1.
func TestInfoFails(t *testing.T) {
	if _, err := os.Stat("/bin/false"); err != nil {
		t.Skip("there is no /bin/false")
	}
	t.Setenv("OP2_CC", "/bin/false")
	t.Setenv("OP2_CACHE_DIR", t.TempDir())
	out, err := output(t, "info")
	if !errors.Is(err, errFailed) || !strings.Contains(out, "sequential  FAIL") {
		t.Errorf("error %v\n%s", err, out)
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("OP2_CACHE_DIR", dir)
	if out, err := output(t, "cache"); err != nil || out != "0 entries, 0.0 kB in "+dir+"\n" {
		t.Errorf("error %v, %q", err, out)
	}
	rt, err := op2.Open(op2.WithBackend("sequential"))
	if err != nil {
		t.Skip(err)
	}
	rt.Close()
	if err := selfCheck("sequential"); err != nil {
		t.Fatal(err)
	}
	if out, err := output(t, "cache", "list"); err != nil || !strings.Contains(out, "\nspread ") || !strings.HasPrefix(out, "2 entries, ") {
		t.Errorf("error %v, %q", err, out)
	}
	if out, err := output(t, "cache", "prune", "-older", "1d"); err != nil || !strings.HasPrefix(out, "removed 0 entries") {
		t.Errorf("error %v, %q", err, out)
	}
	if out, err := output(t, "cache", "clear"); err != nil || !strings.HasPrefix(out, "removed 2 entries") {
		t.Errorf("error %v, %q", err, out)
	}
}

func TestWrongUse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"inof"}, "op2: there is no command \"inof\" (did you mean \"info\"?)\n  hint: op2 help lists them"},
		{[]string{"info", "all"}, "op2 info: unexpected argument \"all\"\n  hint: op2 info -help shows how it is used"},
		{[]string{"cache", "claer"}, "op2 cache: there is no action \"claer\" (did you mean \"clear\"?): it is one of list, prune, clear\n  hint: op2 cache -help shows how it is used"},
		{[]string{"cache", "prune", "-older", "soon"}, `op2 cache: -older soon: expected a time, as 36h or 30d`},
		{[]string{"mesh", "-i", "0", "-o", "none.dat"}, "op2 mesh: "},
		{[]string{"mesh", "-x"}, "op2 mesh: flag provided but not defined: -x\n  hint: op2 mesh -help shows how it is used"},
	} {
		out, status, err := outputs(t, c.args...)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 %s: %v, not %q", strings.Join(c.args, " "), err, c.want)
		}
		if out+status != "" {
			t.Errorf("op2 %s prints %q", strings.Join(c.args, " "), out+status)
		}
	}
}

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{"30d": 720 * time.Hour, "36h": 36 * time.Hour, "0.5d": 12 * time.Hour} {
		if got, err := parseAge(s); err != nil || got != want {
			t.Errorf("%s is %v (%v), not %v", s, got, err, want)
		}
	}
}
