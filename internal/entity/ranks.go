package entity

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Rank returns the number of this rank; 0 on one process, and on a static runtime.
func (rt *Runtime) Rank() int { return rt.Comm().Rank() }

// Ranks returns the number of ranks; 1 on one process, and on a static runtime.
func (rt *Runtime) Ranks() int { return rt.Comm().Size() }

// connected returns the ranks that the runtime was opened with, though a static one does nothing with them.
func (rt *Runtime) connected() comm.Comm { return cmp.Or(rt.config.Comm, comm.Alone) }

// Comm returns the ranks among which meshes are distributed: on one process, and on a static runtime, this one
// alone.
func (rt *Runtime) Comm() comm.Comm {
	if rt.config.Static {
		return comm.Alone
	}
	return rt.connected()
}

// Link returns what messages to other ranks go through.
func (rt *Runtime) Link() exchange.Link {
	return exchange.Link{Comm: rt.Comm(), Device: rt.device, Transfers: &rt.transfers}
}

// Meet waits until all ranks call it, or close their runtimes: one that waits for this rank elsewhere
// fails.
func (rt *Runtime) Meet() error { return rt.Comm().Meet() }

// Several reports whether there are several ranks, among which meshes are distributed.
func (rt *Runtime) Several() bool { return rt.Comm().Size() > 1 }

// Offsets returns where each rank's share starts, and where the last ends, if this rank's has count elements. It is
// collective.
func (rt *Runtime) Offsets(count int) ([]int64, error) {
	offsets, err := halo.Offsets(rt.Comm(), int64(count))
	if err != nil {
		return nil, rt.Broken(err)
	}
	return offsets, nil
}

// Tell returns the text of the lowest rank that has something to say, and its number, on all ranks; -1
// if none has. It is collective.
func (rt *Runtime) Tell(says bool, own string) (text string, rank int, err error) {
	c := rt.Comm()
	lowest := []int64{int64(c.Size())}
	if says {
		lowest[0] = int64(c.Rank())
	}
	if err := comm.Reduce(c, loop.Min, lowest); err != nil {
		return "", -1, rt.Broken(err)
	}
	rank = int(lowest[0])
	if rank == c.Size() {
		return "", -1, nil
	}
	length := []int64{0}
	if rank == c.Rank() {
		length[0] = int64(len(own))
	}
	if err := comm.Reduce(c, loop.Max, length); err != nil {
		return "", -1, rt.Broken(err)
	}
	said := make([]byte, length[0])
	copy(said, own)
	if err := c.Broadcast(rank, said); err != nil {
		return "", -1, rt.Broken(err)
	}
	return string(said), rank, nil
}

// Combine combines values with those of all ranks, which get the results.
func Combine[T loop.Number](rt *Runtime, access loop.Access, values ...T) ([]T, error) {
	if err := comm.Reduce(rt.Comm(), access, values); err != nil {
		return nil, rt.Broken(err)
	}
	return values, nil
}

// CheckOrder returns an error on a reproducible runtime, for operations that add in an order which
// depends on the partition.
func (rt *Runtime) CheckOrder(what string) error {
	if !rt.config.Backend.SameBits {
		return nil
	}
	return problem.Errorf("op2: %s adds in an order that depends on the partition, and the runtime is reproducible\n  hint: assemble the transposed matrix, and multiply by that, or drop WithSameBits", what)
}

// WarnAsOne warns, on one rank, about what all ranks notice.
func (rt *Runtime) WarnAsOne(text string) {
	if rt.Rank() == 0 {
		rt.config.Backend.Warn(text)
	}
}

// Besides describes the runtime for a message that also names the other one.
func (rt *Runtime) Besides(other *Runtime) string {
	if rt == nil || rt.at == "" {
		return "no runtime"
	}
	what := "the runtime"
	if other != nil && rt.at == other.at {
		what = fmt.Sprintf("runtime %d of the process,", rt.number)
		if rt.Several() {
			what = fmt.Sprintf("the runtime of rank %d,", rt.Rank())
		}
	}
	return fmt.Sprintf("%s opened at %s, %s", what, rt.at, rt.name)
}

// Broken returns the error for a failure of ranks, or of the communication.
func (rt *Runtime) Broken(err error) error { return broken(err) }

func broken(err error) error { return problem.Errorf("op2: %w", err) }
