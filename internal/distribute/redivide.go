package distribute

import (
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// redivide finds new owners of all elements, such that ranks have equal loads if the elements of a rank share its load
// equally, or equal work. It returns the imbalance that is expected then. It is collective.
//
// Sets whose work is known are divided by it. Among other sets that maps connect, one leads, as when a mesh is first divided: it
// is divided by the loads. The others follow these such that each rank has the same part of them.
func (d *division) redivide(loads []float64) (after float64, err error) {
	expected := make([]float64, len(loads))
	counts := map[int][]float64{} // of the elements of a set that is divided by itself, in each part
	divide := func(set int) error {
		weights, err := d.elementWeights(set, loads)
		if err != nil {
			return err
		}
		if d.owners[set], err = d.lead(set, weights); err != nil {
			return err
		}
		parts, err := d.parts(set, weights)
		if err != nil {
			return err
		}
		counts[set] = parts.counts
		if len(d.work) > 0 && d.workOf(set) == nil { // it is no load, as in loadsOf
			return nil
		}
		sum := max(1, sumOf(parts.weights))
		for p, weight := range parts.weights {
			expected[p] += weight / sum
		}
		return nil
	}
	var leaders []int
	for _, w := range d.work {
		if s := d.place(w.Set()); s >= 0 && d.owners[s] == nil {
			if err := divide(s); err != nil {
				return 0, err
			}
			leaders = append(leaders, s)
		}
	}
	for _, s := range leaders {
		if err := d.follow(s, counts[s]); err != nil {
			return 0, err
		}
	}
	for leader := d.leader(); leader >= 0; leader = d.leader() {
		if err := divide(leader); err != nil {
			return 0, err
		}
		if err := d.follow(leader, counts[leader]); err != nil {
			return 0, err
		}
	}
	return imbalance(expected, &d.options), nil
}

// leader returns the next set that is divided by itself: the one with the most data of those that maps connect, or one that no
// map connects; -1 if all sets have their owners.
func (d *division) leader() int {
	m := &order.Mesh{}
	for i, s := range d.all.Sets {
		m.Sets = append(m.Sets, order.Set{Size: int(s.Whole()), Weight: d.weights[i]})
	}
	for _, f := range d.mesh.Maps {
		m.Maps = append(m.Maps, order.Map{From: f.From, To: f.To})
	}
	if leader := m.Leader(func(s int) bool { return d.owners[s] != nil }); leader >= 0 {
		return leader
	}
	return slices.IndexFunc(d.owners, func(o []int32) bool { return o == nil })
}

// mostElementWeight is about the sum of the weights of all elements of a set.
const mostElementWeight = 1 << 40

// workOf returns the work of the elements of a set; nil if the program does not say it.
func (d *division) workOf(set int) *entity.Data {
	if i := slices.IndexFunc(d.work, func(w *entity.Data) bool { return w.Set() == d.all.Sets[set] }); i >= 0 {
		return d.work[i]
	}
	return nil
}

// elementWeights returns the weights of this rank's elements of a set: their work, or equal shares of the rank's load. It is
// collective.
func (d *division) elementWeights(set int, loads []float64) ([]int64, error) {
	places := d.places[set]
	work, total := slices.Repeat([]float64{loads[d.rt.Rank()] / float64(max(1, len(places)))}, len(places)), sumOf(loads)
	if w := d.workOf(set); w != nil {
		values, err := relativeWork(d.rt, w)
		if err != nil {
			return nil, err
		}
		for k, place := range places {
			work[k] = values[place]
		}
		all, err := entity.Combine(d.rt, loop.Inc, sumOf(work))
		if err != nil {
			return nil, err
		}
		total = all[0]
	}
	weights := make([]int64, len(work))
	for k, w := range work {
		weights[k] = int64(max(1, w/max(total, math.SmallestNonzeroFloat64)*mostElementWeight))
	}
	return weights, nil
}

// lead returns the new owners of this rank's elements of a set, which it divides by their weights: by the coordinates that
// are known, in the order of their numbers, or by the graph that a map makes, which one rank does for all. It is collective.
func (d *division) lead(set int, weights []int64) ([]int32, error) {
	o := d.options
	o.Elements = weights
	by := d.graph(set)
	if o.Method == "scotch" && by >= 0 && d.all.Sets[set].Shared() && o.Weights == nil && d.mesh.Sets[set].Size >= smallGraph*int64(o.Parts) {
		if m, why, err := ptscotch(d.rt); err != nil {
			return nil, err
		} else if why == "" {
			owners, err := partition.ShareGraph(d.rt.Comm(), m, &d.mesh.Maps[by], &d.mesh.Sets[set], weights)
			return owners, d.rt.Agree(err)
		}
	}
	points, err := d.points(set)
	if err != nil {
		return nil, err
	}
	switch geometric := slices.Contains([]string{"", "auto", "bisect", "curve"}, o.Method); {
	case points.Values != nil && (geometric || d.all.Sets[set].Shared()):
		if !geometric {
			o.Method = "bisect"
		}
	case o.Method == "contiguous" || by < 0 || d.all.Sets[set].Shared():
		o.Method, points = "bisect", order.Points{Values: make([]float64, len(weights)), Dim: 1}
		for i, number := range d.mesh.Sets[set].Owned {
			points.Values[i] = float64(number)
		}
	default:
		return d.leadByGraph(set, by, o)
	}
	owners, err := partition.Shares(d.rt.Comm(), points.Values, points.Dim, o)
	if err != nil { // on all ranks
		return nil, d.rt.Agree(problem.Errorf("op2: Rebalance: %w", err))
	}
	return owners, nil
}

// points returns the coordinates of this rank's elements of a set, without values if none are known. It is collective.
func (d *division) points(set int) (order.Points, error) {
	m := &order.Mesh{}
	for _, s := range d.all.Sets {
		m.Sets = append(m.Sets, order.Set{Size: s.Total()})
	}
	for i, f := range d.mesh.Maps {
		m.Maps = append(m.Maps, order.Map{From: f.From, To: f.To, Arity: f.Arity, Values: d.all.Maps[i].Targets()})
	}
	for _, dat := range d.all.Dats {
		s := &m.Sets[d.place(dat.Set())]
		if !dat.Located() || s.Coordinates != nil {
			continue
		}
		if err := dat.Update(); err != nil {
			return order.Points{}, err
		}
		if err := dat.Bring(false); err != nil {
			return order.Points{}, err
		}
		s.Coordinates, s.Dim = dat.AsFloat64s(), dat.Width()
	}
	all := m.Points(set)
	if all.Values == nil {
		return all, nil
	}
	at := order.Points{Values: make([]float64, 0, len(d.places[set])*all.Dim), Dim: all.Dim}
	for _, place := range d.places[set] {
		at.Values = append(at.Values, all.Values[int(place)*all.Dim:(int(place)+1)*all.Dim]...)
	}
	return at, nil
}

// graph returns the map with the most values that connects elements of a set; -1 if there is none.
func (d *division) graph(set int) int {
	best, most := -1, int64(0)
	for i, f := range d.mesh.Maps {
		if n := d.mesh.Sets[f.From].Size * int64(f.Arity); f.To == set && f.Arity > 1 && n > most && d.mesh.Sets[set].Size <= math.MaxInt32 && !d.all.Maps[i].IsMasked() {
			best, most = i, n
		}
	}
	return best
}

// leadByGraph divides a set by the graph that a map makes, which rank 0 does for all. It is collective.
func (d *division) leadByGraph(set, by int, o partition.Options) ([]int32, error) {
	c, f, owned := d.rt.Comm(), &d.mesh.Maps[by], d.mesh.Sets[set].Owned
	rows, _ := f.Values.Bytes()
	maps, err := comm.Gather(c, 0, rows)
	if err != nil {
		return nil, d.rt.Broken(err)
	}
	weights, err := comm.Gather(c, 0, slices.Concat(store.Bytes(owned), store.Bytes(o.Elements)))
	if err != nil {
		return nil, d.rt.Broken(err)
	}
	owners := make([]int32, d.mesh.Sets[set].Size)
	if d.rt.Rank() == 0 {
		o.Elements = make([]int64, len(owners))
		for _, of := range weights {
			both := store.As[int64](of)
			for i, number := range both[:len(both)/2] {
				o.Elements[number] = both[len(both)/2+i]
			}
		}
		values := slices.Concat(maps...)
		graph := &order.Mesh{Sets: []order.Set{{Size: len(values) / 4 / f.Arity}, {Size: len(owners)}}, Maps: []order.Map{{From: 0, To: 1, Arity: f.Arity, Values: store.As[int32](values)}}}
		stop := d.rt.Config().Backend.Stop
		o.Stopped = stop.Raised
		if owners, err = partition.Lead(graph, 1, o); stop.Err() != nil {
			err = stop.Err()
		}
		if err != nil {
			err = problem.Errorf("op2: Rebalance: %w", err)
		}
	}
	if err := d.rt.Agree(err); err != nil {
		return nil, err
	}
	if err := c.Broadcast(0, store.Bytes(owners)); err != nil {
		return nil, d.rt.Broken(err)
	}
	own := make([]int32, len(owned))
	for i, number := range owned {
		own[i] = owners[number]
	}
	return own, nil
}

// partsOf is what the parts of a set have, on all ranks.
type partsOf struct{ weights, counts []float64 }

// parts returns what each part is going to have of a set. It is collective.
func (d *division) parts(set int, weights []int64) (partsOf, error) {
	n := d.options.Parts
	sums := make([]float64, 2*n)
	for i, p := range d.owners[set] {
		sums[p] += float64(weights[i])
		sums[n+int(p)]++
	}
	if err := comm.Reduce(d.rt.Comm(), loop.Inc, sums); err != nil {
		return partsOf{}, d.rt.Broken(err)
	}
	return partsOf{sums[:n], sums[n:]}, nil
}

// follow finds the owners of the sets that maps connect with one that has its own: each part gets as much of them as of that, whose
// elements in the parts are counted. It is collective.
func (d *division) follow(leader int, counts []float64) error {
	owners := make([][]int32, len(d.owners))
	for set, with := range d.connected(leader) {
		if owners[set] = d.owners[set]; !with && owners[set] == nil {
			owners[set] = []int32{} // it has no links
		}
	}
	o := d.options
	if o.Weights = counts; sumOf(counts) == 0 {
		o.Weights = nil
	}
	if err := partition.Follow(d.rt.Comm(), d.mesh, owners, o); err != nil {
		return d.rt.Broken(err)
	}
	for set, with := range d.connected(leader) {
		if with {
			d.owners[set] = owners[set]
		}
	}
	return nil
}

// connected reports for each set whether maps connect it with one.
func (d *division) connected(one int) []bool {
	with := make([]bool, len(d.owners))
	with[one] = true
	for changed := true; changed; {
		changed = false
		for _, f := range d.mesh.Maps {
			if with[f.From] != with[f.To] {
				with[f.From], with[f.To], changed = true, true, true
			}
		}
	}
	return with
}
