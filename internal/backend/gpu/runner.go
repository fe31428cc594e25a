package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// runner is a prepared loop.
type runner struct {
	engine   *engine
	spec     backend.Spec
	memory   backend.Memory
	variants []*layout // the one that runs is the first
	data     []device.Buffer
	use      []use // by loop.Data
	consts   *consts
	owned    []device.Buffer
	arrays   []*array
	ready    bool
	trials   []time.Duration // by variant, while strategies are measured
	calls    int
}

// use is how a loop uses one of its data.
type use struct {
	reads, writes bool
	layout        device.Layout
}

// Prepare chooses strategies, lays them out and begins to compile.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if err := e.checkTypes(s); err != nil {
		return nil, err
	}
	r := &runner{engine: e, spec: s, memory: m, data: make([]device.Buffer, len(s.Loop.Data))}
	for d, data := range s.Loop.Data {
		access := s.Loop.DataAccess(d)
		u := use{reads: access != loop.Write || !writesAll(s.Loop, &m, d), writes: access != loop.Read}
		if data.SoA {
			u.layout = device.SoA
		}
		r.use = append(r.use, u)
	}
	strategies, all := e.candidates(s.Loop), false
	if e.config.Strategy == "measure" {
		strategies, all = append(e.measured(s.Loop), strategies...), true
	}
	seen := map[codegen.Strategy]bool{}
	var failed error
	for _, strategy := range strategies {
		if seen[strategy] || len(r.variants) > 0 && !all {
			continue
		}
		seen[strategy] = true
		own := m // each variant has a plan of its own
		v, err := e.newLayout(s, &own, strategy)
		switch {
		case errors.Is(err, errNoFit):
			failed = err
		case err != nil:
			return nil, err
		default:
			if failed != nil {
				v.variant.note = fmt.Sprintf("since %v", failed)
			}
			r.variants = append(r.variants, v)
		}
	}
	if len(r.variants) == 0 {
		return nil, failed
	}
	return r, nil
}

// writesAll reports whether a loop writes all values of data d, so that those there are
// make no difference.
func writesAll(l *loop.Loop, m *backend.Memory, d int) bool {
	for _, a := range l.Args {
		if a.Data == d && (a.Kind != loop.Dat || a.Indirect()) {
			return false
		}
	}
	return m.Subset == nil && m.First == 0 && m.Last == m.SetSize
}

// Generate is the text for the strategy that comes first.
func (e *engine) Generate(s backend.Spec) (string, error) {
	strategy := e.candidates(s.Loop)[0]
	size := e.info.MaxGroup
	if strategy == codegen.Staged {
		size = groupFor(cmp.Or(e.config.Block, size), size)
	}
	return codegen.Device(codegen.DeviceInput{Loop: s.Loop, Kernel: s.Kernel, Options: e.options(strategy, size, s.Subset)}).Text, nil
}

// Ready waits for the compiler and makes the arguments.
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
		r.chose()
	}
	r.ready = true
	device.LeaveTo(&r.engine.garbage, r, r.owned)
	return nil
}

func (r *runner) bind() error {
	for _, l := range r.variants {
		if err := l.variant.build.Wait(); err != nil {
			return err
		}
		if r.consts == nil {
			var err error
			if r.consts, err = newConsts(r.engine, r.spec.Kernel, r.memory.Consts, l.variant.program); err != nil {
				return err
			}
		}
		if err := l.bind(r); err != nil {
			return err
		}
	}
	return nil
}

// own has a buffer freed with the runner.
func (r *runner) own(b device.Buffer) { r.owned = append(r.owned, b) }

// Generate is the text that runs.
func (r *runner) Generate() string { return r.variants[0].variant.program.Text }

// chose tells how the loop runs.
func (r *runner) chose() {
	v := r.variants[0].variant
	text := v.strategy.String()
	if v.note != "" {
		text += ", " + v.note
	}
	r.memory.Chose(text)
}

// Run queues the loop's launches.
func (r *runner) Run() error {
	e := r.engine
	e.garbage.Sweep(e.device)
	if changed, err := r.consts.update(false); err != nil {
		return err
	} else if changed && len(r.variants[0].variant.program.Defined) > 0 {
		if err := r.rebuild(); err != nil {
			return err
		}
	}
	for d, m := range r.memory.Mirrors {
		var err error
		if r.data[d], err = m.Bring(r.use[d].reads, r.use[d].layout); err != nil {
			return err
		}
	}
	for d, m := range r.memory.Mirrors {
		if r.use[d].writes {
			m.Wrote(r.use[d].layout)
		}
	}
	if r.variants[0].elements == 0 {
		return nil
	}
	if r.trials != nil {
		return r.try()
	}
	if err := e.device.Begin(); err != nil {
		return err
	}
	err := r.launch(r.variants[0].variant)
	timing, endErr := e.device.End()
	if err = errors.Join(err, endErr); err != nil {
		return err
	}
	if err := e.timed(timing, r.memory.Took); err != nil {
		return err
	}
	return r.fault(r.variants[0].variant)
}

func (r *runner) launch(v *variant) error {
	for _, l := range v.launches {
		v.offset, v.end, v.before = l.offset, l.end, l.before
		if err := v.kernel.Launch(l.groups, v.size, v.shared, v.args); err != nil {
			return err
		}
	}
	if v.combine == nil {
		return nil
	}
	return v.combine.Launch(1, v.size, 0, v.combined)
}

// fault looks whether an element has failed, if the kernel may.
func (r *runner) fault(v *variant) error {
	if !v.program.Faults {
		return nil
	}
	f, err := r.engine.takeFault()
	if f == nil || err != nil {
		return err
	}
	return &backend.Fault{Pos: kernel.Pos{File: r.spec.Kernel.File, Line: f.Line, Col: f.Column}, Msg: f.Text()}
}

// turns is how often each strategy is tried; the first time does not count.
const turns = 3

// try runs the loop with the next of the strategies that are measured, and takes the
// fastest after the last.
func (r *runner) try() error {
	e := r.engine
	n := r.calls % len(r.variants)
	v := r.variants[n].variant
	if err := e.device.Begin(); err != nil {
		return err
	}
	err := r.launch(v)
	timing, endErr := e.device.End()
	if err = errors.Join(err, endErr); err != nil {
		return err
	}
	took, err := timing.Elapsed()
	if err != nil {
		return err
	}
	r.memory.Took(took)
	if r.calls >= len(r.variants) {
		r.trials[n] += took
	}
	r.calls++
	if r.calls == turns*len(r.variants) {
		best := 0
		note := "measured"
		for i, t := range r.trials {
			if t < r.trials[best] {
				best = i
			}
			note += fmt.Sprintf(" %s %.1f µs", r.variants[i].variant.strategy, float64(t.Microseconds())/(turns-1))
		}
		r.variants[best].variant.note = note
		r.variants, r.trials = r.variants[best:best+1], nil
		r.chose()
	}
	return r.fault(v)
}

// rebuild compiles the text again whose consts have changed that are defined in it.
func (r *runner) rebuild() error {
	for _, l := range r.variants {
		v := l.variant
		v.build.Release()
		v.build = r.engine.build(v.program, r.spec.Kernel, r.memory.Consts)
		if err := v.build.Wait(); err != nil {
			return err
		}
		var err error
		if v.kernel, err = v.build.Kernel(v.program.Entry); err != nil {
			return err
		}
		if v.program.Combine == "" {
			continue
		}
		if v.combine, err = v.build.Kernel(v.program.Combine); err != nil {
			return err
		}
	}
	return nil
}
