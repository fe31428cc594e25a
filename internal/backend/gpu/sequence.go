package gpu

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
)

// sequence is loops that are queued together. Once two calls have launched the same, a device that can
// record does so, and further calls queue the recording, until one would launch something else.
type sequence struct {
	engine   *engine
	loops    []*runner
	reads    [][]bool // by loop and loop.Data: whether values from before the sequence are needed
	apart    string   // why the loops run one by one; empty: they need not
	times    []time.Duration
	calls    int
	last     launched // what the last call launched
	now      launched // what this one is to launch
	recorded *recorded
	refused  error // why the device does not record
}

// recorded holds a recording, which outlives the sequence until the garbage is swept.
type recorded struct{ device.Recording }

func (r *recorded) release(device.Device) {
	if r.Recording != nil {
		r.Free()
		r.Recording = nil
	}
}

// launched holds the values that determine the launches of a call.
type launched struct {
	kernels []device.Kernel
	args    []byte // their values
}

// timedCalls is the number of calls that time each loop on its own.
const timedCalls = 2

// PrepareSequence finds out which values from before the sequence each loop needs.
func (e *engine) PrepareSequence(loops []backend.Runner) backend.Sequence {
	s := &sequence{engine: e, times: make([]time.Duration, len(loops)), recorded: &recorded{}}
	written := map[*device.Mirror]bool{}
	layouts := map[*device.Mirror]use{}
	for i, l := range loops {
		r := l.(*runner)
		s.loops = append(s.loops, r)
		var reads []bool
		for d, m := range r.memory.Mirrors {
			reads = append(reads, r.use[d].reads && !written[m])
			if first, known := layouts[m]; known && first.layout != r.use[d].layout {
				s.apart = fmt.Sprintf("%s has two layouts", m.What)
			}
			layouts[m] = r.use[d]
		}
		for d, m := range r.memory.Mirrors {
			written[m] = written[m] || r.use[d].writes
		}
		s.reads = append(s.reads, reads)
		if r.variants[0].program.Faults {
			s.apart = fmt.Sprintf("%s may fail, which is checked after it", r.spec.Loop.Kernel)
		}
		report := r.memory.ReportTime
		r.memory.ReportTime = func(d time.Duration) {
			s.times[i] = d
			report(d)
		}
	}
	device.Leave(&e.garbage, s, s.recorded.release)
	return s
}

// How describes how the loops run.
func (s *sequence) How() string {
	switch {
	case s.apart != "":
		return "one by one: " + s.apart
	case s.recorded.Recording != nil:
		return fmt.Sprintf("a graph of %d launches", len(s.last.kernels))
	case s.refused != nil:
		return fmt.Sprintf("queued at once: %v", s.refused)
	}
	return "queued at once"
}

// Run queues all loops.
func (s *sequence) Run() (int, error) {
	s.calls++
	if s.apart != "" || s.calls <= timedCalls || slices.ContainsFunc(s.loops, func(r *runner) bool { return r.trials != nil }) {
		return s.oneByOne()
	}
	for i, r := range s.loops {
		if err := s.bring(i, r); err != nil {
			return i, err
		}
	}
	s.look()
	failed := 0
	timing, err := s.engine.timing(func() (err error) {
		failed, err = s.queueLoops()
		return err
	})
	if err != nil {
		return failed, err
	}
	return 0, s.engine.timed(timing, s.share)
}

func (s *sequence) oneByOne() (int, error) {
	for i, r := range s.loops {
		if err := r.Run(); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// bring makes ready the values that loop i needs: the values of consts, and those of data that no
// earlier loop leaves.
func (s *sequence) bring(i int, r *runner) error {
	if r.variants[0].elements == 0 {
		return nil
	}
	if err := r.begin(r.memory.Consts); err != nil {
		return err
	}
	for d, m := range r.memory.Mirrors {
		var err error
		if r.data[d], err = m.Bring(s.reads[i][d], r.use[d].layout); err != nil {
			return err
		}
	}
	return r.variants[0].resetFinished()
}

// look lists the launches of this call.
func (s *sequence) look() {
	s.now.kernels, s.now.args = s.now.kernels[:0], s.now.args[:0]
	for _, r := range s.loops {
		if v := r.variants[0]; v.elements > 0 {
			s.now.include(v)
		}
	}
}

// include adds the launches of a loop. Those after the first differ from it in ways that do not change.
func (n *launched) include(v *variant) {
	v.count = int32(v.groups)
	if len(v.launches) > 0 {
		v.set(v.launches[0], 0)
	}
	for range v.launches {
		n.kernels = append(n.kernels, v.kernel)
	}
	n.addArgs(v.args)
	if v.combine != nil && !v.program.LastCombines {
		n.kernels = append(n.kernels, v.combine)
		n.addArgs(v.combined)
	}
}

func (n *launched) addArgs(args []device.Arg) {
	for _, a := range args {
		if a.Value != nil {
			n.args = append(n.args, unsafe.Slice((*byte)(a.Value), a.Size)...)
		}
	}
}

func (n *launched) same(m *launched) bool {
	return slices.Equal(n.kernels, m.kernels) && bytes.Equal(n.args, m.args)
}

// queueLoops queues the launches. After an error it returns the loop that it is of.
func (s *sequence) queueLoops() (int, error) {
	again := s.now.same(&s.last)
	if !again {
		s.recorded.release(s.engine.device)
		s.now, s.last = s.last, s.now
	}
	recorder, records := s.engine.device.(device.Recorder)
	if records = records && again && s.refused == nil; records && s.recorded.Recording == nil {
		if failed, err := s.recordLoops(recorder); err != nil && !errors.Is(err, device.ErrNotRecorded) {
			return failed, err
		}
	}
	if s.recorded.Recording != nil {
		return s.replay()
	}
	failed := 0
	queue := func() error {
		return s.each(func(i int, r *runner) error {
			failed = i
			return r.wrote(r.variants[0].queueAll())
		})
	}
	if b, ok := s.engine.device.(device.Batcher); ok {
		return failed, b.Batch(queue)
	}
	err := queue()
	return failed, err
}

// each calls f for every loop that has elements.
func (s *sequence) each(f func(i int, r *runner) error) error {
	for i, r := range s.loops {
		if r.variants[0].elements > 0 {
			if err := f(i, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordLoops records the launches, unless the device refuses.
func (s *sequence) recordLoops(d device.Recorder) (failed int, err error) {
	s.recorded.Recording, err = d.Record(func() error {
		return s.each(func(i int, r *runner) error {
			failed = i
			return r.variants[0].queueAll()
		})
	})
	if errors.Is(err, device.ErrNotRecorded) {
		s.refused = err
	}
	return failed, err
}

// replay queues the recording.
func (s *sequence) replay() (int, error) {
	err := s.recorded.Queue()
	_ = s.each(func(_ int, r *runner) error {
		v := r.variants[0]
		v.broken = err != nil && v.program.LastCombines
		return r.wrote(err)
	})
	return 0, err
}

// share reports the time of a call, divided in proportion to the times of the loops when each was
// last timed on its own.
func (s *sequence) share(total time.Duration) {
	sum := time.Duration(0)
	for _, t := range s.times {
		sum += t
	}
	times := slices.Clone(s.times)
	for i, r := range s.loops {
		share := 1 / float64(len(times))
		if sum > 0 {
			share = float64(times[i]) / float64(sum)
		}
		r.memory.ReportTime(time.Duration(share * float64(total)))
	}
	copy(s.times, times)
}
