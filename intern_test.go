package op2_test

import (
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// Kernels created on the spot, in each iteration, are the same, so that ParLoop finds their loops.
func TestKernelsAreMadeOnce(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 10, "elements")
	x := optest.NewDat(t, set, 4, make([]float64, 40), "x")
	const source = "void clear(double *x) { for (int i = 0; i < 4; i++) x[i] = 0; }"
	for range 3 {
		optest.Run(t, op2.Kernels(unreachableSource).Func(redouble), set, x.RW())
	}
	if n := op2.CachedLoops(rt); n != 1 {
		t.Errorf("%d loops are kept, want 1", n)
	}
	k, c := op2.Kernels(unreachableSource).Func(redouble), ckernel.New("clear", source)
	for what, other := range map[string]*op2.Kernel{
		"another function":  op2.Kernels(unreachableSource).Func(collect4),
		"another source":    op2.Kernels(unreachableSource + "\n").Func(redouble),
		"one source more":   op2.Kernels(unreachableSource, unreachableSource).Func(redouble),
		"another name":      ckernel.New("clear2", source),
		"another C source":  ckernel.New("clear", source+" "),
		"a kernel from Go":  k,
		"a kernel from C":   c,
		"the same C kernel": ckernel.New("clear", fmt.Sprint(source)),
	} {
		same := other == k || other == c
		if want := what == "a kernel from Go" || what == "a kernel from C" || what == "the same C kernel"; same != want {
			t.Errorf("%s: the same: %t", what, same)
		}
	}
	for i := range 2000 {
		ckernel.New(fmt.Sprint("k", i), source)
	}
	if ckernel.New("clear", source) == c {
		t.Error("kernels of all texts ever seen are kept")
	}
}
