package run

import (
	"fmt"
	"strings"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/record"
)

// recordMesh starts the record, if one is requested, with everything declared so far. A failure to
// write is a warning, and ends the record: programs run on without it.
func (e *Engine) recordMesh() {
	rt := e.rt
	if rt.Config().Record == "" || rt.Mesh().Sealed || rt.Config().Static || rt.Rank() > 0 {
		return
	}
	w, err := record.Create(rt.Config().Record, recordOf(rt.Mesh()))
	if err != nil {
		rt.Config().Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
		return
	}
	e.recorder = &recorder{w, map[recorded]bool{}, map[weak.Pointer[entity.Data]]int{}}
}

// recordLoop adds a prepared loop, unless one of the same name and meaning was recorded.
func (e *Engine) recordLoop(l *Loop) {
	r := e.recorder
	if r == nil || l.kernel.Own() {
		return
	}
	id := recorded{l.name, l.spec.Hash()}
	if r.seen[id] {
		return
	}
	r.seen[id] = true
	if err := r.writer.Add(l.record(id.hash, r.number)); err != nil {
		e.recordFailed(err)
	}
}

// RecordChain adds loops of a chain, unless there is no record or the same ones were recorded.
func RecordChain(loops []*Loop, describe func() (*record.Chain, error)) {
	e := engineOf(loops[0].rt)
	r := e.recorder
	if r == nil {
		return
	}
	var name strings.Builder
	for _, l := range loops {
		fmt.Fprintf(&name, "%s %s; ", l.name, l.spec.Hash())
	}
	id := recorded{name: name.String()}
	if r.seen[id] {
		return
	}
	r.seen[id] = true
	chain, err := describe()
	if err == nil {
		err = r.writer.AddChain(chain)
	}
	if err != nil {
		e.recordFailed(err)
	}
}

// recordFailed ends the record with a warning.
func (e *Engine) recordFailed(err error) {
	e.rt.Config().Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
	e.closeRecord()
}

func (e *Engine) closeRecord() {
	if e.recorder != nil {
		_ = e.recorder.writer.Close()
		e.recorder = nil
	}
}

// recordOf returns what has been declared.
func recordOf(m *entity.Declared) *record.Mesh {
	numbers := map[*entity.Set]int{}
	out := &record.Mesh{}
	for i, s := range m.Sets {
		numbers[s] = i
		out.Sets = append(out.Sets, record.Set{Name: s.Name(), Size: s.Total()})
	}
	for _, f := range m.Maps {
		if !f.IsMasked() {
			out.Maps = append(out.Maps, record.Map{Name: f.Name(), From: numbers[f.From()], To: numbers[f.To()], Arity: f.Arity(), Values: f.Targets()})
		}
	}
	for d := range entity.Reachable(&m.Dats) {
		if !d.Scalar().Float() || d.Width() != 2 && d.Width() != 3 {
			continue
		}
		if values := d.Float64s(); entity.FindNotFinite(values) < 0 {
			out.Points = append(out.Points, record.Points{Name: d.Name(), Set: numbers[d.Set()], Dim: d.Width(), Values: values})
		}
	}
	return out
}

// number returns the number of a dat in the record.
func (r *recorder) number(d *entity.Data) int {
	id := weak.Make(d)
	n, known := r.dats[id]
	if !known {
		n = len(r.dats)
		r.dats[id] = n
	}
	return n
}

// record returns the loop as plans see it, and as ranks do.
func (l *Loop) record(hash loop.Hash, number func(*entity.Data) int) *record.Loop {
	b := l.binding
	request := backend.PlanRequest{Stage: true, ElementColors: true}
	if l.plan != nil && l.rearranged == nil {
		request.BlockSize = l.plan.BlockSize
	}
	out := &record.Loop{Hash: hash, Kernel: l.kernel.Name(), Over: l.over.Name(), Set: b.Over.Set.Name(), Plan: *b.PlanInput(request)}
	if b.Over.Subset != nil {
		out.Subset = b.Over.Subset.List()
	}
	for _, d := range b.Data {
		bytes := 0
		if d.Kind() == loop.Dat {
			bytes = d.Width() * d.Scalar().Size()
		}
		out.Bytes = append(out.Bytes, bytes)
	}
	for _, a := range b.Args {
		switch {
		case a.Kind == loop.Dat:
			out.Args = append(out.Args, record.Arg{Dat: number(a.Data), Set: a.Data.Set().Name(), Bytes: a.Data.Width() * a.Data.Scalar().Size(),
				Access: a.Access, Mapped: a.Map != nil})
		case a.Kind == loop.Mat:
			out.Args = append(out.Args, record.Arg{Dat: halo.NoDat, Access: a.Access, Mapped: true})
		case a.Kind == loop.Global && a.Access != loop.Read:
			out.Reduces = true
		}
	}
	out.Plan.Workers = 0
	return out
}
