package op2_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
	"github.com/go-op2/op2/internal/tune"
)

// choices are options of kernels, and what Stats then say, "" on backends that do not have the choice.
type choices struct {
	options []op2.KernelOption
	taken   string
}

// agree runs loops that increment and that reduce, with choices of their own, and compares the results, and what was taken.
func agree(t *testing.T, rt *op2.Runtime, c choices) {
	t.Helper()
	const n = 3000
	row := newChain(t, rt, n)
	m := row.edge2node
	flow := op2.NewLoop(deviceKernels.Func(swapFlow).With(c.options...), row.edges, row.q.Read(m.At(0)), row.q.Read(m.At(1)), row.r.Inc(m.At(0)), row.r.Inc(m.At(1)))
	optest.OK(t, flow.Compute())
	optest.Expect(t, row.r, row.want(1))
	optest.OK(t, flow.Compute())
	optest.Expect(t, row.r, row.want(2))
	if got := flow.Stats().Choices; !strings.Contains(got, c.taken) {
		t.Errorf("%s is not in %s", c.taken, got)
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = float64(i % 5)
	}
	g := optest.NewGlobal(t, rt, "g", 1.0, 2.0)
	sum := op2.NewLoop(deviceKernels.Func(addGlobal).With(c.options...), row.edges, g.Inc(), optest.NewDat(t, row.edges, 1, ones, "ones").Read())
	if err := sum.Compute(); err != nil && !strings.Contains(err.Error(), "needs a power of two") {
		t.Error(err)
	} else if err == nil {
		optest.Expect(t, g, []float64{1 + 2*n, 2 + n})
	}
}

// Whatever is chosen for a loop on the host, its results are the same, and Stats say what was taken.
func TestChoicesOnTheHost(t *testing.T) {
	optest.RequireCompiler(t)
	for _, backend := range []string{"go", "sequential", "openmp"} {
		threads := backend != "sequential"
		compiles := backend != "go"
		for _, c := range []struct {
			choices
			here bool // the backend has the choice
		}{
			{choices{nil, "(estimate)"}, true},
			{choices{[]op2.KernelOption{op2.WithBlockSize(7)}, "block=7 (user)"}, threads},
			{choices{[]op2.KernelOption{op2.WithBlockSize(100), op2.WithThreads(1)}, "block=100 (user), threads=1 (user)"}, threads},
			{choices{[]op2.KernelOption{op2.WithThreads(100), op2.WithBlockSize(64)}, "threads=2 (estimate)"}, threads},
			{choices{[]op2.KernelOption{op2.WithDynamicSchedule(true)}, "schedule=dynamic (user)"}, backend == "openmp"},
			{choices{[]op2.KernelOption{op2.WithSIMD(op2.Off)}, "simd=off (user)"}, compiles},
			{choices{[]op2.KernelOption{op2.WithSIMD("2"), op2.WithCFlags("-O2")}, "cflags=-O2 (user)"}, compiles},
			{choices{[]op2.KernelOption{op2.WithSIMD("4")}, ""}, true},
			{choices{[]op2.KernelOption{op2.WithCompiler("cc"), op2.WithCFlags("-O1", "-DX=a b")}, `cc=cc (user), cflags='-O1 '\''-DX=a b'\''' (user)`}, compiles},
		} {
			if !c.here {
				c.taken = ""
			}
			t.Run(fmt.Sprint(backend, c.taken), func(t *testing.T) {
				rt := optest.OpenBackend(t, backend, op2.WithThreads(2), op2.WithLog(nil))
				agree(t, rt, c.choices)
			})
		}
	}
}

// So it is on devices.
func TestChoicesOnDevices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		staged, atomic := op2.WithStrategy(op2.Staged), op2.WithStrategy(op2.Atomic)
		rt := open(t)
		for i, c := range []choices{
			{[]op2.KernelOption{staged, op2.WithBlockSize(100)}, "block=100 (user), strategy=staged (user), group=128 (estimate)"},
			{[]op2.KernelOption{atomic, op2.WithGroup(64, 4)}, "strategy=atomic (user), group=64 (user), items=4 (user)"},
			{[]op2.KernelOption{op2.WithStrategy(op2.GlobalColor), op2.WithGroup(96, 3)}, "group=96 (user), items=3 (user)"},
			{[]op2.KernelOption{staged, op2.WithGroup(512, 1), op2.WithBlockSize(700)}, "block=700 (user), strategy=staged (user), group=512 (user)"},
			{[]op2.KernelOption{op2.WithStrategy(op2.Gather), op2.WithGroup(32, 1)}, "strategy=gather (user), group=32 (user)"},
			{[]op2.KernelOption{op2.WithStrategy(op2.Blocks), op2.WithBlockSize(333)}, "strategy=blocks (user), group=1 (estimate)"},
		} {
			if i > 1 && (testing.Short() || !heavy.On() && rt.Backend() == "opencl") { // the stand-in has them all
				break
			}
			agree(t, rt, c)
		}
	})
}

// What cannot be chosen is an error of the loop, which says what can.
func TestImpossibleChoices(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	set := optest.NewSet(t, rt, 10, "cells")
	x, y := optest.NewDat[float64](t, set, 3, nil, "x"), optest.NewDat[float64](t, set, 1, nil, "y")
	k := op2.Kernels(tunedSource).Func(sumSquares)
	for _, c := range []struct {
		option op2.KernelOption
		want   string
	}{
		{op2.WithGroup(2000, 1), "groups of 2000 work-items: expected 1 to 1024"},
		{op2.WithGroup(0, 1), "groups of 0 work-items: expected 1 to 1024"},
		{op2.WithGroup(64, 65), "65 elements for each work-item: expected 1 to 64"},
		{op2.WithThreads(0), "0 threads: at least one is needed"},
		{op2.WithSIMD("3"), "packs of 3 elements: expected 2, 4, 8, 16, 32 or 64"},
		{op2.WithLayout("soas"), `layout "soas": expected auto, aos or soa (did you mean "soa"?)`},
		{op2.WithBlockSize(math.MaxInt32 + 1), "blocks of 2147483648 elements: at least one is needed"},
	} {
		err := op2.NewLoop(k.With(c.option), set, y.Inc(), x.Read()).Err()
		optest.ExpectError(t, err, "op2: loop sumSquares over cells: kernel sumSquares: With: "+c.want)
	}
}

// What a device does not allow is an error that says what it does.
func TestImpossibleGroups(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		edges := optest.NewSet(t, rt, 10, "edges")
		v, g := optest.NewDat[float64](t, edges, 1, nil, "v"), optest.NewGlobal(t, rt, "g", 1.0, 2.0)
		err := op2.NewLoop(deviceKernels.Func(addGlobal).With(op2.WithGroup(96, 1)), edges, g.Inc(), v.Read()).Err()
		if err == nil || !strings.Contains(err.Error(), "groups of 96 work-items: the loop reduces, which needs a power of two") {
			t.Errorf("got %v", err)
		}
	})
}

// Flags for a device's compiler reach it, those of one loop only there.
func TestDeviceFlags(t *testing.T) {
	gputest.Require(t, "opencl")
	rt := openerOf("opencl")(t)
	row := newChain(t, rt, 10)
	k := deviceKernels.Func(doubleAll)
	if err := op2.ParLoop(k.With(op2.WithDeviceFlags("-no-such-option")), row.nodes, row.q.RW()); err == nil {
		t.Error("no error about an option that is none")
	}
	optest.OK(t, op2.ParLoop(k.With(op2.WithDeviceFlags("-cl-mad-enable", "-DOP2_UNUSED=1")), row.nodes, row.q.RW()))
	optest.OK(t, op2.ParLoop(k, row.nodes, row.q.RW()))
}

// A compiler that is not here is an error of the loops that chose it, and of no others.
func TestLoopsOwnCompilerIsMissing(t *testing.T) {
	rt := optest.OpenBackend(t, "sequential", op2.WithLog(nil))
	row := newChain(t, rt, 10)
	missing := op2.NewLoop(deviceKernels.Func(doubleAll).With(op2.WithCompiler("no-such-compiler")), row.nodes, row.q.RW())
	if err := missing.Err(); err == nil || !strings.Contains(err.Error(), `no C compiler called "no-such-compiler"`) {
		t.Errorf("got %v", err)
	}
	optest.OK(t, row.run())
	optest.Expect(t, row.r, row.want(1))
}

// The first loop that wishes for a layout decides for a dat, unless that has one of its own.
func TestLayoutOfLoops(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		row := newChain(t, rt, 20)
		k := deviceKernels.Func(doubleAll)
		soa, aos := k.With(op2.WithLayout(op2.SoA)), k.With(op2.WithLayout(op2.AoS))
		want := make([]float64, len(row.start))
		for i, v := range row.start {
			want[i] = 8 * v
		}
		l := op2.NewLoop(soa, row.nodes, row.q.RW())
		optest.OK(t, l.Compute())
		if got := l.Stats().Choices; !strings.Contains(got, "layout=soa (user)") {
			t.Errorf("got %s", got)
		}
		optest.OK(t, op2.ParLoop(k, row.nodes, row.q.RW()))
		err := op2.NewLoop(aos, row.nodes, row.q.RW()).Err()
		if err == nil || !strings.Contains(err.Error(), "the loop wishes for layout aos, and loop doubleAll over nodes for soa") {
			t.Errorf("got %v", err)
		}
		optest.OK(t, row.q.SetLayout(op2.AoS))
		optest.OK(t, op2.NewLoop(aos, row.nodes, row.q.RW()).Compute())
		optest.Expect(t, row.q, want)
	})
}

// What a chooser proposes counts where the user leaves it open.
func TestChooser(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"), op2.WithThreads(2), op2.WithLog(nil))
	var asked []choice.Subject
	proposal := choice.Choices{Block: 50, Strategy: tune.Staged}
	(*entity.Runtime)(rt).Config().Choose = func(s choice.Subject) choice.Made {
		asked = append(asked, s)
		return proposal.By(choice.Wisdom)
	}
	row := newChain(t, rt, 500)
	run := func(k *op2.Kernel) string {
		t.Helper()
		l := op2.NewLoop(k, row.nodes, row.q.RW())
		optest.OK(t, l.Compute())
		return l.Stats().Choices
	}
	k := deviceKernels.Func(doubleAll)
	if got, want := run(k), "block=50 (wisdom), threads=2 (user)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := run(k.With(op2.WithBlockSize(70))), "block=70 (user), threads=2 (user)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	proposal.Group = 5000 // which cannot be: nothing of it counts
	if got := run(k); !strings.HasPrefix(got, "block=") || strings.Contains(got, "wisdom") {
		t.Errorf("got %s", got)
	}
	s := asked[0]
	if s.Name != "doubleAll" || s.Backend != "go" || s.Elements != 501 || s.SizeClass() != 9 || s.Machine == "" || s.Loop != asked[1].Loop || asked[1].User.Who(choice.Block) != choice.User {
		t.Errorf("asked about %+v", s)
	}
}
