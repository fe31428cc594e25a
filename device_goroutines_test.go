package op2_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

// A runtime on a device may move between goroutines, and so between threads; concurrent use is
// reported.
func TestGoroutinesOnOneRuntime(t *testing.T) {
	const goroutines, calls = 8, 40
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 300)
		optest.OK(t, c.run())
		run1 := func() error {
			runtime.LockOSThread() // never unlocked: the thread ends
			return c.run()
		}
		t.Run("in turn", func(t *testing.T) {
			for range goroutines {
				done := make(chan error)
				go func() { done <- run1() }()
				optest.OK(t, <-done)
			}
			optest.Expect(t, c.r, c.want(1+goroutines))
		})
		t.Run("at once", func(t *testing.T) {
			var all sync.WaitGroup
			ran, failed := make([]int, goroutines), make([]error, goroutines)
			for g := range goroutines {
				all.Go(func() {
					for range calls {
						var err error
						if g%2 == 0 {
							err = c.run()
						} else {
							_, err = c.r.DataRO()
						}
						switch {
						case errors.Is(err, op2.ErrConcurrentUse):
							runtime.Gosched()
						case err != nil:
							failed[g] = err
							return
						case g%2 == 0:
							ran[g]++
						}
					}
				})
			}
			all.Wait()
			optest.OK(t, errors.Join(failed...))
			total := 1 + goroutines
			for _, n := range ran {
				total += n
			}
			optest.Expect(t, c.r, c.want(total))
		})
	})
}

// Runtimes on one device are independent, and may all be in use at once.
func TestRuntimesOnOneDevice(t *testing.T) {
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			gputest.Require(t, name)
			open := openerOf(name)
			const runtimes, calls = 4, 50
			var all sync.WaitGroup
			chains := make([]*chain, runtimes)
			failed := make([]error, runtimes)
			for i := range chains {
				chains[i] = newChain(t, open(t, op2.WithStrategy([]op2.Strategy{"auto", "staged"}[i%2])), 200+50*i)
			}
			for i, c := range chains {
				all.Go(func() {
					for n := range calls {
						if failed[i] = c.run(); failed[i] != nil {
							return
						}
						if n%10 == 9 { // there and back
							if _, failed[i] = c.r.Data(); failed[i] != nil {
								return
							}
						}
					}
					if i%2 == 1 { // while others work
						failed[i] = errors.Join(func() error { optest.Expect(t, c.r, c.want(calls)); return nil }(), c.rt.Close())
					}
				})
			}
			all.Wait()
			optest.OK(t, errors.Join(failed...))
			for i := 0; i < runtimes; i += 2 {
				optest.Expect(t, chains[i].r, chains[i].want(calls))
			}
		})
	}
}

// Close releases the device while the program still has loops, dats and slices.
func TestCloseOnDevice(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 200)
		unfinished := op2.NewLoop(ckernel.New("unfinished", "void unfinished(double *x) { x[0] *= 3; }"), c.nodes, c.q.RW()) // being compiled
		optest.OK(t, c.run())
		held := optest.Must(c.r.Data())
		for range 20 { // queued
			optest.OK(t, c.run())
		}
		before := slices.Clone(held)
		optest.OK(t, rt.Close())
		optest.OK(t, rt.Close())
		if !slices.Equal(held, before) {
			t.Error("a slice has changed")
		}
		for what, err := range map[string]error{
			"Compute":       c.flow.Compute(),
			"first Compute": unfinished.Compute(),
			"ParLoop":       op2.ParLoop(deviceKernels.Func(doubleAll), c.nodes, c.q.RW()),
			"Data":          func() error { _, err := c.r.Data(); return err }(),
			"Zero":          c.r.Zero(),
			"Fill":          c.r.Fill(1),
			"Set":           c.r.SetInDeclaredOrder(before),
		} {
			if !errors.Is(err, op2.ErrClosed) {
				t.Errorf("%s: got %v, want ErrClosed", what, err)
			}
		}
		s := c.flow.Stats()
		if s.Calls != 21 || s.Time <= 0 || s.How == "" {
			t.Errorf("Stats after Close: %+v", s)
		}
		if all := rt.Stats(); len(all) != 1 || all[0].Calls != 21 || all[0].Time != s.Time {
			t.Errorf("Stats of all loops after Close: %+v", all)
		}
		c, unfinished = nil, nil // and collecting the garbage does no harm
		for range 3 {
			runtime.GC()
		}
		again := newChain(t, open(t), 200)
		optest.OK(t, again.run())
		optest.Expect(t, again.r, again.want(1))
	})
}

// A program may create dats and loops all the time on a device with little memory: the memory of
// unreachable ones is reused, including the loops' plans, partial results and consts.
func TestDroppedDatsOnDevice(t *testing.T) {
	const n, rounds = 1000, 60 // 24 kB for a dat
	for _, strategy := range []string{"atomic", "staged", "gather"} {
		for _, how := range []string{"ParLoop", "NewLoop"} {
			t.Run(strategy+"/"+how, func(t *testing.T) {
				watched := watch(t, gputest.Standin, standin.Limits{Memory: 400e3})
				rt := openerOf(gputest.Standin)(t, op2.WithStrategy(op2.Strategy(strategy)))
				c := newChain(t, rt, n)
				m := c.edge2node
				k := deviceKernels.Func(swapFlow)
				total := optest.NewGlobal(t, rt, "total", 0.0, 0.0)
				for round := range rounds {
					r := optest.NewDat[float64](t, c.nodes, 3, nil, fmt.Sprint("r", round))
					args := []op2.Arg{c.q.Read(m.At(0)), c.q.Read(m.At(1)), r.Inc(m.At(0)), r.Inc(m.At(1))}
					if how == "ParLoop" {
						optest.Run(t, k, c.edges, args...)
					} else {
						optest.OK(t, op2.NewLoop(k, c.edges, args...).Compute())
					}
					v := optest.NewDat(t, c.nodes, 1, slices.Repeat([]float64{1}, n+1), "v")
					optest.Run(t, deviceKernels.Func(addGlobal), c.nodes, total.Inc(), v.Read())
					if round%20 == 19 {
						optest.Expect(t, r, c.want(1))
					}
				}
				optest.Expect(t, total, []float64{rounds * (n + 1), rounds * (n + 1)})
				if watched.Released == 0 && how == "NewLoop" {
					t.Errorf("of %d programs none were given back", watched.Builds)
				}
			})
		}
	}
}

// Without a memory limit, dropped data is freed when the collector finds it.
func TestDroppedDatsAreFreed(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 500)
		optest.OK(t, c.run())
		before := watched.Allocated
		func() {
			for i := range 20 {
				d := optest.NewDat[float64](t, c.nodes, 3, nil, fmt.Sprint("d", i))
				optest.OK(t, op2.NewLoop(deviceKernels.Func(doubleAll), c.nodes, d.RW()).Compute())
			}
		}()
		if watched.Allocated < before+20*8*3*501 {
			t.Fatalf("%d bytes are allocated, %d before", watched.Allocated, before)
		}
		for range 200 {
			rt.Stats() // once its time is known, nothing refers to the loop
			runtime.GC()
			if optest.OK(t, c.run()); watched.Allocated <= before {
				return
			}
		}
		t.Errorf("%d bytes are allocated, %d before", watched.Allocated, before)
	})
}

// Loops may be dropped before they were computed, while the compiler is running.
func TestDroppedLoopsOnDevice(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, watched *gputest.Watched) {
		rt := open(t)
		c := newChain(t, rt, 100)
		optest.OK(t, c.run())
		for i := range 3 {
			text := fmt.Sprintf("void dropped%d(double *x) { x[0] *= %d; }", i, i)
			op2.NewLoop(ckernel.New(fmt.Sprint("dropped", i), text), c.nodes, c.q.RW())
		}
		for range 200 {
			runtime.GC()
			if optest.OK(t, c.run()); watched.Released == 3 {
				break
			}
		}
		if watched.Released != 3 {
			t.Errorf("%d of 3 programs were given back", watched.Released)
		}
		text := "void dropped1(double *x) { x[0] *= 1; }" // once more
		optest.Run(t, ckernel.New("dropped1", text), c.nodes, c.q.RW())
		optest.Expect(t, c.q, c.start)
	})
}
