package distribute

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/problem"
)

// Rebalanced says what Rebalance has found and done. Imbalances are the largest load of a rank relative to the mean.
type Rebalanced struct {
	Before float64 // what was measured
	After  float64 // what is expected
	Moved  int64   // elements of all sets that have got another owner
}

// balanced is what there is where nothing can be found, or done.
var balanced = Rebalanced{Before: 1, After: 1}

// littleGain is the part of the time of loops below which a better division is not worth the move.
const littleGain = 0.05

// Rebalance moves elements to other ranks such that these have equal loads, if they gain from it, by the load of each since
// the last call. Settle is called before anything moves. It is collective, and does nothing on one process.
//
// Work has a number for each element of some sets, in proportion to what it takes, which then is the load. Without, the
// elements of a rank count as much as each other; where they do not, further calls come closer.
func Rebalance(rt *entity.Runtime, work []*entity.Data, settle func() error) (Rebalanced, error) {
	err := checkNumbers(rt, "Rebalance", "numbers", "one number", work, func(s loop.Scalar) bool { return s != loop.Bool })
	if err == nil && len(work) > 0 && !rt.Config().Static {
		err = rt.Agree(checkWork(work))
	}
	if err != nil || !rt.Several() || !rt.Sealed() {
		return balanced, err
	}
	loads, err := loads(rt)
	if err == nil && len(work) > 0 {
		loads, err = loadsOf(rt, work)
	}
	if err != nil {
		return balanced, err
	}
	options, err := partitioning(rt)
	if err != nil {
		return balanced, rt.Broken(err)
	}
	equal(&options)
	r := Rebalanced{Before: imbalance(loads, &options)}
	r.After = r.Before
	if r.Before <= 1+littleGain {
		return r, nil
	}
	d, err := divisionOf(rt, options)
	if err != nil {
		return r, rt.Report(err)
	}
	d.work = work
	after, err := d.redivide(loads)
	if err != nil {
		return r, rt.Report(err)
	}
	if after > (1-littleGain)*r.Before {
		return r, nil
	}
	if r.Moved, err = d.moving(); err != nil || r.Moved == 0 {
		return r, err
	}
	if err := rt.Agree(rt.Movable()); err != nil {
		return Rebalanced{r.Before, r.Before, 0}, err
	}
	if err := settle(); err != nil {
		return r, err
	}
	r.After = after
	if err := d.migrate(); err != nil {
		return r, rt.Report(err) // others may wait in the middle of it
	}
	if rt.Config().Figures && rt.Rank() == 0 {
		rt.Config().Say(r.String())
	}
	return r, nil
}

// String describes what was done.
func (r Rebalanced) String() string {
	if r.Moved == 0 {
		return fmt.Sprintf("no elements have moved: the rank with most to do has %.2f times the mean", r.Before)
	}
	return fmt.Sprintf("%s moved to other ranks: the rank with most to do had %.2f times the mean, and is going to have %.2f times", problem.Count(int(r.Moved), "element"), r.Before, r.After)
}

// equal gives equal shares to all parts but those of ranks that are to have nothing.
func equal(o *partition.Options) {
	for p, weight := range o.Weights {
		if weight > 0 {
			o.Weights[p] = 1
		}
	}
	if !slices.Contains(o.Weights, 0) {
		o.Weights = nil
	}
}

// measured is what loads have been counted already.
type measured struct{ seconds float64 }

type measuredKey struct{}

// loads returns the seconds that each rank has computed since the last call: in loops, products and preconditioners,
// without waiting for others. It is collective.
func loads(rt *entity.Runtime) ([]float64, error) {
	before, err := entity.Keep(rt, measuredKey{}, func() (*measured, error) { return &measured{}, nil })
	if err == nil {
		err = rt.Settle()
	}
	if err = rt.Agree(err); err != nil {
		return nil, err
	}
	now := 0.0
	for _, s := range rt.Profile().Stats() {
		now += max(0, s.Time-s.Awaited).Seconds()
	}
	if now < before.seconds { // the figures have been set to zero
		before.seconds = 0
	}
	loads := make([]float64, rt.Ranks())
	loads[rt.Rank()] = now - before.seconds
	before.seconds = now
	if load := rt.Config().Load; load != nil {
		loads[rt.Rank()] = load(rt.Rank())
	}
	if err := comm.Reduce(rt.Comm(), loop.Inc, loads); err != nil {
		return nil, rt.Broken(err)
	}
	return loads, nil
}

// loadsOf returns the work that the elements of each rank take: its part of that of each set. It is collective.
func loadsOf(rt *entity.Runtime, work []*entity.Data) ([]float64, error) {
	loads := make([]float64, rt.Ranks()*len(work)) // by dat
	for i, w := range work {
		values, err := relativeWork(rt, w)
		if err != nil {
			return nil, err
		}
		loads[i*rt.Ranks()+rt.Rank()] = sumOf(values)
	}
	loads, err := entity.Combine(rt, loop.Inc, loads...)
	if err != nil {
		return nil, err
	}
	parts := make([]float64, rt.Ranks())
	for of := range slices.Chunk(loads, rt.Ranks()) {
		sum := max(sumOf(of), math.SmallestNonzeroFloat64)
		for rank, load := range of {
			parts[rank] += load / sum
		}
	}
	return parts, nil
}

// relativeWork returns the work of the elements that belong to this rank, relative to the largest of any element: sums of it
// do not overflow. It is collective.
func relativeWork(rt *entity.Runtime, w *entity.Data) ([]float64, error) {
	values := workHere(w)
	most, err := entity.Combine(rt, loop.Max, slices.Max(append(values, 0)))
	for e := range values {
		if most != nil && most[0] > 0 {
			values[e] /= most[0]
		}
	}
	return values, err
}

// checkWork returns an error unless each number of work that is here is one from 0, and finite.
func checkWork(work []*entity.Data) error {
	for _, w := range work {
		if err := w.Bring(false); err != nil {
			return err
		}
		for e, v := range workHere(w) {
			if !(v >= 0 && v <= math.MaxFloat64) {
				return &problem.ShapeError{What: "Rebalance: dat " + w.Name(), Msg: fmt.Sprintf("the work of element %d of %s is %v", w.Set().Known(e), w.Set().Name(), v), Hint: "it is a number from 0"}
			}
		}
	}
	return nil
}

// workHere returns the work of the elements that belong to this rank.
func workHere(w *entity.Data) []float64 { return slices.Clip(w.Float64s()[:w.Set().Size()]) }
