package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
)

// gathered returns what collect4 computes with the values of a map of arity 2.
func gathered(over []int32, values []int32, x []float64, n int) []float64 {
	y := make([]float64, 4*n)
	for _, e := range over {
		a, b := int(values[2*e]), int(values[2*e+1])
		for i := range 4 {
			y[4*a+i] += x[4*a+i] - x[4*b+i]
		}
	}
	return y
}

// Loops use the current values of a map, whether ParLoop or the program keeps them, over sets and
// subsets, with colors, staging and transfers as the new values require.
func TestSetValues(t *testing.T) {
	conformance.Each(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		const n = 300
		mesh := optest.NewTopology(n, n)
		elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, n, "nodes")
		m := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "m")
		other := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "other")
		few := op2.NewSubset(elements, []int{1, 2, 3, 150, 151, 299}, "some")
		x, y := optest.NewDat(t, nodes, 4, optest.Some[float64](mesh.Random, 4*n), "x"), optest.NewDat[float64](t, nodes, 4, nil, "y")
		k := op2.Kernels(unreachableSource).Func(collect4)
		values, all := optest.Must(x.DataRO()), make([]int32, n)
		for i := range all {
			all[i] = int32(i)
		}
		calls := map[string]func(op2.IterationSet, *op2.Map) error{}
		calls["ParLoop"] = func(over op2.IterationSet, m *op2.Map) error {
			return op2.ParLoop(k, over, x.Read(m), y.Inc(m.At(0)))
		}
		loops := map[op2.IterationSet]*op2.Loop{}
		for _, over := range []op2.IterationSet{elements, few} {
			loops[over] = op2.NewLoop(k, over, x.Read(m), y.Inc(m.At(0)))
		}
		calls["Compute"] = func(over op2.IterationSet, _ *op2.Map) error { return loops[over].Compute() }
		check := func(step string) {
			t.Helper()
			for what, call := range calls {
				for over, list := range map[op2.IterationSet][]int32{elements: all, few: few.Elements()} {
					optest.OK(t, y.Zero())
					optest.OK(t, call(over, m))
					if got := optest.Must(y.DataRO()); !slices.Equal(got, gathered(list, m.Values(), values, n)) {
						t.Errorf("%s, %s over %s: wrong values", step, what, over.Name())
					}
				}
			}
			optest.OK(t, y.Zero())
			optest.OK(t, op2.ParLoop(k, elements, x.Read(other), y.Inc(other.At(0))))
			if got := optest.Must(y.DataRO()); !slices.Equal(got, gathered(all, other.Values(), values, n)) {
				t.Errorf("%s: another map: wrong values", step)
			}
		}
		check("first")
		before := m.Values()
		old := slices.Clone(before)
		optest.OK(t, m.SetValues(mesh.Anywhere(2)))
		check("second")
		one := make([]int32, 2*n) // all elements collide
		for i := range one {
			one[i] = int32(i % 2)
		}
		optest.OK(t, m.SetValues(one))
		check("third")
		one[0] = 7 // the program's own slice
		check("fourth")
		if !slices.Equal(before, old) {
			t.Error("a slice that Values gave before has changed")
		}
		if calls := loops[elements].Stats().Calls; calls != 4 {
			t.Errorf("%d calls are counted, want 4", calls)
		}
	})
}

// New values may lead an element to one target in two ways; loops that set values there refuse to
// run until that changes.
func TestSetValuesThatRepeat(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	edges, nodes := optest.NewSet(t, rt, 3, "edges"), optest.NewSet(t, rt, 4, "nodes")
	sound, repeating := []int32{0, 1, 1, 2, 2, 3}, []int32{0, 1, 2, 2, 2, 3}
	m := optest.NewMap(t, edges, nodes, 2, sound, "m")
	x := optest.NewDat(t, nodes, 1, []float64{1, 2, 3, 4}, "x")
	k := op2.Kernels(unreachableSource).Func(swapValues)
	kept := op2.NewLoop(k, edges, x.RW(m.At(0)), x.RW(m.At(1)))
	others := op2.NewSubset(edges, []int{0, 2}, "others")
	call := func(over op2.IterationSet) error { return op2.ParLoop(k, over, x.RW(m.At(0)), x.RW(m.At(1))) }
	const repeats = "argument 2 (x, read and written through m[1]): element 1 of edges reaches element 2 of nodes twice, through m[0] and through m[1]: " +
		"whether one sees what the kernel sets through the other would depend on the backend\n" +
		"  hint: pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component"
	for range 2 {
		optest.OK(t, kept.Compute())
		optest.OK(t, call(edges))
		optest.OK(t, m.SetValues(repeating))
		for range 2 {
			optest.ExpectError(t, kept.Compute(), "op2: loop swapValues over edges: "+repeats)
			optest.ExpectError(t, call(edges), "op2: loop swapValues over edges: "+repeats)
			optest.OK(t, call(others))
		}
		optest.OK(t, m.SetValues(sound))
	}
}

// After Renumber values are given in declared numbers, as before.
func TestSetValuesAfterRenumber(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	const n = 100
	mesh := optest.NewTopology(n, n)
	elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, n, "nodes")
	m := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "m")
	optest.OK(t, m.SetValues(mesh.Anywhere(2))) // before Renumber, which renumbers them
	optest.OK(t, rt.Renumber())
	declared := mesh.Anywhere(2)
	optest.OK(t, m.SetValues(declared))
	if !slices.Equal(m.Values(), declared) || !slices.Equal(m.InDeclaredOrder(), declared) {
		t.Error("SetValues: the values are others")
	}
	if slices.Equal((*entity.Map)(m).Values(), declared) {
		t.Error("the map has kept its order in memory")
	}
}

// A program's changes to the slices that it gets do not affect the map or the subset: loops do not
// leave their data.
func TestValuesAreCopies(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 3, "elements")
	m := optest.NewMap(t, set, set, 1, []int32{1, 2, 0}, "m")
	some := op2.NewSubset(set, []int{0, 2}, "some")
	masked := m.Masked(some, "masked")
	m.Values()[0], some.Elements()[1], masked.Values()[1] = 1<<30, 1<<30, 1<<30
	if m.Values()[0] != 1 || some.Elements()[1] != 2 || masked.Values()[1] == 1<<30 {
		t.Errorf("got %v, %v, %v", m.Values(), some.Elements(), masked.Values())
	}
}
