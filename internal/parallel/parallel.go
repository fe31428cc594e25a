// Package parallel runs independent tasks on all processors. Readers and writers of files use it: package mesh and
// internal/vtu.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls f with each index below n, on all processors. It returns the error of the lowest index that had
// one; indices above that one may be left out.
func Each(n int, f func(i int) error) error {
	var next, failed atomic.Int64
	failed.Store(int64(n))
	errs := make([]error, n)
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
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
	}
	workers.Wait()
	if first := failed.Load(); first < int64(n) {
		return errs[first]
	}
	return nil
}
