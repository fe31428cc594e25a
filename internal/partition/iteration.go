package partition

import (
	"slices"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/record"
)

// Iteration is what ranks do in one pass through some loops, after a few passes.
type Iteration struct {
	Loops      []Run
	Transfers  []Transfer
	Waits      int      // loops that wait for messages
	Reductions int      // loops that change globals
	Bytes      float64  // that the loops move from memory and to it on one rank
	Without    []string // kernels of loops that were left out: their sets, or those of their dats, are unknown
}

// Run is how ranks run a loop.
type Run struct {
	Set   int
	Halo  bool    // E_1 is executed, too
	Bytes float64 // that it moves on one rank
}

// Transfer is values of a part of the halo that ranks receive.
type Transfer struct {
	Set   int
	Read  bool // R_1, rather than E_1
	Bytes int  // of an element
}

// passes is the number of passes after which nothing changes any more.
const passes = 4

// NewIteration follows the loops of a record through passes with one layer of halo. Sets are
// known by their names.
func NewIteration(m *order.Mesh, names []string, loops []record.Loop) *Iteration {
	t := &tracer{names: names, states: map[int]halo.Values{}}
	for range passes {
		t.iteration = &Iteration{}
		for i := range loops {
			if !t.loop(&loops[i]) {
				t.iteration.Without = append(t.iteration.Without, loops[i].Kernel)
			}
		}
	}
	for i, r := range t.iteration.Loops {
		b := moved(m, names, t.loops[i])
		t.iteration.Loops[i] = Run{r.Set, r.Halo, b}
		t.iteration.Bytes += b
	}
	return t.iteration
}

// tracer follows which values are valid.
type tracer struct {
	names     []string
	states    map[int]halo.Values // by dat
	iteration *Iteration
	loops     []*record.Loop // of the iteration
}

// loop follows one loop; false if its sets are not known.
func (t *tracer) loop(l *record.Loop) bool {
	set := slices.Index(t.names, l.Set)
	var args []halo.Arg
	var dats, sets, bytes []int // that the loop has
	for _, a := range l.Args {
		local := halo.NoDat
		if a.Dat != halo.NoDat {
			of := slices.Index(t.names, a.Set)
			if of < 0 {
				return false
			}
			if local = slices.Index(dats, a.Dat); local < 0 {
				local = len(dats)
				dats, sets, bytes = append(dats, a.Dat), append(sets, of), append(bytes, a.Bytes)
			}
		}
		args = append(args, halo.Arg{Dat: local, Access: a.Access, Mapped: a.Mapped})
	}
	if set < 0 {
		return false
	}
	var before []halo.Values
	for _, d := range dats {
		before = append(before, t.states[d])
	}
	step := halo.Plan(halo.Loop{Args: args, Subset: l.Subset != nil}, before, 1)
	waits := false
	for i, d := range dats {
		for part := before[i].Valid + 1; part <= step.Before[i]; part++ {
			t.iteration.Transfers = append(t.iteration.Transfers, Transfer{sets[i], part == 2, bytes[i]})
			waits = true
		}
		t.states[d] = step.After[i]
	}
	if waits {
		t.iteration.Waits++
	}
	if l.Reduces {
		t.iteration.Reductions++
	}
	t.iteration.Loops = append(t.iteration.Loops, Run{Set: set, Halo: step.Execute > 0})
	t.loops = append(t.loops[:len(t.iteration.Loops)-1], l)
	return true
}

// moved returns the bytes that a loop moves at least: the values of each dat once where they are
// read and once where they are written, of all elements that can be reached, and the values of maps.
func moved(m *order.Mesh, names []string, l *record.Loop) float64 {
	elements := m.Sets[slices.Index(names, l.Set)].Size
	if l.Subset != nil {
		elements = len(l.Subset)
	}
	arity := 1 // the largest
	for _, f := range l.Plan.Maps {
		arity = max(arity, f.Arity)
	}
	total := 0.0
	for i, a := range l.Args {
		if a.Dat == halo.NoDat || slices.ContainsFunc(l.Args[:i], func(b record.Arg) bool { return b.Dat == a.Dat }) {
			continue
		}
		n := elements
		if a.Mapped {
			n = min(m.Sets[slices.Index(names, a.Set)].Size, elements*arity)
		}
		times := 1
		if a.Access == loop.RW || a.Access == loop.Inc {
			times = 2
		}
		total += float64(n) * float64(a.Bytes*times)
	}
	for _, f := range l.Plan.Maps {
		total += 4 * float64(elements) * float64(f.Arity)
	}
	return total
}
