package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
)

// describeMPI reports whether MPI is installed, and starts it.
func describeMPI(out io.Writer) bool {
	connection := ""
	works := describeLibrary(out, "mpi", "MPI", "many processes, started by mpirun", func() (text string, err error) {
		var l *mpi.Library
		if l, connection, err = checkMPI(); err == nil {
			text = fmt.Sprintf("%s in %s, through %s ABI", l.Name, l.Path, l.ABI)
		}
		return text, err
	})
	if connection != "" {
		detail(out, "between ranks", connection)
	}
	return works
}

// checkMPI sums over all ranks, usually this one alone, and measures what connects them. Without a
// launcher, MPI runs until the process ends, so that others can use it.
func checkMPI() (l *mpi.Library, connection string, err error) {
	if _, is := launch.Detect(); !is {
		if _, err := mpi.Retain(); err != nil {
			return nil, "", err
		}
	}
	c, err := mpi.Open(mpi.Config{})
	if err != nil {
		return nil, "", err
	}
	ranks := []int64{1}
	if err := comm.Sum(c, ranks); err != nil {
		return nil, "", err
	}
	if ranks[0] != int64(c.Size()) {
		return nil, "", fmt.Errorf("the sum over %d ranks is %d", c.Size(), ranks[0])
	}
	if c.Size() > 1 {
		if connection, err = measureRanks(c); err != nil {
			return nil, "", err
		}
	}
	return c.Library(), connection, c.Close()
}

// measureRanks returns what connects the ranks, as flags for op2 partition. All ranks exchange messages
// at the same time, each with those that are farthest in the order of ranks: on several machines, they
// are on others.
func measureRanks(c comm.Comm) (string, error) {
	const large = 1 << 20
	latency, err := timeExchange(c, 8)
	if err != nil {
		return "", err
	}
	long, err := timeExchange(c, large)
	if err != nil {
		return "", err
	}
	sum := []int64{0}
	reduction, err := medianTime(c, func() error { return comm.Sum(c, sum) })
	if err != nil {
		return "", err
	}
	reduction /= time.Duration(math.Ceil(math.Log2(float64(c.Size()))))
	digits := func(d time.Duration) time.Duration { return d.Round(100 * time.Nanosecond) }
	return fmt.Sprintf("op2 partition -scaling -latency %v -bandwidth %.2g -reduction %v",
		digits(latency), large/float64(max(long-latency, long/2)), digits(reduction)), nil
}

// timeExchange returns the time in which each rank sends and receives a message.
func timeExchange(c comm.Comm, bytes int) (time.Duration, error) {
	n, far := c.Size(), c.Size()/2
	to := comm.Message{Rank: (c.Rank() + far) % n, Data: make([]byte, bytes)}
	from := comm.Message{Rank: (c.Rank() + n - far) % n, Data: make([]byte, bytes)}
	e, err := c.Prepare([]comm.Message{to}, []comm.Message{from})
	if err != nil {
		return 0, err
	}
	defer e.Free()
	return medianTime(c, func() error { return errors.Join(e.Start(), e.Wait()) })
}

// medianTime returns the median time of a call, on the slowest rank, after some that connect the ranks.
func medianTime(c comm.Comm, call func() error) (time.Duration, error) {
	const first, rounds = 100, 301
	times := make([]int64, rounds)
	for i := range times {
		start := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		times[i] = time.Since(start).Nanoseconds()
	}
	times = times[first:]
	slices.Sort(times)
	median := times[len(times)/2:][:1]
	err := comm.Max(c, median)
	return time.Duration(median[0]), err
}
