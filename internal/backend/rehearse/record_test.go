package rehearse_test

import (
	_ "embed"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/solver"
	"github.com/go-op2/op2/translated"
)

//go:embed record_test.go
var source string

func TestMain(m *testing.M) { optest.Main(m) }

func spread(w *float64, a, b *[2]float64, most *float64) {
	a[0] += *w
	b[1] += *w / 2
	*most = max(*most, *w)
}

func stiffness(k *[2][2]float64) {
	*k = [2][2]float64{{2, -1}, {-1, 2}}
}

func square(x *[2]float64, y *float64) { *y = x[0] * x[1] }

func cube(x *[2]float64, y *float64) { *y = x[0] * x[1] * x[1] }

// program does what programs do: loops of several kinds, a matrix with conditions, a solver and arithmetic. It returns
// results.
func program(t *testing.T, rt *op2.Runtime) []float64 {
	t.Helper()
	kernels := op2.Kernels(source)
	const n = 40
	nodes, edges := rt.NewSet(n, "nodes"), rt.NewSet(n-1, "edges")
	var ends []int32
	w := make([]float64, n-1)
	for e := range int32(n - 1) {
		ends, w[e] = append(ends, e, e+1), float64(e%7)
	}
	line := op2.NewMap(edges, nodes, 2, ends, "line")
	weights, sums := op2.NewDat(edges, 1, w, "weights"), op2.NewDat[float64](nodes, 2, nil, "sums")
	b, x := op2.NewDat[float64](nodes, 1, nil, "b"), op2.NewDat[float64](nodes, 1, nil, "x")
	most := op2.NewGlobal(rt, []float64{0}, "most")
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: line, Cols: line}}, 1, 1, "pattern"), "a")
	optest.OK(t, errors.Join(
		op2.ParLoop(kernels.Func(spread), edges, weights.Read(), sums.Inc(line.At(0)), sums.Inc(line.At(1)), most.Max()),
		op2.ParLoop(kernels.Func(square), nodes, sums.Read(), b.Write()),
		op2.ParLoop(kernels.Func(stiffness), edges, a.Inc(line, line)),
		op2.NewDirichlet(op2.Fix(op2.NewSubset(nodes, []int{0, n - 1}, "ends"), 1.0)).Apply(a, b),
		b.Scale(0.5),
	))
	if _, err := solver.New(a, solver.WithRTol(1e-12)).Solve(x, b); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(optest.Must(x.DataRO()), optest.Must(sums.DataRO()), optest.Must(most.DataRO()))
}

func open(t *testing.T, options ...op2.Option) *op2.Runtime {
	t.Helper()
	rt, err := op2.Open(options...)
	optest.OK(t, err)
	t.Cleanup(func() { rt.Close() })
	return rt
}

// What is recorded on the host is all that a device compiles.
func TestRecord(t *testing.T) {
	want := program(t, open(t, op2.WithBackend("go")))
	for _, test := range []struct {
		device, backend string
		gpu             bool // the processor claims to be a GPU
	}{{"cuda", gputest.Standin, false}, {"opencl-cpu", "opencl", false}, {"opencl", "opencl", true}} {
		t.Run(test.device, func(t *testing.T) {
			dir := t.TempDir()
			optest.RequireCompiler(t)
			optest.OK(t, unit.RequestPrograms(dir, test.device))
			t.Setenv(unit.Variable, dir)
			near(t, program(t, open(t)), want)
			programs := optest.Must(unit.Read(dir))
			if programs[0].Device == "" {
				t.Errorf("code of the host was recorded, too: %v", programs[0])
			}
			if !slices.ContainsFunc(programs, func(p *unit.Unit) bool {
				return p.Name == "spread" && p.About == "spread" && p.Hash != "" && strings.HasPrefix(p.At, "github.com/go-op2/op2/internal/backend/rehearse_test/record_test.go:")
			}) {
				t.Errorf("there is no program for spread, with its place, in %+v", programs)
			}
			os.Unsetenv(unit.Variable)

			gputest.Require(t, test.backend)
			if test.gpu {
				gputest.Watch(t, test.backend, standin.Limits{}).Change = func(i *device.Info) { i.CPU = false }
			}
			for _, p := range programs {
				translated.RegisterPrograms("recorded", translated.Program{Name: p.Name, Device: p.Device, Key: p.Key})
			}
			t.Setenv("OP2_REQUIRE", "translated")
			rt := open(t, op2.WithBackend(test.backend), op2.WithLog(nil))
			near(t, program(t, rt), want)
			nodes := rt.NewSet(3, "nodes")
			x, y := op2.NewDat[float64](nodes, 2, nil, "x"), op2.NewDat[float64](nodes, 1, nil, "y")
			err := op2.ParLoop(op2.Kernels(source).Func(cube), nodes, x.Read(), y.Write())
			if err == nil || !strings.Contains(err.Error(), "cube is not translated as it is now, in recorded\n  hint: run go generate") {
				t.Errorf("what was not recorded runs: %v", err)
			}
		})
	}
}

func near(t *testing.T, got, want []float64) {
	t.Helper()
	for i, v := range want {
		if d := got[i] - v; d > 1e-9 || d < -1e-9 {
			t.Fatalf("value %d is %v, want %v", i, got[i], v)
		}
	}
}
