package op2_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

// Loops notice that two views share one storage, whatever their sets are.
func TestViewsConflict(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells, values := optest.NewSet(t, rt, 2, "cells"), optest.NewSet(t, rt, 4, "values")
	q := optest.NewDat(t, cells, 2, []float64{1, 2, 3, 4}, "q")
	flat := op2.View(q, values, 1)
	m := optest.NewMap(t, values, cells, 1, []int32{0, 0, 1, 1}, "m")
	a := op2.NewMat[float64](op2.NewSquareSparsity(m, 1, "s"), "a")
	const pair = "void pair(const double *x, const double *y) {}"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"read and read":   {loopOf(pair, "pair", values, flat.Read(), q.Read(m.At(0))), "<nil>"},
		"write and read":  {loopOf(pair, "pair", values, flat.Write(), q.Read(m.At(0))), "q is also argument 1 (q, written): whether one sees what the other changes would depend on the order of elements"},
		"write and write": {loopOf(pair, "pair", values, flat.RW(), q.RW(m.At(0))), "q is also argument 1 (q, read and written), by other sets: the kernel would change the same values twice"},
		"inc and inc":     {loopOf(pair, "pair", values, flat.Inc(), q.Inc(m.At(0))), "by other sets"},
	} {
		got := fmt.Sprint(test.err)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	before := op2.Version(q)
	optest.OK(t, op2.ParLoop(op2.Kernels(errorsSource).Func(busy), values, flat.RW()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that changes a view counts as %d writes of the dat", got-before)
	}
	optest.OK(t, op2.ParLoop(op2.Kernels(errorsSource).Func(local1x1), values, a.Inc(m, m), flat.Read()))
	if got := op2.Version(q); got != before+1 {
		t.Errorf("a loop that reads a view counts as a write")
	}
}

func loopOf(source, name string, over op2.IterationSet, args ...op2.Arg) error {
	return op2.NewLoop(ckernel.New(name, source), over, args...).Err()
}

// With diagnostics, a slice that is written after a loop has used the dat is detected.
func TestStaleSlices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		rt := open(t, op2.WithDiags(true))
		x := optest.NewDat(t, optest.NewSet(t, rt, 4, "cells"), 1, []float64{1, 2, 3, 4}, "x")
		held := optest.Must(x.Data())
		held[0] = 2
		optest.OK(t, x.Scale(2))
		optest.Expect(t, x, []float64{4, 4, 6, 8})
		held[1] = 100
		if err := x.Scale(2); err == nil || !strings.Contains(err.Error(), "dat x on cells: a slice of its values was written after a loop had used them") {
			t.Errorf("got %v", err)
		}
		optest.Must(x.Data())[1] = 5
		optest.OK(t, x.Scale(2))
		optest.Expect(t, x, []float64{8, 10, 12, 16})
	})
}
