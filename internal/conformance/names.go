package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/codegen/clash"
	"github.com/go-op2/op2/internal/optest"
)

// conformNames runs kernels and reads consts whose names are those that generated code and OpenCL C
// use.
func conformNames(t *testing.T, open optest.Opener) {
	check := func(rt *op2.Runtime, k *op2.Kernel, adds float64) {
		t.Helper()
		const edges, nodes = 300, 20
		mesh := optest.NewTopology(edges, nodes)
		set, to := optest.NewSet(t, rt, edges, "edges"), optest.NewSet(t, rt, nodes, "nodes")
		values, in := mesh.Anywhere(1), optest.Some[float64](mesh.Random, edges)
		m, sum := optest.NewMap(t, set, to, 1, values, "m"), optest.NewGlobal(t, rt, "sum", 0.0)
		x, y := optest.NewDat(t, set, 1, in, "x"), optest.NewDat[float64](t, to, 1, nil, "y")
		optest.Run(t, k, set, x.Read(), y.Inc(m.At(0)), sum.Inc())
		want, total := make([]float64, nodes), 0.0
		for e, v := range in {
			want[values[e]] += v + adds
			total += v + adds
		}
		optest.Expect(t, y, want)
		optest.Expect(t, sum, []float64{total})
	}
	rt := open(t)
	optest.NewConsts(t, rt, clash.Ints)
	optest.NewConsts(t, rt, clash.Floats)
	optest.NewConsts(t, rt, clash.Arrays)
	optest.NewConsts(t, rt, clash.Bytes)
	source := op2.Kernels(clash.Source)
	for _, k := range clash.Kernels {
		check(rt, source.Func(k.Func), k.Adds)
	}
	names := strings.Fields("order block color team args run runs end last aligned float4 int2 as_float FLT_MAX")
	adds, ints, floats := 0.0, map[string]*int{}, map[string]*float64{}
	for i, name := range names {
		n, x := i+1, float64(i+1)
		ints[name], floats[name] = &n, &x
		adds += x
	}
	const text = "void %s(double *x, double *y, double *sum) { double v = *x + %s; *y += v; *sum += v; }"
	task := ckernel.New("task", fmt.Sprintf(text, "task", strings.Join(names, " + ")))
	rt = open(t)
	optest.NewConsts(t, rt, ints)
	check(rt, task, adds)
	rt = open(t)
	optest.NewConsts(t, rt, floats)
	check(rt, task, adds)
	for _, name := range []string{"aligned", "job"} {
		check(rt, ckernel.New(name, fmt.Sprintf(text, name, "1")), 1)
	}
}
