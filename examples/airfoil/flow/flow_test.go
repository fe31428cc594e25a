package flow

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/mesh"
)

func TestMain(m *testing.M) { optest.Main(m) }

// small is a mesh on which even the stand-in is fast.
var small = optest.Must(mesh.NACA0012(12, 10))

// eachWay runs f for each way in which devices run the loops.
func eachWay(t *testing.T, f func(t *testing.T, backend, strategy string)) {
	for _, backend := range []string{"opencl", gputest.Standin} {
		for _, strategy := range []string{"auto", "staged"} {
			t.Run(backend+"/"+strategy, func(t *testing.T) {
				gputest.Require(t, backend)
				f(t, backend, strategy)
			})
		}
	}
}

// march iterates on a mesh.
func march(t *testing.T, open func(*op2.Runtime, *mesh.Mesh, Numbering) (*Flow, error), m *mesh.Mesh, iterations int, options ...op2.Option) (q []float64, rms float64) {
	t.Helper()
	rt, err := op2.Open(append([]op2.Option{op2.WithLog(nil)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	f, err := open(rt, m, AsGiven)
	if err != nil {
		t.Fatal(err)
	}
	for range iterations {
		if rms, err = f.Iterate(); err != nil {
			t.Fatal(err)
		}
	}
	q, err = f.Q()
	if err != nil {
		t.Fatal(err)
	}
	return q, rms
}

// Devices compute the same flow as the kernels do as plain Go.
func TestDevices(t *testing.T) { eachWay(t, asInGo) }

// So do the other ways.
func TestHeavyDevices(t *testing.T) {
	heavy.Test(t)
	for _, backend := range []string{"opencl", gputest.Standin} {
		for _, strategy := range []string{"atomic", "global-color", "gather", "blocks", "measure"} {
			t.Run(backend+"/"+strategy, func(t *testing.T) {
				gputest.Require(t, backend)
				asInGo(t, backend, strategy)
			})
		}
	}
}

func asInGo(t *testing.T, backend, strategy string) {
	const iterations = 25
	want, wantRMS := march(t, New, small, iterations, op2.WithBackend("go"))
	q, rms := march(t, New, small, iterations, op2.WithBackend(backend), op2.WithStrategy(op2.Strategy(strategy)), optest.Unoptimized())
	if off := math.Abs(rms/wantRMS - 1); !(off < 1e-10) {
		t.Errorf("rms %.16e, in Go %.16e: off by %.1e", rms, wantRMS, off)
	}
	for i := range q {
		if d := math.Abs(q[i] - want[i]); !(d < 1e-11) {
			t.Fatalf("q[%d] is %.16e, in Go %.16e", i, q[i], want[i])
		}
	}
}

// The strategy is also read from the environment.
func TestStrategyOfEnvironment(t *testing.T) {
	gputest.Require(t, "opencl")
	for _, strategy := range []string{"staged", "blocks"} {
		t.Setenv("OP2_STRATEGY", strategy)
		rt := optest.Must(op2.Open(op2.WithBackend("opencl"), op2.WithLog(nil)))
		defer rt.Close()
		f := optest.Must(New(rt, small, AsGiven))
		if err := f.resCalc.Compute(); err != nil {
			t.Fatal(err)
		}
		if got := f.resCalc.Stats().How; len(got) < len(strategy) || got[:len(strategy)] != strategy {
			t.Errorf("res_calc runs %s, want %s", got, strategy)
		}
	}
}

// An iteration transfers nothing between host and device except the reduction: 0 to the device
// before it, the result back. The device sees no more transfers than the runtime
// counts.
func TestIterationMovesTheReduction(t *testing.T) {
	eachWay(t, func(t *testing.T, backend, strategy string) {
		device := gputest.Watch(t, backend, standin.Limits{})
		layouts := []string{"auto", "soa"}
		if strategy != "auto" {
			layouts = layouts[:1]
		}
		for _, layout := range layouts {
			rt := optest.Must(op2.Open(op2.WithBackend(backend), op2.WithStrategy(op2.Strategy(strategy)), op2.WithLayout(op2.Layout(layout)), optest.Unoptimized(), op2.WithLog(nil)))
			defer rt.Close()
			f := optest.Must(New(rt, small, AsGiven))
			optest.Must(f.Iterate())
			dats := int64(8*(4*small.Cells()+2*small.Nodes()) + 4*small.Given.Boundary.Len()) // q, x and bound; the others are zero or written
			if got, want := rt.Transfers(), (op2.Transfers{ToDevice: 5, BytesToDevice: dats + 16, ToHost: 1, BytesToHost: 8}); got != want {
				t.Errorf("%s: the first iteration moved %+v, want %+v", layout, got, want)
			}
			rt.ResetStats()
			device.Forget()
			const n = 7
			for range n {
				optest.Must(f.Iterate())
			}
			want := op2.Transfers{ToDevice: n, BytesToDevice: 8 * n, ToHost: n, BytesToHost: 8 * n}
			if got := rt.Transfers(); got != want {
				t.Errorf("%s: %d iterations moved %+v, want %+v", layout, n, got, want)
			}
			asked := op2.Transfers{ToDevice: int64(device.Uploads), BytesToDevice: device.BytesUp, ToHost: int64(device.Downloads), BytesToHost: device.BytesDown}
			if asked != want || device.Copies != 0 || device.Clears != 0 {
				t.Errorf("%s: the device was asked for %+v, %d copies and %d clears", layout, asked, device.Copies, device.Clears)
			}
			for _, s := range rt.Stats() {
				if s.Calls != n && s.Calls != 2*n || s.Time <= 0 || s.How == "" {
					t.Errorf("%s: %+v, want one call for an iteration, or two", layout, s)
				}
			}
			optest.Must(f.Q())
			want.ToHost++
			want.BytesToHost += int64(8 * 4 * small.Cells())
			if got := rt.Transfers(); got != want {
				t.Errorf("%s: the result moved %+v, want %+v", layout, got, want)
			}
		}
	})
}

// The known answer on the standard mesh of 720,000 cells, with the CPU as a device: takes some
// minutes, and runs only if OP2_HEAVY is set.
func TestHeavyKnownAnswerOnDevices(t *testing.T) {
	heavy.Test(t)
	m := optest.Must(mesh.NACA0012(400, 600))
	gputest.Require(t, "opencl")
	_, rms := march(t, New, m, 100, op2.WithBackend("opencl"))
	if got := fmt.Sprintf("%.5e", rms); got != "5.02186e-04" {
		t.Errorf("rms after 100 iterations is %s, not 5.02186e-04", got)
	}
	const iterations = 10
	_, want := march(t, New, m, iterations, op2.WithBackend("opencl"))
	for _, strategy := range []string{"staged", "in-place", "atomic", "global-color", "gather", "scratchpad", "measure"} {
		t.Run(strategy, func(t *testing.T) {
			_, rms := march(t, New, m, iterations, op2.WithBackend("opencl"), op2.WithStrategy(op2.Strategy(strategy)))
			if off := math.Abs(rms/want - 1); !(off < 1e-11) {
				t.Errorf("rms after %d iterations is %.16e, want %.16e: off by %.1e", iterations, rms, want, off)
			}
		})
	}
}
