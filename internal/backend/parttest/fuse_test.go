package parttest

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/fuse/fusetest"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/plan"
)

// uncontracted compiles such that products and sums are rounded separately.
const uncontracted = "-ffp-contract=off"

// fusedForms are the backends that run fused loops. With exact, they have the bits of the loops one
// after the other.
var fusedForms = []struct {
	name   string
	driver backend.Driver
	config backend.Config
	exact  bool
}{
	{"gcc", host.Sequential, backend.Config{Choices: choice.Choices{Compiler: "gcc", HostFlags: uncontracted}}, true},
	{"gcc, contracted", host.Sequential, backend.Config{Choices: choice.Choices{Compiler: "gcc"}}, false},
	{"clang", host.Sequential, backend.Config{Choices: choice.Choices{Compiler: "clang"}}, true},
	{"openmp", host.Threads, backend.Config{Threads: 3, Choices: choice.Choices{HostFlags: uncontracted}}, true},
	{"opencl", opencl.Driver, backend.Config{}, false},
	{"standin", gputest.StandinDriver, backend.Config{}, false},
}

// fusedWorld is a fusetest.World with values, on a backend.
type fusedWorld struct {
	t       testing.TB
	backend backend.Backend
	*fusetest.World
	values  [][]float64
	targets []int32
	consts  map[string]unsafe.Pointer
	mirrors []*device.Mirror // by data
}

func newFusedWorld(t testing.TB, b backend.Backend, w *fusetest.World, consts map[string]unsafe.Pointer) *fusedWorld {
	f := &fusedWorld{t: t, backend: b, World: w, consts: consts}
	f.values, f.targets = w.Values()
	if d, ok := b.(backend.DeviceBackend); ok {
		for i := range f.values {
			at := unsafe.Pointer(&f.values[i][0])
			f.mirrors = append(f.mirrors, device.NewMirror(d.Device(), device.Shape{Elements: w.Count(i), Dim: w.Dims[i], Size: 8},
				func() unsafe.Pointer { return at }, true, &device.Transfers{}))
		}
	}
	return f
}

// prepare prepares a loop with some of the data.
func (f *fusedWorld) prepare(l *loop.Loop, k *kernel.Kernel, data []int) backend.Runner {
	m := backend.Memory{Last: f.Elements, SetSize: f.Elements, Maps: []unsafe.Pointer{unsafe.Pointer(&f.targets[0])},
		ReportTime: func(time.Duration) {}, ReportHow: func(string, string) {}}
	for _, d := range data {
		m.Data, m.Elements = append(m.Data, unsafe.Pointer(&f.values[d][0])), append(m.Elements, f.Count(d))
		if f.mirrors != nil {
			m.Mirrors = append(m.Mirrors, f.mirrors[d])
		}
	}
	for _, c := range k.Consts {
		m.Consts = append(m.Consts, f.consts[c.Name])
	}
	m.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
		in := &plan.Input{Last: f.Elements, BlockSize: r.BlockSize, Boundaries: r.Boundaries, ElementColors: r.ElementColors, Data: make([]plan.Data, len(data))}
		if len(l.Maps) > 0 {
			in.Maps = []plan.Map{{Arity: 4, Targets: f.Nodes, Values: f.targets}}
		}
		for _, a := range l.Args {
			if a.Indirect() {
				d := &in.Data[a.Data]
				d.Refs, d.Stage, d.Collides = append(d.Refs, plan.Ref{Map: 0, Component: a.Component}), r.Stage, a.Access != loop.Read
			}
		}
		p, err := plan.Build(in)
		return p, in, err
	}
	run, err := f.backend.Prepare(backend.Spec{Loop: l, Kernel: k}, m)
	if err != nil {
		f.t.Fatal(err)
	}
	return run
}

// run runs loops one after the other.
func (f *fusedWorld) run(list ...backend.Runner) {
	f.t.Helper()
	for _, r := range list {
		if err := r.Ready(); err != nil {
			f.t.Fatal(err)
		}
		if err := r.Run(); err != nil {
			f.t.Fatal(err)
		}
	}
	for _, m := range f.mirrors {
		if err := m.Host(false); err != nil {
			f.t.Fatal(err)
		}
	}
}

// both prepares loops one by one, in one world, and fused, in another.
func both(t testing.TB, b backend.Backend, w *fusetest.World, parts []fuse.Part, fused *fuse.Fused, consts map[string]unsafe.Pointer) (apart, together *fusedWorld, loops []backend.Runner, one backend.Runner) {
	apart, together = newFusedWorld(t, b, w, consts), newFusedWorld(t, b, w, consts)
	for _, p := range parts {
		loops = append(loops, apart.prepare(p.Loop, p.Kernel, p.Data))
	}
	var data []int
	for _, o := range fused.Data {
		data = append(data, parts[o.Part].Data[o.Index])
	}
	return apart, together, loops, together.prepare(fused.Loop, fused.Kernel, data)
}

// Fused loops leave what the loops leave one after the other. OP2_FUSED is the number of random ones.
func TestFused(t *testing.T) {
	consts := map[string]unsafe.Pointer{"gam": unsafe.Pointer(&fusetest.Gam)}
	seeds, _ := strconv.Atoi(os.Getenv("OP2_FUSED"))
	for _, test := range fusedForms {
		t.Run(test.name, func(t *testing.T) {
			if missing := test.driver.Probe(test.config).Missing; len(missing) > 0 {
				optest.Require(t, test.driver.Name, fmt.Sprint(missing))
			}
			test.config.CacheDir = os.Getenv("OP2_CACHE_DIR")
			b, err := test.driver.Open(test.config)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			ran := 0
			for seed := uint64(0); ran < max(seeds, 2); seed++ {
				parts, source := fusetest.Random(t, seed)
				f, err := fuse.Fuse(parts, nil)
				if err != nil || f.Suits(parts, codegen.Options{}) != nil {
					continue
				}
				ran++
				apart, together, loops, one := both(t, b, &fusetest.RandomWorld, parts, f, consts)
				apart.run(loops...)
				together.run(one)
				for d := range apart.values {
					tolerance := rounding
					if test.exact && !(f.Reordered && d == fusetest.RandomWorld.OnNodes+1) {
						tolerance = 0
					}
					if !same(apart.values[d], together.values[d], tolerance) {
						t.Errorf("seed %d: data %d differs\n%s", seed, d, source)
					}
				}
			}
		})
	}
}

// What one kernel leaves for the next is rounded, and nothing of what one computes is used by the
// next: no product of the first is fused with a sum of the second, nor spared.
func TestFusedRounds(t *testing.T) {
	w := &fusetest.World{Elements: 301, Nodes: 1, Dims: []int{4, 4, 1, 4}, OnNodes: 4, Global: 4}
	source := `
func multiply(x, y *[4]float64, z *float64) {
	for i := range x {
		y[i] = x[i] * *z
	}
}
func add(x, y *[4]float64, z *float64, sum *[4]float64) {
	for i := range x {
		sum[i] += y[i] + x[i]
	}
	sum[0] = sum[0] / *z
}
func both(x, y *[4]float64, z *float64, sum *[4]float64) {
	for i := range x {
		sum[i] = x[i]**z + sum[i]
	}
	sum[1] = sum[1] / y[1]
}`
	const r = loop.Read
	first := w.Part(fusetest.Kernel(t, source, "multiply"), fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: loop.Write}, fusetest.Arg{Data: 2, Access: r})
	for _, compiler := range []string{"gcc", "clang"} {
		b, err := host.Sequential.Open(backend.Config{Choices: choice.Choices{Compiler: compiler}, CacheDir: os.Getenv("OP2_CACHE_DIR")})
		if err != nil {
			optest.Require(t, compiler, err.Error())
		}
		defer b.Close()
		for _, name := range []string{"add", "both"} {
			second := w.Part(fusetest.Kernel(t, source, name), fusetest.Arg{Data: 0, Access: r}, fusetest.Arg{Data: 1, Access: r}, fusetest.Arg{Data: 2, Access: r}, fusetest.Arg{Data: 3, Access: loop.RW})
			parts := []fuse.Part{first, second}
			f, err := fuse.Fuse(parts, func(data int) bool { return data == 1 })
			if err != nil {
				t.Fatal(err)
			}
			apart, together, loops, one := both(t, b, w, parts, f, nil)
			apart.run(loops...)
			together.run(one)
			for d := range apart.values {
				if d != 1 && !same(apart.values[d], together.values[d], 0) {
					t.Errorf("%s, %s: data %d differs", compiler, name, d)
				}
			}
		}
	}
}
