package op2_test

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

//go:embed rebalance_kernels_test.go
var rebalanceSource string

// unsteady is a program on a random mesh, whose ranks have other loads all the time.
type unsteady struct {
	shares, renumber, placed, chain bool
	rebalances                      bool
}

// plainUnsteady computes what the program does, with plain loops.
func plainUnsteady(ends, offsets, targets []int, w, u []float64, some []int, steps int) (sum float64, total []float64, count []int32, moved []float64) {
	d := make([]float64, len(u))
	total, count, moved = make([]float64, len(offsets)-1), make([]int32, len(offsets)-1), make([]float64, len(u)/2*3)
	for range steps {
		for e := range w {
			a, b := ends[2*e], ends[2*e+1]
			for i := range 2 {
				f := w[e] * (u[2*b+i] - u[2*a+i])
				d[2*a+i] += f
				d[2*b+i] -= f
			}
		}
		for n := range len(u) / 2 {
			for i := range 2 {
				u[2*n+i] += 0.1 * d[2*n+i]
				d[2*n+i] = 0
				moved[3*n+i] += u[2*n+i]
				sum += u[2*n+i]
			}
		}
		for z := range total {
			for _, t := range targets[offsets[z]:offsets[z+1]] {
				count[z]++
				total[z] += u[2*t]
			}
		}
		for _, n := range some {
			u[2*n+1] += 0.001 * float64(n)
		}
	}
	return sum, total, count, moved
}

func (c unsteady) run(rt *op2.Runtime, f *optest.Found) error {
	const nodes, edges, zones, steps = 90, 210, 40, 12
	random := rand.New(rand.NewPCG(3, 4))
	ends, w := make([]int, 2*edges), make([]float64, edges)
	for e := range edges {
		ends[2*e] = random.IntN(nodes)
		ends[2*e+1] = (ends[2*e] + 1 + random.IntN(7)) % nodes
		w[e] = 0.1 + random.Float64()
	}
	offsets, targets := rows(zones, nodes, 9)
	u, at := make([]float64, 2*nodes), make([]float64, 2*nodes)
	some := random.Perm(nodes)[:20]
	structs := make([]carried, nodes)
	for n := range nodes {
		u[2*n], u[2*n+1] = random.Float64(), float64(n%3)
		at[2*n], at[2*n+1] = float64(n), random.Float64()
		structs[n] = carried{ID: int64(n) << 40, Mass: float32(n) / 3, On: n%3 == 0}
	}
	marks := make([]int8, 3*edges)
	for i := range marks {
		marks[i] = int8(i % 101)
	}
	share := func(n int) (int, int) { return 0, n }
	newSet := rt.NewSet
	if c.shares {
		newSet = rt.NewSetShare
		share = func(n int) (int, int) { return rt.Rank() * n / rt.Ranks(), (rt.Rank() + 1) * n / rt.Ranks() }
	}
	n0, n1 := share(nodes)
	e0, e1 := share(edges)
	z0, z1 := share(zones)
	ownRows := slices.Clone(offsets[z0 : z1+1])
	for i := range ownRows {
		ownRows[i] -= offsets[z0]
	}
	nodeSet, edgeSet, zoneSet, apart := newSet(n1-n0, "nodes"), newSet(e1-e0, "edges"), newSet(z1-z0, "zones"), newSet(e1-e0, "apart")
	edge2node := op2.NewMap(edgeSet, nodeSet, 2, ends[2*e0:2*e1], "edge2node")
	zone2node := op2.NewVaryingMap(zoneSet, nodeSet, ownRows, targets[offsets[z0]:offsets[z1]], "zone2node")
	x := op2.NewDat(nodeSet, 2, at[2*n0:2*n1], "x")
	weight := op2.NewDat(edgeSet, 1, w[e0:e1], "w")
	uDat, dDat := op2.NewDat(nodeSet, 2, u[2*n0:2*n1], "u"), op2.NewDat[float64](nodeSet, 2, nil, "d")
	mixed := op2.NewMixedDat([]*op2.Dat[float64]{uDat, weight}, "mixed")
	bodies := op2.NewDat(nodeSet, 1, structs[n0:n1], "bodies")
	flags := op2.NewDat(edgeSet, 3, marks[3*e0:3*e1], "flags")
	total, count := op2.NewDat[float64](zoneSet, 1, nil, "total"), op2.NewDat[int32](zoneSet, 1, nil, "count")
	never := op2.NewDat[uint16](apart, 2, nil, "never")
	own := slices.DeleteFunc(slices.Clone(some), func(n int) bool { return n < n0 || n >= n1 })
	someNodes := op2.NewSubset(nodeSet, own, "some")
	sum, all := op2.NewGlobal(rt, []float64{0}, "sum"), op2.NewGlobal(rt, []tallied{{}}, "all")
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	if c.placed {
		if err := rt.Partition(x); err != nil {
			return err
		}
	}
	if err := rt.Err(); err != nil {
		return err
	}
	kernels := op2.Kernels(rebalanceSource)
	loops := []*op2.Loop{
		op2.NewLoop(kernels.Func(flow), edgeSet, weight.Read(), uDat.Read(edge2node.At(0)), uDat.Read(edge2node.At(1)), dDat.Inc(edge2node.At(0)), dDat.Inc(edge2node.At(1))),
		op2.NewLoop(kernels.Func(push), nodeSet, dDat.RW(), uDat.RW(), bodies.RW(), sum.Inc()),
		op2.NewLoop(kernels.Func(visit), zoneSet, count.Inc(), total.Inc(), uDat.Read(zone2node)),
	}
	if err := rt.Err(); err != nil {
		return err
	}
	chain := op2.NewChain(loops...)
	draws, moves := rand.New(rand.NewPCG(7, uint64(rt.Ranks()))), 0
	for step := range steps {
		var err error
		if c.chain {
			err = chain.Compute()
		} else {
			for _, l := range loops {
				if err == nil {
					err = l.Compute()
				}
			}
		}
		if err == nil {
			err = op2.ParLoop(kernels.Func(raise), someNodes, uDat.RW(), op2.Index())
		}
		if err == nil {
			err = op2.ParLoop(kernels.Func(note), nodeSet, uDat.Read(), all.Inc())
		}
		if err != nil {
			return err
		}
		if !c.rebalances || step%3 == 2 {
			continue
		}
		before, err := everythingOf(uDat, weight, bodies, flags, total, count, never)
		if err != nil {
			return err
		}
		r, err := optest.Shake(rt, draws)
		if err != nil {
			return err
		}
		if r.Moved > 0 {
			moves++
		}
		if r.Moved > 0 && r.After >= r.Before || r.Moved == 0 && r.After != r.Before {
			return fmt.Errorf("step %d: %+v", step, r)
		}
		after, err := everythingOf(uDat, weight, bodies, flags, total, count, never)
		if err != nil {
			return err
		}
		if before != after {
			return fmt.Errorf("step %d: values have changed", step)
		}
		if err := sameMesh(rt, edge2node, zone2node, ends, offsets, targets, someNodes, some); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
	}
	if c.rebalances && rt.Ranks() > 1 && moves < 3 {
		return fmt.Errorf("elements have moved %d times", moves)
	}
	wantSum, wantTotal, wantCount, wantMoved := plainUnsteady(ends, offsets, targets, w, u, some, steps)
	for _, check := range []func() error{
		func() error { return near(uDat, u) },
		func() error { return near(total, wantTotal) },
		func() error {
			got, err := count.InDeclaredOrder()
			if err == nil && !slices.Equal(got, wantCount) {
				err = fmt.Errorf("counts are %v, want %v", got, wantCount)
			}
			return err
		},
		func() error {
			got, err := sum.Value()
			if d := got - wantSum; err == nil && (d > 1e-9 || d < -1e-9) {
				err = fmt.Errorf("the sum is %v, want %v", got, wantSum)
			}
			return err
		},
		func() error {
			got, err := bodies.InDeclaredOrder()
			for i := range got {
				for k, v := range got[i].V {
					if d := v - wantMoved[3*i+k]; d > 1e-12 || d < -1e-12 || got[i].ID != structs[i].ID || got[i].Mass != structs[i].Mass || got[i].On != structs[i].On {
						return fmt.Errorf("body %d is %v", i, got[i])
					}
				}
			}
			return err
		},
		func() error {
			got, err := all.Value()
			if err == nil && got.N != nodes*steps {
				err = fmt.Errorf("%d nodes were noted", got.N)
			}
			return errors.Join(err, f.Number("noted", got.Sum, err))
		},
		func() error { return f.Dat("u", uDat) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	_, err := mixed.Norm()
	return err
}

// near returns an error unless values are about those.
func near(d *op2.Dat[float64], want []float64) error {
	got, err := d.InDeclaredOrder()
	for i := range got {
		if diff := got[i] - want[i]; diff > 1e-12 || diff < -1e-12 {
			return fmt.Errorf("%s: value %d is %v, want %v", d.Name(), i, got[i], want[i])
		}
	}
	return err
}

// everythingOf returns the bits of all values, in declared order.
func everythingOf(dats ...any) (string, error) {
	text := ""
	for _, d := range dats {
		var all any
		var err error
		switch d := d.(type) {
		case *op2.Dat[float64]:
			all, err = d.InDeclaredOrder()
		case *op2.Dat[int32]:
			all, err = d.InDeclaredOrder()
		case *op2.Dat[int8]:
			all, err = d.InDeclaredOrder()
		case *op2.Dat[uint16]:
			all, err = d.InDeclaredOrder()
		case *op2.Dat[carried]:
			all, err = d.InDeclaredOrder()
		default:
			err = fmt.Errorf("%T", d)
		}
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("%x\n", all)
	}
	return text, nil
}

// sameMesh returns an error unless maps and a subset are as they were declared.
func sameMesh(rt *op2.Runtime, edge2node, zone2node *op2.Map, ends, offsets, targets []int, subset *op2.Subset, some []int) error {
	got := edge2node.InDeclaredOrder()
	for i, t := range ends {
		if int(got[i]) != t {
			return fmt.Errorf("edge2node has %v at %d, want %v", got[i], i, t)
		}
	}
	got = zone2node.InDeclaredOrder()
	for z := range len(offsets) - 1 {
		row := targets[offsets[z]:offsets[z+1]]
		for i, t := range got[z*zone2node.Arity() : (z+1)*zone2node.Arity()] {
			if i < len(row) && int(t) != row[i] || i >= len(row) && t >= 0 {
				return fmt.Errorf("zone %d leads to %v, want %v", z, got, row)
			}
		}
	}
	numbers, elements := subset.Of().DeclaredNumbers(), subset.Elements()
	for row, number := range numbers {
		if slices.Contains(some, int(number)) != slices.Contains(elements, int32(row)) {
			return fmt.Errorf("rank %d: subset %v, of rows %v", rt.Rank(), elements, numbers)
		}
	}
	if subset.Size() != len(some) {
		return fmt.Errorf("the subset has %d elements, want %d", subset.Size(), len(some))
	}
	return nil
}

// A program whose elements move to other ranks in the middle computes what plain loops do, with all types of values, maps, subsets,
// chains, and however the mesh was declared.
func TestRebalance(t *testing.T) {
	for name, c := range map[string]unsteady{
		"whole":      {},
		"renumbered": {renumber: true, chain: true},
		"placed":     {placed: true},
		"shares":     {shares: true, chain: true},
		"moved":      {shares: true, placed: true},
	} {
		c.rebalances = true
		t.Run(name, func(t *testing.T) {
			optest.ResultsOnRanks(t, []string{"go", "sequential", "test+openmp"}, c.run)
			for _, same := range []bool{false, true} {
				var want *optest.Found
				for n := 1; n <= 5; n++ {
					var found *optest.Found
					optest.OK(t, op2.RunRanks(n, func(rank op2.Option) error {
						rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithSameBits(same), op2.WithHaloDepth(1+n%2), op2.WithLog(nil))
						if err != nil {
							return err
						}
						defer rt.Close()
						f := &optest.Found{Values: map[string][]float64{}}
						if rt.Rank() == 0 {
							found = f
						}
						return c.run(rt, f)
					}))
					if n == 1 {
						want = found
					}
					if same && !reflect.DeepEqual(found, want) {
						t.Errorf("%d ranks find other bits than one", n)
					}
				}
			}
		})
	}
}

// heated is a square of n by n cells, with the work of each.
type heated struct {
	rt   *op2.Runtime
	mesh *mesh.Declared
	work *op2.Dat[int32]
	heat *op2.Dat[float64]
}

func newHeated(rt *op2.Runtime, n int, work func(cell int) int32) (*heated, error) {
	m, err := mesh.Rectangle(mesh.Quadrilateral, n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	s := &heated{rt: rt, mesh: m.Declare(rt, mesh.WithEdges())}
	values := make([]int32, n*n)
	for i := range values {
		values[i] = work(i)
	}
	s.work, s.heat = op2.NewDat(s.mesh.Cells, 1, values, "work"), op2.NewDat[float64](s.mesh.Cells, 1, nil, "heat")
	return s, rt.Err()
}

// run runs the loop, which takes as long as the work is.
func (s *heated) run() error {
	return op2.ParLoop(op2.Kernels(rebalanceSource).Func(loaded), s.mesh.Cells, s.work.Read(), s.heat.RW())
}

// imbalance returns the work of the rank with most of it, relative to the mean.
func (s *heated) imbalance() (float64, error) {
	values, err := s.work.DataRO()
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	all, err := entity.Combine((*entity.Runtime)(s.rt), loop.Max, sum)
	if err != nil {
		return 0, err
	}
	whole, err := entity.Combine((*entity.Runtime)(s.rt), loop.Inc, sum)
	if err != nil {
		return 0, err
	}
	return all[0] * float64(s.rt.Ranks()) / whole[0], nil
}

// inCorner is 200 for a quarter of the cells of a square of 20 by 20, and 1 for the others.
func inCorner(cell int) int32 {
	if cell%20 < 10 && cell/20 < 10 {
		return 200
	}
	return 1
}

// Work that a program knows is the same on all ranks afterward, whichever way the mesh is divided.
func TestRebalanceByWork(t *testing.T) {
	for _, method := range []op2.Partitioner{op2.Auto, op2.Bisect, op2.Curve, op2.METIS, op2.Scotch, op2.Graph, op2.Contiguous} {
		for _, placed := range []bool{true, false} { // the first time; later, the coordinates of the mesh are known
			if !placed && (method == op2.Bisect || method == op2.Curve) {
				continue
			}
			for n := 2; n <= 5; n++ {
				err := op2.RunRanks(n, func(rank op2.Option) error {
					rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithPartitioner(method), op2.WithLog(nil))
					if err != nil {
						return err
					}
					defer rt.Close()
					s, err := newHeated(rt, 20, inCorner)
					if err == nil && placed {
						err = rt.Partition(s.mesh.X)
					}
					if err == nil {
						err = s.run()
					}
					if err != nil {
						return err
					}
					before, err := s.imbalance()
					if err != nil {
						return err
					}
					r, err := rt.Rebalance(s.work)
					if err != nil {
						return err
					}
					after, err := s.imbalance()
					if err != nil {
						return err
					}
					if r.Moved == 0 || math.Abs(r.Before-before) > 1e-9 || math.Abs(r.After-after) > 0.01 || after > 1.15 {
						return fmt.Errorf("%+v, the imbalance was %v and is %v", r, before, after)
					}
					if err := s.run(); err != nil {
						return err
					}
					again, err := rt.Rebalance(s.work)
					if err == nil && (again.Moved != 0 && again.Before < 1.05 || again.Before != again.After && again.Moved == 0 || math.Abs(again.Before-after) > 1e-9) {
						err = fmt.Errorf("a second time: %+v", again)
					}
					return err
				})
				if err != nil {
					t.Errorf("%s, placed %v, %d ranks: %v", method, placed, n, err)
				}
			}
		}
	}
}

// What ranks compute is measured, without what they wait for.
func TestRebalanceMeasures(t *testing.T) {
	optest.OK(t, optest.OnRanks(3, func(rt *op2.Runtime) error {
		s, err := newHeated(rt, 20, func(cell int) int32 { return inCorner(cell) * 50 })
		if err != nil {
			return err
		}
		if r, err := rt.Rebalance(); err != nil || r != (op2.Rebalanced{Before: 1, After: 1}) {
			return fmt.Errorf("before any loop: %+v, %v", r, err)
		}
		for range 3 {
			if err := s.run(); err != nil {
				return err
			}
			if _, err := s.heat.Norm(); err != nil { // where ranks wait for each other
				return err
			}
		}
		before, err := s.imbalance()
		if err != nil {
			return err
		}
		r, err := rt.Rebalance()
		if err != nil {
			return err
		}
		if before > 1.5 && (r.Before < 1.2 || r.Moved == 0 || r.After >= r.Before) {
			return fmt.Errorf("%+v, the imbalance was %v", r, before)
		}
		if r, err := rt.Rebalance(); err != nil || r.Moved != 0 {
			return fmt.Errorf("nothing has been computed since: %+v, %v", r, err)
		}
		return nil
	}))
}

// Ranks without elements get some, but for those that are to have none.
func TestRebalanceEmptyRanks(t *testing.T) {
	for _, idle := range []bool{false, true} {
		optest.OK(t, op2.RunRanks(4, func(rank op2.Option) error {
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil))
			if err != nil {
				return err
			}
			defer rt.Close()
			if idle && rt.Rank() == 2 {
				(*entity.Runtime)(rt).Config().Weight = 0
			}
			s, err := newHeated(rt, 20, inCorner)
			if err != nil {
				return err
			}
			if err := rt.PartitionBy(op2.NewDat[int32](s.mesh.Cells, 1, nil, "owner")); err != nil {
				return err
			}
			if err := s.run(); err != nil {
				return err
			}
			optest.Load(rt, func(rank int) float64 { return float64(max(0, 1-rank)) })
			r, err := rt.Rebalance()
			if err != nil {
				return err
			}
			want := 400 / 4
			if idle {
				want = (400*rt.Ranks()/3 - 400/3) / 3
				if rt.Rank() == 2 {
					want = 0
				}
			}
			if n := s.mesh.Cells.Owned(); n < want-2 || n > want+2 || idle && rt.Rank() == 2 && n > 0 {
				return fmt.Errorf("rank %d has %d cells, want about %d: %+v", rt.Rank(), n, want, r)
			}
			return s.run()
		}))
	}
}

// Errors of one rank are those of all, and leave everything where it is.
func TestRebalanceErrors(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(s *heated) error
		want string
	}{
		"nil": {func(s *heated) error {
			_, err := s.rt.Rebalance([]op2.AnyDat{nil}...)
			return err
		}, "op2: Rebalance: numbers 1 are nil"},
		"type": {func(s *heated) error {
			_, err := s.rt.Rebalance(s.mesh.X)
			return err
		}, "op2: Rebalance: dat x: one number is needed for each element, it has 2 float64"},
		"twice": {func(s *heated) error {
			_, err := s.rt.Rebalance(s.work, s.heat)
			return err
		}, "op2: Rebalance: dat heat: numbers of cells were given already"},
		"negative": {func(s *heated) error {
			values, err := s.work.Data()
			if err == nil && s.rt.Rank() == 1 {
				values[0] = -1
			}
			if err == nil {
				_, err = s.rt.Rebalance(s.work)
			}
			if fixed, failed := s.work.Data(); failed == nil && s.rt.Rank() == 1 {
				fixed[0] = 1
			}
			return err
		}, " of cells is -1\n  hint: it is a number from 0"},
		"nowhere": {func(s *heated) error {
			x, err := s.mesh.X.Data()
			if err != nil {
				return err
			}
			was := x[0]
			if s.rt.Rank() == 1 {
				x[0] = math.NaN()
			}
			_, err = s.rt.Rebalance(s.work)
			if again, failed := s.mesh.X.Data(); failed == nil {
				again[0] = was
			}
			return err
		}, "Rebalance: element 0 of the share is at NaN, which is no place"},
		"chain": {func(s *heated) error {
			return op2.RecordChain(s.rt, func() error {
				_, err := s.rt.Rebalance()
				return err
			}).Err()
		}, "Runtime.Rebalance cannot be part of a chain\n  hint: within RecordChain"},
	} {
		t.Run(name, func(t *testing.T) {
			optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
				s, err := newHeated(rt, 20, inCorner)
				if err == nil {
					err = s.run()
				}
				if err != nil {
					return err
				}
				before := s.mesh.Cells.DeclaredNumbers()
				if err := c.run(s); err == nil || !strings.Contains(err.Error(), c.want) {
					return fmt.Errorf("%v, want %s", err, c.want)
				}
				if name == "chain" { // whose errors end the run
					return nil
				}
				if !slices.Equal(before, s.mesh.Cells.DeclaredNumbers()) {
					return fmt.Errorf("elements have moved")
				}
				r, err := rt.Rebalance(s.work)
				if err == nil && r.Before > 1.05 && r.Moved == 0 {
					err = fmt.Errorf("afterward: %+v", r)
				}
				return err
			}))
		})
	}
}

// Matrices keep their values when elements move, and all operations on them go on.
func TestRebalanceMats(t *testing.T) {
	optest.ShakenOnRanks(t, []string{"go", "sequential", "test+sequential"}, 1e-12, matsOnRanks, op2.WithThreads(2))
}

// Elements move from and to devices.
func TestRebalanceOnDevices(t *testing.T) {
	optest.NotShort(t)
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			gputest.Require(t, name)
			optest.ResultsOnRanks(t, []string{name, name + "+sequential"}, unsteady{renumber: true, chain: true, rebalances: true}.run)
			optest.ShakenOnRanks(t, []string{name}, 1e-12, matsOnRanks)
		})
	}
}

// Each of several dats of work counts as much as the others, before and after, whatever its numbers are.
func TestRebalanceByTwoWorks(t *testing.T) {
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil), op2.WithPartitioner(op2.Contiguous))
		if err != nil {
			return err
		}
		defer rt.Close()
		const n = 100
		cells, nodes := rt.NewSet(n, "cells"), rt.NewSet(n, "nodes")
		own, a, b := make([]int32, n), make([]float64, n), make([]float64, n)
		for i := range n {
			own[i], b[i] = int32(i), 1
			if i < n/2 {
				b[i] = 9
			}
		}
		a[0] = 1e6 // cannot be divided
		op2.NewMap(cells, nodes, 1, own, "own")
		x, y := op2.NewDat(cells, 1, a, "x"), op2.NewDat(nodes, 1, b, "y")
		if err := errors.Join(rt.Err(), rt.Partition()); err != nil {
			return err
		}
		first, err1 := rt.Rebalance(x, y)
		then, err2 := rt.Rebalance(x, y)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		// One rank has all of x, and 0.9 of y, then half of it.
		if math.Abs(first.Before-1.9) > 0.01 || math.Abs(first.After-1.5) > 0.05 || first.Moved == 0 || math.Abs(then.Before-first.After) > 0.01 {
			return fmt.Errorf("at first %+v, then %+v", first, then)
		}
		return nil
	}))
}

// Work is checked on one rank, too, and before the mesh is distributed; and its sums do not overflow.
func TestRebalanceChecksWork(t *testing.T) {
	const n = 40
	program := func(rt *op2.Runtime, value float64) (op2.Rebalanced, error) {
		cells := rt.NewSet(n, "cells")
		work := op2.NewDat(cells, 1, slices.Repeat([]float64{value}, n), "work")
		if _, err := rt.Rebalance(work); err != nil {
			return op2.Rebalanced{}, err
		}
		own := make([]int32, n)
		for i := range own {
			own[i] = int32(i)
		}
		op2.NewMap(cells, rt.NewSet(n, "nodes"), 1, own, "own")
		if err := rt.Partition(); err != nil {
			return op2.Rebalanced{}, err
		}
		values, err := work.Data()
		for i := range values {
			if rt.Rank() > 0 {
				values[i] = value / 4
			}
		}
		if err != nil {
			return op2.Rebalanced{}, err
		}
		return rt.Rebalance(work)
	}
	for _, ranks := range []int{1, 2} {
		for _, value := range []float64{-1, math.NaN(), math.Inf(1)} {
			want := fmt.Sprintf("op2: Rebalance: dat work: the work of element 0 of cells is %v\n  hint: it is a number from 0", value)
			optest.OK(t, optest.OnRanks(ranks, func(rt *op2.Runtime) error {
				if _, err := program(rt, value); err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(want, "op2: ")) {
					return fmt.Errorf("%v, want %s", err, want)
				}
				return nil
			}))
		}
	}
	for _, value := range []float64{0, 5e-324, 1, 1e308} {
		optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
			r, err := program(rt, value)
			if want := map[bool]float64{true: 1.6, false: 1}[value >= 1]; err == nil && value != 5e-324 && math.Abs(r.Before-want) > 0.01 {
				err = fmt.Errorf("work of %v: %+v, want %v before", value, r, want)
			}
			if err == nil && value >= 1 && (r.Moved == 0 || !(r.After < 1.1)) {
				err = fmt.Errorf("work of %v: %+v", value, r)
			}
			return err
		}))
	}
}

// Shares are divided anew by PT-Scotch, by the work of elements that have moved already: cells of a grid that are numbered
// at random stay beside each other.
func TestRebalanceByPTScotch(t *testing.T) {
	if !mpitest.Inside() {
		optest.NotShort(t)
		t.Parallel()
		mpitest.Run(t, mpitest.OpenMPI, 3, "TestRebalanceByPTScotch")
		return
	}
	rank, end, err := op2.QuickRank(20)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	var log bytes.Buffer
	rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithPartitioner(op2.Scotch), op2.WithLog(&log))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	const n = 30
	number := rand.New(rand.NewPCG(1, 2)).Perm(n * n)
	var all []int64
	for i := range n * n {
		if i%n < n-1 {
			all = append(all, int64(number[i]), int64(number[i+1]))
		}
		if i < n*(n-1) {
			all = append(all, int64(number[i]), int64(number[i+n]))
		}
	}
	part := func(size int) (first, end int) { return size * rt.Rank() / 3, size * (rt.Rank() + 1) / 3 }
	firstEdge, endEdge := part(len(all) / 2)
	firstCell, endCell := part(n * n)
	edges, cells := rt.NewSetShare(endEdge-firstEdge, "edges"), rt.NewSetShare(endCell-firstCell, "cells")
	op2.NewMap(edges, cells, 2, all[2*firstEdge:2*endEdge], "ends")
	values := make([]float64, endCell-firstCell)
	for i := range values {
		values[i] = 1
		if at := slices.Index(number, firstCell+i); at%n < n/2 && at/n < n/2 {
			values[i] = 20
		}
	}
	work := op2.NewDat(cells, 1, values, "work")
	if err := errors.Join(rt.Err(), rt.Partition()); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(log.Bytes(), []byte("needs PT-Scotch")) {
		return // on all ranks
	}
	r, err := rt.Rebalance(work)
	if err != nil || r.Before < 1.2 || r.After > 1.1 || r.Moved == 0 || cells.Halo() > 100 {
		t.Errorf("%+v, %v; %d copies of cells beside %d", r, err, cells.Halo(), cells.Owned())
	}
	if r, err := rt.Rebalance(work); err != nil || r.Before > 1.1 {
		t.Errorf("again: %+v, %v", r, err)
	}
}
