package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
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

// Prepare chooses strategies, lays them out and starts to compile.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := e.checkTypes(s); err != nil {
		return nil, err
	}
	r := &runner{engine: e, memory: m, held: &held{}, data: make([]device.Buffer, len(s.Loop.Data))}
	for d, data := range s.Loop.Data {
		access := s.Loop.DataAccess(d)
		u := use{reads: access != loop.Write || !m.WritesAll(s.Loop, d), writes: access != loop.Read, layout: tune.LayoutOf(data.SoA)}
		r.use = append(r.use, u)
	}
	items, err := e.itemsOf(&s)
	if err != nil {
		return nil, err
	}
	strategies, failed := e.candidates(s.Loop, s.Chosen.Choices)
	all := false
	if s.Chosen.Strategy == tune.Measure && !s.Chosen.NoAtomics { // the fastest one varies from run to run
		strategies, all = append(e.measured(s.Loop, s.Chosen.Choices), strategies...), true
	}
	r.spec = s
	seen := map[tune.Strategy]bool{}
	for _, strategy := range strategies {
		if seen[strategy] || len(r.variants) > 0 && !all {
			continue
		}
		seen[strategy] = true
		own := m // each variant has its own plan
		v, err := e.newVariant(s, &own, strategy, items)
		switch {
		case errors.As(err, new(misfit)):
			failed = err
		case err != nil:
			return nil, err
		default:
			if failed != nil {
				v.remark(fmt.Sprintf("since %v", failed))
			}
			r.variants = append(r.variants, v)
		}
	}
	if len(r.variants) == 0 {
		return nil, failed
	}
	for _, v := range r.variants {
		r.held.builds = append(r.held.builds, v.build)
	}
	device.Leave(&e.garbage, r, r.held.release)
	return r, nil
}

// Generate returns the source for the preferred strategy.
func (e *engine) Generate(s backend.Spec) (string, error) {
	strategies, _ := e.candidates(s.Loop, s.Chosen.Choices)
	items, err := e.itemsOf(&s)
	if err != nil {
		return "", err
	}
	size := e.groupSize(s.Loop, items)
	if strategies[0].Stages() {
		size = groupFor(cmp.Or(s.Chosen.Block, size), size)
	}
	return e.print(s, strategies[0], size).Text, nil
}

// Ready waits for the compiler and creates the arguments.
func (r *runner) Ready() error {
	if r.ready {
		return nil
	}
	if err := r.bind(); err != nil {
		return err
	}
	if len(r.variants) > 1 {
		r.trials = make([]time.Duration, len(r.variants))
	} else {
		r.reportHow()
	}
	r.ready = true
	return nil
}

// bind creates the arguments. If something fails, it creates nothing, and can be called again.
func (r *runner) bind() (err error) {
	defer func() {
		if err != nil {
			r.unbind()
		}
	}()
	for i := range r.variants {
		v, err := r.fitting(i)
		if err != nil {
			return err
		}
		if r.consts == nil {
			if r.consts, err = newConsts(r.engine, r.spec.Kernel, r.memory.Consts, v.program); err != nil {
				return err
			}
			r.own(r.consts.buffer)
		}
		if err := v.bind(r); err != nil {
			return err
		}
	}
	return nil
}

// fitting returns variant i once it has been compiled; with smaller groups, if the kernel needs too
// many registers for the intended size.
func (r *runner) fitting(i int) (*variant, error) {
	for {
		v := r.variants[i]
		if err := v.find(); err != nil {
			return nil, err
		}
		limit := v.limit()
		if limit >= v.size {
			return v, nil
		}
		v.build.Release()
		limit = 1 << (bits.Len(uint(limit)) - 1)
		smaller, err := r.engine.newVariant(r.spec, v.memory, v.strategy, limit)
		if err != nil {
			return nil, err
		}
		smaller.remark(fmt.Sprintf("groups of %d instead of %d to fit registers", limit, v.size))
		r.variants[i], r.held.builds[i] = smaller, smaller.build
	}
}

func (r *runner) unbind() {
	for _, b := range r.held.buffers {
		r.engine.device.Free(b)
	}
	r.held.buffers, r.arrays, r.consts = nil, nil, nil
	for _, v := range r.variants {
		v.args, v.combined = nil, nil
	}
}

func (r *runner) own(b device.Buffer) { r.held.buffers = append(r.held.buffers, b) }

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
	if err := r.timed(func() error { return r.wrote(v.queue()) }); err != nil {
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

// queue queues everything that a call launches.
func (v *variant) queue() error {
	if err := v.resetFinished(); err != nil {
		return err
	}
	v.count = int32(v.groups)
	err := v.launch(v.launches, v.args, 0)
	if v.program.LastCombines {
		v.broken = err != nil
		return err
	}
	if err != nil || v.combine == nil {
		return err
	}
	return v.combinePartials(v.groups)
}

// resetFinished zeroes the count of finished groups after a call whose launch was rejected in part.
func (v *variant) resetFinished() error {
	if !v.broken {
		return nil
	}
	if err := v.engine.device.Clear(v.finished, 0, 4); err != nil {
		return err
	}
	v.broken = false
	return nil
}

// launch queues launches, whose partial results start at first.
func (v *variant) launch(launches []launch, args []device.Arg, first int) error {
	for _, l := range launches {
		v.set(l, first)
		if err := v.kernel.Launch(l.groups, v.size, v.shared, args); err != nil {
			return err
		}
	}
	return nil
}

// set sets the arguments that differ between launches.
func (v *variant) set(l launch, first int) {
	v.offset, v.end, v.before = l.offset, l.end, int32(first)+l.before
}

// combinePartials queues the combination of the first n partial results with the globals.
func (v *variant) combinePartials(n int) error {
	v.count = int32(n)
	return v.combine.Launch(1, v.size, 0, v.combined)
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
		r.engine.build(&again, consts)
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
