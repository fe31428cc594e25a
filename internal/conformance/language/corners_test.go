package language_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// The kernels of the following files are the corners of the language in which Go and C
// differ, each written out. Random ones are in fuzz_test.go.

var (
	//go:embed ints_test.go
	intsSource string
	//go:embed floats_test.go
	floatsSource string
	//go:embed control_test.go
	controlSource string
	//go:embed values_test.go
	valuesSource string
	//go:embed calls_test.go
	callsSource string
	//go:embed names_test.go
	namesSource string
)

// corner is a kernel of the table: it reads numbers and leaves some.
type corner = func(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64)

var corners = []struct {
	source *string
	kernel corner
}{
	{&intsSource, divideEach},
	{&intsSource, divideUnguarded},
	{&intsSource, divideByConstants},
	{&intsSource, wrapEach},
	{&intsSource, shiftEach},
	{&intsSource, shiftSigned},
	{&intsSource, convertEach},
	{&intsSource, precedence},
	{&intsSource, constants},
	{&floatsSource, floatArithmetic},
	{&floatsSource, floatCompare},
	{&floatsSource, floatToInt},
	{&floatsSource, intToFloat},
	{&floatsSource, minMax},
	{&floatsSource, roundings},
	{&floatsSource, bitsAndExponents},
	{&controlSource, loops},
	{&controlSource, labels},
	{&controlSource, switches},
	{&controlSource, ifs},
	{&controlSource, returns},
	{&valuesSource, arrayCopies},
	{&valuesSource, comparisons},
	{&valuesSource, ranges},
	{&valuesSource, structs},
	{&valuesSource, shadows},
	{&valuesSource, namedTypes},
	{&callsSource, order},
	{&callsSource, results},
	{&callsSource, parallel},
	{&callsSource, pointers},
	{&callsSource, indices},
	{&callsSource, indexFaults},
	{&callsSource, indexHuge},
	{&namesSource, reserved},
}

// Numbers at which something may go wrong.
var (
	cornerInts = []int64{
		0, 1, -1, 2, 3, -3, 5, 7, 8, 31, 32, 33, 63, 64, 65, 100, 127, 128, -128, -129, 255, 256, 300, 511,
		32767, 32768, -32768, 65535, 65536, 1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1<<32 - 1, 1 << 32,
		1<<53 + 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 0x123456789abcdef, -0x123456789abcdef,
	}
	cornerFloats = []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, 3.5, -2.5, 0.1, -0.3, 3, 7, 100.7, -127.9, 255.5,
		32767.5, 1e5, 2147483647.5, -2147483648.5, 4294967295, 1 << 52, 1<<53 + 2, 9.2e18, 1.8e19, 1e20, -1e20, 1e300, -1e300,
		0x1p-1022, 0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-126, 0x1p-149, 0x1.fffffep127, 0x1p128, 0x1.000001p0, 16777217,
		math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 0.49999999999999994, 4503599627370497.5, math.Pi,
	}
)

// cornerRows returns inputs for the table: every number comes first in some rows, with several
// others after it.
func cornerRows() (a [][6]int64, x [][6]float64) {
	random := optest.NewTopology(1, 1).Random
	for i := range max(len(cornerInts), len(cornerFloats)) * 6 {
		var ai [6]int64
		var xi [6]float64
		for j := range 6 {
			ai[j] = cornerInts[random.IntN(len(cornerInts))]
			xi[j] = cornerFloats[random.IntN(len(cornerFloats))]
			if random.IntN(6) == 0 {
				ai[j], xi[j] = int64(random.IntN(20)-6), random.NormFloat64()*100
			}
		}
		ai[0], xi[0] = cornerInts[i%len(cornerInts)], cornerFloats[i%len(cornerFloats)]
		switch random.IntN(6) { // numbers of similar size, or the same
		case 0:
			ai[1], xi[1] = -ai[0], -xi[0]
		case 1:
			ai[1], xi[1] = ai[0], xi[0]
		}
		a, x = append(a, ai), append(x, xi)
	}
	return a, x
}

// translated is one kernel on one backend.
type translated struct {
	a, r *op2.Dat[int64]
	x, y *op2.Dat[float64]
	loop *op2.Loop
}

func newTranslated(t *testing.T, rt *op2.Runtime, k *op2.Kernel, size int) *translated {
	t.Helper()
	rows := optest.NewSet(t, rt, size, "rows")
	s := &translated{
		a: optest.NewDat[int64](t, rows, 6, nil, "a"), x: optest.NewDat[float64](t, rows, 6, nil, "x"),
		r: optest.NewDat[int64](t, rows, 16, nil, "r"), y: optest.NewDat[float64](t, rows, 16, nil, "y"),
	}
	s.loop = op2.NewLoop(k, rows, s.a.RW(), s.x.RW(), s.r.RW(), s.y.RW())
	return s
}

// run returns what the kernel computes for some rows, or its fault.
func (s *translated) run(t *testing.T, a [][6]int64, x [][6]float64) (r []int64, y []float64, fault string) {
	t.Helper()
	da, dx, dr, dy := optest.Must(s.a.Data()), optest.Must(s.x.Data()), optest.Must(s.r.Data()), optest.Must(s.y.Data())
	for i := range a {
		copy(da[6*i:], a[i][:])
		copy(dx[6*i:], x[i][:])
	}
	clear(dr)
	clear(dy)
	err := s.loop.Compute()
	var f *op2.FaultError
	if errors.As(err, &f) {
		return nil, nil, fmt.Sprintf("%s:%d: %s", f.Pos.File, f.Pos.Line, f.Msg)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dr, dy, ""
}

// difference returns where two results differ.
func difference(r1, r2 []int64, y1, y2 []float64) string {
	for i := range r1 {
		if r1[i] != r2[i] {
			return fmt.Sprintf("row %d, r[%d] is %d in Go, %d in C", i/16, i%16, r1[i], r2[i])
		}
	}
	for i := range y1 {
		if math.Float64bits(y1[i]) != math.Float64bits(y2[i]) && (y1[i] == y1[i] || y2[i] == y2[i]) {
			return fmt.Sprintf("row %d, y[%d] is %v in Go, %v in C", i/16, i%16, y1[i], y2[i])
		}
	}
	return ""
}

func TestTranslateCorners(t *testing.T) {
	optest.RequireCompiler(t)
	inGo := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer inGo.Close()
	inC := optest.Must(op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil), op2.WithCFlags("-ffp-contract=off")))
	defer inC.Close()
	a, x := cornerRows()

	type both struct{ one, all [2]*translated }
	loops := make([]both, len(corners)) // prepared first, so that they are compiled in parallel
	for i, c := range corners {
		k := op2.Kernels(*c.source, valuesSource).Func(c.kernel)
		for side, rt := range []*op2.Runtime{inGo, inC} {
			loops[i].one[side] = newTranslated(t, rt, k, 1)
			loops[i].all[side] = newTranslated(t, rt, k, len(a))
		}
	}
	for i, c := range corners {
		t.Run(op2.Kernels("").Func(c.kernel).Name(), func(t *testing.T) {
			faults := 0
			for row := range a {
				r1, y1, f1 := loops[i].one[0].run(t, a[row:row+1], x[row:row+1])
				r2, y2, f2 := loops[i].one[1].run(t, a[row:row+1], x[row:row+1])
				if f1 != f2 {
					t.Fatalf("fault %q in Go, %q in C, for %v %v", f1, f2, a[row], x[row])
				}
				if f1 != "" {
					faults++
				} else if d := difference(r1, r2, y1, y2); d != "" {
					t.Fatalf("%s, for %v %v", d, a[row], x[row])
				}
			}
			if faults == len(a) {
				t.Error("every row faults")
			}
			// All rows at once, since the compiler may combine them.
			r1, y1, f1 := loops[i].all[0].run(t, a, x)
			r2, y2, f2 := loops[i].all[1].run(t, a, x)
			if f1 != f2 {
				t.Fatalf("all rows: fault %q in Go, %q in C", f1, f2)
			}
			if d := difference(r1, r2, y1, y2); d != "" {
				t.Fatalf("all rows: %s", d)
			}
		})
	}
}
