package op2

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
	if rt.config.record == "" || rt.mesh.sealed || rt.config.static {
		return
	}
	w, err := record.Create(rt.config.record, rt.mesh.record())
	if err != nil {
		rt.config.given.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
		return
	}
	rt.recorder = &recorder{w, map[recorded]bool{}}
}

// recordLoop adds a prepared loop, unless one of the same name and meaning was recorded.
func (rt *Runtime) recordLoop(l *Loop) {
	r := rt.recorder
	if r == nil || l.kernel.given().Own() {
		return
	}
	id := recorded{l.name, l.spec.Hash()}
	if r.seen[id] {
		return
	}
	r.seen[id] = true
	if err := r.writer.Add(l.record(id.hash)); err != nil {
		rt.config.given.Warn(fmt.Sprintf("%s: %v", record.Variable, err))
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
		out.Sets = append(out.Sets, record.Set{Name: s.name, Size: s.total()})
	}
	for _, f := range m.maps {
		if !f.masked {
			out.Maps = append(out.Maps, record.Map{Name: f.name, From: numbers[f.from], To: numbers[f.to], Arity: f.arity, Values: f.values})
		}
	}
	for _, d := range m.dats {
		if d := d(); d != nil && d.common().scalar.Float() && (d.common().dim == 2 || d.common().dim == 3) {
			common, values := d.(Coordinates).place()
			out.Points = append(out.Points, record.Points{Name: common.name, Set: numbers[common.set], Dim: common.dim, Values: values})
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
	out := &record.Loop{Hash: hash, Kernel: l.kernel.Name(), Over: l.over.Name(), Set: b.set.name, Plan: *b.planInput(request)}
	if b.subset != nil {
		out.Subset = b.subset.elements
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
