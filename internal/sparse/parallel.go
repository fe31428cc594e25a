package sparse

import (
	"sync"
	"sync/atomic"
)

// few is the number of rows or elements up to which one goroutine is enough.
const few = 4096

// share calls f concurrently for equal parts of n, one per worker.
func share(n, workers int, f func(lo, hi int)) {
	if n <= few {
		workers = 1
	}
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Go(func() { f(w*n/workers, (w+1)*n/workers) })
	}
	f(0, n/workers)
	group.Wait()
}

// chunks calls f for parts of n of the given size, which workers take one after another. Each
// worker gets its own f from begin.
func chunks(n, size, workers int, begin func() func(lo, hi int)) {
	var next atomic.Int64
	work := func() {
		f := begin()
		for {
			lo := int(next.Add(1)-1) * size
			if lo >= n {
				return
			}
			f(lo, min(lo+size, n))
		}
	}
	var group sync.WaitGroup
	for range min(workers, (n+size-1)/size) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}
