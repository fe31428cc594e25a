package parttest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tiling"
)

//go:embed tiles_kernels_test.go
var tileSource string

// tilers are the backends that run tiles.
var tilers = []backend.Driver{gofunc.Driver, host.Sequential, host.Threads, onGoroutines}

// settleSpec returns the loop settle.
func settleSpec(t *testing.T) backend.Spec {
	k, err := fromgo.Parse(tileSource).Kernel("settle", "tiles_kernels_test.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
	function := any(settle)
	l := &loop.Loop{
		Kernel: "settle",
		Args: []loop.Arg{{Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct, ColMap: loop.Direct},
			dat(0, loop.RW, loop.Direct), dat(1, loop.Write, loop.Direct), dat(2, loop.Min, 0), dat(3, loop.RW, 1), global(4, loop.Read)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1},
			{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 4}},
		Maps: []loop.Map{{Arity: 2}, {Arity: 1}},
	}
	return backend.Spec{Loop: l, Kernel: k, Func: (*[2]unsafe.Pointer)(unsafe.Pointer(&function))[1]}
}

// program is a random chain of the loops flux, record and settle: on edges, edges and nodes.
type program struct {
	specs   []*backend.Spec // by kernel, as the rest
	kernels []reflect.Value
	in      *tiling.Input
	loops   []programLoop
	sets    []int // of the data: 0 for edges, 1 for nodes, -1 for globals
	initial []any // slices
}

// programLoop is a loop of a program, as numbers of what the program has.
type programLoop struct {
	kernel int
	data   []int
	maps   [][]int32
	subset []int32
	reduce bool
	consts constants
}

// constants are values of the consts.
type constants struct {
	scale  float64
	shift  [2]float64
	limit  float64
	broken int
}

func (c *constants) set() { scale, shift, limit, broken = c.scale, c.shift, c.limit, c.broken }

// addresses returns the addresses of a kernel's consts.
func (c *constants) addresses(k *kernel.Kernel) []unsafe.Pointer {
	var list []unsafe.Pointer
	for _, x := range k.Consts {
		list = append(list, map[string]unsafe.Pointer{"scale": unsafe.Pointer(&c.scale), "shift": unsafe.Pointer(&c.shift),
			"limit": unsafe.Pointer(&c.limit), "broken": unsafe.Pointer(&c.broken)}[x.Name])
	}
	return list
}

// variables returns the addresses of the variables that a kernel reads.
func variables(k *kernel.Kernel) []unsafe.Pointer {
	var list []unsafe.Pointer
	for _, x := range k.Consts {
		list = append(list, map[string]unsafe.Pointer{"scale": unsafe.Pointer(&scale), "shift": unsafe.Pointer(&shift),
			"limit": unsafe.Pointer(&limit), "broken": unsafe.Pointer(&broken)}[x.Name])
	}
	return list
}

// clone returns a copy of a slice, with room behind it.
func clone(values any) any {
	v := reflect.ValueOf(values)
	c := reflect.MakeSlice(v.Type(), v.Len()+1, v.Len()+1)
	reflect.Copy(c, v)
	return c.Slice(0, v.Len()).Interface()
}

// newProgram returns a random chain.
func newProgram(t *testing.T, r *rand.Rand) *program {
	flux, record_, settle_ := fluxSpec(t, source), recordSpec(t, false), settleSpec(t)
	p := &program{specs: []*backend.Spec{&flux, &record_, &settle_}, kernels: []reflect.Value{reflect.ValueOf(fluxKernel), reflect.ValueOf(record), reflect.ValueOf(settle)},
		in: &tiling.Input{Sets: []int{150 + r.IntN(200), 100 + r.IntN(50)}, Seed: r.IntN(2), Tile: 5 + r.IntN(40), Parts: 1 + r.IntN(6), Pack: 1 << r.IntN(4)}}
	values := newRecordValues()
	add := func(set int, v any) int {
		p.sets, p.initial = append(p.sets, set), append(p.initial, v)
		if set >= 0 {
			p.initial[len(p.initial)-1] = reflect.ValueOf(v).Slice(0, p.in.Sets[set]).Interface()
		}
		return len(p.sets) - 1
	}
	random := func() any {
		v := make([]float64, edges)
		for i := range v {
			v[i] = r.Float64()
		}
		return v
	}
	var onEdges, onNodes, nearEdges, nearNodes, pairs []int
	for range 3 {
		onEdges, onNodes = append(onEdges, add(0, random())), append(onNodes, add(1, random()))
	}
	for range 2 {
		nearEdges, nearNodes, pairs = append(nearEdges, add(0, values.own)), append(nearNodes, add(1, values.at)), append(pairs, add(1, values.all))
	}
	two := func(from []int) (a, b int) {
		i := r.Perm(len(from))
		return from[i[0]], from[i[1]]
	}
	toNodes, toEdges := p.targets(r, 0, 1, 2), p.targets(r, 1, 0, 2)
	first := make([]int32, p.in.Sets[1]) // no two nodes lead to one edge
	for i, e := range r.Perm(p.in.Sets[0])[:len(first)] {
		first[i] = int32(e)
	}
	slices.Sort(first)
	for range 2 + r.IntN(5) {
		l := programLoop{kernel: r.IntN(3), reduce: r.IntN(6) > 0, consts: constants{2, [2]float64{1, -1}, 8, -1}}
		if r.IntN(3) == 0 {
			l.consts = constants{0.5, [2]float64{0.1, 0.2}, 4, -1}
		}
		var set int
		switch a, b := two(onEdges); l.kernel {
		case 0:
			u, res := two(onNodes)
			l.data = []int{a, u, b, res, add(-1, []float64{0.1, -3.3}), add(-1, []float32{-0.5}), add(-1, []int32{3})}
			l.maps = [][]int32{toNodes}
		case 1:
			at, res := two(nearNodes)
			l.data = []int{a, at, nearEdges[r.IntN(2)], add(-1, values.sum[:1]), res, add(-1, values.best[:1]), pairs[r.IntN(2)], add(-1, values.product[:1]), add(-1, values.top[:2])}
			l.maps = [][]int32{toNodes}
		case 2:
			set = 1
			own, u := two(onNodes)
			l.data = []int{own, u, a, b, add(-1, []float64{1, 2, 3, 4})}
			l.maps = [][]int32{toEdges, first}
		}
		p.add(r, l, set)
	}
	return p
}

// fluxKernel is what the constant flux hides.
var fluxKernel = flux

// targets returns a random map between near elements, a few of which are not.
func (p *program) targets(r *rand.Rand, from, to, arity int) []int32 {
	far := r.IntN(3) == 0
	targets := make([]int32, arity*p.in.Sets[from])
	for i := range targets {
		near := i/arity*p.in.Sets[to]/p.in.Sets[from] + r.IntN(5) - 2
		if far && r.IntN(20) == 0 {
			near = r.IntN(p.in.Sets[to])
		}
		targets[i] = int32(max(0, min(near, p.in.Sets[to]-1)))
	}
	return targets
}

// add adds a loop over a set, some of its elements, or a range of either.
func (p *program) add(r *rand.Rand, l programLoop, set int) {
	in := tiling.Loop{Set: set, Last: p.in.Sets[set]}
	if r.IntN(4) == 0 {
		for e := range p.in.Sets[set] {
			if r.IntN(4) > 0 {
				in.Subset = append(in.Subset, int32(e))
			}
		}
		in.Last, l.subset = len(in.Subset), in.Subset
	}
	if r.IntN(4) == 0 {
		in.First, in.Last = in.Last/8, in.Last-in.Last/10
	}
	storages := map[int]int{}
	for i, s := range p.sets {
		if s >= 0 {
			storages[i] = len(storages)
		}
	}
	p.in.Storages = nil
	for _, s := range p.sets {
		if s >= 0 {
			p.in.Storages = append(p.in.Storages, s)
		}
	}
	desc := p.specs[l.kernel].Loop
	for _, a := range desc.Args {
		if a.Kind != loop.Dat {
			continue
		}
		arg := tiling.Arg{Storage: storages[l.data[a.Data]], Access: a.Access}
		if a.Map != loop.Direct {
			arg.Map, arg.Arity, arg.Component = l.maps[a.Map], desc.Maps[a.Map].Arity, a.Component
		}
		in.Args = append(in.Args, arg)
	}
	p.in.Loops, p.loops = append(p.in.Loops, in), append(p.loops, l)
}

// fresh returns new data, and the addresses by loop.
func (p *program) fresh() (data []any, by [][]unsafe.Pointer) {
	for _, v := range p.initial {
		data = append(data, clone(v))
	}
	for _, l := range p.loops {
		var own []unsafe.Pointer
		for _, d := range l.data {
			own = append(own, address(data[d]))
		}
		by = append(by, own)
	}
	return data, by
}

// naive returns data that loops have changed, run element by element some times.
func (p *program) naive(run func([]*naive, []bool), calls int) []any {
	data, by := p.fresh()
	var loops []*naive
	var reduce []bool
	for i, l := range p.loops {
		loops = append(loops, &naive{spec: p.specs[l.kernel], kernel: p.kernels[l.kernel], data: by[i], maps: l.maps, subset: l.subset, consts: l.consts.set})
		reduce = append(reduce, l.reduce)
	}
	for range calls {
		run(loops, reduce)
	}
	return data
}

// tiled is the program on a backend.
type tiled struct {
	*program
	t       *testing.T
	data    []any
	runners []backend.Runner
	tiles   backend.Tiles
}

// on prepares the program on a backend.
func (p *program) on(t *testing.T, b backend.Tiler, s *tiling.Schedule) *tiled {
	x := &tiled{program: p, t: t}
	var by [][]unsafe.Pointer
	x.data, by = p.fresh()
	var loops []backend.TileLoop
	for i, l := range p.loops {
		spec := *p.specs[l.kernel]
		spec.Subset, spec.Chosen = l.subset != nil, choice.Choices{Block: 32}.By(choice.User)
		set := p.in.Loops[i].Set
		m := backend.Memory{Last: p.in.Sets[set], SetSize: p.in.Sets[set], Subset: l.subset, Data: by[i],
			ReportTime: func(time.Duration) {}, ReportHow: func(string, string) {}, Consts: variables(spec.Kernel)}
		if l.subset != nil {
			m.Last = len(l.subset)
		}
		own := backend.TileLoop{Reduce: l.reduce}
		for _, d := range l.data {
			n := 1
			if p.sets[d] >= 0 {
				n = p.in.Sets[p.sets[d]]
			}
			m.Elements, own.Sets = append(m.Elements, n), append(own.Sets, p.sets[d])
		}
		for _, targets := range l.maps {
			m.Maps, own.MapSets = append(m.Maps, address(targets)), append(own.MapSets, set)
		}
		m.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			in := p.planInput(i, l, &m, r)
			made, err := plan.Build(in)
			return made, in, err
		}
		r, err := b.Prepare(spec, m)
		x.must(err)
		x.must(r.Ready())
		own.Runner = r
		x.runners, loops = append(x.runners, r), append(loops, own)
	}
	var err error
	x.tiles, err = b.PrepareTiles(loops, s)
	x.must(err)
	x.must(x.tiles.Ready())
	return x
}

// planInput returns what the plan of a loop is made from.
func (p *program) planInput(number int, l programLoop, m *backend.Memory, r backend.PlanRequest) *plan.Input {
	desc := p.specs[l.kernel].Loop
	in := &plan.Input{Last: m.Last, BlockSize: r.BlockSize, Data: make([]plan.Data, len(desc.Data))}
	for n, targets := range l.maps {
		arity := desc.Maps[n].Arity
		if l.subset != nil {
			var some []int32
			for _, e := range l.subset {
				some = append(some, targets[int(e)*arity:(int(e)+1)*arity]...)
			}
			targets = some
		}
		in.Maps = append(in.Maps, plan.Map{ID: plan.MapID(n), Arity: arity, Targets: p.in.Sets[1-p.in.Loops[number].Set], Values: targets})
	}
	for _, a := range desc.Args {
		if a.Map != loop.Direct {
			d := &in.Data[a.Data]
			d.Refs = append(d.Refs, plan.Ref{Map: plan.MapID(a.Map), Component: a.Component})
			d.Collides = d.Collides || a.Access != loop.Read
		}
	}
	return in
}

func (x *tiled) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// begin begins the calls of all loops, alternately with given values of consts and with current ones.
func (x *tiled) begin() {
	for i, l := range x.loops {
		given := l.consts.addresses(x.specs[l.kernel].Kernel)
		if i%2 == 0 {
			l.consts.set()
			given = nil
		}
		x.must(x.runners[i].Begin(given))
	}
	(&constants{7, [2]float64{7, 7}, 7, 7}).set()
}

// finish ends the calls, with the totals or without.
func (x *tiled) finish() {
	for i, r := range x.runners {
		if i%2 == 0 {
			_, err := r.Combine()
			x.must(err)
		}
		x.must(r.Finish())
	}
	if got := (constants{scale, shift, limit, broken}); got != (constants{7, [2]float64{7, 7}, 7, 7}) {
		x.t.Errorf("variables have the values %v", got)
	}
}

// run runs all loops some times.
func (x *tiled) run(calls int) []any {
	for range calls {
		x.begin()
		x.must(x.tiles.RunTiles())
		x.finish()
	}
	return x.data
}

// differs returns where data differ: in any bit, or for sums of all elements with some tolerance.
func (p *program) differs(got, want []any, tolerance float64) string {
	sums := map[int]bool{}
	for _, l := range p.loops {
		for _, a := range p.specs[l.kernel].Loop.Args {
			if a.Kind == loop.Global && a.Access == loop.Inc {
				sums[l.data[a.Data]] = true
			}
		}
	}
	for d := range got {
		if a, b := summands(got[d]), summands(want[d]); sums[d] && same(a, b, tolerance) {
			continue
		}
		a, b := reflect.ValueOf(got[d]), reflect.ValueOf(want[d])
		for i := range a.Len() {
			if x, y := a.Index(i), b.Index(i); !x.Equal(y) {
				return fmt.Sprintf("data %d of set %d: value %d is %v, want %v", d, p.sets[d], i, x, y)
			}
		}
	}
	return ""
}

// summands returns the values of sums.
func summands(v any) []float64 {
	switch v := v.(type) {
	case []float64:
		return v
	case []near:
		return []float64{v[0].Distance, float64(v[0].Cell), float64(v[0].Flags[0]), float64(v[0].Flags[1])}
	}
	return nil
}

// eachTiler runs f with the backends that run tiles, on some numbers of threads.
func eachTiler(t *testing.T, f func(t *testing.T, threads int, b backend.Tiler, flag *stop.Flag, cancel func())) {
	for _, d := range tilers {
		for _, threads := range []int{1, 2, 5} {
			if d.Name == "sequential" && threads > 1 {
				continue
			}
			t.Run(fmt.Sprint(d.Name, "/", threads), func(t *testing.T) {
				if missing := d.Probe(backend.Config{}).Missing; len(missing) > 0 {
					optest.Require(t, d.Name, fmt.Sprint(missing))
				}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				flag := stop.New(ctx)
				defer flag.Release()
				b, err := d.Open(backend.Config{Threads: threads, CacheDir: os.Getenv("OP2_CACHE_DIR"), Stop: flag})
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				tiler, ok := b.(backend.Tiler)
				if !ok {
					t.Fatal("runs no tiles")
				}
				before := constants{scale, shift, limit, broken}
				defer before.set()
				f(t, threads, tiler, flag, cancel)
			})
		}
	}
}

// Tiles leave what the loops do, bit for bit, in the order of their schedule on any number of threads.
func TestTiles(t *testing.T) {
	type expected struct {
		program  *program
		schedule *tiling.Schedule
		want     []any
	}
	var all []expected
	for seed := range uint64(25) {
		p := newProgram(t, rand.New(rand.NewPCG(seed, 3)))
		s, err := tiling.Inspect(p.in)
		if err == nil {
			err = tiling.Check(p.in, s)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := p.naive(func(loops []*naive, reduce []bool) { runTiles(loops, reduce, s) }, 2)
		if p.in.Parts == 1 {
			plain := p.naive(func(loops []*naive, reduce []bool) { runLoops(loops, reduce, p.in) }, 2)
			if d := p.differs(plain, want, rounding); d != "" {
				t.Fatalf("seed %d: loop by loop differs: %s", seed, d)
			}
		}
		all = append(all, expected{p, s, want})
	}
	exact := map[string][][]any{} // by backend and program, those on one thread
	eachTiler(t, func(t *testing.T, threads int, b backend.Tiler, _ *stop.Flag, _ func()) {
		name := reflect.TypeOf(b).String()
		for seed, e := range all {
			x := e.program.on(t, b, e.schedule)
			got := x.run(2)
			if d := e.program.differs(got, e.want, rounding); d != "" {
				t.Fatalf("seed %d: %s", seed, d)
			}
			if threads == 1 {
				exact[name] = append(exact[name], got)
			} else if d := e.program.differs(got, exact[name][seed], 0); d != "" {
				t.Fatalf("seed %d: not as on one thread: %s", seed, d)
			}
		}
	})
}

// A fault names the loop and the element, and leaves globals and consts as they were; so does a context
// that ends.
func TestTilesThatFail(t *testing.T) {
	eachTiler(t, func(t *testing.T, threads int, b backend.Tiler, flag *stop.Flag, cancel func()) {
		p := newProgram(t, rand.New(rand.NewPCG(3, 4)))
		at := slices.IndexFunc(p.loops, func(l programLoop) bool { return l.kernel == 2 && l.subset == nil })
		if at < 1 || p.in.Loops[at].First > 50 {
			t.Fatal("no loop that can fail")
		}
		s, err := tiling.Inspect(p.in)
		if err != nil {
			t.Fatal(err)
		}
		x := p.on(t, b, s)
		x.loops[at].consts.broken = 50
		x.begin()
		x.loops[at].consts.broken = -1
		var fault *backend.Fault
		if err := x.tiles.RunTiles(); !errors.As(err, &fault) || fault.Loop != at || fault.Element > 50 || fault.Element+fault.Elements <= 50 {
			t.Fatalf("got %#v (%v), want a fault of element 50 of loop %d", fault, err, at)
		}
		for d, set := range p.sets {
			if set < 0 && !reflect.DeepEqual(x.data[d], p.initial[d]) {
				t.Errorf("global %d is %v", d, x.data[d])
			}
		}
		x.begin()
		x.must(x.tiles.RunTiles())
		x.finish()
		x.begin()
		cancel()
		for flag.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if err := x.tiles.RunTiles(); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
