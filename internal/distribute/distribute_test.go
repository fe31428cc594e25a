package distribute_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/backend/recordtest"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// sealing is the work of a runtime that only distributes meshes.
type sealing struct {
	entity.Work
	rt *entity.Runtime
}

func (s sealing) Seal(what, first string) error {
	return distribute.Seal(s.rt, what, first, func() {})
}

func open(c entity.Config) *entity.Runtime {
	rt := entity.OpenRuntime("record", &recordtest.Backend{}, c)
	rt.Employ(sealing{rt.Work(), rt})
	return rt
}

// must returns what there is without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ring is a ring of nodes and edges, each edge between the nodes of its number and the next.
type ring struct {
	nodes, edges *entity.Set
	ends         *entity.Map
	x            *entity.Data // ten times the number of the node
	some         *entity.Subset
}

// newRing declares a ring of n nodes whole, or of n on each rank in shares.
func newRing(rt *entity.Runtime, n int, shares bool, some ...int) *ring {
	first, total := 0, n
	newSet := func(name string) *entity.Set { return must(rt.NewSet(halo.All(n), name)) }
	if shares {
		first, total = n*rt.Rank(), n*rt.Ranks()
		newSet = func(name string) *entity.Set { return must(rt.NewSetShare(n, name)) }
	}
	r := &ring{nodes: newSet("nodes"), edges: newSet("edges")}
	var ends []int
	var x []float64
	for e := range n {
		ends = append(ends, first+e, (first+e+1)%total)
		x = append(x, float64(10*(first+e)))
	}
	r.ends = must(entity.NewMap(r.edges, r.nodes, 2, ends, "ends", false))
	r.x = must(entity.NewDat(r.nodes, 1, x, "x"))
	r.some = must(entity.NewSubset(r.nodes.All(), some, "some"))
	return r
}

// here describes what a rank has, by declared numbers: the elements of its own and of its halo, the values of x there,
// where the edges lead, and the subset.
func (r *ring) here() string {
	nodes := r.nodes.Numbers()
	var ends []int64
	for _, t := range r.ends.Targets()[:2*r.edges.Executable()] {
		ends = append(ends, nodes[t])
	}
	var some []int64
	for _, e := range r.some.List() {
		some = append(some, nodes[e])
	}
	owned, edges := r.nodes.Size(), r.edges.Numbers()
	return fmt.Sprintf("nodes %v, %v of ranks %v; x %v; edges %v, %v, to %v; some %v", nodes[:owned], nodes[owned:], r.nodes.HaloOwners(),
		entity.Host[float64](r.x)[:owned], edges[:r.edges.Size()], edges[r.edges.Size():], ends, some)
}

// Elements go to their owners with their values, maps and subsets, and ranks have copies of what theirs reach.
func TestPartition(t *testing.T) {
	for _, test := range []struct {
		name    string
		ranks   int
		config  entity.Config
		declare func(rt *entity.Runtime) *ring
		by      func(r *ring) *entity.Data // coordinates
		want    []string                   // by rank
	}{
		{name: "owners", ranks: 2, config: entity.Config{Owner: func(_ string, e int) int { return e / 4 }},
			declare: func(rt *entity.Runtime) *ring { return newRing(rt, 8, false, 1, 4, 7) },
			want: []string{
				"nodes [0 1 2 3], [4 7] of ranks [1 1]; x [0 10 20 30]; edges [0 1 2 3], [7], to [0 1 1 2 2 3 3 4 7 0]; some [1 4 7]",
				"nodes [4 5 6 7], [0 3] of ranks [0 0]; x [40 50 60 70]; edges [4 5 6 7], [3], to [4 5 5 6 6 7 7 0 3 4]; some [4 7]"}},
		{name: "owners far apart", ranks: 3, config: entity.Config{Owner: func(set string, e int) int { return (e + 2*strings.Count(set, "n")) % 3 }},
			declare: func(rt *entity.Runtime) *ring { return newRing(rt, 3, false, 0) },
			want: []string{
				"nodes [1], [2 0] of ranks [1 2]; x [10]; edges [0], [1], to [0 1 1 2]; some [0]",
				"nodes [2], [1 0] of ranks [0 2]; x [20]; edges [1], [2], to [1 2 2 0]; some [0]",
				"nodes [0], [1 2] of ranks [0 1]; x [0]; edges [2], [0], to [2 0 0 1]; some [0]"}},
		{name: "coordinates", ranks: 2, config: entity.Config{Partitioner: "bisect"},
			declare: func(rt *entity.Runtime) *ring { return newRing(rt, 4, false, 2) },
			by:      func(r *ring) *entity.Data { return r.x },
			want: []string{
				"nodes [0 1], [2 3] of ranks [1 1]; x [0 10]; edges [0 1], [3], to [0 1 1 2 3 0]; some [2]",
				"nodes [2 3], [0 1] of ranks [0 0]; x [20 30]; edges [2 3], [1], to [2 3 3 0 1 2]; some [2]"}},
		{name: "shares", ranks: 2,
			declare: func(rt *entity.Runtime) *ring { return newRing(rt, 2, true, 2*rt.Rank()) },
			want: []string{
				"nodes [0 1], [2 3] of ranks [1 1]; x [0 10]; edges [0 1], [3], to [0 1 1 2 3 0]; some [0 2]",
				"nodes [2 3], [0 1] of ranks [0 0]; x [20 30]; edges [2 3], [1], to [2 3 3 0 1 2]; some [2 0]"}},
		{name: "shares that move", ranks: 2,
			declare: func(rt *entity.Runtime) *ring { return newRing(rt, 2, true, 2*rt.Rank()) },
			by: func(r *ring) *entity.Data { // even nodes on one side
				first := 2 * r.nodes.Runtime().Rank()
				return must(entity.NewDat(r.nodes, 1, []float64{float64(first), float64(100 + first)}, "at"))
			},
			want: []string{
				"nodes [2 0], [1 3] of ranks [1 1]; x [20 0]; edges [2 0], [1 3], to [2 3 0 1 1 2 3 0]; some [2 0]",
				"nodes [3 1], [0 2] of ranks [0 0]; x [30 10]; edges [3 1], [0 2], to [3 0 1 2 0 1 2 3]; some [0 2]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := make([]string, test.ranks)
			errs := comm.Each(test.ranks, 0, func(c comm.Comm) error {
				config := test.config
				config.Comm, config.Weight = c, 1
				rt := open(config)
				r := test.declare(rt)
				var coordinates []*entity.Data
				if test.by != nil {
					coordinates = []*entity.Data{test.by(r)}
				}
				if err := distribute.Partition(rt, coordinates); err != nil {
					return err
				}
				got[c.Rank()] = r.here()
				return nil
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

// Renumber brings elements close together that maps connect, within each part of a set. What the program gives and
// gets has declared numbers still.
func TestRenumber(t *testing.T) {
	rt := open(entity.Config{})
	edges, nodes := must(rt.NewSet(halo.All(4), "edges")), must(rt.NewSet(halo.All(5), "nodes"))
	none := must(rt.NewSet(halo.All(0), "none"))
	path, values := []int32{3, 0, 0, 4, 2, 4, 1, 2}, []float64{0, 10, 20, 30, 40}
	ends := must(entity.NewMap(edges, nodes, 2, path, "ends", false))
	must(entity.NewMap(none, nodes, 3, []int32(nil), "none2node", false))
	x := must(entity.NewDat(nodes, 1, slices.Clone(values), "x"))
	some := must(entity.NewSubset(nodes.All(), []int{1, 3}, "some"))
	if err := distribute.Renumber(rt, nil); err != nil {
		t.Fatal(err)
	}
	order := nodes.StoredNumbers()
	if order[0] == 3 {
		slices.Reverse(order)
	}
	if want := []int32{1, 2, 4, 0, 3}; !slices.Equal(order, want) {
		t.Errorf("the path is numbered %v", order)
	}
	for i, e := range nodes.StoredNumbers() {
		if got := entity.Host[float64](x)[i]; got != values[e] {
			t.Errorf("node %d has the value %v", e, got)
		}
	}
	if got := must(ends.InDeclaredOrder()); !slices.Equal(got, path) {
		t.Errorf("the map has the values %v", got)
	}
	if got := store.As[float64](must(x.Gather(-1))); !slices.Equal(got, values) {
		t.Errorf("the dat has the values %v", got)
	}
	if got := some.Elements(); !slices.Equal(got, []int32{1, 3}) {
		t.Errorf("the subset has the elements %v", got)
	}
}

func TestRenumberKeepsParts(t *testing.T) {
	rt := open(entity.Config{})
	const n = 100
	nodes := must(rt.NewSet(halo.Extents{Core: 50, Owned: 70, Layers: []halo.Layer{{Executed: 10, ReadOnly: 5}, {ReadOnly: 15}}}, "nodes"))
	edges := must(rt.NewSet(halo.All(n), "edges"))
	var path []int
	for e := range n { // a path that jumps between the parts
		path = append(path, 37*e%n, 37*(e+1)%n)
	}
	must(entity.NewMap(edges, nodes, 2, path, "ends", false))
	for range 2 {
		if err := distribute.Renumber(rt, nil); err != nil {
			t.Fatal(err)
		}
		now, first := nodes.Numbers(), int64(0)
		if slices.IsSorted(now) {
			t.Error("nothing was numbered anew")
		}
		for _, end := range []int64{50, 70, 80, 85, 100} {
			if part := now[first:end]; slices.Min(part) != first || slices.Max(part) != end-1 {
				t.Errorf("elements %d to %d are %v", first, end, part)
			}
			first = end
		}
	}
}

// Only a mesh whose order is bad is renumbered by RenumberLater, and only when something depends on it.
func TestRenumberLater(t *testing.T) {
	for _, test := range []struct {
		name      string
		step      int // each edge leads to its own number and to this multiple
		scattered bool
	}{{"in order", 1, false}, {"scattered", 1573, true}} {
		rt := open(entity.Config{})
		const n = 2048
		nodes, edges := must(rt.NewSet(halo.All(n), "nodes")), must(rt.NewSet(halo.All(n), "edges"))
		var path []int
		for e := range n {
			path = append(path, e, test.step*e%n)
		}
		must(entity.NewMap(edges, nodes, 2, path, "ends", false))
		x := must(entity.NewDat[float64](nodes, 1, nil, "x"))
		entity.Host[float64](x)[0] = 1
		distribute.RenumberLater(rt, x)
		if !slices.IsSorted(nodes.StoredNumbers()) {
			t.Errorf("%s: it is renumbered at once", test.name)
		}
		if err := rt.Seal("loops have been prepared", "loop k over nodes"); err != nil {
			t.Fatal(err)
		}
		if got := !slices.IsSorted(nodes.StoredNumbers()); got != test.scattered {
			t.Errorf("%s: it is renumbered: %v", test.name, got)
		}
	}
}

// What cannot be renumbered or distributed says why, also once something depends on the order.
func TestErrors(t *testing.T) {
	const loops, first = "loops have been prepared", "loop k over cells"
	for _, test := range []struct {
		name  string
		ranks int
		do    func(rt *entity.Runtime, r *ring) error
		want  string
	}{
		{"static", 1, func(rt *entity.Runtime, r *ring) error {
			rt.Config().Static = true
			return errors.Join(rt.Seal(loops, first), distribute.Renumber(rt, nil))
		}, ""},
		{"partition of one rank", 1, func(rt *entity.Runtime, r *ring) error {
			return errors.Join(rt.Seal(loops, first), distribute.Partition(rt, nil))
		}, ""},
		{"no coordinates", 1, func(rt *entity.Runtime, r *ring) error { return distribute.Renumber(rt, []*entity.Data{r.x, nil}) },
			"op2: Renumber: coordinates 2 are nil"},
		{"two coordinates", 1, func(rt *entity.Runtime, r *ring) error { return distribute.Renumber(rt, []*entity.Data{r.x, r.x}) },
			"op2: Renumber: dat x: coordinates of nodes were given already"},
		{"no numbers", 1, func(rt *entity.Runtime, r *ring) error {
			entity.Host[float64](r.x)[3] = math.NaN()
			return distribute.Renumber(rt, []*entity.Data{r.x})
		}, "op2: Renumber: dat x: NaN, value 0 of element 3, is no coordinate"},
		{"renumbered late", 1, func(rt *entity.Runtime, r *ring) error {
			return errors.Join(rt.Seal(loops, first), distribute.Renumber(rt, nil))
		}, "op2: Renumber: loops have been prepared already, the first was loop k over cells: they depend on the previous numbers\n" +
			"  hint: call it before the first sparsity and the first loop: what is declared later gets the same order"},
		{"shares renumbered", 2, func(rt *entity.Runtime, r *ring) error {
			must(rt.NewSetShare(3, "cells"))
			return distribute.Renumber(rt, nil)
		}, "op2: Renumber: each rank has declared a share of cells: no rank can number all of it\n  hint: call Partition, which numbers the elements of each rank"},
		{"partition twice", 2, func(rt *entity.Runtime, r *ring) error {
			return errors.Join(distribute.Partition(rt, nil), distribute.Partition(rt, nil))
		}, "op2: Partition: the mesh has been distributed already, by Partition\n" +
			"  hint: call it once all sets are declared, before the first sparsity, loop and solver: what is declared later follows them"},
		{"set after loops", 2, func(rt *entity.Runtime, r *ring) error {
			_, err := rt.NewSet(halo.All(1), "late")
			return errors.Join(err, rt.Seal(loops, first), lastOf(rt.NewSet(halo.All(1), "late")))
		}, "op2: set late: the mesh has been distributed: loops have been prepared already, the first was loop k over cells\n" +
			"  hint: declare all sets before Partition and the first loop, sparsity and solver"},
		{"method without coordinates", 2, func(rt *entity.Runtime, r *ring) error {
			rt.Config().Partitioner = "bisect"
			must(rt.NewSetShare(3, "cells"))
			return distribute.Partition(rt, nil)
		}, "op2: Partition: method bisect: the coordinates of no set that is declared in shares are known\n  hint: pass them to Partition"},
	} {
		for rank, err := range comm.Each(test.ranks, 0, func(c comm.Comm) error {
			rt := open(entity.Config{Comm: c, Weight: 1, Partitioner: "contiguous"})
			return test.do(rt, newRing(rt, 6, false))
		}) {
			if got := text(err); got != test.want {
				t.Errorf("%s: rank %d: got %s", test.name, rank, got)
			}
		}
	}
}

func lastOf[T any](_ T, err error) error { return err }

// text returns the text of an error; "" for nil.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
