package conformance

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed arguments.go
var argumentsSource string

// someOf adds up what is there, and leaves it where there is a place for it.
func someOf(sum *float64, x *[2][3]float64, weights []float64, add *[2]float64, count *int64, n *int) {
	*sum = x[0][0] - x[1][2]
	for _, w := range weights {
		*sum += w
	}
	if n != nil {
		*sum += float64(*n % 5)
	}
	if add != nil {
		add[0] += *sum
		add[1] -= 1
	}
	if count == nil {
		return
	}
	*count += int64(len(weights)) + 1
}

const someOfC = `void someOf(double *sum, double *x[2], const double weights[2], double add[2], int64_t *count, const int64_t *n)
{
	*sum = x[0][0] - x[1][2];
	for (int i = 0; weights && i < 2; i++)
		*sum += weights[i];
	if (n != 0)
		*sum += *n % 5;
	if (add) {
		add[0] += *sum;
		add[1] -= 1;
	}
	if (!count)
		return;
	*count += weights ? 3 : 1;
}`

// conformOptional leaves out arguments of loops in all combinations, over sets of several sizes.
func conformOptional(t *testing.T, open optest.Opener) {
	for i, size := range []int{0, 1, 613} {
		rt, mesh := open(t), optest.NewTopology(size, 200)
		edges, nodes := optest.NewSet(t, rt, size, "edges"), optest.NewSet(t, rt, 200, "nodes")
		targets := mesh.Anywhere(2)
		xv, wv := optest.Some[float64](mesh.Random, 600), optest.Some[float64](mesh.Random, 2*size)
		sv, av, cv := make([]float64, size), make([]float64, 400), int64(0)
		m := optest.NewMap(t, edges, nodes, 2, targets, "m")
		x, weights := optest.NewDat(t, nodes, 3, xv, "x"), optest.NewDat(t, edges, 2, wv, "weights")
		sum, add, count := optest.NewDat(t, edges, 1, sv, "sum"), optest.NewDat(t, nodes, 2, av, "add"), optest.NewGlobal[int64](t, rt, "count", 0)
		k := op2.Kernels(argumentsSource).Func(someOf)
		if i == 1 {
			k = ckernel.New("someOf", someOfC)
		}
		for pattern := range 16 {
			there := func(bit int) bool { return pattern>>bit&1 > 0 }
			optest.Run(t, k, edges, sum.Write(), x.Read(m), weights.Read().If(there(0)), add.Inc(m.At(1)).If(there(1)), count.Inc().If(there(2)), op2.Index().If(there(3)))
			for e := range size {
				sv[e] = xv[3*targets[2*e]] - xv[3*targets[2*e+1]+2]
				if there(0) {
					sv[e] += wv[2*e] + wv[2*e+1]
				}
				if there(3) {
					sv[e] += float64(e % 5)
				}
				if there(1) {
					av[2*targets[2*e+1]] += sv[e]
					av[2*targets[2*e+1]+1]--
				}
				if there(2) {
					cv += map[bool]int64{false: 1, true: 3}[there(0)]
				}
			}
			optest.Expect(t, sum, sv)
			optest.Expect(t, add, av)
			optest.Expect(t, count, []int64{cv})
		}
	}
}

// pick reads a component through a map, and adds to others; of its own element it sets one and changes one.
func pick(x *[2]float64, add *[2]float64, low *float64, set, change []float64) {
	set[0] = x[0] - x[1]
	change[0] *= 2
	add[0] += x[1]
	add[1] -= 1
	*low = min(*low, x[0])
}

// conformSingle passes components of dats in all accesses, over sets of several sizes, as another kernel for each component.
func conformSingle(t *testing.T, open optest.Opener) {
	for _, size := range []int{0, 1, 613} {
		rt, mesh := open(t), optest.NewTopology(size, 200)
		edges, nodes := optest.NewSet(t, rt, size, "edges"), optest.NewSet(t, rt, 200, "nodes")
		targets := mesh.Anywhere(2)
		nv, ev, lv := optest.Some[float64](mesh.Random, 800), optest.Some[float64](mesh.Random, 3*size), optest.Some[float64](mesh.Random, 400)
		m := optest.NewMap(t, edges, nodes, 2, targets, "m")
		values, own, low := optest.NewDat(t, nodes, 4, nv, "values"), optest.NewDat(t, edges, 3, ev, "own"), optest.NewDat(t, nodes, 2, lv, "low")
		for round := range 3 {
			from, to, set, change, least := round, (round+2)%4, round, (round+1)%3, round%2
			optest.Run(t, op2.Kernels(argumentsSource).Func(pick), edges, values.Component(from).Read(m), values.Component(to).Inc(m), low.Component(least).Min(m.At(1)),
				own.Component(set).Write(), own.Component(change).RW())
			before := slices.Clone(nv)
			for e := range size {
				a, b := targets[2*e], targets[2*e+1]
				x, y := before[4*int(a)+from], before[4*int(b)+from]
				ev[3*e+set], ev[3*e+change] = x-y, 2*ev[3*e+change]
				nv[4*int(a)+to] += y
				nv[4*int(b)+to]--
				lv[2*int(b)+least] = min(lv[2*int(b)+least], x)
			}
			optest.Expect(t, values, nv)
			optest.Expect(t, own, ev)
			optest.Expect(t, low, lv)
		}
	}
}

// reachFar reads and adds through six targets.
func reachFar(x *[6]float64, add *[6]float64, sum *float64) {
	for i := range x {
		*sum += x[i] * float64(i+1)
		add[i] += x[5-i]
	}
}

// conformDerived runs loops through composed and permuted maps, before and after the maps change that they follow from.
func conformDerived(t *testing.T, open optest.Opener) {
	for _, size := range []int{0, 1, 613} {
		rt, first, second := open(t), optest.NewTopology(size, 150), optest.NewTopology(150, 200)
		facets, cells, nodes := optest.NewSet(t, rt, size, "facets"), optest.NewSet(t, rt, 150, "cells"), optest.NewSet(t, rt, 200, "nodes")
		f2c, c2n := first.Anywhere(2), second.Anywhere(3)
		xv := optest.Some[float64](first.Random, 200)
		facet2cell, cell2node := optest.NewMap(t, facets, cells, 2, f2c, "facet2cell"), optest.NewMap(t, cells, nodes, 3, c2n, "cell2node")
		far := op2.Compose(facet2cell, cell2node)
		turned := far.Permuted(5, 4, 3, 2, 1, 0)
		optest.OK(t, rt.Err())
		x, av, sv := optest.NewDat(t, nodes, 1, xv, "x"), make([]float64, 200), make([]float64, size)
		add, sum := optest.NewDat(t, nodes, 1, av, "add"), optest.NewDat(t, facets, 1, sv, "sum")
		for round := range 2 {
			if round == 1 { // the same cells, in another order
				for f := range size {
					f2c[2*f], f2c[2*f+1] = f2c[2*f+1], f2c[2*f]
				}
				optest.OK(t, facet2cell.SetValues(f2c))
			}
			optest.Run(t, op2.Kernels(argumentsSource).Func(reachFar), facets, x.Read(far), add.Inc(turned), sum.Inc())
			for f := range size {
				at := func(i int) int32 { return c2n[3*f2c[2*f+i/3]+int32(i%3)] }
				for i := range 6 {
					sv[f] += xv[at(i)] * float64(i+1)
					av[at(5-i)] += xv[at(5-i)]
				}
			}
			optest.Expect(t, add, av)
			optest.Expect(t, sum, sv)
		}
	}
}
