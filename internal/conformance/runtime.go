package conformance

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

// conformConsts changes consts between loops, and counts compilations.
func conformConsts(t *testing.T, open optest.Opener) {
	cache := t.TempDir()
	rt := open(t, op2.WithCacheDir(cache))
	defer func(g float64, o [3]float64, s [2][2]int32, b uint8) { gain, offsets, stencil, shift = g, o, s, b }(gain, offsets, stencil, shift)
	op2.NewConst(rt, "gain", &gain)
	op2.NewConst(rt, "offsets", &offsets)
	op2.NewConst(rt, "stencil", &stencil)
	op2.NewConst(rt, "shift", &shift)
	optest.OK(t, rt.Err())
	const n = 2000
	cells := optest.NewSet(t, rt, n, "cells")
	v, k := make([]float64, n), make([]int32, n)
	for e := range n {
		v[e], k[e] = float64(e), int32(e)
	}
	value, which := optest.NewDat(t, cells, 1, v, "value"), optest.NewDat(t, cells, 1, k, "which")
	out, bits := optest.NewDat[float64](t, cells, 2, nil, "out"), optest.NewDat[int32](t, cells, 1, nil, "bits")
	loop := op2.NewLoop(kernels.Func(withConsts), cells, value.Read(), which.Read(), out.Write(), bits.Write())
	compiled := -1
	for round := range 4 {
		gain, offsets[2], stencil[1][1], shift = float64(round), 10*float64(round), int32(round), uint8(round)
		if err := loop.Compute(); err != nil {
			t.Fatal(err)
		}
		o, b := make([]float64, 2*n), make([]int32, n)
		for e := range n {
			o[2*e], o[2*e+1] = gain*v[e], gain+offsets[0]+offsets[1]+offsets[2]
			b[e] = stencil[e&1][1] << shift
		}
		optest.Expect(t, out, o)
		optest.Expect(t, bits, b)
		n := compilations(t, cache)
		if compiled >= 0 && n != compiled {
			t.Errorf("round %d: %d compilations, %d before", round, n, compiled)
		}
		compiled = n
	}
	want := 0
	translated := strings.HasPrefix(rt.Stats()[0].Code, "translated")
	if compiles(rt) && !translated {
		want = 1
	}
	cached := onDevice(rt) && compiled == 0 // by the driver
	if compiled != want && !cached {
		t.Errorf("%d compilations, want %d", compiled, want)
	}
}

// compilations counts the loops in a cache of compiled code, where the library's own code is, too.
func compilations(t *testing.T, cache string) int {
	t.Helper()
	n := 0
	for _, file := range optest.Must(filepath.Glob(filepath.Join(cache, "*.op2[ld][ie][bv]"))) {
		if !strings.HasPrefix(filepath.Base(file), "op2_") {
			n++
		}
	}
	return n
}

// conformChain runs two loops in turn, each of which needs the other's results.
func conformChain(t *testing.T, open optest.Opener) {
	const n, m, rounds = 3000, 1200, 25
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
	u, weight := make([]float64, m), make([]float64, n)
	for i := range u {
		u[i] = mesh.Random.NormFloat64()
	}
	for i := range weight {
		weight[i] = mesh.Random.Float64()
	}
	dU, dWeight, dRes := optest.NewDat(t, nodes, 1, u, "u"), optest.NewDat(t, edges, 1, weight, "weight"), optest.NewDat[float64](t, nodes, 1, nil, "res")
	change := optest.NewGlobal(t, rt, "change", 0.0)
	fluxKernel, stepKernel := kernels.Func(edgeFlux), kernels.Func(nodeStep)

	res := make([]float64, m)
	for range rounds {
		if err := change.Set(0); err != nil {
			t.Fatal(err)
		}
		optest.Run(t, fluxKernel, edges, dU.Read(edge2node), dRes.Inc(edge2node), dWeight.Read())
		optest.Run(t, stepKernel, nodes, dU.RW(), dRes.RW(), change.Inc())

		total := 0.0
		for e := range n {
			f := weight[e] * (u[to[2*e+1]] - u[to[2*e]])
			res[to[2*e]] += f
			res[to[2*e+1]] -= f
		}
		for i := range u {
			du := 0.1 * res[i]
			u[i] += du
			res[i] = 0
			total += du * du
		}
		got, err := change.Value()
		if err != nil {
			t.Fatal(err)
		}
		optest.Near(t, got, total, 1e-12) // a sum of some thousand squares, in another order
	}
	got := optest.Values(t, dU)
	for i := range u {
		if math.Abs(got[i]-u[i]) > 1e-12 { // values around 1, after some ten additions in each round
			t.Fatalf("u[%d] is %v, want %v", i, got[i], u[i])
		}
	}
}

// conformCache runs loops that ParLoop has prepared, and more than it caches.
func conformCache(t *testing.T, open optest.Opener) {
	const n, many = 5, 1100
	rt := open(t)
	cells := optest.NewSet(t, rt, n, "cells")
	k := kernels.Func(addInto)
	a, b := optest.NewDat(t, cells, 1, []float64{1, 2, 3, 4, 5}, "a"), optest.NewDat[float64](t, cells, 1, nil, "b")
	optest.Run(t, k, cells, a.Read(), b.RW())
	optest.Run(t, k, cells, a.Read(), b.RW())
	optest.Expect(t, b, []float64{2, 4, 6, 8, 10})
	optest.Run(t, k, cells, b.Read(), a.RW()) // the other way round is another loop
	optest.Expect(t, a, []float64{3, 6, 9, 12, 15})
	optest.Run(t, k, cells, a.Read(), b.Inc()) // and so is another access
	optest.Expect(t, b, []float64{5, 10, 15, 20, 25})
	optest.Run(t, kernels.Func(double), cells, a.Read(), b.Write())
	optest.Expect(t, b, []float64{6, 12, 18, 24, 30})

	dats := make([]*op2.Dat[float64], many)
	for i := range dats {
		dats[i] = optest.NewDat[float64](t, cells, 1, nil, fmt.Sprint("d", i))
	}
	for range 2 {
		for _, d := range dats {
			optest.Run(t, k, cells, a.Read(), d.RW())
		}
	}
	for _, d := range dats {
		optest.Expect(t, d, []float64{6, 12, 18, 24, 30})
	}
	stats := rt.Stats()
	calls := int64(0)
	for _, s := range stats {
		calls += s.Calls
	}
	if calls != 5+2*many {
		t.Errorf("%d calls counted, want %d", calls, 5+2*many)
	}

	// The same kernel over other sets, one of them of the same size.
	for _, size := range []int{n, 2 * n} {
		other := optest.NewSet(t, rt, size, "others")
		v := make([]float64, size)
		for i := range v {
			v[i] = float64(i)
		}
		x, y := optest.NewDat(t, other, 1, v, "x"), optest.NewDat(t, other, 1, v, "y")
		optest.Run(t, k, other, x.Read(), y.RW())
		for i := range v {
			v[i] *= 2
		}
		optest.Expect(t, y, v)
	}
}

// lineOf returns the number of the line of the kernels' file that holds text.
func lineOf(t testing.TB, text string) int {
	t.Helper()
	before, _, found := strings.Cut(kernelSource, text)
	if !found {
		t.Fatalf("no line with %q", text)
	}
	return 1 + strings.Count(before, "\n")
}

// conformFaults runs kernels into what panics in Go.
func conformFaults(t *testing.T, open optest.Opener) {
	const n = 3000
	for _, test := range []struct {
		kernel any
		fine   int64 // a harmless value
		bad    int64
		line   string // the comment at the fault
		msg    string
	}{
		{faultIndex, 3, 4, "// index out of range\n", "index out of range [4] with length 4"},
		{faultIndex, 0, -1, "// index out of range\n", "index out of range [-1]"},
		{faultIndex, 2, 1 << 40, "// index out of range\n", "index out of range [1099511627776] with length 4"},
		{faultIndexOf, 1, 7, "// index out of range, in a helper", "index out of range [7] with length 4"},
		{faultAt, 0, -1, "// index out of range, of an argument", "index out of range [-1]"},
		{faultDivide, 5, 0, "// integer divide by zero", "integer divide by zero"},
		{faultRemainder, 5, 0, "// remainder by zero", "integer divide by zero"},
		{faultRemainder, 5, 256, "// remainder by zero", "integer divide by zero"},
		{faultShift, 80, -1, "// negative shift amount", "negative shift amount"},
	} {
		k := kernels.Func(test.kernel)
		t.Run(fmt.Sprintf("%s %d", k.Name(), test.bad), func(t *testing.T) {
			rt := open(t)
			cells := optest.NewSet(t, rt, n, "cells")
			values := make([]int64, n)
			for i := range values {
				values[i] = test.fine
			}
			in, out := optest.NewDat(t, cells, 1, values, "in"), optest.NewDat[float64](t, cells, 1, nil, "out")
			loop := op2.NewLoop(k, cells, in.Read(), out.Write())
			for _, at := range []int{-1, 0, 1500, n - 1, -1} {
				if at >= 0 {
					optest.Set(t, in, at, test.bad)
				}
				err := loop.Compute()
				if at < 0 {
					if err != nil {
						t.Fatal(err)
					}
					continue
				}
				var fault *op2.FaultError
				if !errors.As(err, &fault) {
					t.Fatalf("element %d: got %v, want a *FaultError", at, err)
				}
				if of := map[bool]string{false: "", true: "argument 1 (in, read)"}[k.Name() == "faultAt"]; of != "" && (fault.Of != of || fault.Argument != 1 || fault.Pos.Col == 0) {
					t.Errorf("got %+v, want %s", fault, of)
				}
				if fault.Element != at || fault.Elements != 1 || fault.Set != "cells" {
					t.Errorf("got element %d of %d of %s, want %d of cells", fault.Element, fault.Elements, fault.Set, at)
				}
				if fault.Msg != test.msg {
					t.Errorf("got %q, want %q", fault.Msg, test.msg)
				}
				want := fmt.Sprintf("kernels.go:%d", lineOf(t, test.line))
				if got := fmt.Sprintf("%s:%d", fault.Pos.File, fault.Pos.Line); got != want {
					t.Errorf("the fault is at %s, want %s", got, want)
				}
				if start := fmt.Sprintf("op2: loop %s over cells: %s:", k.Name(), want); !strings.HasPrefix(err.Error(), start) {
					t.Errorf("got %q, want it to begin with %q", err, start)
				}
				optest.Set(t, in, at, test.fine)

				// The runtime continues.
				optest.Run(t, kernels.Func(sound), cells, in.Read(), out.Write())
				want64 := make([]float64, n)
				for i := range want64 {
					want64[i] = float64(test.fine)
				}
				optest.Expect(t, out, want64)
			}
		})
	}

	t.Run("the first of many", func(t *testing.T) {
		rt := open(t)
		late, cells := kernels.Func(faultLate), optest.NewSet(t, rt, n, "cells")
		values := make([]int64, n)
		for i := range values {
			if i >= 1000 { // sooner in every piece of the set but the first
				values[i] = int64(i)
			}
		}
		in, out := optest.NewDat(t, cells, 1, values, "in"), optest.NewDat[float64](t, cells, 1, nil, "out")
		for range 20 {
			err := op2.ParLoop(late, cells, in.Read(), out.RW())
			var fault *op2.FaultError
			if !errors.As(err, &fault) || fault.Msg != "index out of range [1000] with length 4" {
				t.Fatalf("got %v, want the fault of the first element that has one", err)
			}
		}
	})
}

// conformPoison checks that values which a kernel fails to write are found.
func conformPoison(t *testing.T, open optest.Opener) {
	const n = 1500
	for _, diags := range []bool{true, false} {
		rt := open(t, op2.WithDiags(diags))
		mesh := optest.NewTopology(n, n)
		cells, slots := optest.NewSet(t, rt, n, "cells"), optest.NewSet(t, rt, 2*n, "slots")
		to := mesh.Once(2)
		cell2slot := optest.NewMap(t, cells, slots, 2, to, "cell2slot")
		k := make([]int32, n)
		for i := range k {
			k[i] = int32(i % 3)
		}
		which := optest.NewDat(t, cells, 1, k, "which")
		one, all, ints := optest.NewDat[float64](t, cells, 3, nil, "one"), optest.NewDat[float32](t, slots, 3, nil, "all"), optest.NewDat[int64](t, cells, 2, nil, "ints")
		forget := func() error {
			return op2.ParLoop(kernels.Func(forgetful), cells, which.Read(), one.Write(), all.Write(cell2slot), ints.Write())
		}
		if !diags {
			optest.OK(t, forget()) // undefined: it must not fail, that is all
			continue
		}
		hint := "\n  hint: the dats that it reads there were finite; what the kernel does not write is NaN under diagnostics; where such values are meant, call "
		err := forget()
		if rt.Ranks() == 1 {
			optest.ExpectError(t, err, "op2: loop forgetful over cells: argument 2 (one, written): component 1 of element 0 of cells is NaN"+hint+"one.AllowNonFinite()")
		} else if err == nil || !strings.Contains(err.Error(), hint) { // of another element
			t.Errorf("got %v, want what ends with%s", err, hint)
		}
		one.AllowNonFinite()
		all.AllowNonFinite()
		optest.OK(t, forget())
		nan, poison := math.NaN(), int64(0x7ff87ff87ff87ff8)
		w1, w2, w3 := make([]float64, 3*n), make([]float32, 6*n), make([]int64, 2*n)
		for e := range n {
			for d := range 3 {
				w1[3*e+d] = nan
				w2[3*to[2*e]+int32(d)], w2[3*to[2*e+1]+int32(d)] = float32(nan), float32(nan)
			}
			w1[3*e+int(k[e])], w2[3*to[2*e+1]+k[e]] = 1, 2
			w3[2*e], w3[2*e+1] = poison, poison
			w3[2*e+int(k[e]&1)] = 3
		}
		optest.Expect(t, one, w1)
		optest.Expect(t, all, w2)
		optest.Expect(t, ints, w3)
	}
}

// conformTwoRuntimes uses two runtimes in turn and concurrently; their consts of the same name are
// different variables, and the kernel's source is the same.
func conformTwoRuntimes(t *testing.T, open optest.Opener) {
	type side struct {
		rt     *op2.Runtime
		factor float64
		loop   *op2.Loop
		out    *op2.Dat[float64]
	}
	const n = 1500
	newSide := func(factor float64) *side {
		s := &side{rt: open(t), factor: factor}
		cells := optest.NewSet(t, s.rt, n, "cells")
		s.out = optest.NewDat[float64](t, cells, 1, nil, "out")
		var err error
		if compiles(s.rt) {
			op2.NewConst(s.rt, "factor", &s.factor)
			s.loop = op2.NewLoop(ckernel.New("scale", "void scale(double *out) { *out += factor; }"), cells, s.out.RW())
			err = s.loop.Err()
		} else { // in Go, consts of one name are one variable: a dat it is
			one := optest.NewDat(t, cells, 1, make([]float64, n), "one")
			if err := one.Fill(factor); err != nil {
				t.Fatal(err)
			}
			s.loop = op2.NewLoop(kernels.Func(addInto), cells, one.Read(), s.out.RW())
			err = s.loop.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := newSide(1), newSide(10)
	check := func(s *side, value float64) {
		t.Helper()
		want := make([]float64, n)
		for i := range want {
			want[i] = value
		}
		optest.Expect(t, s.out, want)
	}
	for range 3 {
		for _, s := range []*side{a, b} {
			if err := s.loop.Compute(); err != nil {
				t.Fatal(err)
			}
		}
	}
	check(a, 3)
	check(b, 30)

	var both sync.WaitGroup
	errs := make([]error, 2)
	for i, s := range []*side{a, b} {
		both.Go(func() {
			for range 500 {
				if errs[i] = s.loop.Compute(); errs[i] != nil {
					return
				}
			}
		})
	}
	both.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	check(a, 503)
	check(b, 5030)
}

// conformStatic generates code with nothing available to run it.
func conformStatic(t *testing.T, open optest.Opener) {
	rt := open(t)
	static := open(t, op2.Static(), op2.WithCacheDir("/nowhere"), op2.WithCompiler("/nowhere/cc"))
	cells, nodes := optest.NewSet(t, static, 0, "cells"), optest.NewSet(t, static, 0, "nodes")
	cell2node := op2.NewMap[int32](cells, nodes, 3, nil, "cell2node")
	x, sum, inc := optest.NewDat[float64](t, nodes, 1, nil, "x"), optest.NewDat[float64](t, cells, 1, nil, "sum"), optest.NewDat[float64](t, nodes, 1, nil, "inc")
	loop := op2.NewLoop(kernels.Func(pack3x1), cells, x.Read(cell2node), sum.Write(), inc.Inc(cell2node))
	text, err := loop.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "pack3x1") {
		t.Errorf("the text does not hold the kernel's name:\n%s", text)
	}
	if err := loop.Compute(); !errors.Is(err, op2.ErrStatic) {
		t.Errorf("Compute: got %v, want ErrStatic", err)
	}
	if err := op2.ParLoop(kernels.Func(sumUp), cells, sum.Read(), optest.NewGlobal(t, static, "g", 0.0).Inc()); !errors.Is(err, op2.ErrStatic) {
		t.Errorf("ParLoop: got %v, want ErrStatic", err)
	}
	if _, err := sum.Data(); !errors.Is(err, op2.ErrStatic) {
		t.Errorf("Data: got %v, want ErrStatic", err)
	}
	if err := static.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/nowhere"); err == nil {
		t.Error("the static runtime made a cache")
	}

	// What a runtime with data generates for the same loop is the same text.
	cells, nodes = optest.NewSet(t, rt, 4, "cells"), optest.NewSet(t, rt, 9, "nodes")
	cell2node = optest.NewMap(t, cells, nodes, 3, make([]int32, 12), "cell2node")
	x, sum, inc = optest.NewDat[float64](t, nodes, 1, nil, "x"), optest.NewDat[float64](t, cells, 1, nil, "sum"), optest.NewDat[float64](t, nodes, 1, nil, "inc")
	loop = op2.NewLoop(kernels.Func(pack3x1), cells, x.Read(cell2node), sum.Write(), inc.Inc(cell2node))
	again, err := loop.Generate()
	if err != nil {
		t.Fatal(err)
	}
	// But for the line of choices, which names the static runtime's compiler, and for what depends on the device, which it
	// does not know.
	if withoutChoices(again) != withoutChoices(text) && rt.Backend() != "opencl" && !strings.Contains(t.Name(), "/measure/") {
		t.Errorf("with data the text is another one:\n%s\nwithout:\n%s", again, text)
	}
}

// withoutChoices returns generated text without the line that says what has been chosen.
func withoutChoices(text string) string {
	if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "// chosen: ") {
		return rest
	}
	return text
}

func conformClosed(t *testing.T, open optest.Opener) {
	rt := open(t)
	cells := optest.NewSet(t, rt, 2, "cells")
	x, total := optest.NewDat(t, cells, 1, []float64{1, 2}, "x"), optest.NewGlobal(t, rt, "total", 0.0)
	loop := op2.NewLoop(kernels.Func(sumUp), cells, x.Read(), total.Inc())
	if err := loop.Compute(); err != nil {
		t.Fatal(err)
	}
	held, err := x.Data()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // twice is allowed
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var c float64
	for what, call := range map[string]func() error{
		"NewSet":    func() error { err := rt.NewSet(1, "s").Err(); return err },
		"NewDat":    func() error { err := op2.NewDat[int8](cells, 1, nil, "d").Err(); return err },
		"NewMap":    func() error { err := op2.NewMap(cells, cells, 1, []int{0, 1}, "m").Err(); return err },
		"NewGlobal": func() error { err := op2.NewGlobal(rt, []int8{1}, "g").Err(); return err },
		"NewConst":  func() error { return optest.NewConst(rt, "c", &c) },
		"NewLoop": func() error {
			err := op2.NewLoop(kernels.Func(sumUp), cells, x.Read(), total.Inc()).Err()
			return err
		},
		"ParLoop":  func() error { return op2.ParLoop(kernels.Func(sumUp), cells, x.Read(), total.Inc()) },
		"Compute":  loop.Compute,
		"Generate": func() error { _, err := loop.Generate(); return err },
		"Data":     func() error { _, err := x.Data(); return err },
		"Value":    func() error { _, err := total.Value(); return err },
	} {
		if err := call(); !errors.Is(err, op2.ErrClosed) {
			t.Errorf("%s: got %v, want ErrClosed", what, err)
		}
	}
	if held[0] != 1 || held[1] != 2 {
		t.Error("a slice got before Close has changed")
	}
}

func conformConcurrentUse(t *testing.T, open optest.Opener) {
	rt := open(t)
	cells := optest.NewSet(t, rt, 4000, "cells")
	loop := op2.NewLoop(kernels.Func(busy), cells, optest.NewDat[float64](t, cells, 1, nil, "x").RW())
	if err := loop.Compute(); err != nil { // compiled now
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := loop.Compute(); err != nil && !errors.Is(err, op2.ErrConcurrentUse) {
				<-stop
				stopped <- err
				return
			}
		}
	}()
	found := false
	for begin := time.Now(); !found && time.Since(begin) < time.Minute; {
		err := rt.NewSet(1, "another").Err()
		found = errors.Is(err, op2.ErrConcurrentUse)
		if err != nil && !found {
			t.Errorf("got %v", err)
		}
		time.Sleep(50 * time.Microsecond) // lets the loop begin
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if !found {
		t.Error("a second goroutine could enter whenever it tried, for a minute")
	}
	if err := loop.Compute(); err != nil { // and afterward all is well
		t.Error(err)
	}
}
