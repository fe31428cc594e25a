package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/mpi/mpitest"
)

// programs are programs of users, by their names, which the test binary runs instead of its tests.
var programs = map[string]func(){
	"sum":    func() { run(sum) },
	"one":    func() { run(onRank(1, func() error { return errors.New("a bad map") })) },
	"all":    func() { run(func(c *mpi.Comm) error { return errors.New("a bad map") }) },
	"differ": func() { run(func(c *mpi.Comm) error { return fmt.Errorf("a bad map %d", c.Rank()/2) }) },
	"leave":  func() { run(onRank(1, func() error { return errLeave })) },
	"panic": func() {
		run(onRank(1, func() error { panic("a bad kernel") }))
	},
	"kill": func() {
		run(onRank(1, func() error {
			p, err := os.FindProcess(os.Getpid())
			return errors.Join(err, p.Kill()) // kill -9
		}))
	},
	"exit": func() {
		run(onRank(1, func() error { os.Exit(0); return nil }))
	},
	"slow":    slow,
	"nil":     func() { run(dereference) },
	"several": several,
}

// run is the main function of a program: it says what has failed, and ends with status 1.
func run(body func(*mpi.Comm) error) {
	if err := protect(body); err != nil {
		fmt.Fprintln(os.Stderr, "ERROR", err)
		os.Exit(1)
	}
}

func protect(body func(*mpi.Comm) error) error {
	c, err := mpi.Open(mpi.Config{Collect: 2 * time.Second, Patience: time.Minute}) // also for the launcher of a busy machine
	if err != nil {
		return err
	}
	defer c.Close()
	if err := body(c); err == errLeave {
		return err
	} else if err != nil {
		return c.Fail(err)
	}
	return c.Close()
}

// errLeave is an error of a program's own, which it returns without telling the runtime.
var errLeave = errors.New("no file with a mesh")

// onRank does something on one rank, while the others wait for it.
func onRank(rank int, do func() error) func(*mpi.Comm) error {
	return func(c *mpi.Comm) error {
		if c.Rank() == rank {
			if err := do(); err != nil {
				return err
			}
		}
		return comm.Sum(c, []int64{1})
	}
}

func sum(c *mpi.Comm) error {
	total := []int64{1}
	if err := comm.Sum(c, total); err != nil {
		return err
	}
	if c.Rank() == 0 {
		fmt.Printf("the sum is %d\n", total[0])
	}
	return nil
}

// dereference recovers from a panic that comes from a signal.
func dereference(c *mpi.Comm) (err error) {
	defer func() {
		if recover() == nil {
			err = errors.New("no panic")
		} else if c.Rank() == 0 {
			fmt.Println("recovered")
		}
	}()
	var p *int
	*p = 1
	return nil
}

// slow lets a rank keep the others waiting.
func slow() {
	said := filepath.Join(os.TempDir(), "said") // in the job's own folder
	c, err := mpi.Open(mpi.Config{Slow: 20 * time.Millisecond, Say: func(text string) {
		fmt.Println("ERROR", text)
		if err := os.WriteFile(said, nil, 0o666); err != nil {
			panic(err)
		}
	}})
	if err != nil {
		panic(err)
	}
	for missing := c.Rank() == 1; missing; time.Sleep(time.Millisecond) {
		_, err := os.Stat(said)
		missing = err != nil
	}
	if err := errors.Join(comm.Sum(c, []int64{1}), c.Close()); err != nil {
		panic(err)
	}
}

// several opens Comms at the same time and one after another, and one when MPI has ended.
func several() {
	outer, err := mpi.Open(mpi.Config{})
	if err != nil {
		panic(err)
	}
	for range 2 {
		run(sum)
	}
	inner, err := mpi.Open(mpi.Config{})
	if err := errors.Join(err, sum(outer), sum(inner), outer.Close(), sum(inner), inner.Close()); err != nil {
		panic(err)
	}
	if _, err := mpi.Open(mpi.Config{}); err != mpi.ErrEnded {
		panic(err)
	}
}

// Programs end as they do on one rank, and their failures on all ranks, with one message.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	sums := func(n, times int) string {
		return strings.TrimSpace(strings.Repeat(fmt.Sprintf("the sum is %d\n", n), times))
	}
	both, open := mpitest.Kinds(), []string{mpitest.OpenMPI}
	for _, test := range []struct {
		program string
		kinds   []string
		ranks   int
		want    string // what the program writes, without what the launcher says
		fails   bool
	}{
		{"sum", both, 2, sums(2, 1), false},
		{"several", open, 2, sums(2, 5), false},
		{"nil", both, 2, "recovered", false},
		{"one", both, 2, "ERROR rank 1: a bad map", true},
		{"all", open, 3, "ERROR ranks 0-2: a bad map", true},
		{"differ", open, 4, "ERROR ranks 0-1: a bad map 0; ranks 2-3: a bad map 1", true},
		{"leave", both, 2, "ERROR no file with a mesh", true},
		{"panic", both, 2, "panic: a bad kernel", true},
		{"kill", both, 2, "", true},
		{"exit", open, 3, "", true},
		{"slow", open, 3, "ERROR rank 0 has waited for 200ms, for other ranks", false},
	} {
		for _, kind := range test.kinds {
			t.Run(kind+"/"+test.program, func(t *testing.T) {
				t.Parallel()
				out, err := mpitest.Command(t, kind, test.ranks, os.Args[0], test.program).CombinedOutput()
				if written(string(out)) != test.want { // a rank was late, on a busy machine
					out, err = mpitest.Command(t, kind, test.ranks, os.Args[0], test.program).CombinedOutput()
				}
				if (err != nil) != test.fails {
					t.Errorf("the job ends with %v", err)
				}
				if got := written(string(out)); got != test.want {
					t.Errorf("it writes %q, want %q, in\n%s", got, test.want, out)
				}
			})
		}
	}
}

// written returns the lines of programs.
func written(out string) string {
	return strings.Join(regexp.MustCompile(`(?m)^(ERROR|the sum|recovered|panic:).*`).FindAllString(out, -1), "\n")
}

// A library of one kind under the launcher of another sees each process alone.
func TestMismatch(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	for _, test := range []struct{ kind, library, want string }{
		{mpitest.OpenMPI, "libmpich.so.12", `ERROR Open MPI's mpirun has started 2 processes, but MPICH \S+ \(.*libmpich.so.12.*\) sees this one alone: ` +
			`it does not belong to the launcher\n  hint: OP2_MPI_LIBRARY names the library; unset it, or set it to the library of the launcher`},
		{mpitest.MPICH, "libmpi.so.40", `ERROR MPICH's mpiexec \(Hydra\) has started 2 processes, but Open MPI \S+ \(.*libmpi.so.40.*\) sees this one alone`},
		{mpitest.MPICH, "/no/libmpi.so", `ERROR no MPI library.*: looked for /no/libmpi.so \(OP2_MPI_LIBRARY\)\n`},
		{mpitest.OpenMPI, "libm.so.6", `ERROR no MPI library.*: looked for libm.so.6 \(OP2_MPI_LIBRARY\): libm.so.6 lacks MPI_Get_library_version, `},
	} {
		t.Run(test.kind+"/"+test.library, func(t *testing.T) {
			t.Parallel()
			run := func() ([]byte, error) {
				c := mpitest.Command(t, test.kind, 2, os.Args[0], "sum")
				c.Env = append(c.Env, mpi.Variable+"="+test.library)
				return c.CombinedOutput()
			}
			out, err := run()
			if len(out) == 0 { // the launcher has lost its processes before it has heard of them
				out, err = run()
			}
			if err == nil || !regexp.MustCompile(test.want).Match(out) {
				t.Errorf("it ends with %v, and writes\n%s", err, out)
			}
		})
	}
}
