package distribute

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
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

// imbalance returns the largest load relative to the mean, of the parts that are to have some; 1 if there is no load.
func imbalance(loads []float64, o *partition.Options) float64 {
	sum, most, n := 0.0, 0.0, 0.0
	for p, load := range loads {
		if o.Weights == nil || o.Weights[p] > 0 {
			n++
		}
		sum, most = sum+load, max(most, load)
	}
	if sum == 0 {
		return 1
	}
	return most * n / sum
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
	var err error
	for i, w := range work {
		if err == nil {
			loads[i*rt.Ranks()+rt.Rank()], err = workHere(w)
		}
	}
	if err = rt.Agree(err); err != nil {
		return nil, err
	}
	if loads, err = entity.Combine(rt, loop.Inc, loads...); err != nil {
		return nil, err
	}
	parts := make([]float64, rt.Ranks())
	for of := range slices.Chunk(loads, rt.Ranks()) {
		for rank, load := range of {
			parts[rank] += load / max(sumOf(of), math.SmallestNonzeroFloat64)
		}
	}
	return parts, nil
}

// workHere returns the work of the elements that belong to this rank.
func workHere(w *entity.Data) (sum float64, err error) {
	if err := w.Bring(false); err != nil {
		return 0, err
	}
	for e, v := range w.Float64s()[:w.Set().Size()] {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return 0, &problem.ShapeError{What: "Rebalance: dat " + w.Name(), Msg: fmt.Sprintf("the work of element %d of %s is %v", w.Set().Known(e), w.Set().Name(), v), Hint: "it is a number from 0"}
		}
		sum += v
	}
	return sum, nil
}

// division is what is divided among the ranks, and how.
type division struct {
	rt      *entity.Runtime
	all     *entity.Divided
	options partition.Options
	mesh    *halo.Mesh     // what this rank owns, by declared numbers, ascending
	places  [][]int32      // of these elements here, by set
	owners  [][]int32      // which these are going to have
	weights []int          // bytes of data per element, by set
	work    []*entity.Data // of elements, as the program says
}

// divisionOf returns how the mesh is divided now. It is collective.
func divisionOf(rt *entity.Runtime, options partition.Options) (*division, error) {
	all, err := rt.Divided()
	if err != nil {
		return nil, err
	}
	d := &division{rt: rt, all: all, options: options, mesh: &halo.Mesh{}, owners: make([][]int32, len(all.Sets)), weights: make([]int, len(all.Sets))}
	for _, s := range all.Sets {
		numbers := s.Numbers()[:s.Size()]
		places := make([]int32, len(numbers))
		for i := range places {
			places[i] = int32(i)
		}
		entity.SortByNumber(places, numbers)
		owned := make([]int64, len(places))
		for i, place := range places {
			owned[i] = numbers[place]
		}
		home, err := halo.NewDirectory(rt.Comm(), s.Name(), s.Whole(), owned)
		if err != nil {
			return nil, rt.Broken(err)
		}
		d.places = append(d.places, places)
		d.mesh.Sets = append(d.mesh.Sets, halo.Set{Name: s.Name(), Size: s.Whole(), Owned: owned, Home: home})
	}
	for _, m := range all.Maps {
		from, to := d.place(m.From()), m.To()
		values, arity := m.Targets(), m.Arity()
		rows := halo.NewNumbers(len(d.places[from])*arity, to.Whole())
		for i, place := range d.places[from] {
			for c := range arity {
				number := int64(-1)
				if t := values[int(place)*arity+c]; t >= 0 {
					number = to.NumberHere(int(t))
				}
				rows.Set(i*arity+c, number)
			}
		}
		d.mesh.Maps = append(d.mesh.Maps, halo.Map{Name: m.Name(), From: from, To: d.place(to), Arity: arity, Values: rows})
	}
	for _, dat := range all.Dats {
		d.weights[d.place(dat.Set())] += dat.Width() * dat.Scalar().Size()
	}
	return d, nil
}

// place returns the place of a set among those that are divided.
func (d *division) place(s *entity.Set) int { return slices.Index(d.all.Sets, s) }

// moving returns how many elements are going to have another owner, on all ranks. It is collective.
func (d *division) moving() (int64, error) {
	n := []int64{0}
	for _, owners := range d.owners {
		for _, rank := range owners {
			if int(rank) != d.rt.Rank() {
				n[0]++
			}
		}
	}
	if err := comm.Sum(d.rt.Comm(), n); err != nil {
		return 0, d.rt.Broken(err)
	}
	return n[0], nil
}
