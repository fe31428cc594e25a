package core

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/record"
)

// recorder writes the mesh and the loops of a runtime to a file, for op2 plan.
type recorder struct {
	writer *record.Writer
	seen   map[recorded]bool
}

// recorded identifies a loop of the record: by its name, and by what it means.
type recorded struct {
	name string
	hash loop.Hash
}

// recordMesh starts the record, if one is requested, with everything declared so far. A failure to
// write is a warning, and ends the record: programs run on without it.
func (rt *Runtime) recordMesh() {
	if rt.config.Record == "" || rt.mesh.sealed || rt.config.Static || rt.Rank() > 0 {
		return
	}
	w, err := record.Create(rt.config.Record, rt.mesh.record())
	if err != nil {
		rt.config.Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
		return
	}
	rt.recorder = &recorder{w, map[recorded]bool{}}
}

// recordLoop adds a prepared loop, unless one of the same name and meaning was recorded.
func (rt *Runtime) recordLoop(l *Loop) {
	r := rt.recorder
	if r == nil || l.kernel.Own() {
		return
	}
	id := recorded{l.name, l.spec.Hash()}
	if r.seen[id] {
		return
	}
	r.seen[id] = true
	if err := r.writer.Add(l.record(id.hash)); err != nil {
		rt.config.Backend.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
		rt.closeRecord()
	}
}

func (rt *Runtime) closeRecord() {
	if rt.recorder != nil {
		_ = rt.recorder.writer.Close()
		rt.recorder = nil
	}
}

// record returns what has been declared.
func (m *declared) record() *record.Mesh {
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

// record returns the loop as plans see it.
func (l *Loop) record(hash loop.Hash) *record.Loop {
	b := l.binder
	request := backend.PlanRequest{Stage: true, ElementColors: true}
	if l.plan != nil {
		request.BlockSize = l.plan.BlockSize
	}
	out := &record.Loop{Hash: hash, Kernel: l.kernel.Name(), Over: l.over.Name(), Set: b.over.Set.name, Plan: *b.planInput(request)}
	if b.over.Subset != nil {
		out.Subset = b.over.Subset.elements
	}
	for _, d := range b.datas {
		bytes := 0
		if d.kind == loop.Dat {
			bytes = d.dim * d.scalar.Size()
		}
		out.Bytes = append(out.Bytes, bytes)
	}
	out.Plan.Workers = 0
	return out
}
