package op2_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// precise are the methods that run only the queued calls that they depend on.
var precise = words(`
	Dat.Data Dat.DataRO Dat.DataWO Dat.ToDevice Dat.ToHost Dat.DataWithHalos Dat.Zero Dat.Fill Dat.Copy Dat.Duplicate Dat.Norm Dat.Inner Dat.CheckFinite Dat.Gather
	Dat.InDeclaredOrder Dat.SetInDeclaredOrder Dat.AXPY Dat.MAXPY Dat.Add Dat.Sub Dat.Mul Dat.Div Dat.Scale
	MixedDat.AXPY MixedDat.Copy MixedDat.Duplicate MixedDat.Inner MixedDat.Norm
	MixedDat.Scale MixedDat.Zero MixedDat.Fill MixedDat.Add MixedDat.Sub MixedDat.Mul MixedDat.Div MixedDat.MAXPY 
	FuncOperator.Mul Mat.Mul Mat.MulTranspose Mat.Zero Mat.ZeroRows Mat.Diagonal Mat.SetDiagonal Mat.AddToDiagonal
	Dirichlet.Apply Dirichlet.ApplyRHS Dirichlet.ApplyTo
	Global.Data Global.DataRO Global.Value Global.Set Loop.Compute Runtime.Region Solver.Close`)

// wait queues loops that change all data of the world, and one that has nothing to do with it.
func (w *world) wait(t *testing.T, far *op2.Dat[float64]) {
	k := op2.Kernels(lazySource)
	for _, d := range []*op2.Dat[float64]{w.x, w.y, w.dats.Parts()[0], w.dats.Parts()[1], w.others.Parts()[0], w.others.Parts()[1], far} {
		optest.Run(t, k.Func(lazyAdd), w.set, d.RW())
	}
	optest.Run(t, k.Func(lazySum), w.set, w.g.Inc(), w.x.Read())
	optest.Run(t, k.Func(lazyPlace), w.set, w.place.RW())
	for _, m := range []*op2.Mat[float64]{w.mat, w.blocks.Block(0, 0)} {
		optest.Run(t, op2.Kernels(errorsSource).Func(local1x1), w.set, m.Inc(w.rows, w.rows), w.x.Read())
	}
}

// values returns all values of the world.
func (w *world) values() string {
	var b strings.Builder
	for _, d := range []*op2.Dat[float64]{w.x, w.y, w.dats.Parts()[0], w.dats.Parts()[1], w.others.Parts()[0], w.others.Parts()[1], w.place} {
		values, err := d.DataRO()
		fmt.Fprintln(&b, d.Name(), values, err)
	}
	g, err := w.g.Value()
	fmt.Fprintln(&b, "g", g, err)
	for _, m := range []*op2.Mat[float64]{w.mat, w.blocks.Block(0, 0)} {
		err := m.WriteMatrixMarket(&b)
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

// shown returns what a result shows of values.
func shown(v reflect.Value) string {
	switch r := v.Interface().(type) {
	case *op2.Dat[float64]:
		values, err := r.DataRO()
		return fmt.Sprint(values, err)
	case []op2.Stats:
		var texts []string
		for _, s := range r {
			texts = append(texts, fmt.Sprint(s.Kernel, s.Set, s.Calls))
		}
		slices.Sort(texts)
		return fmt.Sprint(texts)
	case op2.Stats:
		return fmt.Sprint(r.Kernel, r.Calls)
	case error:
		return r.Error()
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Pointer {
			return v.Type().String()
		}
		return fmt.Sprint(v.Interface())
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Bool, reflect.String:
		return fmt.Sprint(v.Interface())
	}
	return v.Type().String()
}

// Every public method sees what queued calls compute: its results, and what it leaves, are those of a
// runtime that runs loops at once. Those that do not use all values leave other calls waiting.
func TestLazyMethodsSeeQueuedCalls(t *testing.T) {
	run := func(r, i int, lazy bool) (name, result string, waits bool) {
		w := newWorld(t, op2.WithLazy(lazy))
		far := optest.NewDat[float64](t, w.set, 1, nil, "far")
		w.wait(t, far)
		receiver := w.receivers()[r]
		name, results, err := w.results(t, receiver, i)
		for _, v := range results {
			result += shown(v) + "\n"
		}
		result += fmt.Sprintln(err)
		waits = op2.Queued(w.rt) > 0
		if _, closed := receiver.(*op2.Runtime); !closed || name != "Runtime.Close" {
			result += w.values()
		}
		return name, strings.ReplaceAll(result, w.file, "name"), waits
	}
	seen := map[string]bool{}
	for r, receiver := range newWorld(t).receivers() {
		for i := range reflect.TypeOf(receiver).NumMethod() {
			name, want, _ := run(r, i, false)
			_, got, waits := run(r, i, true)
			seen[name] = true
			if got != want {
				t.Errorf("%s: got\n%swant\n%s", name, got, want)
			}
			if calm := atAnyTime(name) || precise[name]; waits != calm {
				t.Errorf("%s: calls wait: %t, want %t", name, waits, calm)
			}
		}
	}
	for name := range precise {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}
