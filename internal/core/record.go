package core

import (
	"fmt"
	"strings"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/record"
)

// recorder writes the mesh and the loops of a runtime to a file, for op2 plan and op2 partition.
type recorder struct {
	writer *record.Writer
	seen   map[recorded]bool
	dats   map[weak.Pointer[Data]]int // their numbers in the record
}

// recorded identifies a loop of the record: by its name, and by what it means.
type recorded struct {
	name string
	hash loop.Hash
}

// recordMesh starts the record, if one is requested, with everything declared so far. A failure to
// write is a warning, and ends the record: programs run on without it.
func (e *Engine) recordMesh() {
	rt := e.rt
	if rt.config.Record == "" || rt.Mesh().sealed || rt.config.Static || rt.Rank() > 0 {
		return
	}
	w, err := record.Create(rt.config.Record, recordOf(rt.Mesh()))
	if err != nil {
		rt.config.Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
		return
	}
	e.recorder = &recorder{w, map[recorded]bool{}, map[weak.Pointer[Data]]int{}}
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
	e.rt.config.Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
	e.closeRecord()
}

func (e *Engine) closeRecord() {
	if e.recorder != nil {
		_ = e.recorder.writer.Close()
		e.recorder = nil
	}
}

// recordOf returns what has been declared.
func recordOf(m *declared) *record.Mesh {
	numbers := map[*Set]int{}
	out := &record.Mesh{}
	for i, s := range m.sets {
		numbers[s] = i
		out.Sets = append(out.Sets, record.Set{Name: s.name, Size: s.Total()})
	}
	for _, f := range m.maps {
		if !f.masked {
			out.Maps = append(out.Maps, record.Map{Name: f.name, From: numbers[f.from], To: numbers[f.to], Arity: f.arity, Values: f.values})
		}
	}
	for _, d := range m.dats {
		if d := d.Value(); d != nil && d.scalar.Float() && (d.dim == 2 || d.dim == 3) {
			out.Points = append(out.Points, record.Points{Name: d.name, Set: numbers[d.set], Dim: d.dim, Values: d.Float64s()})
		}
	}
	return out
}

// number returns the number of a dat in the record.
func (r *recorder) number(d *Data) int {
	id := weak.Make(d)
	n, known := r.dats[id]
	if !known {
		n = len(r.dats)
		r.dats[id] = n
	}
	return n
}

// record returns the loop as plans see it, and as ranks do.
func (l *Loop) record(hash loop.Hash, number func(*Data) int) *record.Loop {
	b := l.binding
	request := backend.PlanRequest{Stage: true, ElementColors: true}
	if l.plan != nil && l.rearranged == nil {
		request.BlockSize = l.plan.BlockSize
	}
	out := &record.Loop{Hash: hash, Kernel: l.kernel.Name(), Over: l.over.Name(), Set: b.Over.Set.name, Plan: *b.planInput(request)}
	if b.Over.Subset != nil {
		out.Subset = b.Over.Subset.elements
	}
	for _, d := range b.Data {
		bytes := 0
		if d.kind == loop.Dat {
			bytes = d.dim * d.scalar.Size()
		}
		out.Bytes = append(out.Bytes, bytes)
	}
	for _, a := range b.args {
		switch {
		case a.kind == loop.Dat:
			out.Args = append(out.Args, record.Arg{Dat: number(a.data), Set: a.data.set.name, Bytes: a.data.dim * a.data.scalar.Size(),
				Access: a.access, Mapped: a.m != nil})
		case a.kind == loop.Mat:
			out.Args = append(out.Args, record.Arg{Dat: halo.NoDat, Access: a.access, Mapped: true})
		case a.kind == loop.Global && a.access != loop.Read:
			out.Reduces = true
		}
	}
	out.Plan.Workers = 0
	return out
}
