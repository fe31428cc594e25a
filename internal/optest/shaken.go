package optest

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Load makes a function say what the load of a rank is, instead of a measurement.
func Load(rt *op2.Runtime, load func(rank int) float64) { (*entity.Runtime)(rt).Config().Load = load }

// shaker moves elements to other ranks at random. Its nil form does nothing.
type shaker struct {
	random *rand.Rand // draws the same on all ranks
	moves  *atomic.Int64
}

// shakers are those of runtimes.
var shakers sync.Map

func shakerOf(rt *op2.Runtime) *shaker {
	s, _ := shakers.Load(rt)
	of, _ := s.(*shaker)
	return of
}

// ShakenOnRanks is AlikeOnRanks with elements that move to other ranks after each step that the program checks by Steps.
func ShakenOnRanks(t *testing.T, backends []string, tolerance float64, program func(rt *op2.Runtime, f *Found) error, options ...op2.Option) {
	t.Helper()
	var moves atomic.Int64
	AlikeOnRanks(t, backends, tolerance, func(rt *op2.Runtime, f *Found) error {
		if rt.Ranks() > 1 {
			shakers.Store(rt, &shaker{rand.New(rand.NewPCG(uint64(rt.Ranks()), 9)), &moves})
			defer shakers.Delete(rt)
		}
		return program(rt, f)
	}, options...)
	if moves.Load() == 0 {
		t.Error("no elements have moved")
	}
}

// shake moves elements, unless the shaker is nil.
func (s *shaker) shake(rt *op2.Runtime) error {
	if s == nil {
		return nil
	}
	r, err := Shake(rt, s.random)
	s.moves.Add(r.Moved)
	return err
}

// Shake moves elements to other ranks as if these had random loads, which are drawn on all ranks alike.
func Shake(rt *op2.Runtime, random *rand.Rand) (op2.Rebalanced, error) {
	loads := make([]float64, rt.Ranks())
	for i := range loads {
		loads[i] = 0.1 + random.Float64()
	}
	Load(rt, func(rank int) float64 { return loads[rank] })
	return rt.Rebalance()
}
