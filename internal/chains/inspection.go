package chains

import (
	"slices"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tiling"
)

// inspection describes loops to the inspector and to the backend.
type inspection struct {
	tiling.Input
	sets   []*entity.Set
	dats   []*entity.Data // the first of each storage
	rows   []int          // bytes of an element's values in each
	loops  []backend.TileLoop
	bytes  []int64       // of the values on each set, and of maps from it, each once
	maps   []*entity.Map // that count among them
	of     []int         // by loops: which of the segment
	by     []*run.Loop   // by loops: the one with the runner
	beyond []*run.Loop   // that run elements of the halo of others
	worth  tiling.Worth
}

// newInspection describes loops that have just been bound. On several ranks they execute these prefixes.
func newInspection(loops []*member, executed []int) (*inspection, error) {
	t := &inspection{}
	for i, l := range loops {
		if executed == nil {
			t.add(i, l.Loop, 0, l.Binding().Memory.Last, true)
			continue
		}
		over, desc := l.Binding().Over, l.Binding().Loop
		owned, last := over.Size(), over.Prefix(executed[i])
		if executed[i] == 0 || !slices.ContainsFunc(desc.Args, loop.Arg.Reduces) { // on no rank
			t.add(i, l.Loop, 0, last, true)
			continue
		}
		beyond, err := l.Copy(true)
		if err != nil {
			return nil, err
		}
		t.beyond = append(t.beyond, beyond)
		t.add(i, l.Loop, 0, owned, true)
		t.add(i, beyond, owned, last, false)
	}
	for i := range t.bytes {
		if t.bytes[i] > t.bytes[t.Seed] {
			t.Seed = i
		}
	}
	t.Border = t.Sets[t.Seed] - t.sets[t.Seed].Core()
	return t, nil
}

// add adds elements of a loop.
func (t *inspection) add(of int, l *run.Loop, first, last int, reduce bool) {
	b := l.Binding()
	in := tiling.Loop{Set: t.set(b.Over.Set), First: first, Last: last, Subset: b.Memory.Subset}
	for _, a := range b.Loop.Args {
		if a.Data < 0 || a.Kind == loop.Global {
			continue
		}
		arg := tiling.Arg{Storage: t.storage(b.Data[a.Data], &b.Loop.Data[a.Data]), Access: a.Access}
		if b.Loop.Single(a.Data) { // of components that the loop uses in other ways
			arg.Access = b.Loop.DataAccess(a.Data)
		}
		if a.Map >= 0 {
			arg.Map, arg.Arity, arg.Component = b.Maps[a.Map].Targets(), b.Maps[a.Map].Arity(), a.Component
		}
		in.Args = append(in.Args, arg)
	}
	place := backend.TileLoop{Reduce: reduce}
	for i, d := range b.Data {
		on := -1
		if b.Loop.Data[i].Kind != loop.Global {
			on = t.set(d.Set())
		}
		place.Sets = append(place.Sets, on)
	}
	for _, m := range b.Maps {
		place.MapSets = append(place.MapSets, t.set(m.From()))
		if !slices.Contains(t.maps, m) {
			t.maps = append(t.maps, m)
			t.bytes[t.set(m.From())] += m.Bytes()
		}
	}
	t.Loops, t.loops, t.of, t.by = append(t.Loops, in), append(t.loops, place), append(t.of, of), append(t.by, l)
}

// set returns the number of a set, which is added if it is new.
func (t *inspection) set(s *entity.Set) int {
	i := slices.Index(t.sets, s)
	if i < 0 {
		i = len(t.sets)
		t.sets, t.Sets, t.bytes = append(t.sets, s), append(t.Sets, s.Total()), append(t.bytes, 0)
	}
	return i
}

// storage returns the number of a dat's storage, which is added if it is new.
func (t *inspection) storage(d *entity.Data, desc *loop.Data) int {
	i := slices.IndexFunc(t.dats, func(other *entity.Data) bool { return other.Storage() == d.Storage() })
	if i < 0 {
		i = len(t.dats)
		on := t.set(d.Set())
		t.dats, t.Storages = append(t.dats, d), append(t.Storages, on)
		t.rows = append(t.rows, desc.Dim*desc.Type.Size())
		t.bytes[on] += int64(d.Storage().Bytes())
	}
	return i
}

// total returns the bytes of all values and maps, each once.
func (t *inspection) total() int64 {
	total := int64(0)
	for _, n := range t.bytes {
		total += n
	}
	return total
}

// inspected is loops with a schedule for their tiles.
type inspected struct {
	in       *inspection
	schedule *tiling.Schedule
	spent    time.Duration
}
