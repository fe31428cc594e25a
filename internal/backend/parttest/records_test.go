package parttest

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

//go:embed records_kernels_test.go
var recordSource string

// recordValues is the data of the loop record, in the order of its parameters without the first.
type recordValues struct {
	x       []float64
	at, own []near
	sum     []near
	res     []near
	best    []near
	all     [][2]near
	product []spin
	top     []float64
}

func newRecordValues() *recordValues {
	r := rand.New(rand.NewPCG(7, 8))
	v := &recordValues{x: make([]float64, edges+1), at: make([]near, nodes+1), own: make([]near, edges+1), sum: []near{{1, 2, [2]int8{3, 4}}, {}},
		res: make([]near, nodes+1), best: []near{{100, -1, [2]int8{5, 6}}, {}}, all: make([][2]near, nodes+1), product: []spin{{2, 1}, {}},
		top: []float64{20, -1000, 0}}
	for i := range v.x {
		v.x[i] = float64(r.IntN(1000))
	}
	for i := range v.at {
		v.at[i] = near{float64(r.IntN(1000)), int32(i), [2]int8{int8(i), int8(-i)}}
		v.all[i] = [2]near{{400, -1, [2]int8{}}, {50, 3, [2]int8{1, 2}}}
	}
	return v
}

func (v *recordValues) addresses() []unsafe.Pointer {
	return []unsafe.Pointer{unsafe.Pointer(&v.x[0]), unsafe.Pointer(&v.at[0]), unsafe.Pointer(&v.own[0]), unsafe.Pointer(&v.sum[0]), unsafe.Pointer(&v.res[0]),
		unsafe.Pointer(&v.best[0]), unsafe.Pointer(&v.all[0]), unsafe.Pointer(&v.product[0]), unsafe.Pointer(&v.top[0])}
}

// run does what the loop over the first elements should do.
func (v *recordValues) run(targets []int32, last int) {
	identity := near{Distance: math.Inf(1), Cell: math.MaxInt32}
	for n := range last {
		var sum, res near
		best, product := identity, spin{1, 0}
		all := [2][2]near{{identity, identity}, {identity, identity}}
		top := [2]float64{math.Inf(-1), math.Inf(-1)}
		a, b := targets[2*n], targets[2*n+1]
		record(&n, &v.x[n], &[2]near{v.at[a], v.at[b]}, &v.own[n], &sum, &res, &best, &all, &product, &top)
		add := func(to *near, from near) {
			to.Distance += from.Distance
			to.Cell += from.Cell
			to.Flags[0] += from.Flags[0]
			to.Flags[1] += from.Flags[1]
		}
		add(&v.sum[0], sum)
		add(&v.res[b], res)
		closest(&v.best[0], &best)
		for d := range 2 {
			closest(&v.all[a][d], &all[0][d])
			closest(&v.all[b][d], &all[1][d])
			larger(&v.top[d], &top[d])
		}
		times(&v.product[0], &product)
	}
}

func dataOf[T any](kind loop.Kind, n int, soa bool) loop.Data {
	l, err := loop.LayoutOf(reflect.TypeFor[T]())
	if err != nil {
		panic(err)
	}
	scalar, words := l.Carrier()
	d := loop.Data{Kind: kind, Type: scalar, Dim: n * words, SoA: soa, Value: l}
	if l.Scalar != loop.Invalid {
		d.Value = nil
	}
	return d
}

func bytesOf[T any](v T) []byte {
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))...)
}

// entryKernels returns the functions that the function entry of a source calls, as kernels.
func entryKernels(t *testing.T) map[string]*kernel.Kernel {
	list := map[string]*kernel.Kernel{}
	for _, name := range []string{"record", "closest", "times", "larger"} {
		k, err := fromgo.Parse(recordSource).Kernel("entry", "records_kernels_test.go", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range k.Funcs {
			if f.Name == name {
				k.Funcs = []*kernel.Func{f}
				break
			}
		}
		k.Name = name
		kernel.Analyze(k, nil)
		list[name] = k
	}
	return list
}

// recordSpec returns the loop record.
func recordSpec(t *testing.T, soa bool) backend.Spec {
	kernels := entryKernels(t)
	function := any(record)
	dat := func(data int, a loop.Access, m, component int) loop.Arg {
		return loop.Arg{Kind: loop.Dat, Access: a, Data: data, Map: m, Component: component, ColMap: loop.Direct}
	}
	global := func(data int, a loop.Access, op int) loop.Arg {
		return loop.Arg{Kind: loop.Global, Access: a, Data: data, Map: loop.Direct, ColMap: loop.Direct, Op: op}
	}
	newOp := func(apply func(into, from unsafe.Pointer), identity []byte) *loop.Op {
		return &loop.Op{Identity: identity, Apply: apply}
	}
	l := &loop.Loop{
		Kernel: "record",
		Args: []loop.Arg{{Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct, ColMap: loop.Direct},
			dat(0, loop.Read, loop.Direct, 0), dat(1, loop.Read, 0, loop.All), dat(2, loop.Write, loop.Direct, 0), global(3, loop.Inc, 0),
			dat(4, loop.Inc, 0, 1), global(5, loop.Reduce, 0), dat(6, loop.Reduce, 0, loop.All), global(7, loop.Reduce, 1), global(8, loop.Reduce, 2)},
		Data: []loop.Data{dataOf[float64](loop.Dat, 1, false), dataOf[near](loop.Dat, 1, soa), dataOf[near](loop.Dat, 1, soa), dataOf[near](loop.Global, 1, false),
			dataOf[near](loop.Dat, 1, soa), dataOf[near](loop.Global, 1, false), dataOf[near](loop.Dat, 2, soa), dataOf[spin](loop.Global, 1, false),
			dataOf[float64](loop.Global, 2, false)},
		Maps: []loop.Map{{Arity: 2}},
		Ops: []*loop.Op{
			newOp(func(into, from unsafe.Pointer) { closest((*near)(into), (*near)(from)) }, bytesOf(near{Distance: math.Inf(1), Cell: math.MaxInt32})),
			newOp(func(into, from unsafe.Pointer) { times((*spin)(into), (*spin)(from)) }, bytesOf(spin{1, 0})),
			newOp(func(into, from unsafe.Pointer) { larger((*float64)(into), (*float64)(from)) }, bytesOf(math.Inf(-1))),
		},
	}
	return backend.Spec{Loop: l, Kernel: kernels["record"], Ops: []*kernel.Kernel{kernels["closest"], kernels["times"], kernels["larger"]},
		Func: (*[2]unsafe.Pointer)(unsafe.Pointer(&function))[1]}
}

// Records and operations have the same values everywhere, at once and in parts.
func TestRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	targets := make([]int32, 2*edges)
	for i := range targets {
		targets[i] = int32(r.IntN(nodes))
	}
	for _, test := range []struct {
		driver   backend.Driver
		strategy tune.Strategy
		soa      bool
		poison   bool
	}{
		{gofunc.Driver, tune.Auto, false, false},
		{gofunc.Driver, tune.Auto, false, true},
		{host.Sequential, tune.Auto, false, false},
		{host.Sequential, tune.Auto, false, true},
		{host.Threads, tune.Auto, false, false},
		{onGoroutines, tune.Auto, false, false},
		{opencl.Driver, tune.Blocks, false, false},
		{opencl.Driver, tune.Staged, false, true},
		{opencl.Driver, tune.GlobalColor, true, false},
		{gputest.StandinDriver, tune.Staged, true, false},
		{gputest.StandinDriver, tune.GlobalColor, false, true},
	} {
		t.Run(fmt.Sprint(test.driver.Name, "/", test.strategy, "/", test.soa, "/", test.poison), func(t *testing.T) {
			if missing := test.driver.Probe(backend.Config{}).Missing; len(missing) > 0 {
				optest.Require(t, test.driver.Name, fmt.Sprint(missing))
			}
			b, err := test.driver.Open(backend.Config{Threads: 3, CacheDir: os.Getenv("OP2_CACHE_DIR"), Poison: test.poison})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			spec := recordSpec(t, test.soa)
			spec.Chosen = choice.Choices{Strategy: test.strategy, Block: 32}.By(choice.User)
			l := spec.Loop
			for _, parts := range [][]backend.Part{nil, {part(0, core), part(core, owned)}, {part(core, owned), part(100, core), {First: owned, Last: owned}, part(0, 100)}} {
				got, want := newRecordValues(), newRecordValues()
				want.run(targets, owned)
				m := backend.Memory{
					Last: owned, SetSize: edges, Data: got.addresses(), Elements: []int{edges, nodes, edges, 1, nodes, 1, nodes, 1, 1}, Boundaries: boundaries,
					Maps: []unsafe.Pointer{unsafe.Pointer(&targets[0])}, ReportTime: func(time.Duration) {}, ReportHow: func(how, _ string) {
						if test.strategy != tune.Auto && how[:4] != string(test.strategy)[:4] {
							t.Errorf("runs %s", how)
						}
					},
					NewPlan: func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
						refs := []plan.Ref{{Map: 0, Component: plan.All}}
						in := &plan.Input{Last: owned, Boundaries: r.Boundaries, ElementColors: r.ElementColors,
							Maps: []plan.Map{{Arity: 2, Targets: nodes, Values: targets}}, Data: make([]plan.Data, len(l.Data))}
						in.Data[1] = plan.Data{Refs: refs, Stage: r.Stage}
						in.Data[4] = plan.Data{Refs: []plan.Ref{{Map: 0, Component: 1}}, Stage: r.Stage, Collides: true}
						in.Data[6] = plan.Data{Refs: refs, Stage: r.Stage, Collides: true}
						if err := r.SetSize(in); err != nil {
							return nil, nil, err
						}
						p, err := plan.Build(in)
						return p, in, err
					},
				}
				if b, ok := b.(backend.DeviceBackend); ok {
					for i, at := range m.Data {
						shape := device.Shape{Elements: m.Elements[i], Dim: l.Data[i].Dim, Size: l.Data[i].Type.Size()}
						m.Mirrors = append(m.Mirrors, device.NewMirror(b.Device(), shape, func() unsafe.Pointer { return at }, true, &device.Transfers{}))
					}
				}
				runner, err := b.Prepare(spec, m)
				c := call{t: t, Runner: runner, mirrors: m.Mirrors}
				c.must(err)
				c.must(c.Ready())
				if parts == nil {
					c.must(c.Run())
				} else {
					c.parts(nil, nothing, parts...)
					if len(parts) > 2 {
						_, err := c.Combine()
						c.must(err)
					}
					c.must(c.Finish())
				}
				c.bring()
				if !reflect.DeepEqual(got, want) {
					t.Errorf("parts %v: %s", parts, differ(got, want))
				}
			}
		})
	}
}

// NVRTC compiles the source without a warning.
func TestRecordsNVRTC(t *testing.T) {
	c, err := nvrtc.Open(0)
	if err != nil {
		optest.Require(t, "nvrtc", err.Error())
	}
	spec := recordSpec(t, true)
	for _, strategy := range []tune.Strategy{tune.Staged, tune.GlobalColor} {
		p := devicecode.Print(codegen.DeviceInput{Loop: spec.Loop, Kernel: spec.Kernel, Ops: spec.Ops,
			Options: codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: strategy, GroupSize: 128, Columns: true}})
		if _, log, err := c.Compile(p.Name, p.Text, "sm_90", nil); err != nil || strings.Contains(log, "warning") {
			t.Errorf("%v\n%s\n%s", err, log, p.Text)
		}
	}
}

// differ names the first of the data that differ.
func differ(got, want *recordValues) string {
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		for n := range g.Field(i).Len() {
			if a, b := fmt.Sprint(g.Field(i).Index(n)), fmt.Sprint(w.Field(i).Index(n)); a != b {
				return fmt.Sprintf("%s[%d] is %s, want %s", g.Type().Field(i).Name, n, a, b)
			}
		}
	}
	return ""
}

// The functions become kernels by what entry calls.
var _ = entry
