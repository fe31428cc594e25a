package op2_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
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

// saysAll fails the test unless an error contains all of the texts.
func saysAll(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one that says %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got  %v\nwant %s", err, part)
		}
	}
}

// If a device is out of memory, the error says which loop and data needed how much; host values are
// intact, and once memory has been freed the next call succeeds.
func TestOutOfMemory(t *testing.T) {
	const n = 1000
	for _, strategy := range []string{"staged", "atomic", "global-color", "gather"} {
		t.Run(strategy, func(t *testing.T) {
			// Memory for everything, first, to know how much that is.
			watched := watch(t, gputest.Standin, standin.Limits{})
			rt := openerOf(gputest.Standin)(t, op2.WithStrategy(op2.Strategy(strategy)))
			c := newChain(t, rt, n)
			optest.OK(t, c.run())
			all := watched.Allocated
			optest.OK(t, rt.Close())

			for missing := int64(1); missing < all; missing += all/4 + 1 {
				watch(t, gputest.Standin, standin.Limits{Memory: all - missing})
				rt, err := op2.Open(op2.WithBackend(gputest.Standin), op2.WithStrategy(op2.Strategy(strategy)), op2.WithLog(nil))
				if err != nil {
					saysAll(t, err, "op2: backend standin: out of memory on CUDA stand-in: ")
					continue
				}
				c := newChain(t, rt, n)
				ballast := optest.NewDat[float64](t, optest.NewSet(t, rt, 1, "one"), 1, []float64{3}, "ballast")
				for range 2 {
					err = c.run()
					var full *op2.OutOfMemoryError
					if !errors.As(err, &full) || full.Total != all-missing || full.Bytes < 1 || full.Existing+int64(full.Bytes) <= full.Total {
						t.Fatalf("%v", err)
					}
					saysAll(t, err, "op2: loop swapFlow over edges: ", fmt.Sprintf("out of memory on CUDA stand-in: %d bytes requested, %d already allocated, the device has %d", full.Bytes, full.Existing, full.Total))
				}
				optest.Expect(t, c.q, c.start)
				optest.Expect(t, c.r, make([]float64, len(c.start)))
				optest.Expect(t, ballast, []float64{3})
				optest.OK(t, rt.Close())
			}
		})
	}
}

// Once there is memory again, the same loop runs.
func TestOutOfMemoryForOnce(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		for _, strategy := range []string{"auto", "staged"} {
			for fail := range 12 {
				rt := open(t, op2.WithStrategy(op2.Strategy(strategy)))
				c := newChain(t, rt, 300)
				left := fail
				watched.Fail = func(call string) error {
					if call != "Alloc" {
						return nil
					}
					if left--; left >= 0 {
						return nil
					}
					return &device.OutOfMemoryError{Device: "full", Bytes: 1, Existing: 2}
				}
				err := c.run()
				watched.Fail = nil
				if err != nil {
					saysAll(t, err, "op2: loop swapFlow over edges: ", "out of memory on full: 1 bytes requested, 2 already allocated")
				} else if left < 0 {
					t.Error("no error")
				}
				runs := 2
				if err != nil {
					runs = 1
				}
				optest.Expect(t, c.q, c.start)
				optest.OK(t, c.run())
				optest.Expect(t, c.r, c.want(runs))
				optest.OK(t, rt.Close())
			}
		}
	})
}

// A failed call of the device is reported with loop and data, and leaves the host's values intact.
func TestDeviceCallsThatFail(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		refused := errors.New("the cable is out")
		for _, test := range []struct {
			call string
			want []string
		}{
			{"Upload", []string{"op2: loop swapFlow over edges: ", "the cable is out"}},
			{"Launch", []string{"op2: loop swapFlow over edges: the cable is out"}},
			{"Clear", []string{"op2: loop swapFlow over edges: dat fresh on nodes: the cable is out"}},
		} {
			for _, before := range []int{0, 1} { // runs of the loop
				rt := open(t)
				c := newChain(t, rt, 100)
				values := optest.Some[float64](optest.NewTopology(5, 5).Random, len(c.start))
				optest.OK(t, c.r.SetInDeclaredOrder(values))
				if test.call == "Clear" {
					c.r = optest.NewDat[float64](t, c.nodes, 3, nil, "fresh")
					clear(values)
				}
				for range before {
					optest.OK(t, c.run())
				}
				want := c.want(before)
				for i := range want {
					want[i] += values[i]
				}
				if test.call != "Clear" {
					optest.Expect(t, c.r, want) // Both
				}
				if before > 0 && test.call == "Upload" {
					optest.Must(c.q.Data())
				}
				if before > 0 && test.call == "Clear" {
					continue
				}
				watched.Fail = func(call string) error {
					if call == test.call {
						return refused
					}
					return nil
				}
				err := c.run()
				watched.Fail = nil
				saysAll(t, err, test.want...)
				if !errors.Is(err, refused) {
					t.Errorf("%v does not wrap the device's error", err)
				}
				optest.Expect(t, c.q, c.start)
				optest.Expect(t, c.r, want)
				optest.OK(t, c.run())
				for i, v := range c.want(1) {
					want[i] += v
				}
				optest.Expect(t, c.r, want)
			}
		}
		rt := open(t)
		c := newChain(t, rt, 100)
		optest.OK(t, c.run())
		watched.Fail = func(call string) error {
			if call == "Download" {
				return refused
			}
			return nil
		}
		_, err := c.r.Data()
		saysAll(t, err, "op2: dat r on nodes: the cable is out")
		watched.Fail = nil
		optest.Expect(t, c.r, c.want(1))
	})
}

// An error that is found while only times are read is returned by the next call.
func TestDeferredErrorsAreReturned(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 300)
		optest.OK(t, c.run())
		watched.Fail = func(call string) error {
			if call == "Elapsed" {
				return errors.New("the cable is out")
			}
			return nil
		}
		rt.Stats()
		watched.Fail = nil
		optest.ExpectError(t, c.run(), "op2: loop swapFlow over edges: the cable is out")
		optest.OK(t, c.run())
	})
}

// A write-only dat that the device has never had keeps its values if the launch is rejected.
func TestRefusedLaunchWritesNothing(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 50, "cells")
		v := optest.NewDat(t, cells, 1, make([]float64, 50), "v")
		old := optest.Some[float64](optest.NewTopology(1, 1).Random, 150)
		d := optest.NewDat(t, cells, 3, old, "d")
		watched.Fail = func(call string) error {
			if call == "Launch" {
				return &device.Error{Device: "test", Call: "launch", Code: "OUT_OF_RESOURCES"}
			}
			return nil
		}
		saysAll(t, op2.ParLoop(deviceKernels.Func(setAll), cells, d.Write(), v.Read()), "op2: loop setAll over cells: test: launch: OUT_OF_RESOURCES")
		watched.Fail = nil
		optest.Expect(t, d, old)
	})
}

// A failed build reports the reason, and with %+v the compiler's log and the source.
func TestFailedBuild(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 20, "cells")
		x := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, 20), "x")
		loop := op2.NewLoop(ckernel.New("broken", "void broken(double *x) { double pair[2]; pair = *x; *x = 1; }"), cells, x.RW())
		for range 2 {
			err := loop.Compute()
			var refused *op2.CompileError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want a *CompileError", err)
			}
			saysAll(t, err, "op2: loop broken over cells: compiling broken: ", "broken.c:1", "error", "%+v")
			saysAll(t, fmt.Errorf("%+v", refused), "broken.c:1", "pair = *x;")
			if !strings.Contains(refused.Log, "error") || !strings.Contains(refused.Source, "pair = *x;") {
				t.Errorf("log %q\nsource %s", refused.Log, refused.Source)
			}
			optest.Expect(t, x, slices.Repeat([]float64{2}, 20))
		}
		const twice = "double lost(double a);\nint lost(double a) { return 1; }\nvoid misnamed(double *x) { double pair[2]; pair = *x; *x = lost(1); }"
		err := op2.ParLoop(ckernel.New("misnamed", twice), cells, x.RW())
		saysAll(t, err, "compiling misnamed: ", "lost")
		if full := fmt.Sprintf("%+v", err); strings.Contains(err.Error(), "lost_") || !strings.Contains(full, "#define lost lost_") {
			t.Errorf("got %s", full)
		}
		optest.Run(t, ckernel.New("sound", "void sound(double *x) { *x *= 3; }"), cells, x.RW())
		optest.Expect(t, x, slices.Repeat([]float64{6}, 20))
	})
}

// Data that was only on a lost device is lost, and reported as lost; host data is intact.
func TestLostDevice(t *testing.T) {
	watch(t, gputest.Standin, standin.Limits{})
	rt, err := op2.Open(op2.WithBackend(gputest.Standin), op2.WithLog(nil))
	optest.OK(t, err)
	c := newChain(t, rt, 100)
	optest.OK(t, c.run())
	optest.Expect(t, c.r, c.want(1))
	cells := optest.NewSet(t, rt, 10, "cells")
	x := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, 10), "x")
	optest.Run(t, ckernel.New("astray", "void astray(double *x) { union { long long n; double *p; } u; u.n = 16; u.p[0] = *x; }"), cells, x.RW())
	_, err = x.Data()
	var lost *op2.DeviceError
	if !errors.As(err, &lost) || !lost.Lost {
		t.Errorf("got %#v, want a *DeviceError", err)
	}
	saysAll(t, err, "op2: dat x on cells: CUDA stand-in: kernel op2_loop_astray, block 0, thread 0 writes 8 bytes at address 0x10")
	saysAll(t, c.run(), "op2: loop swapFlow over edges: CUDA stand-in: kernel op2_loop_astray")
	optest.Expect(t, c.q, c.start)
	optest.Expect(t, c.r, c.want(1))
	saysAll(t, rt.WriteStats(&strings.Builder{}), "op2: backend standin: CUDA stand-in: kernel op2_loop_astray")
	saysAll(t, rt.Close(), "op2: backend standin: CUDA stand-in: kernel op2_loop_astray")
	optest.OK(t, rt.Close())

	again := openerOf(gputest.Standin)(t) // another runtime works
	optest.OK(t, newChain(t, again, 100).run())
}

// float64 on a device without it is refused when the loop is prepared.
func TestNoDoublePrecision(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		watched.Change = func(i *device.Info) { i.Float64, i.Name = false, "Little" }
		rt := open(t)
		cells := optest.NewSet(t, rt, 30, "cells")
		x, y := optest.NewDat(t, cells, 1, slices.Repeat([]float64{2}, 30), "x"), optest.NewDat[float64](t, cells, 1, nil, "y")
		for range 2 {
			optest.ExpectError(t, op2.ParLoop(deviceKernels.Func(onceDouble), cells, x.Read(), y.Write()),
				"op2: loop onceDouble over cells: backend "+rt.Backend()+": Little has no double precision, which the loop needs: it has values or constants of type float64\n"+
					"  hint: use float32, or another device")
		}
		optest.Expect(t, x, slices.Repeat([]float64{2}, 30))
		optest.Expect(t, y, make([]float64, 30))
		a, b := optest.NewDat(t, cells, 1, slices.Repeat([]float32{2}, 30), "a"), optest.NewDat[float32](t, cells, 1, nil, "b")
		loop := op2.NewLoop(deviceKernels.Func(onceSingle), cells, a.Read(), b.Write())
		optest.OK(t, loop.Compute())
		optest.Expect(t, b, slices.Repeat([]float32{4}, 30))
		if text := optest.Must(loop.Generate()); regexp.MustCompile(`\bdouble\b|fp64`).MatchString(text) {
			t.Errorf("there is double precision in\n%s", text)
		}
	})
}

// Unknown names are reported with the known ones.
func TestWrongChoices(t *testing.T) {
	t.Run("opencl device", func(t *testing.T) {
		gputest.Require(t, "opencl")
		rt := openerOf("opencl")(t)
		name := op2.BackendOf(rt).(interface{ Device() device.Device }).Device().Info().Name
		want := []string{`op2: backend opencl: no OpenCL device "Voodoo 3": it is a number, or a part of the name of a device or its platform; there are` + "\n  0: ", name}
		_, err := op2.Open(op2.WithBackend("opencl"), op2.WithDevice("Voodoo 3"))
		saysAll(t, err, want...)
		t.Setenv("OP2_OPENCL_DEVICE", "Voodoo 3")
		want[0] = strings.Replace(want[0], "opencl:", "opencl, with OP2_OPENCL_DEVICE=Voodoo 3:", 1)
		_, err = op2.Open(op2.WithBackend("opencl"))
		saysAll(t, err, want...)
		t.Setenv("OP2_OPENCL_DEVICE", strings.ToUpper(name[:5]))
		optest.OK(t, optest.Must(op2.Open(op2.WithBackend("opencl"))).Close())
	})
	t.Run("no cuda", func(t *testing.T) {
		rt, err := op2.Open(op2.WithBackend("cuda"))
		if err == nil {
			rt.Close()
			_, err = op2.Open(op2.WithBackend("cuda"), op2.WithDevice("Voodoo 3"))
			saysAll(t, err, `op2: backend cuda: no CUDA device "Voodoo 3"; there are 0: `)
			return
		}
		if !errors.Is(err, op2.ErrUnavailable) {
			t.Errorf("%v is no ErrUnavailable", err)
		}
		saysAll(t, err, "op2: backend cuda: not available: ", "hint: ")
		if strings.Contains(err.Error(), "no NVIDIA driver:") {
			saysAll(t, err, "looked for libcuda.so.1 in the loader's path", "install NVIDIA's driver: apt install nvidia-driver")
		}
	})
	t.Run("no opencl", func(t *testing.T) {
		// Nothing can be unloaded: another process has no drivers.
		if os.Getenv("OP2_TEST_NO_OPENCL") != "" {
			_, err := op2.Open(op2.WithBackend("opencl"))
			if !errors.Is(err, op2.ErrUnavailable) {
				t.Errorf("%v is no ErrUnavailable", err)
			}
			saysAll(t, err, "op2: backend opencl: not available: no OpenCL: looked for ", "\n  hint: apt install ocl-icd-libopencl1 (Debian, Ubuntu), and the driver of the device: for the processor pocl-opencl-icd")
			optest.OK(t, optest.Must(op2.Open(op2.WithBackend("auto"))).Close())
			return
		}
		again(t, "OP2_TEST_NO_OPENCL=1", "OCL_ICD_VENDORS=/nowhere", "OCL_ICD_FILENAMES=")
	})
	t.Run("auto", func(t *testing.T) {
		for _, name := range []string{"OP2_OPENCL_DEVICE", "OP2_CUDA_DEVICE"} {
			t.Setenv(name, "Voodoo 3")
		}
		rt := optest.Must(op2.Open(op2.WithBackend("auto"), op2.WithLog(nil)))
		if !slices.Contains([]string{"go", "sequential", "openmp"}, rt.Backend()) {
			t.Errorf("auto took %s", rt.Backend())
		}
		optest.OK(t, rt.Close())
	})
	t.Run("strategy", func(t *testing.T) {
		const want = "expected auto, staged, in-place, atomic, global-color, gather, blocks, scratchpad or measure"
		_, err := op2.Open(op2.WithBackend("opencl"), op2.WithStrategy("magic"))
		optest.ExpectError(t, err, `op2: strategy "magic": `+want)
		t.Setenv("OP2_STRATEGY", "stagged")
		_, err = op2.Open()
		optest.ExpectError(t, err, "op2: OP2_STRATEGY=stagged: "+want+` (did you mean "staged"?)`)
	})
	t.Run("layout", func(t *testing.T) {
		t.Setenv("OP2_LAYOUT", "aosoa")
		_, err := op2.Open()
		optest.ExpectError(t, err, `op2: OP2_LAYOUT=aosoa: expected auto, aos or soa`)
	})
}

// An unwritable folder is no reason to fail.
func TestUnwritableCache(t *testing.T) {
	gputest.Require(t, "opencl")
	file := filepath.Join(t.TempDir(), "file")
	optest.OK(t, os.WriteFile(file, nil, 0o444))
	var log strings.Builder
	rt := openerOf("opencl")(t, op2.WithCacheDir(filepath.Join(file, "cache")), op2.WithLog(&log))
	c := newChain(t, rt, 40)
	optest.OK(t, c.run())
	optest.Expect(t, c.r, c.want(1))
	if n := strings.Count(log.String(), "op2: "); n > 1 || n == 1 && !strings.Contains(log.String(), file) { // PoCL has a cache of its own
		t.Errorf("the log has\n%s", log.String())
	}
}

// An index out of range in a kernel is reported with its position; the values of others are intact.
func TestFaultOnDevice(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 100, "cells")
		table := optest.Some[float64](optest.NewTopology(3, 3).Random, 400)
		at := make([]int64, 100)
		in, where, out := optest.NewDat(t, cells, 4, table, "table"), optest.NewDat(t, cells, 1, at, "at"), optest.NewDat[float64](t, cells, 1, nil, "out")
		k := deviceKernels.Func(pickFrom)
		optest.Run(t, k, cells, in.Read(), where.Read(), out.Write())
		optest.Set(t, where, 60, 4)
		optest.Set(t, where, 70, 5)
		for range 2 {
			err := op2.ParLoop(k, cells, in.Read(), where.Read(), out.Write())
			var fault *op2.FaultError
			if !errors.As(err, &fault) || fault.Pos.Line == 0 {
				t.Fatalf("got %v, want a *FaultError", err)
			}
			saysAll(t, err, "op2: loop pickFrom over cells: device_kernels_test.go:", "index out of range [4] with length 4")
			optest.Expect(t, in, table)
		}
		optest.Set(t, where, 60, 3)
		optest.Set(t, where, 70, 3)
		optest.Run(t, k, cells, in.Read(), where.Read(), out.Write())
		want := make([]float64, 100)
		for i := range want {
			want[i] = table[4*i]
		}
		want[60], want[70] = table[4*60+3], table[4*70+3]
		optest.Expect(t, out, want)
	})
}

// Loops over empty sets read nothing and change nothing.
func TestEmptySetsOnDevice(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		for _, strategy := range strategiesOf(t) {
			rt := open(t, op2.WithStrategy(op2.Strategy(strategy)))
			none, nodes := optest.NewSet(t, rt, 0, "none"), optest.NewSet(t, rt, 5, "nodes")
			m := optest.NewMap(t, none, nodes, 2, nil, "map")
			q, r := optest.NewDat(t, nodes, 3, slices.Repeat([]float64{1}, 15), "q"), optest.NewDat(t, nodes, 3, slices.Repeat([]float64{7}, 15), "r")
			v := optest.NewDat[float64](t, none, 1, nil, "v")
			g, low := optest.NewGlobal(t, rt, "g", 3.0, 4.0), optest.NewGlobal(t, rt, "low", math.Inf(1), 2)
			for range 2 {
				optest.Run(t, deviceKernels.Func(swapFlow), none, q.Read(m.At(0)), q.Read(m.At(1)), r.Inc(m.At(0)), r.Inc(m.At(1)))
				optest.Run(t, deviceKernels.Func(addGlobal), none, g.Inc(), v.Read())
				optest.Run(t, deviceKernels.Func(lowerGlobal), none, low.Min(), v.Read())
			}
			optest.Moved(t, rt, strategy, op2.Transfers{})
			optest.Expect(t, r, slices.Repeat([]float64{7}, 15))
			optest.Expect(t, g, []float64{3, 4})
			optest.Expect(t, low, []float64{math.Inf(1), 2})
			optest.Expect(t, v, nil)
			for _, s := range rt.Stats() {
				if s.Calls != 2 || s.How == "" {
					t.Errorf("%s: %+v", strategy, s)
				}
			}
			empty := op2.NewSubset(nodes, []int{}, "empty")
			optest.Run(t, deviceKernels.Func(doubleAll), empty, q.RW())
			optest.Expect(t, q, slices.Repeat([]float64{1}, 15))
		}
	})
}
