package parttest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

//go:embed kernels_test.go
var source string

// forms are the ways to run loops. With exact, sums have the bits of Run.
var forms = []struct {
	driver   backend.Driver
	strategy tune.Strategy
	exact    bool
}{
	{gofunc.Driver, tune.Auto, true},
	{host.Sequential, tune.Auto, false},
	{host.Threads, tune.Auto, true},
	{onGoroutines, tune.Auto, true},
	{opencl.Driver, tune.Blocks, true},
	{opencl.Driver, tune.Staged, true},
	{opencl.Driver, tune.Atomic, false},
	{opencl.Driver, tune.GlobalColor, false},
	{gputest.StandinDriver, tune.Staged, true},
	{gputest.StandinDriver, tune.Atomic, false},
	{gputest.StandinDriver, tune.GlobalColor, false},
}

// The edges of the mesh: those that need no halo, those that are owned, and those that also run for
// what they contribute to owned nodes.
const core, owned, edges, nodes = 517, 700, 800, 400

var boundaries = []int{100, core, owned}

// values is the data of the loop, in the order of its parameters without the first.
type values struct {
	x, u, y, res, sum []float64
	low               []float32
	high              []int32
}

func newValues() *values {
	r := rand.New(rand.NewPCG(5, 6))
	// As in a runtime, memory goes on after the last value: the race detector also checks the address
	// behind it, which go's moves compute.
	v := &values{make([]float64, edges+1)[:edges], make([]float64, nodes+1)[:nodes], make([]float64, edges+1)[:edges], make([]float64, nodes+1)[:nodes],
		[]float64{0.1, -3.3, 0}[:2], []float32{-0.5, 0}[:1], []int32{3, 0}[:1]}
	for _, some := range [][]float64{v.x, v.u, v.y, v.res} {
		for i := range some {
			some[i] = r.Float64()
		}
	}
	return v
}

func (v *values) addresses() []unsafe.Pointer {
	return []unsafe.Pointer{unsafe.Pointer(&v.x[0]), unsafe.Pointer(&v.u[0]), unsafe.Pointer(&v.y[0]), unsafe.Pointer(&v.res[0]),
		unsafe.Pointer(&v.sum[0]), unsafe.Pointer(&v.low[0]), unsafe.Pointer(&v.high[0])}
}

// same reports whether values are bitwise the same, or with some tolerance nearly the same.
func same(a, b []float64, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.Abs(x-y) < tolerance*(1+math.Abs(x))
	})
}

const rounding = 1e-12 // of sums in another order

// call is a prepared loop with its data.
type call struct {
	t *testing.T
	backend.Runner
	values
	mirrors []*device.Mirror
}

// bring makes the results valid on the host.
func (c *call) bring() *call {
	for _, m := range c.mirrors {
		c.must(m.Host(false))
	}
	return c
}

func (c *call) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// parts runs some parts, and what comes between Begin and them.
func (c *call) parts(consts []unsafe.Pointer, between func(), parts ...backend.Part) *call {
	c.t.Helper()
	c.must(c.Begin(consts))
	between()
	for _, p := range parts {
		c.must(c.RunPart(p))
	}
	return c
}

func (c *call) finish() *call {
	c.t.Helper()
	c.must(c.Finish())
	return c.bring()
}

func nothing() {}

// form is an open backend.
type form struct {
	t       *testing.T
	backend backend.Backend
	spec    backend.Spec
	targets []int32
	took    func(time.Duration) // is called with times; nil: nothing is
}

// fluxSpec returns the loop flux from its source.
func fluxSpec(t *testing.T, source string) backend.Spec {
	k, err := fromgo.Parse(source).Kernel("flux", "kernels_test.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
	function := any(flux)
	l := &loop.Loop{
		Kernel: "flux",
		Args: []loop.Arg{{Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct, ColMap: loop.Direct},
			dat(0, loop.Read, loop.Direct), dat(1, loop.Read, 0), dat(2, loop.Write, loop.Direct), dat(3, loop.Inc, 0),
			global(4, loop.Inc), global(5, loop.Min), global(6, loop.Max)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1},
			{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 2}, {Kind: loop.Global, Type: loop.Float32, Dim: 1},
			{Kind: loop.Global, Type: loop.Int32, Dim: 1}},
		Maps: []loop.Map{{Arity: 2}},
	}
	return backend.Spec{Loop: l, Kernel: k, Func: (*[2]unsafe.Pointer)(unsafe.Pointer(&function))[1]}
}

func dat(data int, a loop.Access, m int) loop.Arg {
	return loop.Arg{Kind: loop.Dat, Access: a, Data: data, Map: m, Component: loop.All, ColMap: loop.Direct}
}

func global(data int, a loop.Access) loop.Arg {
	return loop.Arg{Kind: loop.Global, Access: a, Data: data, Map: loop.Direct, ColMap: loop.Direct}
}

// onGoroutines is the backend translated, which compiles here what it runs.
var onGoroutines = func() backend.Driver {
	d := host.Translated
	d.Probe = host.Threads.Probe
	d.Open = func(c backend.Config) (backend.Backend, error) {
		c.Translate = os.Getenv("OP2_CACHE_DIR") // which it must have to begin without code
		return host.Translated.Open(c)
	}
	return d
}()

func newForm(t *testing.T, d backend.Driver, strategy tune.Strategy, f *stop.Flag) *form {
	if missing := d.Probe(backend.Config{}).Missing; len(missing) > 0 {
		optest.Require(t, d.Name, fmt.Sprint(missing))
	}
	b, err := d.Open(backend.Config{Threads: 3, CacheDir: os.Getenv("OP2_CACHE_DIR"), Stop: f})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	spec := fluxSpec(t, source)
	spec.Chosen = choice.Choices{Strategy: strategy, Block: 32}.By(choice.User)
	r := rand.New(rand.NewPCG(3, 4))
	targets := make([]int32, 2*edges)
	for i := range targets {
		targets[i] = int32(r.IntN(nodes))
	}
	return &form{t: t, backend: b, spec: spec, targets: targets}
}

// prepare prepares the loop over the first elements, with data of its own.
func (f *form) prepare(last int) *call {
	f.t.Helper()
	return f.on(newValues(), nil, last)
}

// on prepares the loop over the first elements, with values that may have mirrors.
func (f *form) on(v *values, mirrors []*device.Mirror, last int) *call {
	f.t.Helper()
	c := &call{t: f.t, values: *v, mirrors: mirrors}
	m := backend.Memory{
		Last: last, SetSize: edges, Data: c.addresses(), Elements: []int{edges, nodes, edges, nodes, 1, 1, 1},
		Maps: []unsafe.Pointer{unsafe.Pointer(&f.targets[0])}, ReportTime: f.report, ReportHow: func(string, string) {},
		Consts: make([]unsafe.Pointer, len(f.spec.Kernel.Consts)),
	}
	for _, b := range boundaries {
		if b <= last {
			m.Boundaries = append(m.Boundaries, b)
		}
	}
	for i, k := range f.spec.Kernel.Consts {
		m.Consts[i] = map[string]unsafe.Pointer{"scale": unsafe.Pointer(&scale), "shift": unsafe.Pointer(&shift)}[k.Name]
	}
	m.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		refs := []plan.Ref{{Map: 0, Component: plan.All}}
		in := &plan.Input{Last: last, Boundaries: r.Boundaries, ElementColors: r.ElementColors,
			Maps: []plan.Map{{Arity: 2, Targets: nodes, Values: f.targets}}, Data: make([]plan.Data, len(m.Data))}
		in.Data[1] = plan.Data{Refs: refs, Stage: r.Stage}
		in.Data[3] = plan.Data{Refs: refs, Stage: r.Stage, Collides: true}
		if err := r.SetSize(in); err != nil {
			return nil, nil, err
		}
		p, err := plan.Build(in)
		return p, in, err
	}
	if b, ok := f.backend.(backend.DeviceBackend); ok {
		for i, at := range m.Data {
			if mirrors != nil {
				break
			}
			d := f.spec.Loop.Data[i]
			shape := device.Shape{Elements: m.Elements[i], Dim: d.Dim, Size: d.Type.Size()}
			c.mirrors = append(c.mirrors, device.NewMirror(b.Device(), shape, func() unsafe.Pointer { return at }, true, &device.Transfers{}))
		}
		m.Mirrors = c.mirrors
	}
	var err error
	c.Runner, err = f.backend.Prepare(f.spec, m)
	c.must(err)
	c.must(c.Ready())
	return c
}

func (f *form) report(d time.Duration) {
	if f.took != nil {
		f.took(d)
	}
}

// run runs the loop over the first elements at once.
func (f *form) run(last int) *call {
	f.t.Helper()
	c := f.prepare(last)
	c.must(c.Run())
	return c.bring()
}

func part(first, last int) backend.Part { return backend.Part{First: first, Last: last, Reduce: true} }

// A call in parts does what Run does, with the bits that Parts promises.
func TestParts(t *testing.T) {
	for _, test := range forms {
		t.Run(fmt.Sprint(test.driver.Name, "/", test.strategy), func(t *testing.T) {
			f := newForm(t, test.driver, test.strategy, nil)
			whole := f.run(owned)
			tolerance := rounding
			if test.exact {
				tolerance = 0
			}
			check := func(name string, got *call, res []float64) {
				t.Helper()
				if !same(got.y[:owned], whole.y[:owned], 0) || got.low[0] != whole.low[0] || got.high[0] != whole.high[0] {
					t.Errorf("%s: values of one element, a minimum or a maximum differ", name)
				}
				if !same(got.sum, whole.sum, tolerance) {
					t.Errorf("%s: sums %v, want %v", name, got.sum, whole.sum)
				}
				if !same(got.res, res, rounding) {
					t.Errorf("%s: increments differ", name)
				}
			}
			for _, order := range [][]backend.Part{
				{part(0, owned)},
				{part(0, core), part(core, owned)},
				{part(core, owned), part(100, 100), part(100, core), part(0, 100)},
			} {
				check(fmt.Sprint(order), f.prepare(owned).parts(nil, nothing, order...).finish(), whole.res)
			}

			// What the halo's elements contribute is not counted, wherever they come.
			all := f.run(edges)
			halo := backend.Part{First: owned, Last: edges}
			for _, order := range [][]backend.Part{
				{part(0, core), part(core, owned), halo}, {halo, part(0, owned)}, {part(0, core), halo, part(core, owned)},
			} {
				got := f.prepare(edges).parts(nil, nothing, order...).finish()
				check(fmt.Sprint(order), got, all.res)
				if !same(got.y, all.y, 0) {
					t.Errorf("%v: the halo's values differ", order)
				}
			}

			// Values of elements that no part has stay as they are.
			if got := f.prepare(edges).parts(nil, nothing, part(0, core)).finish(); !same(got.y, slices.Concat(whole.y[:core], newValues().y[core:]), 0) {
				t.Error("a part writes values of other elements")
			}

			// A call leaves nothing to the next one, of either kind.
			again := f.prepare(owned)
			for range 2 {
				again.parts(nil, nothing, part(0, core), part(core, owned)).finish()
				again.must(again.Run())
			}
			want := f.prepare(owned)
			for range 4 {
				want.must(want.Run())
			}
			if again.bring(); !same(again.sum, want.bring().sum, tolerance) || !same(again.res, want.res, rounding) {
				t.Errorf("four calls: sums %v, want %v", again.sum, want.sum)
			}
		})
	}
}

// Consts have the values that they had, or were given, when the call began.
func TestConstsOfParts(t *testing.T) {
	for _, test := range forms {
		t.Run(fmt.Sprint(test.driver.Name, "/", test.strategy), func(t *testing.T) {
			f := newForm(t, test.driver, test.strategy, nil)
			before, beforeShift := scale, shift
			defer func() { scale, shift = before, beforeShift }()
			want := f.run(owned)
			change := func() { scale, shift = 5, [2]float64{7, 8} }
			got := f.prepare(owned).parts(nil, change, part(0, core), part(core, owned)).finish()
			if scale != 5 || shift != [2]float64{7, 8} {
				t.Errorf("variables have the values %v, %v", scale, shift)
			}
			if !same(got.y, want.y, 0) {
				t.Error("values change during a call")
			}
			given := make([]unsafe.Pointer, len(f.spec.Kernel.Consts))
			for i, k := range f.spec.Kernel.Consts {
				given[i] = map[string]unsafe.Pointer{"scale": unsafe.Pointer(&before), "shift": unsafe.Pointer(&beforeShift)}[k.Name]
			}
			if got = f.prepare(owned).parts(given, nothing, part(0, core), part(core, owned)).finish(); !same(got.y, want.y, 0) {
				t.Error("values are not those that are given")
			}
			got.must(got.Run())
			if got.bring(); same(got.y, want.y, 0) {
				t.Error("the call after it has old values")
			}
		})
	}
}

// Totals can be combined with those of others before Finish.
func TestTotals(t *testing.T) {
	for _, test := range forms {
		t.Run(fmt.Sprint(test.driver.Name, "/", test.strategy), func(t *testing.T) {
			f := newForm(t, test.driver, test.strategy, nil)
			c := f.prepare(owned)
			before := slices.Clone(c.sum)
			want := f.run(owned)
			c.parts(nil, nothing, part(0, core), part(core, owned))
			totals, err := c.Combine()
			c.must(err)
			if len(totals) != 3 {
				t.Fatalf("%d totals", len(totals))
			}
			sum := unsafe.Slice((*float64)(totals[0]), 2)
			for i := range sum {
				if math.Abs(before[i]+sum[i]-want.sum[i]) > 1e-9 {
					t.Errorf("the total is %v, want %v", sum[i], want.sum[i]-before[i])
				}
				sum[i] = float64(10 + i)
			}
			*(*float32)(totals[1]), *(*int32)(totals[2]) = -1000, 1000
			if c.finish(); c.sum[0] != before[0]+10 || c.sum[1] != before[1]+11 || c.low[0] != -1000 || c.high[0] != 1000 {
				t.Errorf("globals are %v, %v, %v", c.sum, c.low, c.high)
			}
		})
	}
}

// Parts that straddle a boundary are refused, and none runs once the context has ended.
func TestPartsThatFail(t *testing.T) {
	for _, test := range forms {
		t.Run(fmt.Sprint(test.driver.Name, "/", test.strategy), func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			flag := stop.New(ctx)
			defer flag.Release()
			f := newForm(t, test.driver, test.strategy, flag)
			c := f.prepare(owned)
			c.must(c.Begin(nil))
			for _, wrong := range []backend.Part{part(0, 3), part(3, 100), part(core, 100), part(0, edges)} {
				want := fmt.Sprintf("[%d, %d) is no part of the elements [0, 700) with boundaries [100 517 700]", wrong.First, wrong.Last)
				if err := c.RunPart(wrong); err == nil || err.Error() != want {
					t.Errorf("got %v, want %s", err, want)
				}
			}
			c.must(c.RunPart(part(0, 100)))
			cancel()
			for flag.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if err := c.RunPart(part(100, core)); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if before := newValues(); !slices.Equal(c.bring().sum, before.sum) || c.low[0] != before.low[0] {
				t.Errorf("a call that ended early left %v, %v", c.sum, c.low)
			}
		})
	}
}

func TestMain(m *testing.M) { optest.Main(m) }
