package conformance

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed forms_test.go
var formsSource string

func formsOfDoubles(x *[2]float64, y *[20]float64) {
	a, b := x[0], x[1]
	y[0], y[1], y[2] = math.Exp(a), math.Exp2(a), math.Expm1(a)
	y[3], y[4], y[5], y[6] = math.Log(a), math.Log2(a), math.Log10(a), math.Log1p(a)
	y[7], y[8], y[9], y[10] = math.Pow(a, b), math.Pow(a, 2), math.Pow(a, 0.5), math.Pow(a, -0.5)
	y[11], y[12], y[13] = math.Sin(a), math.Cos(a), math.Tan(a)
	y[14], y[15], y[16] = math.Sinh(a), math.Cosh(a), math.Tanh(a)
	y[17], y[18], y[19] = math.Atan(a), math.Atan2(a, b), math.Cbrt(a)
}

// An element has the same functions of mathematics, to the bit, in a pack and alone; they agree with Go's.
func TestForms(t *testing.T) {
	optest.RequireCompiler(t)
	const size = 203
	random := rand.New(rand.NewPCG(5, 6))
	values := []float64{0, math.Copysign(0, -1), 1, -1, 2, -3, 0x1p-1000, 1e300, -1e300, 1e22, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, -0.5, 700, -740, 4, 1e10, 710}
	x := make([]float64, 2*size)
	for i := range x {
		switch {
		case i < 2*len(values):
			x[i] = values[(i/2+i%2*(i%7))%len(values)]
		default:
			x[i] = math.Abs(random.NormFloat64() * math.Exp2(float64(random.IntN(12)-4)))
		}
	}
	inC := func(float, suffix string) *op2.Kernel {
		calls := ""
		for i, f := range strings.Fields("exp(a) exp2(a) expm1(a) log(a) log2(a) log10(a) log1p(a) pow(a,b) pow(a,2) pow(a,c) pow(a,-c) sin(a) cos(a) tan(a) sinh(a) cosh(a) tanh(a) atan(a) atan2(a,b) cbrt(a)") {
			calls += fmt.Sprintf("\ty[%d] = %s;\n", i, strings.Replace(f, "(", suffix+"(", 1))
		}
		return ckernel.New("k", fmt.Sprintf("void k(const %[1]s *x, %[1]s *y)\n{\n\tconst %[1]s a = x[0], b = x[1], c = 0.5;\n%[2]s}\n", float, calls))
	}
	compare := func(t *testing.T, where string, got, want []float64, most float64) {
		t.Helper()
		for i, w := range want {
			g := got[i]
			if i%20 == 9 && (strings.Contains(where, "-mno-fma") || strings.Contains(where, "-v2")) { // whose library's pow(x, 0.5) GCC takes for a root in loops
				continue
			}
			if math.Float64bits(g) == math.Float64bits(w) || g != g && w != w || most > 0 && math.Abs(g-w) <= most*math.Abs(w) {
				continue
			}
			t.Errorf("%s: y[%d] of %v, %v is %v, want %v", where, i%20, x[i/20*2], x[i/20*2+1], g, w)
		}
	}
	inGo := formsIn(t, "go", nil, op2.Kernels(formsSource).Func(formsOfDoubles), x, false, false)
	for _, c := range []struct {
		cc    string
		flags []string
	}{{"gcc", nil}, {"gcc", []string{"-mno-avx512f"}}, {"gcc", []string{"-mno-avx512f", "-mno-fma"}}, {"gcc", []string{"-march=x86-64-v2"}}, {"clang", nil}, {"clang", []string{"-mno-avx512f"}}} {
		if _, err := exec.LookPath(c.cc); err != nil || len(c.flags) > 0 && runtime.GOARCH != "amd64" {
			t.Logf("no %s with %v", c.cc, c.flags)
			continue
		}
		compiled := func(simd op2.Mode, k *op2.Kernel, singles, alone bool) []float64 {
			return formsIn(t, "sequential", []op2.Option{op2.WithSIMD(simd), op2.WithCompiler(c.cc), op2.WithCFlags(c.flags...)}, k, x, singles, alone)
		}
		for name, k := range map[string]*op2.Kernel{"Go": op2.Kernels(formsSource).Func(formsOfDoubles), "C": inC("double", "")} {
			packs := compiled(op2.On, k, false, false)
			compare(t, fmt.Sprint(c, " ", name+" alone"), compiled(op2.On, k, false, true), packs, 0)
			compare(t, fmt.Sprint(c, " ", name), packs, inGo, 1e-12)
		}
		k := inC("float", "f")
		packs := compiled(op2.On, k, true, false)
		compare(t, fmt.Sprint(c, " ", "float alone"), compiled(op2.On, k, true, true), packs, 0)
		compare(t, fmt.Sprint(c, " ", "float"), packs, compiled(op2.Off, k, true, false), 1e-6)
	}
}

// formsIn returns the values of a kernel on doubles or on singles, for elements in packs or each alone.
func formsIn(t *testing.T, backend string, o []op2.Option, kernel *op2.Kernel, x []float64, singles, alone bool) []float64 {
	t.Helper()
	rt := optest.OpenBackend(t, backend, o...)
	set := optest.NewSet(t, rt, len(x)/2, "set")
	var over []op2.IterationSet
	if !alone {
		over = append(over, set)
	} else {
		var even, odd []int
		for e := range len(x) / 2 {
			if e%2 == 0 {
				even = append(even, e)
			} else {
				odd = append(odd, e)
			}
		}
		over = append(over, op2.NewSubset(set, even, "even"), op2.NewSubset(set, odd, "odd"))
	}
	if !singles {
		dx, dy := optest.NewDat(t, set, 2, x, "x"), optest.NewDat[float64](t, set, 20, nil, "y")
		for _, o := range over {
			optest.Run(t, kernel, o, dx.Read(), dy.Write())
		}
		return optest.Must(dy.DataRO())
	}
	narrow := make([]float32, len(x))
	for i, v := range x {
		narrow[i] = float32(v)
	}
	dx, dy := optest.NewDat(t, set, 2, narrow, "x"), optest.NewDat[float32](t, set, 20, nil, "y")
	for _, o := range over {
		optest.Run(t, kernel, o, dx.Read(), dy.Write())
	}
	var wide []float64
	for _, v := range optest.Must(dy.DataRO()) {
		wide = append(wide, float64(v))
	}
	return wide
}
