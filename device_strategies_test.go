package op2_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/optest"
)

// ran fails the test unless Stats report that a loop ran this way.
func ran(t testing.TB, l *op2.Loop, want string) {
	t.Helper()
	if got := l.Stats().How; !regexp.MustCompile("^(" + want + ")$").MatchString(got) {
		t.Errorf("ran %q, want %q", got, want)
	}
}

// A strategy that a loop cannot use is replaced, and Stats say so.
func TestStrategiesThatDoNotFit(t *testing.T) {
	optest.NotShort(t)
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		for _, test := range []struct{ strategy, collides, two, direct, reads string }{
			// one dat incremented; two; none, and a dat read through a map
			{"staged", "staged, blocks of 256", "staged, blocks of 256", "direct", "staged, blocks of 256"},
			{"atomic", "atomic", "atomic", "direct", "direct"},
			{"global-color", "global-color", "global-color", "direct", "direct"},
			{"gather", "gather", "global-color, since gather is for loops that increment one dat", "direct", "direct"},
			{"blocks", "blocks, of 1024 elements", "blocks, of 1024 elements", "blocks, of 1024 elements", "blocks, of 1024 elements"},
		} {
			if !slices.Contains(strategiesOf(t), test.strategy) {
				continue
			}
			rt := open(t, op2.WithStrategy(op2.Strategy(test.strategy)))
			c := newChain(t, rt, 900)
			m := c.edge2node
			optest.OK(t, c.run())
			ran(t, c.flow, test.collides)
			other := optest.NewDat[float64](t, c.nodes, 3, nil, "other")
			two := op2.NewLoop(deviceKernels.Func(swapFlow), c.edges, c.q.Read(m.At(0)), c.q.Read(m.At(1)), c.r.Inc(m.At(0)), other.Inc(m.At(1)))
			optest.OK(t, two.Compute())
			ran(t, two, test.two)
			direct := op2.NewLoop(deviceKernels.Func(doubleAll), c.nodes, other.RW())
			optest.OK(t, direct.Compute())
			ran(t, direct, test.direct)
			sum := optest.NewDat[float64](t, c.edges, 1, nil, "sum")
			reads := op2.NewLoop(deviceKernels.Func(lookAt), c.edges, c.q.Read(m.At(1)), sum.Write())
			optest.OK(t, reads.Compute())
			ran(t, reads, test.reads)
			var table strings.Builder
			optest.OK(t, rt.WriteStats(&table))
			if !strings.Contains(table.String(), test.two) {
				t.Errorf("no %q in\n%s", test.two, table.String())
			}
		}

		rt := open(t, op2.WithStrategy(op2.Atomic))
		c := newChain(t, rt, 60)
		small := optest.NewDat[int8](t, c.nodes, 1, nil, "small")
		loop := op2.NewLoop(ckernel.New("count", "void count(signed char *n) { *n += 1; }"), c.edges, small.Inc(c.edge2node.At(0)))
		optest.OK(t, loop.Compute())
		ran(t, loop, "global-color, since no atomic operations combine its values")
		optest.Expect(t, small, append(slices.Repeat([]int8{1}, 60), 0))
	})
}

// Measuring settles on one strategy, and reports the time of each.
func TestMeasuredStrategy(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		if testing.Short() {
			t.Skip("it compiles every strategy")
		}
		rt := open(t, op2.WithStrategy(op2.Measure))
		c := newChain(t, rt, 500)
		builds := watched.Builds
		for range 30 {
			optest.OK(t, c.run())
		}
		optest.Expect(t, c.r, c.want(30))
		ran(t, c.flow, `[a-z-]+(, .*)?measured staged \d+\.\d µs (in-place \d+\.\d µs )?global-color \d+\.\d µs atomic \d+\.\d µs gather \d+\.\d µs( blocks \d+\.\d µs)?`)
		if tried := watched.Builds - builds; watched.Released != tried-1 {
			t.Errorf("%d of %d programs were given back", watched.Released, tried)
		}
	})
}

// Blocks shrink if shared memory is small, or the loop runs with another strategy.
func TestLittleSharedMemory(t *testing.T) {
	for _, test := range []struct {
		local int
		want  string
	}{
		{0, "staged, blocks of 256"},
		{8 << 10, "staged, blocks of 167 instead of 256 to fit shared memory"},
		{2 << 10, "staged, blocks of 40 instead of 256 to fit shared memory"},
		{1 << 10, "global-color, since blocks of 32 elements reach more than the 1024 bytes of shared memory"},
	} {
		watch(t, gputest.Standin, standin.Limits{Local: test.local})
		rt := openerOf(gputest.Standin)(t, op2.WithStrategy(op2.Staged))
		c := newChain(t, rt, 1000)
		optest.OK(t, c.run())
		ran(t, c.flow, test.want)
		optest.Expect(t, c.r, c.want(1))
	}
}

// Blocks are larger than a group if there are many of them, and as large as a user says if the device has the memory.
func TestMuchSharedMemory(t *testing.T) {
	for _, test := range []struct {
		n, block, local int
		want            string
	}{
		{20_000, 0, 0, "staged, blocks of 1024"},
		{20_000, 0, 100 << 10, "staged, blocks of 1024"},
		{10_000, 0, 0, "staged, blocks of 512"},
		{5_000, 0, 0, "staged, blocks of 256"},
		{5_000, 2000, 100 << 10, "staged, blocks of 2000"},
		{5_000, 2000, 0, "staged, blocks of 1000 instead of 2000 to fit shared memory"},
	} {
		watch(t, gputest.Standin, standin.Limits{Local: test.local})
		options := []op2.Option{op2.WithStrategy(op2.Staged), op2.WithDiags(true)}
		if test.block > 0 {
			options = append(options, op2.WithBlockSize(test.block))
		}
		c := newChain(t, openerOf(gputest.Standin)(t, options...), test.n)
		optest.OK(t, c.run())
		ran(t, c.flow, test.want)
		optest.Expect(t, c.r, c.want(1))
	}
}

// Many reductions need so much shared memory that groups must be smaller.
func TestManyReductions(t *testing.T) {
	const many, n = 30, 700
	source := "void sums(const double *x"
	body := ""
	for i := range many {
		source += fmt.Sprintf(", double *s%d", i)
		body += fmt.Sprintf(" *s%d += *x + %d;", i, i)
	}
	source += ") {" + body + " }"
	watch(t, gputest.Standin, standin.Limits{})
	rt := openerOf(gputest.Standin)(t)
	cells := optest.NewSet(t, rt, n, "cells")
	x := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, n), "x")
	var sums []*op2.Global[float64]
	args := []op2.Arg{x.Read()}
	for i := range many {
		sums = append(sums, optest.NewGlobal(t, rt, fmt.Sprint("s", i), 1.0))
		args = append(args, sums[i].Inc())
	}
	optest.Run(t, ckernel.New("sums", source), cells, args...)
	for i, s := range sums {
		optest.Expect(t, s, []float64{1 + float64(n*(2+i))})
	}
}

// Kernels may use the names of the surrounding generated code.
func TestKernelNamesOnDevices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 9, "cells")
		total := optest.NewGlobal(t, rt, "total", 0.0)
		for _, name := range []string{"fault", "first", "count"} {
			x := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, 9), "x")
			optest.Run(t, ckernel.New(name, "void "+name+"(double *x, double *total) { *x += 1; *total += *x; }"), cells, x.RW(), total.Inc())
			optest.Expect(t, x, slices.Repeat([]float64{3}, 9))
		}
		optest.Expect(t, total, []float64{3 * 27})
	})
}

// A kernel that needs too many registers runs in smaller groups.
func TestTooManyRegisters(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		watched.Figures = func(kernel string, f *device.Figures) {
			if kernel == "op2_loop_swapFlow" {
				f.MaxGroup = 100
			}
		}
		for _, test := range []struct{ strategy, want string }{
			{"atomic", "atomic, groups of 64 instead of 256 to fit registers"},
			{"staged", "staged, blocks of 64, groups of 64 instead of 256 to fit registers"},
		} {
			rt := open(t, op2.WithStrategy(op2.Strategy(test.strategy)))
			c := newChain(t, rt, 400)
			optest.OK(t, c.run())
			optest.OK(t, c.run())
			ran(t, c.flow, test.want)
			optest.Expect(t, c.r, c.want(2))
			if text := optest.Must(c.flow.Generate()); !strings.Contains(text, "64 work-items in a group") {
				t.Errorf("the text is\n%s", text)
			}
		}
	})
}
