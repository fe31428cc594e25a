package op2_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
)

// rankProgram is a program that mpirun starts: one that fails, as of rankErrors, by its name.
func rankProgram(name string) {
	all := append(rankErrors(), rankError{name: "killed", run: onRank(1, func(*ringProgram) error {
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return p.Kill() // kill -9
	})}, rankError{name: "endless", run: func(r *ringProgram) error {
		fmt.Println("running")
		for {
			if err := r.run(1); err != nil {
				return err
			}
		}
	}}, rankError{name: "rebalanced", run: (*ringProgram).rebalance}, rankError{name: "teams", run: func(*ringProgram) error { return teamProgram() }}, rankError{name: "with MPI", options: func(int) []op2.Option { return []op2.Option{op2.WithMPI(op2.On)} }, run: func(*ringProgram) error { return errDone }})
	c := all[slices.IndexFunc(all, func(c rankError) bool { return c.name == name })]
	if err := c.program(op2.WithBackend("go"), op2.WithLog(os.Stderr)); err != nil {
		fmt.Fprintln(os.Stderr, "ERROR", err)
		os.Exit(1)
	}
}

// rebalance compares a run whose elements move with what one without that finds: the values of x are sums of its first ones.
func (r *ringProgram) rebalance() error {
	start := func() error {
		if err := r.x.Zero(); err != nil {
			return err
		}
		return op2.ParLoop(kernel(byNumber), r.nodes, r.x.Write(), op2.Index())
	}
	if err := errors.Join(start(), r.y.Zero(), r.run(5)); err != nil {
		return err
	}
	want, err := r.x.InDeclaredOrder()
	if err != nil {
		return err
	}
	if err := errors.Join(start(), r.y.Zero()); err != nil {
		return err
	}
	moved := int64(0)
	for i := range 5 {
		optest.Load(r.rt, func(rank int) float64 { return float64((rank+i)%3) + 0.5 })
		m, err := r.rt.Rebalance()
		if err = errors.Join(err, r.run(1)); err != nil {
			return err
		}
		moved += m.Moved
	}
	got, err := r.x.InDeclaredOrder()
	if err == nil && (!slices.Equal(got, want) || moved == 0) {
		err = fmt.Errorf("after %d elements have moved: %v, want %v", moved, got, want)
	}
	return err
}

// A job of mpirun ends soon when a rank fails, whatever happens to it, and says why once.
func TestRankPrograms(t *testing.T) {
	optest.NotShort(t)
	for _, test := range []struct{ program, want string }{
		{"none", ""},
		{"teams", ""},
		{"rebalanced", ""},
		{"own error", "op2: loop swapAlong over edges: rank 2: it has ended the communication, and rank … waits for it in ParLoop (rankerrors_test.go:…)\nERROR no such file"},
		{"own error with statistics", "op2: loop swapAlong over edges: rank 2: it has ended the communication, and rank … waits for it in ParLoop (rankerrors_test.go:…)\nERROR no such file"},
		{"size", "ERROR op2: rank 1: dat z on nodes: 8 values are needed, 2 for each of 4 nodes; 7 were given"},
		{"different", "ERROR op2: rank 0: dat z on nodes: a dim of at least 1 is needed, 0 was given"},
		{"fault", "ERROR op2: rank 1: loop divide over nodes: rankerrors_test.go:…: integer divide by zero…"},
		{"panic", "op2: rank 1 ends with a panic\npanic: no"},
		{"gathered by one rank at the end", "op2: rank …: it has ended the communication, and rank 0 waits for it in Dat.Gather (rankerrors_test.go:…)"},
		{"killed", ""},
	} {
		t.Run(test.program, func(t *testing.T) {
			t.Parallel()
			pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(test.want), "…", ".*") + "$")
			for attempt := 1; ; attempt++ { // on a busy machine, a rank may fail too late for others to tell of it
				out, err := mpitest.Command(t, mpitest.OpenMPI, 3, os.Args[0], test.program).CombinedOutput()
				if ends := slices.Contains([]string{"none", "teams", "rebalanced"}, test.program); (err == nil) != ends {
					t.Errorf("the job ends with %v", err)
				}
				said := strings.Join(regexp.MustCompile(`(?m)^(ERROR|op2:|panic:).*`).FindAllString(string(out), -1), "\n")
				if pattern.MatchString(said) {
					return
				}
				if attempt == 3 {
					t.Fatalf("it says\n%s\nwant\n%s\nin\n%s", said, test.want, out)
				}
			}
		})
	}
}

// WithMPI(On) refuses a process that is alone without having been started as a job of one.
func TestMPIOnWithoutLauncher(t *testing.T) {
	t.Parallel()
	job := mpitest.Command(t, mpitest.OpenMPI, 1, os.Args[0], "with MPI")
	alone := exec.Command(os.Args[0], "with MPI")
	alone.Env = job.Env
	if out, err := alone.CombinedOutput(); err == nil || !strings.Contains(string(out), "ERROR op2: Open: MPI: the process is alone: no launcher has started it\n  hint: mpirun") {
		t.Errorf("it ends with %v, and writes\n%s", err, out)
	}
	if out, err := job.CombinedOutput(); err != nil {
		t.Errorf("the job ends with %v, and writes\n%s", err, out)
	}
}

// Ctrl-C ends a job.
func TestInterruptedRanks(t *testing.T) {
	t.Parallel()
	c := mpitest.Command(t, mpitest.OpenMPI, 2, os.Args[0], "endless")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range 2 {
		if line, err := lines.ReadString('\n'); err != nil || line != "running\n" {
			t.Errorf("it writes %q, %v", line, err)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines) // until all ranks have ended
	if err := c.Wait(); err == nil {
		t.Error("the job ends without an error")
	}
}
