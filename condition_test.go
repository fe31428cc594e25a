package op2_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// A condition on some components is another one: the first stays as it was.
func TestConditionComponents(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	nodes := rt.NewSet(2, "nodes")
	first := op2.NewSubset(nodes, []int32{0}, "first")
	whole := op2.Fix(first, 7.0)
	x, sum := whole.Components(0), op2.NewDirichlet(whole.Components(1), whole.Components(2))
	if err := whole.Set(8); err != nil {
		t.Fatal(err)
	}
	u := op2.NewDat[float64](nodes, 3, nil, "u")
	for _, c := range []struct {
		d    *op2.Dirichlet[float64]
		want []float64
	}{
		{op2.NewDirichlet(x), []float64{7, 0, 0, 0, 0, 0}},
		{sum, []float64{7, 7, 7, 0, 0, 0}},
		{op2.NewDirichlet(whole), []float64{8, 8, 8, 0, 0, 0}},
	} {
		if err := c.d.ApplyTo(u); err != nil {
			t.Fatal(err)
		}
		if got := optest.Must(u.DataRO()); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	var none *op2.Condition[float64]
	if none.Components(0).Err() == nil || none.Part(1).Err() == nil {
		t.Error("a condition that is nil has no error")
	}
}

// Diagnostics find what was added to a mat after its conditions.
func TestConditionsBeforeAssembly(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"), op2.WithDiags(true))
	nodes := rt.NewSet(2, "nodes")
	edge := op2.NewMap(rt.NewSet(1, "edges"), nodes, 2, []int32{0, 1}, "edge")
	k := op2.NewMat[float64](op2.NewSquareSparsity(edge, 1, "pattern"), "k")
	fixed, b := op2.NewDirichlet(op2.Fix(op2.NewSubset(nodes, []int{0}, "left"), 7.0)), op2.NewDat[float64](nodes, 1, nil, "b")
	optest.OK(t, errors.Join(fixed.Apply(k, nil), k.Add(0, 1, 3)))
	want := "op2: mat k: ApplyRHS: the conditions on left no longer hold, since something was added to it after Apply\n  hint: Apply applies them again"
	if err := fixed.ApplyRHS(k, b); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	optest.OK(t, errors.Join(fixed.Apply(k, nil), fixed.ApplyRHS(k, b)))
}

// On one process, a set has the numbers of its elements as they come.
func TestLocalSetNumbers(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	for _, c := range []struct {
		numbers []int64
		fails   bool
	}{{nil, false}, {[]int64{0, 1}, false}, {[]int64{1, 0}, true}, {[]int64{0}, true}, {[]int64{0, 9}, true}} {
		if err := rt.NewLocalSet(op2.LocalSet{Core: 2, Owned: 2, Numbers: c.numbers}, "s").Err(); (err != nil) != c.fails {
			t.Errorf("%v: %v", c.numbers, err)
		}
	}
}
