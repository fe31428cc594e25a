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
	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed mirror_test.go
var mirrorSource string

// openTestDevice opens a runtime on the device for tests.
func openTestDevice(t testing.TB, options ...op2.Option) (*op2.Runtime, *pretend.Device) {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend("test"), op2.WithLog(nil)}, options...)...)
	if errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "test", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	optest.CheckPlans(rt)
	t.Cleanup(func() { rt.Close() })
	return rt, op2.BackendOf(rt).(*optest.FakeDevice).Memory
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
		rt, _ := openTestDevice(t, op2.WithLayout(op2.Layout(layout)))
		const n, m = 200, 80
		mesh := optest.NewTopology(n, m)
		edges, cells := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "cells")
		edge2cell := optest.NewMap(t, edges, cells, 2, mesh.Anywhere(2), "edge2cell")
		q, old, d := optest.NewDat(t, cells, 4, optest.Some[float64](mesh.Random, 4*m), "q"), optest.NewDat[float64](t, cells, 4, nil, "old"), optest.NewDat[float64](t, cells, 4, nil, "d")
		x, rms := optest.NewDat(t, edges, 1, optest.Some[float64](mesh.Random, n), "x"), optest.NewGlobal(t, rt, "rms", 0.0)
		want := optest.Must(q.InDeclaredOrder())
		k := op2.Kernels(mirrorSource)
		iterate := func() float64 {
			optest.OK(t, rms.Set(0))
			optest.Run(t, k.Func(keep4), cells, q.Read(), old.Write())
			optest.Run(t, k.Func(flow4), edges, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(1)), x.Read(), d.Inc(edge2cell.At(0)), d.Inc(edge2cell.At(1)))
			optest.Run(t, k.Func(step4), cells, old.Read(), q.Write(), d.RW(), rms.Inc())
			return optest.Must(rms.Value())
		}
		iterate()
		optest.Moved(t, rt, "the first iteration", op2.Transfers{ToDevice: 3, BytesToDevice: 8 * (4*m + n + 1), ToHost: 1, BytesToHost: 8})
		iterate()
		optest.Moved(t, rt, "the second iteration", op2.Transfers{ToDevice: 1, BytesToDevice: 8, ToHost: 1, BytesToHost: 8})
		for range 2 {
			difference := make([]float64, 4*m)
			ends := edge2cell.Values()
			for e, c := range optest.Must(x.DataRO()) {
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
		optest.Expect(t, q, want)
		optest.Moved(t, rt, "the result", op2.Transfers{ToHost: 1, BytesToHost: 8 * 4 * m})
	}
}

// Data on the device is changed there, data on the host on the host.
func TestDataOnDevice(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := optest.NewSet(t, rt, 10, "cells")
	values := optest.Some[float64](optest.NewTopology(1, 1).Random, 40)
	q, r := optest.NewDat(t, cells, 4, values, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	const bytes = 8 * 40
	up, down := op2.Transfers{ToDevice: 1, BytesToDevice: bytes}, op2.Transfers{ToHost: 1, BytesToHost: bytes}

	optest.Run(t, k, cells, r.Read(), q.Write()) // zeros, which are nowhere yet
	optest.Moved(t, rt, "zeros", op2.Transfers{})
	optest.Expect(t, q, make([]float64, 40))
	optest.Moved(t, rt, "DataRO", down)
	optest.Expect(t, q, make([]float64, 40))
	optest.Run(t, k, cells, q.Read(), r.Write())
	optest.Moved(t, rt, "after DataRO", op2.Transfers{})
	copy(optest.Must(q.Data()), values)
	optest.Run(t, k, cells, q.Read(), r.Write())
	optest.Moved(t, rt, "after Data", up)

	before := device.Copies
	optest.OK(t, q.Zero())
	optest.OK(t, q.Copy(r))
	s := r.Duplicate("s")
	if device.Copies != before+2 {
		t.Errorf("copied %d times on the device, want 2", device.Copies-before)
	}
	optest.Moved(t, rt, "Zero, Copy and Duplicate", op2.Transfers{})
	optest.Expect(t, q, values)
	optest.Expect(t, s, values)
	rt.ResetStats()

	optest.Run(t, k, cells, q.Read(), r.Write())
	optest.OK(t, r.Fill(7))
	optest.OK(t, r.SetInDeclaredOrder(values))
	optest.Moved(t, rt, "what is overwritten", op2.Transfers{})
	if norm := optest.Must(r.Norm()); norm != optest.Must(q.Norm()) {
		t.Errorf("the norm is %v", norm)
	}
	optest.OK(t, q.Copy(optest.NewDat[float64](t, cells, 4, nil, "zeros")))
	optest.Expect(t, q, make([]float64, 40))

	slice := optest.Must(r.Data())
	optest.OK(t, rt.Close())
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
		option op2.Layout
		own    op2.Layout
		dim    int
		soa    bool
	}{
		{op2.Auto, "", 4, true}, {op2.Auto, "", 3, false}, {op2.Auto, op2.AoS, 4, false}, {op2.SoA, "", 3, true},
		{op2.AoS, "", 4, false}, {op2.AoS, op2.SoA, 4, true}, {op2.SoA, op2.AoS, 2, false}, {op2.SoA, op2.SoA, 1, false},
	} {
		rt, _ := openTestDevice(t, op2.WithLayout(test.option))
		d := optest.NewDat[float64](t, optest.NewSet(t, rt, 3, "cells"), test.dim, nil, "d")
		optest.OK(t, d.SetLayout(test.own))
		if got := op2.IsSoA(d); got != test.soa {
			t.Errorf("%+v: got %v", test, got)
		}
	}
	rt, _ := openTestDevice(t)
	cells := optest.NewSet(t, rt, 10, "cells")
	values := optest.Some[float64](optest.NewTopology(1, 1).Random, 40)
	q, r := optest.NewDat(t, cells, 4, values, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	optest.Run(t, k, cells, q.Read(), r.Write())
	if err := q.SetLayout("SoA"); err == nil || err.Error() != `op2: layout "SoA": expected auto, aos or soa (did you mean "soa"?)` {
		t.Errorf("got %v", err)
	}
	optest.OK(t, q.SetLayout(op2.AoS))
	rt.ResetStats()
	for range 3 {
		optest.Run(t, k, cells, q.Read(), r.Write())
	}
	optest.Moved(t, rt, "another layout", op2.Transfers{ToDevice: 1, BytesToDevice: 320})
	optest.Expect(t, r, values)

	host := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLayout(op2.SoA), op2.WithLog(nil)))
	defer host.Close()
	cells = optest.NewSet(t, host, 10, "cells")
	q, r = optest.NewDat(t, cells, 4, values, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	q.SetLayout(op2.SoA)
	optest.Run(t, k, cells, q.Read(), r.Write())
	optest.Expect(t, r, values)
}

// The vectors of a solver stay where they are.
func TestSolversMoveNoVectors(t *testing.T) {
	optest.NotShort(t)
	for _, dim := range []int{1, 3} {
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			for _, preconditioner := range []string{"none", "jacobi"} {
				rt, device := openTestDevice(t, op2.WithLayout(op2.SoA))
				s := optest.NewSystem(60, dim, method == "cg")
				d := s.Declare(t, rt)
				system := optest.NewSolver(t, d.Matrix, solver.Method(method), solver.Preconditioner(preconditioner), solver.WithRTol(1e-12))
				for i := range 3 {
					system.ReusePreconditioner(i > 0)
					device.Largest = 0
					_, err := system.Solve(d.X, d.B)
					optest.OK(t, err)
					if i > 0 && device.Largest > 32 {
						t.Errorf("%s + %s, dim %d: %d bytes were moved at once", method, preconditioner, dim, device.Largest)
					}
				}
				optest.Within(t, d.X, s.X, 1e-9)
			}
		}
	}
}

// PETSc works on the host's values, wherever they were.
func TestPETScOnDevice(t *testing.T) {
	optest.OpenPETSc(t)
	rt, _ := openTestDevice(t)
	s := optest.NewSystem(40, 2, true)
	d := s.Declare(t, rt)
	for _, a := range []solver.Operator{d.Matrix, d.Operator} {
		system := optest.NewSolver(t, a, solver.PETSc, solver.WithRTol(1e-12))
		for range 2 {
			optest.OK(t, d.X.Zero())
			_, err := system.Solve(d.X, d.B)
			optest.OK(t, err)
			product := optest.NewDat[float64](t, d.Set, 2, nil, "product")
			optest.OK(t, a.Mul(product, d.X)) // on the device
			optest.Within(t, product, s.B, 1e-8)
			optest.Within(t, d.X, s.X, 1e-9)
		}
	}
}

// A matrix is assembled, used and cleared on the device.
func TestMatOnDevice(t *testing.T) {
	rt, device := openTestDevice(t)
	const n, m = 60, 30
	mesh := optest.NewTopology(n, m)
	elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, m, "nodes")
	elem2node := optest.NewMap(t, elements, nodes, 3, mesh.Anywhere(3), "elem2node")
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "a")
	v, x, y := optest.NewDat(t, elements, 1, optest.Some[float64](mesh.Random, n), "v"), optest.NewDat(t, nodes, 1, optest.Some[float64](mesh.Random, m), "x"), optest.NewDat[float64](t, nodes, 1, nil, "y")
	assemble := func() {
		optest.OK(t, a.Zero())
		optest.Run(t, op2.Kernels(errorsSource).Func(local3x3), elements, a.Inc(elem2node, elem2node), v.Read())
		optest.OK(t, a.Mul(y, x))
	}
	assemble()
	rt.ResetStats()
	device.Largest = 0
	assemble()
	optest.Moved(t, rt, "assembly and product", op2.Transfers{})
	full, product := optest.Must(a.Values()), make([]float64, m)
	for i := range m {
		for j, v := range optest.Must(x.DataRO()) {
			product[i] += full[i*m+j] * v
		}
	}
	optest.Expect(t, y, product)
	rt.ResetStats()
	optest.Must(a.Norm())
	optest.Must(a.At(0, 0))
	optest.OK(t, a.Mul(y, x))
	optest.Moved(t, rt, "what only reads", op2.Transfers{})
	optest.OK(t, a.ZeroRows(nodes, 2))
	optest.OK(t, a.SetDiagonal(x))
	optest.OK(t, a.Mul(y, x))
	optest.Moved(t, rt, "ZeroRows and SetDiagonal", op2.Transfers{ToDevice: 2, BytesToDevice: 16}) // their values
	squares := slices.Clone(optest.Must(x.DataRO()))
	for i, v := range squares {
		squares[i] = v * v
	}
	optest.Expect(t, y, squares)
	optest.OK(t, a.MulTranspose(y, x))
	optest.Expect(t, y, squares)
	optest.OK(t, a.Mul(y, x))
	optest.OK(t, a.Diagonal(y))
	optest.Expect(t, y, optest.Must(x.DataRO()))
}

// Errors of the device name the loop and the dat.
func TestDeviceErrors(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := optest.NewSet(t, rt, 10, "cells")
	q, r := optest.NewDat[float64](t, cells, 4, make([]float64, 40), "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	k := op2.Kernels(mirrorSource).Func(keep4)
	device.Limit = 400
	optest.ExpectError(t, op2.ParLoop(k, cells, q.Read(), r.Write()),
		"op2: loop keep4 over cells: dat r on cells: out of memory on test: 320 bytes requested, 320 already allocated, the device has 400")
	device.Limit = 0
	optest.Run(t, k, cells, q.Read(), r.Write())
	device.Fail = func(call string) error { return fmt.Errorf("%s: the cable is out", call) }
	_, err := r.Data()
	optest.ExpectError(t, err, "op2: dat r on cells: Download: the cable is out")
	optest.ExpectError(t, r.Zero(), "op2: dat r on cells: Clear: the cable is out")
	optest.ExpectError(t, rt.WriteStats(&strings.Builder{}), "op2: backend test: Finish: the cable is out")
	device.Fail = nil
	optest.Expect(t, r, make([]float64, 40))
}

func TestDeviceStats(t *testing.T) {
	rt, _ := openTestDevice(t)
	cells := optest.NewSet(t, rt, 1000, "cells")
	q, r := optest.NewDat(t, cells, 4, make([]float64, 4000), "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
	loop := op2.NewLoop(op2.Kernels(mirrorSource).Func(keep4), cells, q.Read(), r.Write())
	for range 5 {
		optest.OK(t, loop.Compute())
	}
	if s := loop.Stats(); s.Calls != 5 || s.Time != 5*time.Microsecond || s.How != "pretended" {
		t.Errorf("%+v", s)
	}
	if s := rt.Stats(); len(s) != 1 || s[0].Time != 5*time.Microsecond {
		t.Errorf("%+v", s)
	}
	var text strings.Builder
	optest.OK(t, rt.WriteStats(&text))
	for _, want := range []string{"how", "pretended", "moved 0.0 MB to the device in 1 transfers, 0.0 MB back in 0\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// A program may create dats all the time.
func TestDeviceMemoryComesBack(t *testing.T) {
	rt, device := openTestDevice(t)
	cells := optest.NewSet(t, rt, 1000, "cells")
	q := optest.NewDat(t, cells, 4, make([]float64, 4000), "q")
	k := op2.Kernels(mirrorSource).Func(keep4)
	device.Limit = 10 * 32000
	for range 50 {
		optest.Run(t, k, cells, q.Read(), optest.NewDat[float64](t, cells, 4, nil, "new").Write())
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
	mesh := optest.NewTopology(n, m)
	edges, cells := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "cells")
	edge2cell := optest.NewMap(t, edges, cells, 3, mesh.Anywhere(3), "edge2cell")
	some := op2.NewSubset(edges, []int{1, 2, 3, 50, 60, 70, 71, 72, 99}, "some")
	q, p, d := optest.NewDat[float64](t, cells, 4, nil, "q"), optest.NewDat[float64](t, cells, 2, nil, "p"), optest.NewDat[float64](t, cells, 4, nil, "d")
	x, sum := optest.NewDat[float64](t, edges, 1, nil, "x"), optest.NewGlobal(t, rt, "sum", 0.0)
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: edge2cell, Cols: edge2cell}}, 1, 1, "sp"), "a")
	for _, over := range []op2.IterationSet{edges, some} {
		loop := op2.NewLoop(op2.Kernels(mirrorSource).Func(planned4), over, q.Read(edge2cell.At(0)), q.Read(edge2cell.At(2)), p.Read(edge2cell),
			x.Read(), sum.Inc(), d.Inc(edge2cell.At(0)), a.Inc(edge2cell, edge2cell))
		given := op2.BackendOf(rt).(*optest.FakeDevice).Given
		if want := []int{m, m, n, 1, m, a.Sparsity().Blocks()}; !slices.Equal(given.Elements, want) || given.SetSize != n || len(given.Mirrors) != len(want) {
			t.Errorf("%d data have %v elements, the set has %d; want %v", len(given.Mirrors), given.Elements, given.SetSize, want)
		}
		for _, request := range []backend.PlanRequest{{BlockSize: 16}, {BlockSize: 8, Stage: true}, {BlockSize: 4, Stage: true, ElementColors: true}} {
			plan, in, err := given.NewPlan(request)
			optest.OK(t, err)
			for i, data := range in.Data {
				staged, collides := request.Stage && (i < 2 || i == 4), i >= 4
				if data.Stage != staged || data.Collides != collides || staged != (plan.TableOf(in, i) >= 0) {
					t.Errorf("%+v: data %d: %+v", request, i, data)
				}
			}
			if (plan.ElementColors != nil) != request.ElementColors || plan.BlockSize != request.BlockSize || len(in.Data) != 6 {
				t.Errorf("%+v: got %+v", request, plan.Report())
			}
			if loop.Plan() != plan.Report() {
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
	mesh := optest.NewTopology(60, 50)
	edges, nodes := optest.NewSet(t, rt, 60, "edges"), optest.NewSet(t, rt, 50, "nodes")
	optest.NewMap(t, edges, nodes, 2, mesh.Anywhere(2), "edge2node")
	values := optest.Some[float64](mesh.Random, 200)
	q, r := optest.NewDat(t, nodes, 4, values, "q"), optest.NewDat[float64](t, nodes, 4, nil, "r")
	optest.OK(t, rt.Renumber(optest.NewDat[float64](t, nodes, 2, nil, "origin")))
	optest.Run(t, op2.Kernels(mirrorSource).Func(keep4), nodes, q.Read(), r.Write())
	if got := optest.Must(r.InDeclaredOrder()); !slices.Equal(got, values) {
		t.Errorf("got %v", got)
	}
	if norm := optest.Must(r.Norm()); math.IsNaN(norm) {
		t.Error("not a number")
	}
}
