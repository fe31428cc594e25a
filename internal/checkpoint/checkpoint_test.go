package checkpoint_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/checkpoint"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
)

// Whether there is no memory for copies, little, or so much that none are made: what a program changes after a checkpoint's
// place, at once or after the first use of what has been replaced so far, is not in it.
func TestCopies(t *testing.T) {
	for _, memory := range []int64{0, 4 * 16000, 1 << 40} { // the values are 16,000 bytes
		t.Run(fmt.Sprint(memory), func(t *testing.T) { testCopies(t, memory) })
	}
}

func testCopies(t *testing.T, memory int64) {
	folder := filepath.Join(t.TempDir(), "run.chk")
	run := func(last int, options ...op2.Option) (a, b []float64, first int) {
		rt := optest.Must(op2.Open(append(options, op2.WithBackend("go"), op2.WithLog(nil))...))
		checkpoint.WithMemory((*entity.Runtime)(rt), memory)
		cells := rt.NewSet(1000, "cells")
		x, y := op2.NewDat[float64](cells, 1, nil, "x"), op2.NewDat[float64](cells, 1, nil, "y")
		n := 0
		optest.OK(t, rt.Keep("n", &n))
		for first = -1; n < last; n++ {
			optest.OK(t, rt.Checkpoint(folder))
			if first < 0 {
				first = n
			}
			if n != 4 { // then y, which has been replaced so far, is read
				optest.OK(t, y.Fill(float64(n)))
			}
			optest.OK(t, x.AXPY(1, y))
			optest.OK(t, y.Scale(2))
		}
		a, b = optest.Must(x.InDeclaredOrder()), optest.Must(y.InDeclaredOrder())
		optest.OK(t, rt.Close())
		return a, b, first
	}
	run(5) // the last checkpoint has y, whose value is then read
	a, b, first := run(7, op2.WithRestart(folder))
	if first != 4 {
		t.Errorf("goes on from step %d", first)
	}
	folder = filepath.Join(t.TempDir(), "another.chk")
	if wantA, wantB, _ := run(7); !slices.Equal(a, wantA) || !slices.Equal(b, wantB) {
		t.Errorf("x and y are %v and %v, not %v and %v", a[0], b[0], wantA[0], wantB[0])
	}
}
