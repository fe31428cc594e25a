//go:build unix

package op2_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// TestCheckpointProcess is a process that TestKilled and others start: it makes a checkpoint in each step, and waits a
// little, until it has ended.
func TestCheckpointProcess(t *testing.T) {
	folder := os.Getenv("OP2_TEST_CHECKPOINT")
	if folder == "" {
		t.Skip("a part of TestKilled")
	}
	options := []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true), op2.WithLog(os.Stderr), op2.WithCheckpoint(folder, 1)}
	if _, err := os.Stat(folder); err == nil {
		options = append(options, op2.WithRestart(folder))
	}
	var calls atomic.Int32 // of all three ranks
	q, sums, err := circle{nodes: 300, until: func(step int) bool {
		n := calls.Add(1)
		if n == 15 {
			fmt.Println("READY")
		}
		if n == 9 && os.Getenv("OP2_TEST_FULL") != "" { // a disk that is full
			signal.Ignore(syscall.SIGXFSZ)
			limit := syscall.Rlimit{Cur: 1000, Max: 1000}
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				fmt.Println("ERROR", err)
			}
		}
		if n >= 15 && os.Getenv("OP2_TEST_STUCK") != "" {
			time.Sleep(time.Hour)
		}
		time.Sleep(2 * time.Millisecond)
		return false
	}}.on(3, options...)
	switch {
	case errors.Is(err, context.Canceled) || strings.Contains(fmt.Sprint(err), "stopped by the signal"):
		fmt.Println("STOPPED", err)
	case err != nil:
		fmt.Println("ERROR", err)
	default:
		fmt.Println("DONE", sums, q)
	}
	os.Exit(0)
}

// process runs the program until it is ready, gets a signal, and ends; without one, to its end.
func process(t *testing.T, folder string, s syscall.Signal) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCheckpointProcess$")
	cmd.Env = append(os.Environ(), "OP2_TEST_CHECKPOINT="+folder)
	pipe := optest.Must(cmd.StdoutPipe())
	cmd.Stderr = cmd.Stdout
	optest.OK(t, cmd.Start())
	var out strings.Builder
	for lines := bufio.NewScanner(pipe); lines.Scan(); fmt.Fprintln(&out, lines.Text()) {
		if s != 0 && lines.Text() == "READY" {
			optest.OK(t, cmd.Process.Signal(s))
		}
	}
	_ = cmd.Wait() // killed
	return out.String()
}

// A program that is killed, with checkpoints under way, goes on from the last complete one, and computes what one does
// that is not.
func TestKilled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run.chk")
	for range 2 {
		process(t, folder, syscall.SIGKILL)
	}
	// Whoever is killed between any two writes leaves a folder without an index.
	optest.OK(t, os.Mkdir(filepath.Join(folder, "000099"), 0o777))
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1} {
		out := process(t, folder, s)
		if !strings.Contains(out, "goes on from the checkpoint ") || !strings.Contains(out, "stopped by the signal SIG") {
			t.Errorf("%v: %s", s, out)
		}
	}
	t.Setenv("OP2_TEST_FULL", "1")
	if out := process(t, folder, 0); !strings.Contains(out, "checkpoint in "+folder+": rank 0: write ") || !strings.Contains(out, "file too large") {
		t.Error(out)
	}
	t.Setenv("OP2_TEST_FULL", "")
	q, sums, err := circle{nodes: 300}.on(1, op2.WithBackend("go"), op2.WithSameBits(true))
	optest.OK(t, err)
	if out := process(t, folder, 0); !strings.Contains(out, "goes on from the checkpoint ") || !strings.Contains(out, fmt.Sprintln("DONE", sums, q)) {
		t.Error(out)
	}
}

// A second signal ends a program that does not come to its next checkpoint.
func TestSecondSignal(t *testing.T) {
	optest.NotShort(t)
	t.Setenv("OP2_TEST_STUCK", "1")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCheckpointProcess$")
	cmd.Env = append(os.Environ(), "OP2_TEST_CHECKPOINT="+filepath.Join(t.TempDir(), "run.chk"))
	pipe := optest.Must(cmd.StdoutPipe())
	optest.OK(t, cmd.Start())
	for lines := bufio.NewScanner(pipe); lines.Scan() && lines.Text() != "READY"; {
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 2 {
		optest.OK(t, cmd.Process.Signal(syscall.SIGTERM))
		time.Sleep(1200 * time.Millisecond)
	}
	select {
	case err := <-ended:
		if err == nil || err.Error() != "signal: terminated" {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the second signal was lost")
		optest.OK(t, cmd.Process.Kill())
	}
}
