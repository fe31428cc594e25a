package op2_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// states are the states of a dat's or global's values before a loop; device and host say where they
// are valid then.
var states = []struct {
	name         string
	device, host bool
}{
	{"DeviceUnallocated", false, true},
	{"HostUnallocated", true, false}, // zeros can be created there without a transfer
	{"Device", true, false},
	{"Host", false, true},
	{"Both", true, true},
}

// A loop transfers what it reads and the device does not have, and nothing else, whatever the state
// of its dat: Data leaves Host, DataRO leaves Both, and what a loop writes is left on the device.
func TestTransfersOfDats(t *testing.T) {
	const n, bytes = 500, 8 * 3 * 500
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, n, "cells")
		self := make([]int32, n)
		for i := range self {
			self[i] = int32(n - 1 - i)
		}
		reverse := optest.NewMap(t, cells, cells, 1, self, "reverse")
		v, sum := optest.NewDat[float64](t, cells, 1, nil, "v"), optest.NewDat[float64](t, cells, 1, nil, "sum")
		optest.OK(t, v.Fill(4))
		clearAll, look := deviceKernels.Func(doubleAll), deviceKernels.Func(lookAt)

		for _, access := range []struct {
			name          string
			run           func(d *op2.Dat[float64])
			after         func(was float64, i int) float64
			reads, writes bool
		}{
			{"read", func(d *op2.Dat[float64]) { optest.Run(t, look, cells, d.Read(), sum.Write()) },
				func(was float64, i int) float64 { return was }, true, false},
			{"read through a map", func(d *op2.Dat[float64]) { optest.Run(t, look, cells, d.Read(reverse.At(0)), sum.Write()) },
				func(was float64, i int) float64 { return was }, true, false},
			{"write", func(d *op2.Dat[float64]) { optest.Run(t, deviceKernels.Func(setAll), cells, d.Write(), v.Read()) },
				func(was float64, i int) float64 { return 4 + float64(i) }, false, true},
			{"write through a map", func(d *op2.Dat[float64]) {
				optest.Run(t, deviceKernels.Func(setAll), cells, d.Write(reverse.At(0)), v.Read())
			},
				func(was float64, i int) float64 { return 4 + float64(i) }, true, true},
			{"rw", func(d *op2.Dat[float64]) { optest.Run(t, clearAll, cells, d.RW()) },
				func(was float64, i int) float64 { return 2 * was }, true, true},
			{"inc", func(d *op2.Dat[float64]) { optest.Run(t, deviceKernels.Func(addAll), cells, d.Inc(), v.Read()) },
				func(was float64, i int) float64 { return was + 4 }, true, true},
			{"inc through a map", func(d *op2.Dat[float64]) {
				optest.Run(t, deviceKernels.Func(addAll), cells, d.Inc(reverse.At(0)), v.Read())
			},
				func(was float64, i int) float64 { return was + 4 }, true, true},
			{"min", func(d *op2.Dat[float64]) { optest.Run(t, deviceKernels.Func(lowerAll), cells, d.Min(), v.Read()) },
				func(was float64, i int) float64 { return min(was, 4) }, true, true},
			{"max", func(d *op2.Dat[float64]) { optest.Run(t, deviceKernels.Func(raiseAll), cells, d.Max(), v.Read()) },
				func(was float64, i int) float64 { return max(was, 4) }, true, true},
		} {
			for _, state := range states {
				t.Run(access.name+"/"+state.name, func(t *testing.T) {
					values := optest.Some[float64](optest.NewTopology(n, n).Random, 3*n)
					d := optest.NewDat(t, cells, 3, slices.Clone(values), "d")
					optest.Run(t, deviceKernels.Func(doubleAll), cells, optest.NewDat(t, cells, 3, values, "other").RW()) // compiled now
					optest.Run(t, look, cells, optest.NewDat(t, cells, 3, values, "another").Read(), sum.Write())
					optest.Run(t, deviceKernels.Func(setAll), cells, optest.NewDat[float64](t, cells, 3, nil, "v3").Write(), v.Read())
					switch state.name {
					case "HostUnallocated":
						d = optest.NewDat[float64](t, cells, 3, nil, "d")
						clear(values)
					case "Device", "Host", "Both":
						optest.Run(t, clearAll, cells, d.RW())
						for i := range values {
							values[i] *= 2
						}
					}
					switch state.name {
					case "Host":
						copy(optest.Must(d.Data()), values)
					case "Both":
						optest.Must(d.DataRO())
					}
					rt.ResetStats()
					access.run(d)
					want := op2.Transfers{}
					if access.reads && !state.device {
						want = op2.Transfers{ToDevice: 1, BytesToDevice: bytes}
					}
					optest.Moved(t, rt, "the loop", want)

					for i := range values {
						values[i] = access.after(values[i], i%3)
					}
					back := op2.Transfers{ToHost: 1, BytesToHost: bytes}
					if !access.writes && state.host {
						back = op2.Transfers{}
					}
					optest.Expect(t, d, values)
					optest.Moved(t, rt, "DataRO", back)
					optest.Run(t, look, cells, d.Read(), sum.Write())
					optest.Moved(t, rt, "a loop after DataRO", op2.Transfers{})
					optest.Must(d.Data())[3] = 77
					values[3] = 77
					optest.Moved(t, rt, "Data", op2.Transfers{})
					optest.Run(t, look, cells, d.Read(), sum.Write())
					optest.Moved(t, rt, "a loop after Data", op2.Transfers{ToDevice: 1, BytesToDevice: bytes})
					optest.Expect(t, d, values)
					optest.Moved(t, rt, "DataRO after a loop that reads", op2.Transfers{})
				})
			}
		}
	})
}

// Globals are transferred like dats: a reduction includes their current values, so these are
// needed.
func TestTransfersOfGlobals(t *testing.T) {
	const n = 300
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		cells := optest.NewSet(t, rt, n, "cells")
		values := optest.Some[float64](optest.NewTopology(n, n).Random, n)
		v, out := optest.NewDat(t, cells, 1, values, "v"), optest.NewDat[float64](t, cells, 1, nil, "out")
		total := 0.0
		for _, x := range values {
			total += x
		}
		low, high := slices.Min(values), slices.Max(values)
		add := func(g *op2.Global[float64]) { optest.Run(t, deviceKernels.Func(addGlobal), cells, g.Inc(), v.Read()) }
		look := func(g *op2.Global[float64]) {
			optest.Run(t, deviceKernels.Func(useGlobal), cells, g.Read(), out.Write())
		}
		add(optest.NewGlobal(t, rt, "g", 0.0, 0.0))
		for _, access := range []struct {
			name   string
			run    func(g *op2.Global[float64])
			after  func(a, b float64) []float64
			writes bool
		}{
			{"read", look, func(a, b float64) []float64 { return []float64{a, b} }, false},
			{"inc", add, func(a, b float64) []float64 { return []float64{a + total, b + n} }, true},
			{"min", func(g *op2.Global[float64]) { optest.Run(t, deviceKernels.Func(lowerGlobal), cells, g.Min(), v.Read()) },
				func(a, b float64) []float64 { return []float64{min(a, low), min(b, -high)} }, true},
			{"max", func(g *op2.Global[float64]) { optest.Run(t, deviceKernels.Func(raiseGlobal), cells, g.Max(), v.Read()) },
				func(a, b float64) []float64 { return []float64{max(a, high), max(b, -low)} }, true},
		} {
			for _, state := range states {
				if state.name == "HostUnallocated" {
					continue // globals always have values
				}
				t.Run(access.name+"/"+state.name, func(t *testing.T) {
					a, b := 3.0, -7.0
					g := optest.NewGlobal(t, rt, "g", a, b)
					if state.name != "DeviceUnallocated" {
						add(g)
						a, b = a+total, b+n
					}
					switch state.name {
					case "Host":
						a = 12
						optest.Must(g.Data())[0] = a
					case "Both":
						optest.Must(g.DataRO())
					}
					rt.ResetStats()
					access.run(g)
					want := op2.Transfers{}
					if !state.device {
						want = op2.Transfers{ToDevice: 1, BytesToDevice: 16}
					}
					optest.Moved(t, rt, "the loop", want)
					optest.Expect(t, g, access.after(a, b))
					want = op2.Transfers{}
					if access.writes || !state.host {
						want = op2.Transfers{ToHost: 1, BytesToHost: 16}
					}
					optest.Moved(t, rt, "DataRO", want)
					optest.OK(t, g.Set(5, 6))
					optest.Moved(t, rt, "Set", op2.Transfers{})
					look(g)
					optest.Moved(t, rt, "a loop after Set", op2.Transfers{ToDevice: 1, BytesToDevice: 16})
					optest.Expect(t, out, slices.Repeat([]float64{11}, n))
				})
			}
		}
	})
}

// A const is transferred only after it has changed; in CUDA it is part of the launch. Maps and
// plans are transferred once, for all loops that need them.
func TestTransfersOfTheRest(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		for _, strategy := range strategiesOf(t) {
			if strategy == "measure" {
				continue
			}
			t.Run(strategy, func(t *testing.T) {
				rt := open(t, op2.WithStrategy(op2.Strategy(strategy)))
				c := newChain(t, rt, 600)
				optest.OK(t, c.run())
				optest.OK(t, c.run())
				first := *watched
				if first.Uploads <= 2 { // besides q: the map, and plans
					t.Errorf("%d uploads for the first calls", first.Uploads)
				}
				watched.Forget()
				for range 3 {
					optest.OK(t, c.run())
				}
				if watched.Uploads+watched.Downloads+watched.Copies+watched.Clears != 0 {
					t.Errorf("moved by calls after the first: %+v", watched)
				}
				colors := max(1, c.flow.Plan().Colors)
				if strategy == "gather" || strategy == "atomic" || rt.Stats()[0].How[:6] == "atomic" {
					colors = 1
				}
				if watched.Launches != 3*colors {
					t.Errorf("%d launches of %d colors", watched.Launches, colors)
				}
				// Another loop that shares the map, and the plan where it does not depend on the dats.
				other := optest.NewDat[float64](t, c.nodes, 3, nil, "other")
				watched.Forget()
				m := c.edge2node
				loop := op2.NewLoop(deviceKernels.Func(swapFlow), c.edges, c.q.Read(m.At(0)), c.q.Read(m.At(1)), other.Inc(m.At(0)), other.Inc(m.At(1)))
				optest.OK(t, loop.Compute())
				own := map[string]int{"gather": 2}[strategy] // transposed maps
				if watched.Uploads != own {
					t.Errorf("another loop over the same map: %d uploads, want %d", watched.Uploads, own)
				}
				optest.Expect(t, other, c.want(1))
			})
		}

		t.Run("consts", func(t *testing.T) {
			rt := open(t)
			defer func(was float64) { strength = was }(strength)
			strength = 3
			op2.NewConst(rt, "strength", &strength)
			cells := optest.NewSet(t, rt, 10, "cells")
			v := optest.NewDat(t, cells, 1, slices.Repeat([]float64{1}, 10), "v")
			k := deviceKernels.Func(strengthen)
			optest.Run(t, k, cells, v.RW())
			watched.Forget()
			optest.Run(t, k, cells, v.RW())
			optest.Run(t, k, cells, v.RW())
			if watched.Uploads+watched.Downloads != 0 {
				t.Errorf("moved though nothing has changed: %+v", watched)
			}
			strength = 5
			builds := watched.Builds
			optest.Run(t, k, cells, v.RW())
			changed := 0
			if rt.Backend() == "opencl" {
				changed = 1
			}
			if watched.Uploads != changed || watched.Builds != builds {
				t.Errorf("a const has changed: %d uploads, want %d; %d compilations", watched.Uploads, changed, watched.Builds-builds)
			}
			optest.Expect(t, v, slices.Repeat([]float64{3 * 3 * 3 * 5}, 10))
		})
	})
}

// A matrix is assembled in place, and transferred when its values are read.
func TestTransfersOfMats(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 40)
		m := c.edge2node
		a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: m, Cols: m}}, 1, 1, "pattern"), "a")
		v := optest.NewDat(t, c.edges, 1, slices.Repeat([]float64{1}, 40), "v")
		bytes := int64(8 * a.Sparsity().Blocks())
		assemble := func() { optest.Run(t, deviceKernels.Func(assemble2), c.edges, a.Inc(m, m), v.Read()) }
		check := func(times float64) {
			t.Helper()
			for i, want := range map[[2]int]float64{{0, 0}: times, {3, 3}: 2 * times, {4, 5}: -times, {40, 40}: times} {
				if got := optest.Must(a.At(i[0], i[1])); got != want {
					t.Errorf("%v: %v, want %v", i, got, want)
				}
			}
		}
		assemble() // from HostUnallocated
		optest.Moved(t, rt, "assembly", op2.Transfers{ToDevice: 1, BytesToDevice: 8 * 40})
		assemble() // Device
		optest.Moved(t, rt, "assembly once more", op2.Transfers{})
		check(2)
		optest.Moved(t, rt, "values", op2.Transfers{ToHost: 1, BytesToHost: bytes})
		assemble() // Both
		optest.Moved(t, rt, "assembly after the values were read", op2.Transfers{})
		check(3)
		csr := optest.Must(a.CSR()) // to be written
		clear(csr.Values)
		rt.ResetStats()
		assemble() // Host
		optest.Moved(t, rt, "assembly after the values were changed", op2.Transfers{ToDevice: 1, BytesToDevice: bytes})
		check(1)
		rt.ResetStats()
		optest.OK(t, a.Zero())
		assemble()
		optest.Moved(t, rt, "Zero", op2.Transfers{})
		check(1)
	})
}

// The layout on the device makes no difference, whether set by option or per dat.
func TestLayoutsOnDevices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		for _, strategy := range []string{"auto", "staged", "gather"} {
			for _, layout := range []string{"aos", "soa", "own"} {
				if strategy != "auto" && layout != "own" && !heavy.On() {
					continue // as the conformance suite does
				}
				t.Run(strategy+"/"+layout, func(t *testing.T) {
					option := layout
					if layout == "own" {
						option = "auto"
					}
					rt := open(t, op2.WithStrategy(op2.Strategy(strategy)), op2.WithLayout(op2.Layout(option)))
					c := newChain(t, rt, 700)
					if layout == "own" {
						c.q.SetLayout(op2.SoA)
						c.r.SetLayout(op2.AoS)
					}
					optest.OK(t, c.run())
					optest.Expect(t, c.r, c.want(1))
					optest.OK(t, c.run())
					if layout == "own" { // the values are transposed in transit
						c.q.SetLayout(op2.AoS)
						c.r.SetLayout(op2.SoA)
						optest.OK(t, c.prepare())
					}
					optest.OK(t, c.run())
					optest.Expect(t, c.r, c.want(3))
					optest.Expect(t, c.q, c.start)
				})
			}
		}
	})
}
