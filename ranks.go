package op2

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/checkpoint"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/settings"
)

// Rank returns the number of this process among those that run the program together, from 0; 0 if
// it runs alone, as a static runtime does.
func (rt *Runtime) Rank() int {
	if rt == nil {
		return 0
	}
	return rt.core().Rank()
}

// Ranks returns the number of processes that run the program together; 1 if it runs alone, as a static runtime does.
func (rt *Runtime) Ranks() int {
	if rt == nil {
		return 1
	}
	return rt.core().Ranks()
}

// Output returns w on rank 0, and a writer that discards everything on the other ranks: what all of
// them print through it appears once.
func (rt *Runtime) Output(w io.Writer) io.Writer {
	if rt.Rank() != 0 {
		return io.Discard
	}
	return w
}

// AnyRank reports whether yes is true on any rank. Programs that stop for a reason that only some
// ranks may see, such as a signal or the time, ask it, so that all of them stop at the same place.
// It is collective.
func (rt *Runtime) AnyRank(yes bool) (any bool, err error) {
	any = yes
	err = rt.do(func() error {
		any, err = rt.core().AnyRank(yes)
		return err
	})
	return any, err
}

// Partition distributes the mesh to the ranks: each owns a part of every set, and gets a halo of
// copies around it. Without a call, that is done before the first sparsity is built or the first loop
// prepared. Coordinates are dats of positions, one for each element of a set. With them, parts are
// found by recursive bisection, otherwise, or if [WithPartitioner] says so, from the maps alone.
//
// It is called once, after sets, subsets, maps and dats have been declared, and after
// [Runtime.Renumber], if that is called: elements keep their order on each rank. It is collective. On
// one process it does nothing.
func (rt *Runtime) Partition(coordinates ...AnyDat) error {
	return rt.doTogether(func() error { return distribute.Partition(rt.core(), places(coordinates)) })
}

// PartitionBy is [Runtime.Partition] by owners that the program has found: dats of whole numbers, each the rank that owns
// an element, for one or more sets. The other sets follow them along maps, as they do for Partition, and those
// that no map connects are divided as there. Ranks may own nothing. It is called as Partition is, and instead of it.
//
//	owner := op2.NewDat(cells, 1, parts, "owner") // of 0, 1, …, rt.Ranks()-1
//	err := rt.PartitionBy(owner)
func (rt *Runtime) PartitionBy(owners ...AnyDat) error {
	return rt.doTogether(func() error { return distribute.PartitionBy(rt.core(), places(owners)) })
}

// Rebalanced says what [Runtime.Rebalance] has found and done.
type Rebalanced = distribute.Rebalanced

// Rebalance moves elements to other ranks such that all have about as much to do, by the time that each has spent in
// loops, products and preconditioners since the last call, without waiting for the others. It does nothing where that would
// save less than a twentieth of the time, and says in any case what it has found. The sets are divided by the method
// that [WithPartitioner] selects, with the coordinates that Partition, Renumber or package mesh were given.
//
// The elements of a rank share its time equally. If they do not, the program may say what is to be equal on all ranks instead:
// the work of elements, dats of one number from 0 for each, for one or more sets. The other sets follow them.
//
// It is called between loops, at any time, and is collective. The program goes on with the same objects: sets, maps,
// dats, subsets, matrices, loops, chains and solvers follow. What depends on which elements are here is then another:
// slices that [Dat.Data], [Mat.CSR] and [Subset.Elements] have returned, and sizes. Sets that came distributed
// stay as they are. On one process it does nothing.
func (rt *Runtime) Rebalance(work ...AnyDat) (r Rebalanced, err error) {
	err = rt.doTogether(func() error {
		r, err = distribute.Rebalance(rt.core(), places(work), func() error { return checkpoint.Settle(rt.core()) })
		return err
	})
	return r, err
}

// connect connects a rank of an MPI job with the others of its team, unless it is to run alone. Say writes a message to
// the user.
func connect(c *config, say func(text string)) error {
	err := connectAll(c, say)
	if all := c.Comm; err == nil && !c.Static {
		c.Comm, err = comm.Team(all, c.Team)
		if job, is := all.(*mpi.Comm); is && (err != nil || c.Comm != all) { // it is this runtime's alone
			err = errors.Join(err, job.Close())
		}
		if err != nil {
			err = fmt.Errorf("op2: Open: the team %q: %w", c.Team, err)
		}
	}
	return err
}

// connectAll connects a rank with all others of the MPI job; without one, the process is alone.
func connectAll(c *config, say func(text string)) error {
	launched, is := launch.Detect()
	defer shareThreads(c, launched.LocalRanks)
	if c.Comm != nil {
		return nil
	}
	c.Comm = comm.Alone
	if c.Static || c.MPI == "off" || c.MPI == "auto" && (!is || launched.Ranks == 1) {
		return nil
	}
	ranks, err := mpi.Open(mpi.Config{Say: say})
	if err != nil {
		return fmt.Errorf("op2: Open: MPI: %w\n  hint: OP2_MPI=off runs each process for itself", err)
	}
	if !is && ranks.Size() == 1 {
		return errors.Join(errors.New("op2: Open: MPI: the process is alone: no launcher has started it\n  hint: mpirun -n 4 PROGRAM; OP2_MPI=auto runs it alone, too"), ranks.Close())
	}
	c.Comm = ranks
	return nil
}

// place returns which of how many ranks this is.
func place(c *config) (rank, ranks int) {
	if c.Static {
		return 0, 1
	}
	return c.Comm.Rank(), c.Comm.Size()
}

// shareThreads sets the number of threads, if it is not given, to this rank's share of the
// processors. Of the ranks of a job so many are on this machine.
func shareThreads(c *config, local int) {
	if c.Backend.Threads != settings.AsManyAsPossible {
		return
	}
	c.Backend.Threads = mpi.Processors()
	switch connected, over := c.Comm.(*mpi.Comm); {
	case over && bound():
	case over:
		c.Backend.Threads = max(1, c.Backend.Threads/max(1, min(local, connected.Size())))
	default:
		c.Backend.Threads = max(1, c.Backend.Threads/c.Comm.Size())
	}
}

// bound reports whether the process may use only some of the machine's processors: a launcher has
// given each rank its own.
func bound() bool {
	online, err := os.ReadFile("/sys/devices/system/cpu/online") // "0-7,12"
	if err != nil {
		return false
	}
	all := 0
	for _, run := range strings.Split(strings.TrimSpace(string(online)), ",") {
		first, last, several := strings.Cut(run, "-")
		if !several {
			last = first
		}
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		if errA != nil || errB != nil {
			return false
		}
		all += b - a + 1
	}
	return runtime.NumCPU() < all
}

// RunRanks runs a program on n ranks that are goroutines of this process, without MPI: to test what
// it does when a mesh is distributed, to find races, or to step through it with a debugger. It calls
// f n times at the same time, and returns their errors, each once, with the ranks that returned it.
// F passes the option to Open:
//
//	err := op2.RunRanks(4, func(rank op2.Option) error {
//		rt, err := op2.Open(rank)
//		…
//	})
//
// Each rank opens one runtime, and further ones of teams by [WithTeam]. A panic in f is an error. Ranks share the
// variables that are consts: a program that changes one between loops runs under mpirun, not here.
//
// Environment: OP2_LATENCY, such as 100us, is the time that messages take to arrive, as between
// machines. Default: 0.
func RunRanks(n int, f func(rank Option) error) error {
	delay, err := settings.Latency(os.Getenv)
	if err != nil {
		return err
	}
	return runRanks(n, delay, f)
}

// runRanks is RunRanks with messages that take a time to arrive.
func runRanks(n int, delay time.Duration, f func(rank Option) error) error {
	if n < 1 {
		return fmt.Errorf("op2: %d ranks: at least one is needed", n)
	}
	if f == nil {
		return errors.New("op2: RunRanks: there is no function")
	}
	errs := comm.Each(n, delay, func(c comm.Comm) error {
		if err := f(option(func(o *config) { o.Comm = c })); err != nil {
			return problem.Bare(err)
		}
		return nil
	})
	if err := comm.Join(comm.Own(errs)); err != nil {
		return problem.Errorf("op2: %w", err)
	}
	return nil
}
