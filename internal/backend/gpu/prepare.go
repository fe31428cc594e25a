package gpu

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

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
