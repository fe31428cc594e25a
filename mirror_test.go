package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device/devicetest"
)

//go:embed mirror_test.go
var mirrorSource string

// openTestDevice opens a runtime on the device for tests.
func openTestDevice(t testing.TB, options ...op2.Option) (*op2.Runtime, *devicetest.Device) {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend("test"), op2.WithLog(nil), op2.CheckPlans()}, options...)...)
	if errors.Is(err, op2.ErrUnavailable) {
		require(t, "test", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt, op2.BackendOf(rt).(*fakeDevice).device
}

// moved fails the test unless this many transfers were counted since the last call.
func moved(t testing.TB, rt *op2.Runtime, what string, want op2.Transfers) {
	t.Helper()
	if got := rt.Transfers(); got != want {
		t.Errorf("%s: moved %+v, want %+v", what, got, want)
	}
	rt.ResetStats()
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func keep4(q, old *[4]float64) { *old = *q }

func flow4(a, b *[4]float64, x *float64, da, db *[4]float64) {
	for i := range 4 {
		f := *x * (a[i] - b[i])
		da[i] -= f
		db[i] += f
	}
}

func step4(old, q, d *[4]float64, rms *float64) {
	for i := range 4 {
		q[i] = old[i] + d[i]
		*rms += d[i] * d[i]
		d[i] = 0
	}
}

// An iteration of a flow solver transfers nothing but its reduction.
func TestIterationMovesNothing(t *testing.T) {
	for _, layout := range []string{"auto", "aos", "soa"} {
		rt, _ := openTestDevice(t, op2.WithLayout(layout))
		const n, m = 200, 80
		mesh := newTopology(n, m)
		edges, cells := newSet(t, rt, n, "edges"), newSet(t, rt, m, "cells")
		edge2cell := newMap(t, edges, cells, 2, mesh.anywhere(2), "edge2cell")
		q, old, d := newDat(t, cells, 4, some[float64](mesh.random, 4*m), "q"), newDat[float64](t, cells, 4, nil, "old"), newDat[float64](t, cells, 4, nil, "d")
		x, rms := newDat(t, edges, 1, some[float64](mesh.random, n), "x"), newGlobal(t, rt, "rms", 0.0)
		want := op2.Must(q.InDeclaredOrder())
		k := op2.Kernels(mirrorSource)
		iterate := func() float64 {
			must(t, rms.Set(0))
			run(t, k.Func(keep4), cells, q.Read(), old.Write())
			run(t, k.Func(flow4), edges, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(1)), x.Read(), d.Inc(edge2cell.At(0)), d.Inc(edge2cell.At(1)))
			run(t, k.Func(step4), cells, old.Read(), q.Write(), d.RW(), rms.Inc())
			return op2.Must(rms.Value())
		}
		iterate()
		moved(t, rt, "the first iteration", op2.Transfers{ToDevice: 3, BytesToDevice: 8 * (4*m + n + 1), ToHost: 1, BytesToHost: 8})
		iterate()
		moved(t, rt, "the second iteration", op2.Transfers{ToDevice: 1, BytesToDevice: 8, ToHost: 1, BytesToHost: 8})
		for range 2 {
			difference := make([]float64, 4*m)
			ends := edge2cell.Values()
			for e, c := range op2.Must(x.DataRO()) {
				a, b := ends[2*e], ends[2*e+1]
				for i := range int32(4) {
					f := c * (want[4*a+i] - want[4*b+i])
					difference[4*a+i] -= f
					difference[4*b+i] += f
				}
			}
			for i, v := range difference {
				want[i] += v
			}
		}
		expect(t, q, want)
		moved(t, rt, "the result", op2.Transfers{ToHost: 1, BytesToHost: 8 * 4 * m})
	}
}

// Data on the device is changed there, data on the host on the host.
func TestDataOnDevice(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := newSet(t, rt, 10, "cells")
	values := some[float64](newTopology(1, 1).random, 40)
	q, r := newDat(t, cells, 4, values, "q"), newDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	const bytes = 8 * 40
	up, down := op2.Transfers{ToDevice: 1, BytesToDevice: bytes}, op2.Transfers{ToHost: 1, BytesToHost: bytes}

	run(t, k, cells, r.Read(), q.Write()) // zeros, which are nowhere yet
	moved(t, rt, "zeros", op2.Transfers{})
	expect(t, q, make([]float64, 40))
	moved(t, rt, "DataRO", down)
	expect(t, q, make([]float64, 40))
	run(t, k, cells, q.Read(), r.Write())
	moved(t, rt, "after DataRO", op2.Transfers{})
	copy(op2.Must(q.Data()), values)
	run(t, k, cells, q.Read(), r.Write())
	moved(t, rt, "after Data", up)

	before := device.Copies
	must(t, q.Zero())
	must(t, q.Copy(r))
	s := op2.Must(r.Duplicate("s"))
	if device.Copies != before+2 {
		t.Errorf("copied %d times on the device, want 2", device.Copies-before)
	}
	moved(t, rt, "Zero, Copy and Duplicate", op2.Transfers{})
	expect(t, q, values)
	expect(t, s, values)
	rt.ResetStats()

	run(t, k, cells, q.Read(), r.Write())
	must(t, r.Fill(7))
	must(t, r.SetInDeclaredOrder(values))
	moved(t, rt, "what is overwritten", op2.Transfers{})
	if norm := op2.Must(r.Norm()); norm != op2.Must(q.Norm()) {
		t.Errorf("the norm is %v", norm)
	}
	must(t, q.Copy(newDat[float64](t, cells, 4, nil, "zeros")))
	expect(t, q, make([]float64, 40))

	slice := op2.Must(r.Data())
	must(t, rt.Close())
	if !slices.Equal(slice, values) {
		t.Error("the slice has changed")
	}
	if _, err := r.Data(); !errors.Is(err, op2.ErrClosed) {
		t.Errorf("got %v", err)
	}
	if device.Allocated != 0 {
		t.Errorf("%d bytes are left on the device", device.Allocated)
	}
}

// A dat's own layout takes precedence; loops that ParLoop has cached are prepared again.
func TestSetLayout(t *testing.T) {
	for _, test := range []struct {
		option string
		own    op2.Layout
		dim    int
		soa    bool
	}{
		{"auto", 0, 4, true}, {"auto", 0, 3, false}, {"auto", op2.AoS, 4, false}, {"soa", 0, 3, true},
		{"aos", 0, 4, false}, {"aos", op2.SoA, 4, true}, {"soa", op2.AoS, 2, false}, {"soa", op2.SoA, 1, false},
	} {
		rt, _ := openTestDevice(t, op2.WithLayout(test.option))
		d := newDat[float64](t, newSet(t, rt, 3, "cells"), test.dim, nil, "d")
		if test.own != 0 {
			d.SetLayout(test.own)
		}
		if got := op2.IsSoA(d); got != test.soa {
			t.Errorf("%+v: got %v", test, got)
		}
	}
	rt, _ := openTestDevice(t)
	cells := newSet(t, rt, 10, "cells")
	values := some[float64](newTopology(1, 1).random, 40)
	q, r := newDat(t, cells, 4, values, "q"), newDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	run(t, k, cells, q.Read(), r.Write())
	q.SetLayout(op2.AoS)
	rt.ResetStats()
	for range 3 {
		run(t, k, cells, q.Read(), r.Write())
	}
	moved(t, rt, "another layout", op2.Transfers{ToDevice: 1, BytesToDevice: 320})
	expect(t, r, values)

	host := op2.Must(op2.Open(op2.WithBackend("go"), op2.WithLayout("soa"), op2.WithLog(nil)))
	defer host.Close()
	cells = newSet(t, host, 10, "cells")
	q, r = newDat(t, cells, 4, values, "q"), newDat[float64](t, cells, 4, nil, "r")
	q.SetLayout(op2.SoA)
	run(t, k, cells, q.Read(), r.Write())
	expect(t, r, values)
}

// The vectors of a solver stay where they are.
func TestSolversMoveNoVectors(t *testing.T) {
	for _, dim := range []int{1, 3} {
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			for _, preconditioner := range []string{"none", "jacobi"} {
				rt, device := openTestDevice(t, op2.WithLayout("soa"))
				s := newSystem(60, dim, method == "cg")
				d := s.declare(t, rt)
				solver := newSolver(t, d.matrix, op2.WithMethod(method), op2.WithPreconditioner(preconditioner), op2.WithRTol(1e-12))
				for i := range 3 {
					solver.ReusePreconditioner(i > 0)
					device.Largest = 0
					_, err := solver.Solve(d.x, d.b)
					must(t, err)
					if i > 0 && device.Largest > 32 {
						t.Errorf("%s + %s, dim %d: %d bytes were moved at once", method, preconditioner, dim, device.Largest)
					}
				}
				within(t, d.x, s.x, 1e-9)
			}
		}
	}
}

// PETSc works on the host's values, wherever they were.
func TestPETScOnDevice(t *testing.T) {
	openPETSc(t)
	rt, _ := openTestDevice(t)
	s := newSystem(40, 2, true)
	d := s.declare(t, rt)
	for _, a := range []op2.Operator{d.matrix, d.operator} {
		solver := newSolver(t, a, op2.WithEngine("petsc"), op2.WithRTol(1e-12))
		for range 2 {
			must(t, d.x.Zero())
			_, err := solver.Solve(d.x, d.b)
			must(t, err)
			product := newDat[float64](t, d.set, 2, nil, "product")
			must(t, a.Mul(product, d.x)) // on the device
			within(t, product, s.b, 1e-8)
			within(t, d.x, s.x, 1e-9)
		}
	}
}

// A matrix is assembled, used and cleared on the device.
func TestMatOnDevice(t *testing.T) {
	rt, device := openTestDevice(t)
	const n, m = 60, 30
	mesh := newTopology(n, m)
	elements, nodes := newSet(t, rt, n, "elements"), newSet(t, rt, m, "nodes")
	elem2node := newMap(t, elements, nodes, 3, mesh.anywhere(3), "elem2node")
	a := op2.Must(op2.NewMat[float64](op2.Must(op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp")), "a"))
	v, x, y := newDat(t, elements, 1, some[float64](mesh.random, n), "v"), newDat(t, nodes, 1, some[float64](mesh.random, m), "x"), newDat[float64](t, nodes, 1, nil, "y")
	assemble := func() {
		must(t, a.Zero())
		run(t, kernels.Func(local3x3), elements, a.Inc(elem2node, elem2node), v.Read())
		must(t, a.Mul(y, x))
	}
	assemble()
	rt.ResetStats()
	device.Largest = 0
	assemble()
	moved(t, rt, "assembly and product", op2.Transfers{})
	full, product := op2.Must(a.Values()), make([]float64, m)
	for i := range m {
		for j, v := range op2.Must(x.DataRO()) {
			product[i] += full[i*m+j] * v
		}
	}
	expect(t, y, product)
	rt.ResetStats()
	op2.Must(a.Norm())
	op2.Must(a.At(0, 0))
	must(t, a.Mul(y, x))
	moved(t, rt, "what only reads", op2.Transfers{})
	must(t, a.ZeroRows(nodes, 2))
	must(t, a.SetDiagonal(x))
	must(t, a.Mul(y, x))
	moved(t, rt, "ZeroRows and SetDiagonal", op2.Transfers{ToDevice: 2, BytesToDevice: 16}) // their values
	squares := slices.Clone(op2.Must(x.DataRO()))
	for i, v := range squares {
		squares[i] = v * v
	}
	expect(t, y, squares)
	must(t, a.MulTranspose(y, x))
	expect(t, y, squares)
	must(t, a.Mul(y, x))
	must(t, a.Diagonal(y))
	expect(t, y, op2.Must(x.DataRO()))
}

// Errors of the device name the loop and the dat.
func TestDeviceErrors(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := newSet(t, rt, 10, "cells")
	q, r := newDat[float64](t, cells, 4, make([]float64, 40), "q"), newDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	device.Limit = 400
	expectError(t, op2.ParLoop(k, cells, q.Read(), r.Write()),
		"op2: loop keep4 over cells: dat r on cells: out of memory on test: 320 bytes requested, 320 already allocated, the device has 400")
	device.Limit = 0
	run(t, k, cells, q.Read(), r.Write())
	device.Fail = func(call string) error { return fmt.Errorf("%s: the cable is out", call) }
	_, err := r.Data()
	expectError(t, err, "op2: dat r on cells: Download: the cable is out")
	expectError(t, r.Zero(), "op2: dat r on cells: Clear: the cable is out")
	expectError(t, rt.WriteStats(&strings.Builder{}), "op2: backend test: Finish: the cable is out")
	device.Fail = nil
	expect(t, r, make([]float64, 40))
}

func TestDeviceStats(t *testing.T) {
	rt, _ := openTestDevice(t)
	cells := newSet(t, rt, 1000, "cells")
	q, r := newDat(t, cells, 4, make([]float64, 4000), "q"), newDat[float64](t, cells, 4, nil, "r")
	loop := op2.Must(op2.NewLoop(op2.Kernels(mirrorSource).Func(keep4), cells, q.Read(), r.Write()))
	for range 5 {
		must(t, loop.Compute())
	}
	if s := loop.Stats(); s.Calls != 5 || s.Time != 5*time.Microsecond || s.How != "pretended" {
		t.Errorf("%+v", s)
	}
	if s := rt.Stats(); len(s) != 1 || s[0].Time != 5*time.Microsecond {
		t.Errorf("%+v", s)
	}
	var text strings.Builder
	must(t, rt.WriteStats(&text))
	for _, want := range []string{"how", "pretended", "moved 0.0 MB to the device in 1 transfers, 0.0 MB back in 0\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// A program may create dats all the time.
func TestDeviceMemoryComesBack(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := newSet(t, rt, 1000, "cells")
	q := newDat(t, cells, 4, make([]float64, 4000), "q")
	k := op2.Kernels(mirrorSource).Func(keep4)
	device.Limit = 10 * 32000
	for range 50 {
		run(t, k, cells, q.Read(), newDat[float64](t, cells, 4, nil, "new").Write())
	}
	runtime.KeepAlive(q)
}

func planned4(a, b *[4]float64, all *[3][2]float64, x, sum *float64, da *[4]float64, local *[3][3]float64) {
	*sum += *x
}

// A backend may request several plans, and gets their inputs, which list the loop's data.
func TestPlansOnRequest(t *testing.T) {
	rt, _ := openTestDevice(t)
	const n, m = 100, 40
	mesh := newTopology(n, m)
	edges, cells := newSet(t, rt, n, "edges"), newSet(t, rt, m, "cells")
	edge2cell := newMap(t, edges, cells, 3, mesh.anywhere(3), "edge2cell")
	some := op2.Must(op2.NewSubset(edges, []int{1, 2, 3, 50, 60, 70, 71, 72, 99}, "some"))
	q, p, d := newDat[float64](t, cells, 4, nil, "q"), newDat[float64](t, cells, 2, nil, "p"), newDat[float64](t, cells, 4, nil, "d")
	x, sum := newDat[float64](t, edges, 1, nil, "x"), newGlobal(t, rt, "sum", 0.0)
	a := op2.Must(op2.NewMat[float64](op2.Must(op2.NewSparsity([]op2.MapPair{{Rows: edge2cell, Cols: edge2cell}}, 1, 1, "sp")), "a"))
	for _, over := range []op2.IterationSet{edges, some} {
		loop := op2.Must(op2.NewLoop(op2.Kernels(mirrorSource).Func(planned4), over, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(2)), p.Read(edge2cell),
			x.Read(), sum.Inc(), d.Inc(edge2cell.At(0)), a.Inc(edge2cell, edge2cell)))
		given := op2.BackendOf(rt).(*fakeDevice).given
		if want := []int{m, m, n, 1, m, a.Sparsity().Blocks()}; !slices.Equal(given.Elements, want) || given.SetSize != n || len(given.Mirrors) != len(want) {
			t.Errorf("%d data have %v elements, the set has %d; want %v", len(given.Mirrors), given.Elements, given.SetSize, want)
		}
		for _, request := range []backend.PlanRequest{{BlockSize: 16}, {BlockSize: 8, Stage: true}, {BlockSize: 4, Stage: true, ElementColors: true}} {
			plan, in, err := given.NewPlan(request)
			must(t, err)
			for i, data := range in.Data {
				staged, collides := request.Stage && (i < 2 || i == 4), i >= 4
				if data.Stage != staged || data.Collides != collides || staged != (plan.TableOf(in, i) >= 0) {
					t.Errorf("%+v: data %d: %+v", request, i, data)
				}
			}
			if (plan.ElementColors != nil) != request.ElementColors || plan.BlockSize != request.BlockSize || len(in.Data) != 6 {
				t.Errorf("%+v: got %+v", request, plan.Report())
			}
			if loop.Plan() != op2.PlanFigures(plan.Report()) {
				t.Error("the loop's plan is not the last one")
			}
		}
		if plan, in, err := given.NewPlan(backend.PlanRequest{}); plan != nil || in != nil || err != nil {
			t.Errorf("got %v, %v, %v", plan, in, err)
		}
	}
}

// Renumbering precedes all transfers to the device.
func TestRenumberOnDevice(t *testing.T) {
	rt, _ := openTestDevice(t)
	mesh := newTopology(60, 50)
	edges, nodes := newSet(t, rt, 60, "edges"), newSet(t, rt, 50, "nodes")
	newMap(t, edges, nodes, 2, mesh.anywhere(2), "edge2node")
	values := some[float64](mesh.random, 200)
	q, r := newDat(t, nodes, 4, values, "q"), newDat[float64](t, nodes, 4, nil, "r")
	must(t, rt.Renumber(newDat[float64](t, nodes, 2, nil, "origin")))
	run(t, op2.Kernels(mirrorSource).Func(keep4), nodes, q.Read(), r.Write())
	if got := op2.Must(r.InDeclaredOrder()); !slices.Equal(got, values) {
		t.Errorf("got %v", got)
	}
	if norm := op2.Must(r.Norm()); math.IsNaN(norm) {
		t.Error("not a number")
	}
}
