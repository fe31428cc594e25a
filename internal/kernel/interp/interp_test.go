package interp_test

import (
	"errors"
	"math"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
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
		{"index", "x[*n] = 1", []uint64{0, 0}, 2, nil, "index out of range [2] with length 2"},
		{"index below zero", "x[*n-3] = 1", []uint64{0, 0}, 2, nil, "index out of range [-1]"},
		{"division", "x[0] = float64(7 / *n)", []uint64{0, 0}, 0, nil, "integer divide by zero"},
		{"shift", "one := 1; x[0] = float64(one << (*n - 1))", []uint64{0, 0}, 0, nil, "negative shift amount"},
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

// C's functions have its meaning, for floats of either size, and its pointers lead on.
func TestC(t *testing.T) {
	f := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	const text = `
static float second(const float *p) { return p[1]; }

void k(float *y, const float *x[2])
{
	y[0] = fmaxf(x[1][0], x[2][0]);
	y[1] = fminf(sqrtf(x[0][1]), second(x[1]));
	y[2] = fdimf(x[2][1], x[2][1]);
	y[3] = nextafterf(x[0][0], 2) - x[0][0];
}`
	k, err := fromc.Kernel("k", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, []kernel.Shape{{Rows: 1, Cols: 4}, {Rows: 3, Cols: 2}})
	y := make([]uint64, 4)
	m := interp.New(k, nil)
	m.SetRow(1, 2)
	if err := m.Run([][]uint64{y, {f(1), f(9), f(-5), f(4), f(float32(math.NaN())), f(float32(math.Inf(1)))}}, 1000); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{-5, 3, 0, 0x1p-23} {
		if y[i] != f(want) {
			t.Errorf("y[%d] = %v, want %v", i, math.Float32frombits(uint32(y[i])), want)
		}
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
