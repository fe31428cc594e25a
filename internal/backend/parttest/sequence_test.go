package parttest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// several prepares three loops on the same data.
func (f *form) several() []*call {
	c := f.prepare(owned)
	return []*call{c, f.on(&c.values, c.mirrors, core), f.on(&c.values, c.mirrors, owned)}
}

// sequence returns the sequence of loops.
func (f *form) sequence(calls []*call) backend.Sequence {
	var all []backend.Runner
	for _, c := range calls {
		all = append(all, c.Runner)
	}
	return f.backend.(backend.Sequencer).PrepareSequence(all)
}

// bits returns the bits of the results.
func (c *call) bits() string {
	c.bring()
	var all []uint64
	for _, some := range [][]float64{c.y, c.res, c.sum} {
		for _, x := range some {
			all = append(all, math.Float64bits(x))
		}
	}
	return fmt.Sprint(all, math.Float32bits(c.low[0]), c.high[0])
}

// sequenceForms are devices, with a strategy that leaves the same bits in each run.
var sequenceForms = map[string]tune.Strategy{"opencl": tune.Blocks, "standin": tune.Staged}

// The loops of a sequence leave the bits that they leave one by one, whatever changes between calls.
// What is launched again is recorded, and recorded again after it was something else.
func TestSequence(t *testing.T) {
	old := scale
	defer func() { scale = old }()
	const setSum, setScale, move = "set sum on the host", "set scale", "move u in the device's memory"
	steps := []string{"", "", "", "", "", setSum, "", setScale, "", "", move, "", ""}
	for name, strategy := range sequenceForms {
		for _, refuses := range []error{nil, fmt.Errorf("%w: pretended", device.ErrNotRecorded)} {
			f, to := newRecorded(t, name, strategy)
			to.refuses = refuses
			scale = old
			apart, together := f.several(), f.several()
			s := f.sequence(together)
			recorded, runs, alive := 0, 0, false
			for i, step := range steps {
				for _, c := range []*call{apart[0], together[0]} {
					switch step {
					case setSum:
						c.must(c.mirrors[4].Host(true))
						c.sum[0] = 1e3
					case setScale:
						scale = 5
					case move:
						c.must(c.mirrors[1].Host(false))
						c.mirrors[1].Free()
						_, err := f.backend.(backend.DeviceBackend).Device().Alloc(8 * nodes) // takes its place
						c.must(err)
					}
				}
				for _, c := range apart {
					c.must(c.Run())
				}
				if failed, err := s.Run(); err != nil {
					t.Fatal(failed, err)
				}
				how := "queued at once"
				switch same := i > 2 && step != move && (step != setScale || name == "opencl"); { // CUDA's consts are arguments
				case refuses != nil && i > 2:
					how += ": launches are not recorded: pretended"
				case !same || refuses != nil:
					alive = false
				default:
					if !alive {
						recorded++
					}
					alive = true
					runs++
					how = fmt.Sprintf("a graph of %d launches", to.size)
				}
				if got := s.How(); got != how || to.recorded != recorded || to.runs != runs || to.alive > 0 != alive {
					t.Errorf("%s, call %d: %s, %d recorded, %d queued, %d alive; want %s, %d, %d, %v", name, i+1, got, to.recorded, to.runs, to.alive, how, recorded, runs, alive)
				}
				if i == 1 || i > 2 {
					if apart[0].bits() != together[0].bits() {
						t.Fatalf("%s, call %d: other bits than one by one", name, i+1)
					}
				}
			}
		}
	}
}

// After an error, the loops before the one that it is of have run, and the others have not; the next
// call runs all. No values of the host are lost.
func TestSequenceFails(t *testing.T) {
	for name, strategy := range sequenceForms {
		for _, record := range []bool{false, true} {
			f, to := newRecorded(t, name, strategy)
			if !record {
				to.refuses = device.ErrNotRecorded
			}
			apart, together := f.several(), f.several()
			s := f.sequence(together)
			first := 0 // number of launches of the first loop
			for range 4 {
				_, err := s.Run()
				together[0].must(err)
				to.names = nil
				for i, c := range apart {
					c.must(c.Run())
					if i == 0 {
						first = len(to.names)
					}
				}
			}
			// Results are only on the device now, where a failed call leaves some of its own.
			apart[0].bring()
			together[0].bring()
			to.names, to.reject = nil, 1
			if !record {
				to.reject = first + 1
			}
			failed, err := s.Run()
			want := 1
			if record { // the recording as a whole is rejected, with its first launch
				want = 0
			}
			if !errors.Is(err, errRejected) || failed != want {
				t.Errorf("%s: err = %v of loop %d, want the rejected launch of loop %d", name, err, failed, want)
			}
			to.reject = 0
			for _, c := range []*call{apart[0], together[0]} {
				for _, m := range c.mirrors {
					c.must(m.Host(true)) // start again from the same values
				}
				c.values.restore(newValues())
			}
			_, err = s.Run()
			together[0].must(err)
			for _, c := range apart {
				c.must(c.Run())
			}
			if apart[0].bits() != together[0].bits() {
				t.Errorf("%s: other bits after a call that failed", name)
			}
		}
	}
}

// restore sets the values to others.
func (v *values) restore(to *values) {
	copy(v.x, to.x)
	copy(v.u, to.u)
	copy(v.y, to.y)
	copy(v.res, to.res)
	copy(v.sum, to.sum)
	copy(v.low, to.low)
	copy(v.high, to.high)
}

// Each loop reports a time for each call.
func TestSequenceTimes(t *testing.T) {
	f, _ := newRecorded(t, "opencl", tune.Blocks)
	var times []time.Duration
	f.took = func(d time.Duration) { times = append(times, d) }
	s := f.sequence(f.several())
	for call := range 4 {
		times = nil
		if _, err := s.Run(); err != nil {
			t.Fatal(err)
		}
		if err := f.backend.(backend.DeviceBackend).Settle(); err != nil {
			t.Fatal(err)
		}
		if len(times) != 3 || slices.Min(times) <= 0 || slices.Max(times) > time.Minute {
			t.Errorf("call %d took %v", call+1, times)
		}
	}
}
