package partition

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
)

// What ranks exchange in an iteration of OP2's airfoil, and of parts of it.
func TestIteration(t *testing.T) {
	const q, qold, adt, res, x = 0, 1, 2, 3, 4
	arg := func(dat int, access loop.Access, mapped bool) record.Arg {
		if dat == x {
			return record.Arg{Dat: x, Set: "nodes", Bytes: 16, Access: access, Mapped: mapped}
		}
		return record.Arg{Dat: dat, Set: "cells", Bytes: []int{32, 32, 8, 32}[dat], Access: access, Mapped: mapped}
	}
	save := record.Loop{Kernel: "save", Set: "cells", Args: []record.Arg{arg(q, loop.Read, false), arg(qold, loop.Write, false)}}
	area := record.Loop{Kernel: "adt", Set: "cells", Args: []record.Arg{arg(x, loop.Read, true), arg(q, loop.Read, false), arg(adt, loop.Write, false)},
		Plan: plan.Input{Maps: []plan.Map{{Arity: 4}}}}
	flux := record.Loop{Kernel: "res", Set: "edges", Args: []record.Arg{arg(x, loop.Read, true), arg(q, loop.Read, true), arg(adt, loop.Read, true), arg(res, loop.Inc, true)},
		Plan: plan.Input{Maps: []plan.Map{{Arity: 2}, {Arity: 2}}}}
	update := record.Loop{Kernel: "update", Set: "cells", Reduces: true,
		Args: []record.Arg{arg(qold, loop.Read, false), arg(q, loop.Write, false), arg(adt, loop.Read, false), arg(res, loop.RW, false)}}
	m := newGrid(10, 10)
	names := []string{nodes: "nodes", cells: "cells", edges: "edges", bedges: "bedges"}
	for _, c := range []struct {
		what  string
		loops []record.Loop
		want  string
	}{
		{"an iteration", []record.Loop{save, area, flux, update},
			"[{1 false 32} {1 true 32} {1 false 8} {1 true 8}], 1 waits, 1 reductions, 42752 bytes, E_1 of [edges]"},
		{"areas alone are stale", []record.Loop{area, flux}, "[{1 false 8} {1 true 8}], 1 waits, 0 reductions, 22752 bytes, E_1 of [edges]"},
		{"a loop over few", []record.Loop{{Kernel: "bres", Set: "bedges", Args: []record.Arg{arg(q, loop.Read, true), arg(res, loop.Inc, true)},
			Plan: plan.Input{Maps: []plan.Map{{Arity: 1}}}}}, "[], 0 waits, 0 reductions, 4000 bytes, E_1 of [bedges]"},
		{"direct loops", []record.Loop{save, update}, "[], 0 waits, 1 reductions, 20000 bytes, E_1 of []"},
		{"assembly, and an update of the halo", []record.Loop{{Set: "cells", Args: []record.Arg{{Dat: halo.NoDat, Access: loop.Inc, Mapped: true}, arg(q, loop.Read, false)}},
			{Set: "cells", Args: []record.Arg{arg(q, loop.RW, false)}}}, "[], 0 waits, 0 reductions, 9600 bytes, E_1 of [cells cells]"},
		{"unknown sets", []record.Loop{{Kernel: "late", Set: "faces"}, {Kernel: "other", Set: "cells", Args: []record.Arg{{Set: "faces"}}}},
			"[], 0 waits, 0 reductions, 0 bytes, E_1 of [] without [late other]"},
	} {
		it := NewIteration(m, names, c.loops)
		var inHalo []string
		for _, run := range it.Loops {
			if run.Halo {
				inHalo = append(inHalo, names[run.Set])
			}
		}
		got := fmt.Sprintf("%v, %d waits, %d reductions, %.0f bytes, E_1 of %v", it.Transfers, it.Waits, it.Reductions, it.Bytes, inHalo)
		if len(it.Without) > 0 {
			got += fmt.Sprintf(" without %v", it.Without)
		}
		if got != c.want {
			t.Errorf("%s: %s, not %s", c.what, got, c.want)
		}
	}
}

// The load of the busiest part, and the time that follows from it.
func TestTime(t *testing.T) {
	f := &Figures{Parts: 2, Neighbors: []int{1, 3}, Sets: []SetFigures{
		{Owned: []int{60, 40}, Executed: []int{0, 30}, Read: []int{7, 1}},
		{Owned: []int{5, 5}, Executed: []int{1, 1}, Read: []int{0, 0}},
	}}
	it := &Iteration{Bytes: 1000, Loops: []Run{{Set: 0, Halo: true, Bytes: 800}, {Set: 1, Bytes: 200}}, Waits: 2, Reductions: 1,
		Transfers: []Transfer{{Set: 0, Bytes: 8}, {Set: 0, Read: true, Bytes: 4}}}
	l := f.Load(it)
	if want := (Load{Work: 0.8*0.7 + 0.2*0.5, Neighbors: 3, Received: 30*8 + 4}); math.Abs(l.Work-want.Work) > 1e-12 || l.Neighbors != want.Neighbors || l.Received != want.Received {
		t.Errorf("%+v, not %+v", l, want)
	}
	m := Machine{Memory: 1e3, Latency: 2, Bandwidth: 4, Reduction: 10}
	got := m.Time(it, l, 8, 3)
	if want := (Time{l.Work * 3, 2 * 3 * 2, 61, 30}); got != want || math.Abs(got.Total()-(1.98+12+61+30)) > 1e-12 {
		t.Errorf("%+v, not %+v", got, want)
	}
}

// A law reproduces loads that follow it, whatever samples of few or tiny parts say.
func TestLaw(t *testing.T) {
	law := &Law{Dim: 3, Received: 100, Excess: 6, Neighbors: 14}
	samples := []Sample{{Parts: 2, Elements: 5000, Load: Load{Work: 1, Neighbors: 1, Received: 1}}}
	samples = append(samples, Sample{5000, 2, Load{Work: 1, Neighbors: 9, Received: 1}})
	for _, parts := range []int{8, 64} {
		n := 1e4 / float64(parts)
		samples = append(samples, Sample{parts, n, law.Load(parts, n)})
	}
	got := NewLaw(3, samples)
	if math.Abs(got.Received-100) > 1e-9 || math.Abs(got.Excess-6) > 1e-9 || fmt.Sprint(got.From) != "[8 64]" {
		t.Errorf("%+v", got)
	}
	if few := NewLaw(3, samples[:1]); fmt.Sprint(few.From) != "[2]" {
		t.Errorf("%+v", few)
	}
	if none := NewLaw(3, []Sample{{Parts: 1}}); none != nil {
		t.Errorf("%+v", none)
	}
	if alone := law.Load(1, 1e4); alone != (Load{Work: 1}) {
		t.Errorf("%+v", alone)
	}
	// With more ranks than elements, some have one.
	if got := law.Load(1000, 0.5); math.Abs(got.Work-7.0/500) > 1e-12 || got.Received != 100 {
		t.Errorf("%+v", got)
	}
}

// Neighbors have different colors, and what parts have to do with elements is what the figures count.
func TestColorsAndHalo(t *testing.T) {
	m := newGrid(24, 20)
	const parts = 12
	owners, err := Whole(m, Options{Parts: parts})
	if err != nil {
		t.Fatal(err)
	}
	f := Analyze(m, owners, parts)
	colors, count := f.Colors()
	if count < 3 || count > 6 {
		t.Errorf("%d colors", count)
	}
	for pair := 0; pair < len(m.Maps[edgeCells].Values); pair += 2 {
		p, q := owners[cells][m.Maps[edgeCells].Values[pair]], owners[cells][m.Maps[edgeCells].Values[pair+1]]
		if p != q && colors[p] == colors[q] {
			t.Fatalf("parts %d and %d have color %d", p, q, colors[p])
		}
	}
	for p := range parts {
		for s, states := range Halo(m, owners, int32(p)) {
			var counts [4]int
			for _, state := range states {
				counts[state]++
			}
			set := &f.Sets[s]
			if want := [4]int{set.Owned[p], set.Executed[p], set.Read[p], len(states) - set.Owned[p] - set.Executed[p] - set.Read[p]}; counts != want {
				t.Errorf("part %d, set %d: %v, not %v", p, s, counts, want)
			}
		}
	}
}
