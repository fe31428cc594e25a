package op2

import (
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/lazy"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/sparse"
)

// BackendOf returns the backend of a runtime.
func BackendOf(rt *Runtime) backend.Backend { return rt.core().Backend() }

// IsSoA reports whether a device stores a dat component by component.
func IsSoA(d *Dat[float64]) bool { return d.data().SoA() }

// CachedLoops returns the number of loops that the runtime caches for ParLoop.
func CachedLoops(rt *Runtime) int { return run.CachedLoops(rt.core()) }

// CachedPlans returns the number of plans that the runtime caches.
func CachedPlans(rt *Runtime) int { return run.CachedPlans(rt.core()) }

// Enter enters the runtime, as a call in progress does.
func Enter(rt *Runtime) error { return rt.core().Enter() }

// Leave ends what Enter began.
func Leave(rt *Runtime) { rt.core().Leave() }

// View returns another view of a dat's values, on a set with dim values for each element.
func View(d *Dat[float64], set *Set, dim int) *Dat[float64] {
	return (*Dat[float64])(d.data().View(set.core(), dim))
}

// Version counts the writes of a dat.
func Version(d *Dat[float64]) uint64 { return d.data().Storage().Version() }

// QuickRank connects this rank of an MPI job with the others for one runtime, until end is called.
// When one fails, none waits for the launcher to end it; for each other they wait as long as a tenth of a second, times
// patience.
func QuickRank(patience time.Duration) (rank Option, end func() error, err error) {
	c, err := mpi.Open(mpi.Config{Collect: patience * 50 * time.Millisecond, Patience: time.Millisecond, Suspect: patience * 50 * time.Millisecond, Slow: patience * 100 * time.Millisecond})
	return option(func(o *config) { o.Comm = c }), c.Close, err
}

// CountedCalls returns the figures of loops so far, without running queued calls.
func CountedCalls(rt *Runtime) []profile.Stats { return rt.core().Profile().Stats() }

// IsLazy reports whether loops wait until somebody wants what they compute.
func IsLazy(rt *Runtime) bool { return rt.core().Lazy() }

// Queued returns the number of calls that wait.
func Queued(rt *Runtime) int {
	if q, ok := run.QueueOf(rt.core()).(*lazy.Queue); ok {
		return q.Waiting()
	}
	return 0
}

// FoundChains returns the number of chains that repeated calls have become.
func FoundChains(rt *Runtime) int {
	if q, ok := run.QueueOf(rt.core()).(*lazy.Queue); ok {
		return q.Chains()
	}
	return 0
}

// RowDim returns the number of rows of a block of the pattern.
func (s *Sparsity) RowDim() int { return s.core().Block().Rows }

// ColDim returns the number of columns of a block of the pattern.
func (s *Sparsity) ColDim() int { return s.core().Block().Cols }

// RowPtr returns the compressed rows of the pattern, by declared numbers.
func (s *Sparsity) RowPtr() []int32 { return s.declared().RowPtr }

// ColIdx returns the columns of the pattern, by declared numbers.
func (s *Sparsity) ColIdx() []int32 { return s.declared().ColIdx }

func (s *Sparsity) declared() *sparse.Pattern {
	p, _ := orEmpty(s.core()).Declared()
	return p
}
