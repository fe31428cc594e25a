package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

func TestSubset(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 10, "cells")
	a := op2.NewSubset(cells, []int{7, 1, 3, 7, 9}, "a")
	b := op2.NewSubset(cells, []uint32{3, 4, 9, 0}, "b")
	nested := op2.NewSubset(a, []int32{3, 0, 3}, "nested")
	for _, test := range []struct {
		subset *op2.Subset
		want   []int32
	}{
		{a, []int32{1, 3, 7, 9}},
		{nested, []int32{1, 9}},
		{op2.NewSubset[int](cells, nil, "none"), nil},
		{a.Union(b, "union"), []int32{0, 1, 3, 4, 7, 9}},
		{a.Intersection(b, "intersection"), []int32{3, 9}},
		{a.Difference(b, "difference"), []int32{1, 7}},
		{b.Difference(a, "difference"), []int32{0, 4}},
	} {
		if got := test.subset.Elements(); !slices.Equal(got, test.want) || test.subset.Of() != cells || test.subset.Size() != len(got) {
			t.Errorf("%s: got %v, want %v", test.subset.Name(), got, test.want)
		}
	}
	for e := -1; e <= 10; e++ {
		if got, want := a.Contains(e), slices.Contains(a.Elements(), int32(e)); got != want {
			t.Errorf("a contains %d: %v", e, got)
		}
	}
}
