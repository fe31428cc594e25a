package libm_test

import (
	"bufio"
	"debug/elf"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/libm"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/optest"
)

var flags = []string{"-O2", "-ffreestanding", "-fno-builtin", "-fno-math-errno", "-fno-trapping-math"}

var one = []string{"acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
	"lgamma", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh", "tgamma",
	"ceil", "fabs", "floor", "logb", "rint", "round", "sqrt", "trunc"}
var two = []string{"atan2", "hypot", "pow", "copysign", "fdim", "fmax", "fmin", "fmod", "nextafter", "remainder"}

// inGo are the same functions in Go.
var inGo = map[string]any{
	"acos": math.Acos, "acosh": math.Acosh, "asin": math.Asin, "asinh": math.Asinh, "atan": math.Atan, "atanh": math.Atanh, "cbrt": math.Cbrt,
	"cos": math.Cos, "cosh": math.Cosh, "erf": math.Erf, "erfc": math.Erfc, "exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1,
	"lgamma": func(x float64) float64 { v, _ := math.Lgamma(x); return v }, "log": math.Log, "log10": math.Log10, "log1p": math.Log1p, "log2": math.Log2,
	"sin": math.Sin, "sinh": math.Sinh, "tan": math.Tan, "tanh": math.Tanh, "tgamma": math.Gamma,
	"ceil": math.Ceil, "fabs": math.Abs, "floor": math.Floor, "logb": math.Logb, "rint": math.RoundToEven, "round": math.Round, "sqrt": math.Sqrt, "trunc": math.Trunc,
	"atan2": math.Atan2, "hypot": math.Hypot, "pow": math.Pow, "copysign": math.Copysign,
	"fmod": math.Mod, "nextafter": math.Nextafter, "remainder": math.Remainder,
}

// library is the compiled Source, with functions that apply its own to arrays.
var library = sync.OnceValues(func() (*jit.Instance, error) {
	compiler, err := jit.New(jit.Config{CC: os.Getenv("OP2_CC"), CacheDir: os.Getenv("OP2_CACHE_DIR")})
	if err != nil {
		return nil, err
	}
	text := libm.Source
	loop := func(name, call string) {
		text += fmt.Sprintf("void run_%s(const double *x, const double *y, double *r, int64_t n) { (void)y; for (int64_t i = 0; i < n; i++) r[i] = %s; }\n", name, call)
	}
	for _, f := range one {
		loop(f, f+"(x[i])")
		loop(f+"f", f+"f((float)x[i])")
	}
	for _, f := range two {
		loop(f, f+"(x[i], y[i])")
		loop(f+"f", f+"f((float)x[i], (float)y[i])")
	}
	loop("ldexp", "ldexp(x[i], (int)y[i])")
	return compiler.Start(jit.Unit{Name: "libm", Source: text, Flags: append([]string{"-march=native"}, flags...)}).Acquire()
})

func symbol(t *testing.T, name string) uintptr {
	t.Helper()
	optest.RequireCompiler(t)
	code, err := library()
	if err != nil {
		t.Fatal(err)
	}
	return optest.Must(code.Symbol(name))
}

func run(t *testing.T, name string, x, y []float64) []float64 {
	t.Helper()
	f := symbol(t, "run_"+name)
	if y == nil {
		y = x
	}
	r := make([]float64, len(x))
	native.Call(f, uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0])), uintptr(unsafe.Pointer(&r[0])), uintptr(len(x)))
	runtime.KeepAlive(x)
	runtime.KeepAlive(y)
	return r
}

// values.txt has values of functions, computed with 400 bits: arguments, the nearest float64, and what it is below
// the true value, in units in its last place.
//
//go:embed testdata/values.txt
var values string

func TestValues(t *testing.T) {
	type point struct{ x, y, want, rest float64 }
	points := map[string][]point{}
	for s := bufio.NewScanner(strings.NewReader(values)); s.Scan(); {
		words := strings.Fields(s.Text())
		n := make([]float64, 0, 4)
		for _, w := range words[1:] {
			n = append(n, optest.Must(strconv.ParseFloat(w, 64)))
		}
		p := point{x: n[0], y: n[len(n)-3], want: n[len(n)-2], rest: n[len(n)-1]}
		points[words[0]] = append(points[words[0]], p)
	}
	for name, list := range points {
		x, y := make([]float64, len(list)), make([]float64, len(list))
		for i, p := range list {
			x[i], y[i] = p.x, p.y
		}
		for i, got := range run(t, name, x, y) {
			p := list[i]
			unit := max(math.Nextafter(math.Abs(p.want), math.Inf(1))-math.Abs(p.want), 0x1p-1074)
			if got == p.want || math.Abs((got-p.want)/unit-p.rest) <= 1 {
				continue
			}
			t.Errorf("%s(%v, %v) is %v, want %v: %.3f units in the last place", name, p.x, p.y, got, p.want, (got-p.want)/unit-p.rest)
		}
	}
	if len(points) < 27 {
		t.Errorf("values of %d functions", len(points))
	}
}

var corners = []float64{0, math.Copysign(0, -1), 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1p-300, -0x1p-300, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2, 2.5, 3, -3, 4, -4, 7.5, 10, -11,
	171, 172, -171.5, 700, -700, 710, 720, -750, 1e10, -1e10, 0x1p51 + 0.5, 0x1p52 + 1, 0x1p53 + 2, -0x1p53, 1e300, -1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// At corners the functions agree with Go's, apart from last digits; what is exact has the same bits everywhere.
func TestCorners(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	exact := []string{"ceil", "fabs", "floor", "logb", "rint", "round", "sqrt", "trunc", "copysign", "fmod", "nextafter", "remainder"}
	for name, f := range inGo {
		var x, y []float64
		add := func(a, b float64) { x, y = append(x, a), append(y, b) }
		for _, a := range corners {
			for _, b := range corners {
				add(a, b)
			}
		}
		if slices.Contains(exact, name) {
			for range 20000 {
				add(math.Float64frombits(random.Uint64()), math.Float64frombits(random.Uint64()))
				add(random.NormFloat64()*1e3, random.NormFloat64())
			}
		}
		for i, got := range run(t, name, x, y) {
			var want float64
			switch f := f.(type) {
			case func(float64) float64:
				want = f(x[i])
			case func(x, y float64) float64:
				want = f(x[i], y[i])
			}
			a := math.Abs(want)
			switch {
			case got != got && want != want || got == want && math.Signbit(got) == math.Signbit(want):
			case (name[:2] == "lo" || name == "lgamma") && math.Abs(x[i]) < 0x1p-1022, name == "lgamma" && x[i] < -1e308, name == "atan2" && x[i]/y[i] == 0: // Go's are wrong on some machines
			case name == "nextafter" && x[i] == y[i]: // C's has the sign of y, Go's of x
			case !slices.Contains(exact, name) && got-want <= 1e-13*a+0x1p-1074 && want-got <= 1e-13*a+0x1p-1074 && math.Signbit(got) == math.Signbit(want):
			default:
				t.Errorf("%s(%v, %v) is %v, in Go %v", name, x[i], y[i], got, want)
			}
		}
	}
}

// Functions of floats are those of doubles, rounded.
func TestFloats(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var x, y []float64
	for range 5000 {
		x = append(x, float64(math.Float32frombits(random.Uint32())), float64(float32(random.NormFloat64()*10)))
		y = append(y, float64(math.Float32frombits(random.Uint32())), float64(float32(random.NormFloat64())))
	}
	for _, name := range slices.Concat(one, two) {
		if name == "nextafter" {
			continue
		}
		wide := run(t, name, x, y)
		for i, got := range run(t, name+"f", x, y) {
			if want := float64(float32(wide[i])); got != want && (got == got || want == want) {
				t.Errorf("%sf(%v, %v) is %v, want %v", name, x[i], y[i], got, want)
			}
		}
	}
	for i, got := range run(t, "nextafterf", x, y) {
		if want := float64(math.Nextafter32(float32(x[i]), float32(y[i]))); got != want && (got == got || want == want) {
			t.Errorf("nextafterf(%v, %v) is %v, want %v", x[i], y[i], got, want)
		}
	}
}

func TestScaling(t *testing.T) {
	var x, y []float64
	for _, a := range corners {
		for n := -2200; n < 2200; n += 7 {
			x, y = append(x, a), append(y, float64(n))
		}
	}
	for i, got := range run(t, "ldexp", x, y) {
		if want := math.Ldexp(x[i], int(y[i])); got != want && got == got {
			t.Errorf("ldexp(%v, %v) is %v, want %v", x[i], y[i], got, want)
		}
	}
}

func TestMemory(t *testing.T) {
	for n := range 300 {
		for _, to := range []int{0, 3, 8, 50, 350} {
			b := make([]byte, 700)
			for i := range b {
				b[i] = byte(i)
			}
			want := slices.Clone(b)
			copy(want[to:], want[5:5+n])
			native.Call(symbol(t, "memmove"), uintptr(unsafe.Pointer(&b[to])), uintptr(unsafe.Pointer(&b[5])), uintptr(n))
			if !slices.Equal(b, want) {
				t.Fatalf("memmove of %d bytes by %d leaves %v, want %v", n, to-5, b, want)
			}
			native.Call(symbol(t, "memset"), uintptr(unsafe.Pointer(&b[to])), 0xa5, uintptr(n))
			for i := range n {
				want[to+i] = 0xa5
			}
			if !slices.Equal(b, want) {
				t.Fatalf("memset of %d bytes leaves %v, want %v", n, b, want)
			}
		}
	}
}

// The library needs no other one, holds no writable data, and defines what Names lists.
func TestAlone(t *testing.T) {
	for _, c := range []struct{ compiler, target string }{
		{"gcc", "-march=x86-64-v3"}, {"gcc", "-march=x86-64-v4"}, {"clang", "-march=x86-64-v3"}, {"clang", "--target=aarch64-linux-gnu"},
	} {
		if _, err := exec.LookPath(c.compiler); err != nil || runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
			t.Logf("no %s for %s", c.compiler, c.target)
			continue
		}
		dir := t.TempDir()
		source, object := filepath.Join(dir, "libm.c"), filepath.Join(dir, "libm.o")
		if err := os.WriteFile(source, []byte(libm.Source), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(c.compiler, append(flags, "-Wall", "-Wextra", "-Werror", c.target, "-c", "-o", object, source)...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", c.compiler, c.target, err, out)
		}
		file := optest.Must(elf.Open(object))
		defer file.Close()
		var names []string
		for _, s := range optest.Must(file.Symbols()) {
			if s.Section == elf.SHN_UNDEF {
				t.Errorf("%s %s: %s is not defined", c.compiler, c.target, s.Name)
			} else if elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
				names = append(names, s.Name)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, libm.Names) {
			t.Errorf("%s %s defines %v, want %v", c.compiler, c.target, names, libm.Names)
		}
		for _, s := range file.Sections {
			if s.Flags&elf.SHF_WRITE != 0 && s.Size > 0 {
				t.Errorf("%s %s: %d bytes of writable data in %s", c.compiler, c.target, s.Size, s.Name)
			}
		}
	}
}
