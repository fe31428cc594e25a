package host_test

import (
	"math"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/mesh"
)

// airfoil is the chain of an iteration of examples/airfoil, on a backend.
type airfoil struct {
	q, qold, res, adt, x []float64
	bound                []int32
	rms                  []float64
	consts               map[string]unsafe.Pointer

	backend backend.Backend
	loops   []backend.Runner
	tiled   []backend.TileLoop
	input   *tiling.Input
}

// The sets and storages of the chain.
const (
	cells = iota
	edges
	bedges
	nodes
)

const (
	storageQ = iota
	storageOld
	storageRes
	storageAdt
	storageX
	storageBound
)

// values is one of the airfoil's arrays.
type values struct {
	name         string
	at           unsafe.Pointer
	kind         loop.Kind
	scalar       loop.Scalar
	set, storage int // -1: a global
	dim          int
}

// use is an argument.
type use struct {
	values
	access    loop.Access
	m         int // -1: direct
	component int
}

func newAirfoil(tb testing.TB, d backend.Driver, threads, ni, nj int) *airfoil {
	b, err := d.Open(backend.Config{Threads: threads, CacheDir: os.Getenv("OP2_CACHE_DIR")})
	if err != nil {
		tb.Skip(err)
	}
	tb.Cleanup(func() { b.Close() })
	m, err := mesh.NACA0012(ni, nj)
	if err != nil {
		tb.Fatal(err)
	}
	f := m.Given
	bounds, err := f.BoundaryGroups("wall", "far")
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile("../../../examples/airfoil/flow/kernels.go")
	if err != nil {
		tb.Fatal(err)
	}
	source := fromgo.Parse(string(text))
	a := &airfoil{backend: b, rms: make([]float64, 1), bound: store.Aligned[int32](len(bounds)), x: store.Aligned[float64](2 * m.Nodes())}
	copy(a.bound, bounds)
	copy(a.x, m.Points)
	gam := float64(float32(1.4))
	consts := []float64{gam, gam - 1, float64(float32(0.9)), float64(float32(0.05))}
	r := 1.0
	u := 0.4 * math.Sqrt(gam)
	qinf := []float64{r, r * u, 0, 1/(gam-1) + 0.5*r*u*u}
	a.consts = map[string]unsafe.Pointer{"gam": unsafe.Pointer(&consts[0]), "gm1": unsafe.Pointer(&consts[1]), "cfl": unsafe.Pointer(&consts[2]), "eps": unsafe.Pointer(&consts[3]), "qinf": unsafe.Pointer(&qinf[0])}
	a.q, a.qold, a.res, a.adt = store.Aligned[float64](4*m.Cells()), store.Aligned[float64](4*m.Cells()), store.Aligned[float64](4*m.Cells()), store.Aligned[float64](m.Cells())
	for i := range a.q {
		a.q[i] = qinf[i%4]
	}
	align := func(from []int32) []int32 {
		to := store.Aligned[int32](len(from))
		copy(to, from)
		return to
	}
	maps := [][]int32{align(m.Blocks[0].Nodes), align(f.Interior.Reversed()), align(f.Interior.Cells), align(f.Boundary.Reversed()), align(f.Boundary.Cells)}
	from, to, arity := []int{cells, edges, edges, bedges, bedges}, []int{nodes, nodes, cells, nodes, cells}, []int{4, 2, 2, 2, 1}
	a.input = &tiling.Input{Sets: []int{m.Cells(), f.Interior.Len(), f.Boundary.Len(), m.Nodes()}, Storages: []int{cells, cells, cells, cells, nodes, bedges}, Seed: cells}
	dat := func(name string, at []float64, set, storage, dim int) values {
		return values{name, unsafe.Pointer(&at[0]), loop.Dat, loop.Float64, set, storage, dim}
	}
	q, qold, res := dat("q", a.q, cells, storageQ, 4), dat("qold", a.qold, cells, storageOld, 4), dat("res", a.res, cells, storageRes, 4)
	adt, x := dat("adt", a.adt, cells, storageAdt, 1), dat("x", a.x, nodes, storageX, 2)
	bound := values{"bound", unsafe.Pointer(&a.bound[0]), loop.Dat, loop.Int32, bedges, storageBound, 1}
	rms := values{"rms", unsafe.Pointer(&a.rms[0]), loop.Global, loop.Float64, -1, -1, 1}
	const rd, wr, inc, rw, direct = loop.Read, loop.Write, loop.Inc, loop.RW, -1
	add := func(name string, set int, uses ...use) {
		l := &loop.Loop{Kernel: name}
		mem := backend.Memory{Last: a.input.Sets[set], SetSize: a.input.Sets[set], ReportTime: func(time.Duration) {}, ReportHow: func(string, string) {}}
		t := backend.TileLoop{Reduce: true}
		in := tiling.Loop{Set: set, Last: mem.Last}
		var usedMaps []int
		var at []unsafe.Pointer
		for _, u := range uses {
			n := slices.Index(at, u.at)
			if n < 0 {
				n = len(at)
				at = append(at, u.at)
				l.Data = append(l.Data, loop.Data{Kind: u.kind, Type: u.scalar, Dim: u.dim})
				t.Sets = append(t.Sets, u.set)
				elements := 1
				if u.set >= 0 {
					elements = a.input.Sets[u.set]
				}
				mem.Data, mem.Elements = append(mem.Data, u.at), append(mem.Elements, elements)
			}
			mp := loop.Direct
			if u.m >= 0 {
				if mp = slices.Index(usedMaps, u.m); mp < 0 {
					mp = len(usedMaps)
					usedMaps = append(usedMaps, u.m)
					l.Maps = append(l.Maps, loop.Map{Arity: arity[u.m]})
					mem.Maps = append(mem.Maps, unsafe.Pointer(&maps[u.m][0]))
					t.MapSets = append(t.MapSets, from[u.m])
				}
			}
			l.Args = append(l.Args, loop.Arg{Kind: u.kind, Access: u.access, Data: n, Map: mp, Component: u.component, ColMap: loop.Direct})
			if u.storage >= 0 {
				arg := tiling.Arg{Storage: u.storage, Access: u.access, Component: u.component}
				if u.m >= 0 {
					arg.Map, arg.Arity = maps[u.m], arity[u.m]
				}
				in.Args = append(in.Args, arg)
			}
		}
		k, err := source.Kernel(name, "kernels.go", 0)
		if err != nil {
			tb.Fatal(err)
		}
		kernel.Analyze(k, nil)
		for _, c := range k.Consts {
			mem.Consts = append(mem.Consts, a.consts[c.Name])
		}
		mem.NewPlan = func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			in := &plan.Input{Last: mem.Last, BlockSize: r.BlockSize, Boundaries: r.Boundaries, ElementColors: r.ElementColors, Data: make([]plan.Data, len(mem.Data))}
			for _, m := range usedMaps {
				in.Maps = append(in.Maps, plan.Map{ID: plan.MapID(len(in.Maps)), Arity: arity[m], Targets: a.input.Sets[to[m]], Values: maps[m]})
			}
			for _, arg := range l.Args {
				if arg.Map != loop.Direct {
					d := &in.Data[arg.Data]
					d.Refs = append(d.Refs, plan.Ref{Map: plan.MapID(arg.Map), Component: arg.Component})
					d.Collides = d.Collides || arg.Access != loop.Read
				}
			}
			p, err := plan.Build(in)
			return p, in, err
		}
		t.Runner, err = b.Prepare(backend.Spec{Loop: l, Kernel: k}, mem)
		if err != nil {
			tb.Fatal(err)
		}
		if err := t.Runner.Ready(); err != nil {
			tb.Fatal(err)
		}
		a.tiled = append(a.tiled, t)
		a.loops = append(a.loops, t.Runner)
		a.input.Loops = append(a.input.Loops, in)
	}
	add("saveSoln", cells, use{q, rd, direct, 0}, use{qold, wr, direct, 0})
	for range 2 {
		add("adtCalc", cells, use{x, rd, 0, 0}, use{x, rd, 0, 1}, use{x, rd, 0, 2}, use{x, rd, 0, 3}, use{q, rd, direct, 0}, use{adt, wr, direct, 0})
		add("resCalc", edges, use{x, rd, 1, 0}, use{x, rd, 1, 1}, use{q, rd, 2, 0}, use{q, rd, 2, 1}, use{adt, rd, 2, 0}, use{adt, rd, 2, 1}, use{res, inc, 2, 0}, use{res, inc, 2, 1})
		add("bresCalc", bedges, use{x, rd, 3, 0}, use{x, rd, 3, 1}, use{q, rd, 4, 0}, use{adt, rd, 4, 0}, use{res, inc, 4, 0}, use{bound, rd, direct, 0})
		add("update", cells, use{qold, rd, direct, 0}, use{q, wr, direct, 0}, use{res, rw, direct, 0}, use{adt, rd, direct, 0}, use{rms, inc, direct, 0})
	}
	return a
}

// iterate runs loop by loop.
func (a *airfoil) iterate(tb testing.TB) {
	for _, l := range a.loops {
		if err := l.Run(); err != nil {
			tb.Fatal(err)
		}
	}
}

// tiles prepares the chain.
func (a *airfoil) tiles(tb testing.TB, tile, parts int) backend.Tiles {
	a.input.Tile, a.input.Parts, a.input.Pack = tile, parts, 8
	s, err := tiling.Inspect(a.input)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := a.backend.(backend.Tiler).PrepareTiles(a.tiled, s)
	if err == nil {
		err = t.Ready()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// run runs the chain.
func (a *airfoil) run(tb testing.TB, t backend.Tiles) {
	for _, l := range a.loops {
		if err := l.Begin(nil); err != nil {
			tb.Fatal(err)
		}
	}
	if err := t.RunTiles(); err != nil {
		tb.Fatal(err)
	}
	for _, l := range a.loops {
		if err := l.Finish(); err != nil {
			tb.Fatal(err)
		}
	}
}

// Tiles compute the bits of loop by loop on one thread, and the same bits on any number of threads.
func TestTiles(t *testing.T) {
	const iterations = 3
	want := newAirfoil(t, host.Sequential, 1, 40, 30)
	for range iterations {
		want.iterate(t)
	}
	alone := newAirfoil(t, host.Sequential, 1, 40, 30)
	host.FetchAlways(alone.backend)
	tiles := alone.tiles(t, 100, 1)
	for range iterations {
		alone.run(t, tiles)
	}
	if !slices.Equal(alone.q, want.q) || !slices.Equal(alone.adt, want.adt) || math.Abs(alone.rms[0]/want.rms[0]-1) > 1e-12 {
		t.Errorf("%s: rms is %v, want %v", tiles.How(), alone.rms, want.rms)
	}
	var one *airfoil
	for _, threads := range []int{1, 2, 3, 7} {
		a := newAirfoil(t, host.Threads, threads, 40, 30)
		if threads%2 == 0 {
			host.FetchAlways(a.backend)
		}
		tiles := a.tiles(t, 50, 8)
		for range iterations {
			a.run(t, tiles)
		}
		if one == nil {
			one = a
		}
		if !slices.Equal(a.q, one.q) || a.rms[0] != one.rms[0] {
			t.Errorf("%s: rms is %v, on one thread %v", tiles.How(), a.rms, one.rms)
		}
		for i := range a.q {
			if math.Abs(a.q[i]-want.q[i]) > 1e-12 {
				t.Fatalf("%s: q[%d] is %v, want %v", tiles.How(), i, a.q[i], want.q[i])
			}
		}
	}
}
