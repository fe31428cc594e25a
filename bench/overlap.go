package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mpi"
)

// overlaps measures how much of messages and reductions over TCP is hidden by computing that does not
// call MPI, on two processes.
func overlaps(launcher []string, rounds int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	line := append(slices.Clone(launcher), self, "-overlap", "-rounds", fmt.Sprint(rounds))
	c := exec.Command(line[0], line[1:]...)
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_btl=tcp,self")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

// overlapped is what is under way while a rank computes.
type overlapped struct {
	name  string
	start func() error
	wait  func() error
}

// runOverlap measures on this rank, and prints on rank 0.
func runOverlap(rounds int) error {
	c, err := mpi.Open(mpi.Config{})
	if err != nil {
		return err
	}
	defer c.Close()
	var all []overlapped
	for _, size := range []int{128 << 10, 1 << 20, 8 << 20} {
		other := 1 - c.Rank()
		e, err := c.Prepare([]comm.Message{{Rank: other, Data: make([]byte, size)}}, []comm.Message{{Rank: other, Data: make([]byte, size)}})
		if err != nil {
			return err
		}
		all = append(all, overlapped{fmt.Sprintf("%d kB both ways", size>>10), e.Start, e.Wait})
	}
	sum := []float64{1}
	var q comm.Request
	all = append(all, overlapped{"sum of one number", func() (err error) {
		q, err = c.Reduce(loop.Reduction{Access: loop.Inc, Type: loop.Float64, Dim: 1}, unsafe.Pointer(&sum[0]))
		return err
	}, func() error { return q.Wait() }})
	const computing = 20 * time.Millisecond
	work := 1 << 20
	for compute(work) < computing {
		work += work / 4
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "over TCP\talone, ms\tcomputing\twithout progress\twaiting\twith progress\twaiting\t")
	for _, o := range all {
		var alone, apart timed
		var with [2]timed
		for range rounds {
			for _, m := range []struct {
				to      *timed
				work    int
				message bool
				about   time.Duration
			}{{&alone, 0, true, 0}, {&apart, work, false, 0}, {&with[0], work, true, 0}, {&with[1], work, true, computing}} {
				if err := c.Meet(); err != nil {
					return err
				}
				start := time.Now()
				if m.message {
					if err := o.start(); err != nil {
						return err
					}
				}
				c.Computes(m.about)
				compute(m.work)
				waits := time.Now()
				if m.message {
					if err := o.wait(); err != nil {
						return err
					}
				}
				m.to.all = append(m.to.all, 1e3*time.Since(start).Seconds())
				m.to.waiting = append(m.to.waiting, 1e3*time.Since(waits).Seconds())
			}
		}
		fmt.Fprintf(t, "%s\t%.3f\t%.2f\t%.2f\t%.3f\t%.2f\t%.3f\t\n", o.name, median(alone.all), median(apart.all),
			median(with[0].all), median(with[0].waiting), median(with[1].all), median(with[1].waiting))
	}
	if c.Rank() > 0 {
		return nil
	}
	fmt.Printf("\n%s, two ranks that compute, and wait for messages\n", c.Name())
	return t.Flush()
}

// timed is milliseconds of rounds.
type timed struct{ all, waiting []float64 }

// compute computes for a while, without a call of anything.
//
//go:noinline
func compute(work int) time.Duration {
	start := time.Now()
	x := uint64(work)
	for range work {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x)
	return time.Since(start)
}
