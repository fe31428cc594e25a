package interp_test

import (
	"errors"
	"math"
	"testing"

	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/kernel/interp"
)

func TestRun(t *testing.T) {
	f := math.Float64bits
	for _, test := range []struct {
		name, body string
		x          []uint64
		n          uint64
		want       []uint64
		err        string
	}{
		{"arithmetic", "x[0] = (x[1] + 3) / 2; x[1] *= factor", []uint64{0, f(5)}, 0, []uint64{f(4), f(50)}, ""},
		{"loop", "for i := 0; i < *n; i++ { x[i&1] += float64(i) }", []uint64{0, 0}, 5, []uint64{f(6), f(4)}, ""},
		{"min and max", "x[0] = min(x[0], x[1], 2); x[1] = math.Max(x[1], math.NaN())", []uint64{f(7), f(1)}, 0, []uint64{f(1), f(math.NaN())}, ""},
		{"integers of few bits", "x[0] = float64(int8(*n)); x[1] = float64(uint16(70000 + *n))", []uint64{0, 0}, 200, []uint64{f(-56), f(4664)}, ""},
		{"index", "x[*n] = 1", []uint64{0, 0}, 2, nil, "index 2 of an array of 2"},
		{"index below zero", "x[*n-3] = 1", []uint64{0, 0}, 2, nil, "index -1 of an array of 2"},
		{"division", "x[0] = float64(7 / *n)", []uint64{0, 0}, 0, nil, "integer divide by zero"},
		{"shift", "one := 1; x[0] = float64(one << (*n - 1))", []uint64{0, 0}, 0, nil, "negative shift count"},
		{"without end", "for { x[0]++ }", []uint64{0, 0}, 0, nil, interp.ErrSteps.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := "package p\n\nimport \"math\"\n\nvar factor = math.E\n\nfunc k(x *[2]float64, n *int) {\n" + test.body + "\n}\n"
			k, err := fromgo.Parse(source).Kernel("k", "", 0)
			if err != nil {
				t.Fatal(err)
			}
			var consts [][]uint64
			for range k.Consts {
				consts = append(consts, []uint64{f(10)})
			}
			err = interp.Run(k, [][]uint64{test.x, {test.n}}, consts, 1000)
			switch {
			case test.err != "":
				if err == nil || err.Error() != test.err {
					t.Errorf("got the error %v, want %s", err, test.err)
				}
			case err != nil:
				t.Error(err)
			default:
				for i, want := range test.want {
					if test.x[i] != want {
						t.Errorf("x[%d] = %v, want %v", i, math.Float64frombits(test.x[i]), math.Float64frombits(want))
					}
				}
			}
		})
	}
}

// What only a C compiler understands is not interpreted.
func TestUnknown(t *testing.T) {
	k, err := fromgo.Parse("package p\n\nfunc k(x *float64) { *x = 1 }\n").Kernel("k", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	k.Entry().Body.Stmts = append(k.Entry().Body.Stmts, nil)
	if err := interp.Run(k, [][]uint64{{0}}, nil, 100); !errors.Is(err, interp.ErrUnknown) {
		t.Errorf("got %v", err)
	}
}
