package op2_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
)

// Loops see that two views show one storage, whatever their sets are.
func TestViewsConflict(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells, values := newSet(t, rt, 2, "cells"), newSet(t, rt, 4, "values")
	q := newDat(t, cells, 2, []float64{1, 2, 3, 4}, "q")
	flat := op2.View(q, values, 1)
	m := newMap(t, values, cells, 1, []int32{0, 0, 1, 1}, "m")
	a := op2.Must(op2.NewMat[float64](op2.Must(op2.NewSquareSparsity(m, 1, "s")), "a"))
	const pair = "void pair(const double *x, const double *y) {}"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"read and read":   {loopOf(pair, "pair", values, flat.Read(), q.Read(m.At(0))), "which the backend go cannot run"}, // and nothing else is wrong
		"write and read":  {loopOf(pair, "pair", values, flat.Write(), q.Read(m.At(0))), "q is also argument 1 (q, written): what one changes the other would see or not"},
		"write and write": {loopOf(pair, "pair", values, flat.RW(), q.RW(m.At(0))), "q is also argument 1 (q, read and written), by other sets: the kernel would change the same values twice"},
		"inc and inc":     {loopOf(pair, "pair", values, flat.Inc(), q.Inc(m.At(0))), "by other sets"},
	} {
		got := fmt.Sprint(test.err)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	before := op2.Version(q)
	must(t, op2.ParLoop(kernels.Func(busy), values, flat.RW()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that changes a view counts as %d writes of the dat", got-before)
	}
	must(t, op2.ParLoop(kernels.Func(local1x1), values, a.Inc(m, m), flat.Read()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that reads a view counts as a write")
	}
}

func loopOf(source, name string, over op2.IterationSet, args ...op2.Arg) error {
	return last(op2.NewLoop(op2.C(name, source), over, args...))
}
