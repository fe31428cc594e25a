// Package parallel runs work on several goroutines, and waits for it.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Run calls work with each number below workers, at least with 0, each in a goroutine of its own but for 0.
func Run(workers int, work func(worker int)) {
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Go(func() { work(w) })
	}
	work(0)
	group.Wait()
}

// Parts calls f with the ends of equal parts of n, a worker for each.
func Parts(n, workers int, f func(lo, hi int)) {
	Run(workers, func(w int) { f(w*n/workers, (w+1)*n/workers) })
}

// Each calls f with each index below n, on all processors. It returns the error of the lowest index that had
// one; indices above that one may be left out.
func Each(n int, f func(i int) error) error { return EachOn(runtime.GOMAXPROCS(0), n, f) }

// EachOn is Each on so many workers.
func EachOn(workers, n int, f func(i int) error) error {
	var next, failed atomic.Int64
	failed.Store(int64(n))
	errs := make([]error, n)
	Run(min(workers, n), func(int) {
		for {
			i := next.Add(1) - 1
			if i >= failed.Load() {
				return
			}
			if errs[i] = f(int(i)); errs[i] == nil {
				continue
			}
			for first := failed.Load(); i < first && !failed.CompareAndSwap(first, i); {
				first = failed.Load()
			}
		}
	})
	if first := failed.Load(); first < int64(n) {
		return errs[first]
	}
	return nil
}
