package distribute

import (
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/partition"
)

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

func sumOf(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
