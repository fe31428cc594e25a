package op2

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/comm"
)

// Rank returns the number of this process among those that run the program together, from 0; 0 if
// it runs alone.
func (rt *Runtime) Rank() int {
	if rt == nil {
		return 0
	}
	return rt.core().Rank()
}

// Ranks returns the number of processes that run the program together; 1 if it runs alone.
func (rt *Runtime) Ranks() int {
	if rt == nil {
		return 1
	}
	return rt.core().Ranks()
}

// Partition distributes the mesh to the ranks: each owns a part of every set, and gets a halo of
// copies around it. Without a call, that is done before the first sparsity is built or the first loop
// prepared. Coordinates are dats of positions, one for each element of a set. With them, parts are
// found by recursive bisection, otherwise, or if [WithPartitioner] says so, from the maps alone.
//
// It is called once, after sets, subsets, maps and dats have been declared, and after
// [Runtime.Renumber], if that is called: elements keep their order on each rank. It is collective. On
// one process it does nothing.
func (rt *Runtime) Partition(coordinates ...Coordinates) error {
	if rt == nil {
		return errors.New("op2: Partition: there is no runtime")
	}
	if err := rt.core().Enter(); err != nil {
		return err
	}
	defer rt.core().Leave()
	return rt.core().Partition(places(coordinates))
}

// RunRanks runs a program on n ranks that are goroutines of this process, without MPI: to test what
// it does when a mesh is distributed, to find races, or to step through it with a debugger. It calls
// f n times at the same time, and returns their errors, joined. F passes the option to Open:
//
//	err := op2.RunRanks(4, func(rank op2.Option) error {
//		rt, err := op2.Open(rank)
//		…
//	})
//
// Each rank opens one runtime. A panic in f is an error.
func RunRanks(n int, f func(rank Option) error) error {
	return runRanks(n, 0, f)
}

// runRanks is RunRanks with messages that take a time to arrive.
func runRanks(n int, delay time.Duration, f func(rank Option) error) error {
	if n < 1 {
		return fmt.Errorf("op2: %d ranks: at least one is needed", n)
	}
	errs := make([]error, n)
	var all sync.WaitGroup
	for i, c := range comm.Local(n, delay) {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("op2: rank %d: panic: %v\n%s", i, p, debug.Stack())
				}
				if errs[i] != nil {
					c.Fail(errs[i])
				}
				_ = c.Close()
			}()
			errs[i] = f(func(o *config) { o.Comm = c })
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
