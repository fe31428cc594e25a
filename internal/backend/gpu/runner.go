package gpu

import (
	"fmt"
	"strconv"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// runner is a prepared loop.
type runner struct {
	engine   *engine
	spec     backend.Spec
	memory   backend.Memory
	variants []*variant // the active one is the first
	data     []device.Buffer
	use      []use // by loop.Data
	consts   *consts
	held     *held
	arrays   []*array
	ready    bool
	trials   []time.Duration // total times by variant, while strategies are measured
	calls    int
	spent    time.Duration // by the current call, while strategies are measured
	defined  bool          // the sources contain the current values of consts
	parts    *parts        // nil until the first call in parts
}

// parts is the state of calls in parts.
type parts struct {
	variant  *variant // that the call runs with
	used     int      // number of partial results so far
	totals   []total
	host     []unsafe.Pointer // of the totals
	combined bool             // the totals are

	unchecked bool // parts have run since it was last checked whether an element has failed
}

// total is the combined result of a reduction.
type total struct {
	arg, data, bytes int
	buffer           device.Buffer
	host             unsafe.Pointer
}

// held is a runner's device memory, which outlives it until the garbage is swept.
type held struct {
	buffers []device.Buffer
	builds  []device.Program
}

func (h *held) release(d device.Device) {
	for _, b := range h.buffers {
		d.Free(b)
	}
	for _, b := range h.builds {
		b.Release()
	}
	*h = held{}
}

// use describes how a loop uses one of its data.
type use struct {
	reads, writes bool
	layout        tune.Layout
}

func (r *runner) keepBuffer(b device.Buffer) { r.held.buffers = append(r.held.buffers, b) }

// Generate returns the active source.
func (r *runner) Generate() string { return r.variants[0].program.Text }

// SharedBytes returns the shared memory that the largest block needs for its staged data.
func (r *runner) SharedBytes() int { return r.variants[0].shared }

func (r *runner) reportHow() {
	v := r.variants[0]
	text := string(v.strategy)
	if v.note != "" {
		text += ", " + v.note
	}
	code := backend.Code(v.build.Found())
	if level := v.build.Translated(); level != "" {
		code = "translated, " + level
	}
	r.memory.ReportHow(text, code)
	if r.memory.ReportChoices != nil {
		r.memory.ReportChoices(r.taken())
	}
}

// taken returns the choices that the loop runs with.
func (r *runner) taken() choice.Made {
	v := r.variants[0]
	fields := []choice.Field{choice.Strategy, choice.Group, choice.Layout, choice.DeviceFlags}
	switch {
	case v.inBlocks():
		fields = append(fields, choice.Block, choice.SIMD, choice.Width)
	case v.reach == nil:
		fields = append(fields, choice.PerItem)
	}
	m := r.spec.Chosen.Only(fields...)
	m.Took(choice.Strategy, string(v.strategy))
	m.Took(choice.Group, strconv.Itoa(v.size))
	switch {
	case v.inBlocks():
		m.Took(choice.Block, strconv.Itoa(v.plan.BlockSize))
	case v.reach == nil:
		m.Took(choice.PerItem, strconv.Itoa(v.per/v.size))
	}
	if v.strategy == tune.Blocks && v.engine.info.CPU {
		simd := tune.SIMDOff
		if v.program.Packs {
			simd = tune.SIMDOn
		}
		m.Took(choice.SIMD, string(simd))
	}
	return m
}

// Run queues the loop's launches.
func (r *runner) Run() error {
	if r.variants[0].elements == 0 {
		return nil
	}
	if err := r.begin(r.memory.Consts); err != nil {
		return err
	}
	if err := r.bring(false); err != nil {
		return err
	}
	v := r.next()
	if err := r.timed(func() error { return r.wrote(v.queueAll()) }); err != nil {
		return err
	}
	r.tried()
	return r.fault(v)
}

// begin begins a call with the values of consts at these addresses.
func (r *runner) begin(consts []unsafe.Pointer) error {
	r.spent = 0
	if err := r.engine.takeDeferred(); err != nil {
		return err
	}
	changed, err := r.consts.update(consts, false)
	if err != nil || !changed && r.defined {
		return err
	}
	r.defined = false
	if err := r.rebuild(consts); err != nil {
		return err
	}
	r.defined = true
	return nil
}

// takeDeferred returns a deferred error once.
func (e *engine) takeDeferred() error {
	err := e.deferred
	e.deferred = nil
	return err
}

// bring makes the data ready on the device. A part of a loop needs the existing values even where
// the loop overwrites them all.
func (r *runner) bring(part bool) (err error) {
	for d, m := range r.memory.Mirrors {
		if r.data[d], err = m.Bring(part || r.use[d].reads, r.use[d].layout); err != nil {
			return err
		}
	}
	return nil
}

// wrote records that work was queued that changes the loop's data. If some of it was rejected,
// values on the host are still those from before.
func (r *runner) wrote(err error) error {
	for d, m := range r.memory.Mirrors {
		switch {
		case !r.use[d].writes:
		case err != nil:
			m.Spoiled()
		default:
			m.Wrote(r.use[d].layout)
		}
	}
	return err
}

// timed queues work, whose time is reported once it is known: at once while strategies are
// measured.
func (r *runner) timed(queue func() error) error {
	e := r.engine
	timing, err := e.timing(queue)
	if err != nil {
		return err
	}
	if r.trials == nil {
		return e.timed(timing, r.memory.ReportTime)
	}
	took, err := timing.Elapsed()
	if err != nil {
		return err
	}
	r.memory.ReportTime(took)
	r.spent += took
	return nil
}

// fault checks whether an element has failed, if the kernel can fail.
func (r *runner) fault(v *variant) error {
	if !v.program.Faults {
		return nil
	}
	f, err := r.engine.takeFault()
	if f == nil || err != nil {
		return err
	}
	return &backend.Fault{Pos: r.spec.Kernel.Place(f.Line, f.Column), Msg: f.Text(), Element: f.Element, Elements: 1}
}

// next returns the variant of the next call: while strategies are measured, they take turns.
func (r *runner) next() *variant { return r.variants[r.calls%len(r.variants)] }

// tried records the time of a call while strategies are measured, and selects the fastest one after
// the last.
func (r *runner) tried() {
	if r.trials == nil {
		return
	}
	if r.calls >= len(r.variants) {
		r.trials[r.calls%len(r.variants)] += r.spent
	}
	if r.calls++; r.calls < r.engine.limits.Trials*len(r.variants) {
		return
	}
	best := 0
	note := "measured"
	for i, t := range r.trials {
		if t < r.trials[best] {
			best = i
		}
		note += fmt.Sprintf(" %s %.1f µs", r.variants[i].strategy, float64(t.Microseconds())/float64(r.engine.limits.Trials-1))
	}
	r.variants[best].note = note
	r.take(best)
}

// take selects one of the variants.
func (r *runner) take(best int) {
	for i, b := range r.held.builds {
		if i != best {
			b.Release()
		}
	}
	r.held.builds = r.held.builds[best : best+1]
	r.variants, r.trials = r.variants[best:best+1], nil
	r.reportHow()
}

// rebuild recompiles sources that contain consts whose values have changed.
func (r *runner) rebuild(consts []unsafe.Pointer) error {
	for i, v := range r.variants {
		if len(v.program.Defined) == 0 || v.text == devicecode.Define(v.program, r.spec.Kernel, consts) {
			continue
		}
		again := *v
		r.engine.buildVariant(&again, consts)
		if err := again.find(); err != nil {
			again.build.Release()
			return err
		}
		v.build.Release()
		v.text, v.build, v.kernel, v.combine = again.text, again.build, again.kernel, again.combine
		r.held.builds[i] = v.build
	}
	return nil
}
