package op2_test

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed print_test.go
var printSource string

type printed struct{ a, b float64 }

func printsAll(x *[2]float64, n *int, sum *float64) {
	pair := printed{x[0], float64(*n)}
	fmt.Printf("%d: %g\n", *n, *x)
	fmt.Println("pair", printsHalf(&pair), x)
	fmt.Print(*sum, "\n")
	*sum += x[1]
	if *n > 100 {
		println("large", *n, true)
	}
}

func printsHalf(p *printed) float64 {
	p.b /= 2
	return p.b
}

func printsWrites(x *float64) {
	println(*x)
	*x = 1
}

// A kernel prints on the backend go, once for each element; elsewhere it is refused.
func TestPrinting(t *testing.T) {
	kernels := op2.Kernels(printSource)
	args := func(rt *op2.Runtime) (*op2.Set, []op2.Arg) {
		set := optest.NewSet(t, rt, 2, "cells")
		x := optest.NewDat(t, set, 2, []float64{1, 2, 3, 4}, "x")
		n := optest.NewDat(t, set, 1, []int64{7, 8}, "n")
		sum := optest.NewGlobal(t, rt, "sum", 0.0)
		return set, []op2.Arg{x.Read(), n.Read(), sum.Inc()}
	}
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithThreads(1)))
	defer rt.Close()
	set, list := args(rt)
	out := captured(t, &os.Stdout, func() { optest.Run(t, kernels.Func(printsAll), set, list...) })
	if want := "7: [1 2]\npair 3.5 &[1 2]\n0\n8: [3 4]\npair 4 &[3 4]\n0\n"; out != want {
		t.Errorf("printed\n%s", out)
	}
	rt = optest.OpenBackend(t, "sequential")
	set, list = args(rt)
	err := op2.NewLoop(kernels.Func(printsAll), set, list...).Err()
	if err == nil {
		t.Fatal("printing was compiled")
	}
	const hint = "\n  hint: to debug, run the program with OP2_BACKEND=go, or Open the runtime with op2.WithBackend(\"go\"); take the call out for the others"
	for _, want := range []string{
		"op2: loop printsAll over cells: kernel printsAll: print_test.go:22:2: fmt.Printf, on the backend sequential: kernels in Go print on the backend go alone" + hint,
		"print_test.go:23:2: fmt.Println, ", "print_test.go:24:2: fmt.Print, ", "print_test.go:27:3: println, ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
}

// A kernel that prints satisfies the contract of its arguments.
func TestPrintingKeepsTheContract(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	set := optest.NewSet(t, rt, 2, "cells")
	x := optest.NewDat[float64](t, set, 1, nil, "x")
	err := op2.NewLoop(op2.Kernels(printSource).Func(printsWrites), set, x.Read()).Err()
	if err == nil || !strings.Contains(err.Error(), "print_test.go:38:2: ") {
		t.Errorf("got %v", err)
	}
	if err := op2.NewLoop(op2.Kernels(printSource).Func(printsWrites), set, x.Write()).Err(); err != nil {
		t.Errorf("what prints counts as what reads: %v", err)
	}
}

// captured returns what f writes to a file of the process.
func captured(t *testing.T, file **os.File, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	optest.OK(t, err)
	before := *file
	*file = w
	defer func() { *file = before }()
	f()
	w.Close()
	text, err := io.ReadAll(r)
	optest.OK(t, err)
	return string(text)
}
