package tiling

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// strip returns a chain like that of a finite volume code on a strip of n cells: a flux over edges
// between neighbors that increments both, an update of the cells, and a loop that reads the update
// through edges.
func strip(n int, far func(e int) int) *Input {
	edges := make([]int32, 0, 2*n)
	for e := range n - 1 {
		edges = append(edges, int32(e), int32(far(e)))
	}
	q := func(a loop.Access) Arg { return Arg{Storage: 0, Access: a} }
	res := func(a loop.Access) Arg { return Arg{Storage: 1, Access: a} }
	at := func(a Arg, c int) Arg { a.Map, a.Arity, a.Component = edges, 2, c; return a }
	flux := Loop{Set: 1, Last: n - 1, Args: []Arg{at(q(loop.Read), loop.All), at(res(loop.Inc), 0), at(res(loop.Inc), 1)}}
	update := Loop{Last: n, Args: []Arg{res(loop.RW), q(loop.Write)}}
	return &Input{Loops: []Loop{flux, update, flux, update}, Sets: []int{n, n - 1}, Storages: []int{0, 0}, Tile: 10, Parts: 4, Pack: 8}
}

func next(e int) int { return e + 1 }

func TestStrip(t *testing.T) {
	in := strip(1000, next)
	s, err := Inspect(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, s); err != nil {
		t.Fatal(err)
	}
	got := ""
	for i, groups := range s.Stages {
		got += fmt.Sprint(len(groups), " ")
		if i == 0 && groups[0].Last-groups[0].First < 20 {
			t.Errorf("the first group has the tiles %v", groups[0])
		}
	}
	seam := 0
	for l := range in.Loops {
		for _, g := range s.Stages[1] {
			for tile := g.First; tile < g.Last; tile++ {
				for _, r := range s.Of(l, tile) {
					seam += int(r[1] - r[0])
				}
			}
		}
	}
	if got != "4 3 " || seam > 300 {
		t.Errorf("groups by stage: %s, %d of 4000 elements in seams", got, seam)
	}
}

// On one thread increments keep their order.
func TestOnePartKeepsTheOrder(t *testing.T) {
	in := strip(500, next)
	in.Parts = 1
	s, err := Inspect(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Stages) != 1 || len(s.Stages[0]) != 1 {
		t.Fatalf("got stages %v", s.Stages)
	}
	if err := Check(in, s); err != nil {
		t.Fatal(err)
	}
}

func TestRandomChains(t *testing.T) {
	for seed := range uint64(300) {
		in := random(rand.New(rand.NewPCG(seed, 1)))
		s, err := Inspect(in)
		if err == nil {
			err = Check(in, s)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// random returns a chain of loops over sets, subsets and parts of a few dozen elements, with maps that
// lead far on some.
func random(r *rand.Rand) *Input {
	in := &Input{Sets: make([]int, 1+r.IntN(3)), Tile: 1 + r.IntN(12), Parts: 1 + r.IntN(5), Pack: 1 << r.IntN(4)}
	for i := range in.Sets {
		in.Sets[i] = 1 + r.IntN(120)
	}
	for range 1 + r.IntN(5) {
		in.Storages = append(in.Storages, r.IntN(len(in.Sets)))
	}
	in.Seed = r.IntN(len(in.Sets))
	if r.IntN(3) == 0 {
		in.Border = r.IntN(in.Sets[in.Seed] + 1)
	}
	far := r.IntN(3) == 0
	for range 1 + r.IntN(6) {
		l := Loop{Set: r.IntN(len(in.Sets))}
		n := in.Sets[l.Set]
		l.Last = n
		if r.IntN(4) == 0 {
			l.Subset = []int32{}
			for e := range n {
				if r.IntN(3) > 0 {
					l.Subset = append(l.Subset, int32(e))
				}
			}
			l.Last = len(l.Subset)
		}
		if r.IntN(4) == 0 {
			l.First = r.IntN(l.Last + 1)
			l.Last = l.First + r.IntN(l.Last-l.First+1)
		}
		access := map[int]loop.Access{}
		for range 1 + r.IntN(4) {
			s := r.IntN(len(in.Storages))
			targets := in.Sets[in.Storages[s]]
			a, direct := Arg{Storage: s, Component: loop.All}, in.Storages[s] == l.Set && r.IntN(2) == 0
			choices := []loop.Access{loop.Read, loop.Inc, loop.Min}
			if direct {
				choices = []loop.Access{loop.Read, loop.RW, loop.Write}
			}
			if _, used := access[s]; used {
				continue
			}
			a.Access = choices[r.IntN(len(choices))]
			access[s] = a.Access
			if !direct {
				a.Arity = 1 + r.IntN(3)
				a.Map = make([]int32, a.Arity*n)
				for i := range a.Map {
					target := i/a.Arity*targets/n + r.IntN(4) - 2
					if far && r.IntN(10) == 0 {
						target = r.IntN(targets)
					}
					a.Map[i] = int32(max(0, min(target, targets-1)))
				}
				if r.IntN(2) == 0 {
					a.Component = r.IntN(a.Arity)
				}
			}
			l.Args = append(l.Args, a)
		}
		in.Loops = append(in.Loops, l)
	}
	return in
}

// Each element is fresh in the first tile that uses it.
func TestFresh(t *testing.T) {
	for seed := range uint64(100) {
		in := random(rand.New(rand.NewPCG(seed, 2)))
		s, err := Inspect(in)
		if err != nil {
			t.Fatal(err)
		}
		type element struct {
			set int
			e   int32
		}
		want, got := map[element]int{}, map[element]int{}
		for tile := range s.Tiles() {
			use := func(set int, e int32) {
				if _, used := want[element{set, e}]; !used {
					want[element{set, e}] = tile
				}
			}
			for l := range in.Loops {
				lp := &in.Loops[l]
				for _, r := range s.Of(l, tile) {
					for i := int(r[0]); i < int(r[1]); i++ {
						use(lp.Set, int32(lp.element(i)))
						for a := range lp.Args {
							if a := &lp.Args[a]; a.Map != nil {
								a.targets(lp.element(i), func(e int32) { use(in.Storages[a.Storage], e) })
							}
						}
					}
				}
			}
			for set := range in.Sets {
				for _, r := range s.Fresh[set][s.FreshOffsets[set][tile]:s.FreshOffsets[set][tile+1]] {
					for e := r[0]; e < r[1]; e++ {
						got[element{set, e}] = tile
					}
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: fresh elements are %v, want %v", seed, got, want)
		}
	}
}

// The checker finds each kind of fault.
func TestCheckFindsFaults(t *testing.T) {
	in := strip(200, next)
	for _, test := range []struct {
		name string
		edit func(*Schedule)
	}{
		{"an element that does not run", func(s *Schedule) { s.Runs[0][0][0]++ }},
		{"an element that runs twice", func(s *Schedule) { s.Runs[1][0][1]++ }},
		{"loops exchanged", func(s *Schedule) {
			s.Runs[0], s.Runs[2] = s.Runs[2], s.Runs[0]
			s.Offsets[0], s.Offsets[2] = s.Offsets[2], s.Offsets[0]
		}},
		{"seams beside the parts", func(s *Schedule) { s.Stages = [][]Group{append(s.Stages[0], s.Stages[1]...)} }},
		{"a group in two", func(s *Schedule) {
			g := s.Stages[0][0]
			middle := (g.First + g.Last) / 2
			s.Stages[0] = append([]Group{{g.First, middle}, {middle, g.Last}}, s.Stages[0][1:]...)
		}},
	} {
		s, err := Inspect(in)
		if err != nil {
			t.Fatal(err)
		}
		test.edit(s)
		if Check(in, s) == nil {
			t.Errorf("%s: not found", test.name)
		}
	}
}

// The last elements of a rank's share have their neighbors all over it. They run last, so that the others
// stay in their tiles.
func TestBorder(t *testing.T) {
	const n, border = 1000, 10
	in := strip(n, func(e int) int {
		if e%100 == 50 {
			return n - border + e/100
		}
		return e + 1
	})
	in.Parts, in.Border = 1, border
	s, err := Inspect(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, s); err != nil {
		t.Fatal(err)
	}
	for l := range in.Loops {
		for tile := range s.Stages[0][0].Last {
			for _, r := range s.Of(l, tile) {
				if int(r[1]-r[0]) > 2*in.Tile+2*in.Pack {
					t.Errorf("loop %d, tile %d: run %v", l, tile, r)
				}
			}
		}
	}
	if first := s.Stages[0][0]; len(s.Stages) != 2 || first.Last < n/in.Tile/2 {
		t.Errorf("got stages %v", s.Stages)
	}
}

// The checker agrees with one that compares all pairs of uses, on schedules of which something was changed.
func TestCheckAgreesWithPairs(t *testing.T) {
	faults := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		in := random(r)
		s, err := Inspect(in)
		if err != nil {
			t.Fatal(err)
		}
		mutate(r, s)
		got, want := Check(in, s), pairs(in, s)
		if (got == nil) != (want == nil) {
			t.Fatalf("seed %d: got %v, pairs say %v", seed, got, want)
		}
		if want != nil {
			faults++
		}
	}
	if faults < 500 || faults > 2500 {
		t.Errorf("%d schedules of 3000 have faults", faults)
	}
}

// mutate moves a run to another tile, or a boundary between groups or stages.
func mutate(r *rand.Rand, s *Schedule) {
	switch stage := r.IntN(max(1, len(s.Stages))); {
	case s.Tiles() < 2:
	case r.IntN(3) > 0:
		l := r.IntN(len(s.Runs))
		from := r.IntN(s.Tiles())
		runs := s.Of(l, from)
		if len(runs) == 0 {
			return
		}
		moved := runs[r.IntN(len(runs))]
		to := r.IntN(s.Tiles())
		byTile := make([][]Run, s.Tiles())
		for tile := range byTile {
			for _, run := range s.Of(l, tile) {
				if run != moved {
					byTile[tile] = append(byTile[tile], run)
				}
			}
		}
		byTile[to] = append(byTile[to], moved)
		slices.SortFunc(byTile[to], func(a, b Run) int { return int(a[0] - b[0]) })
		s.Runs[l], s.Offsets[l] = nil, []int32{0}
		for _, runs := range byTile {
			s.Runs[l] = append(s.Runs[l], runs...)
			s.Offsets[l] = append(s.Offsets[l], int32(len(s.Runs[l])))
		}
	case r.IntN(2) == 0:
		if groups := s.Stages[stage]; len(groups) > 1 { // the first two become one
			s.Stages[stage] = append([]Group{{groups[0].First, groups[1].Last}}, groups[2:]...)
		} else if g := groups[0]; g.Last-g.First > 1 { // one becomes two
			s.Stages[stage] = []Group{{g.First, g.First + 1}, {g.First + 1, g.Last}}
		}
	case stage > 0:
		s.Stages[stage-1] = append(s.Stages[stage-1], s.Stages[stage]...)
		s.Stages = slices.Delete(s.Stages, stage, stage+1)
	}
}

// pairs compares each pair of uses of a value. The schedule runs each element once.
func pairs(in *Input, s *Schedule) error {
	type place struct{ stage, group, tile int }
	when := make([][]place, len(in.Loops))
	for l := range when {
		when[l] = make([]place, in.Loops[l].Last)
	}
	for stage, groups := range s.Stages {
		for group, g := range groups {
			for tile := g.First; tile < g.Last; tile++ {
				for l := range when {
					for _, r := range s.Of(l, tile) {
						for e := r[0]; e < r[1]; e++ {
							when[l][e] = place{stage, group, tile}
						}
					}
				}
			}
		}
	}
	compare := func(first, second Use) error {
		a, b := when[first.Loop][first.Element], when[second.Loop][second.Element]
		same := first.Loop == second.Loop
		switch {
		case first.Access == loop.Read && second.Access == loop.Read || same && first.Element == second.Element:
			return nil
		case a.stage == b.stage && a.group != b.group:
			return fmt.Errorf("%s and %s run at the same time", first, second)
		case same && commutes(first.Access) && first.Access == second.Access && a.stage != b.stage:
			return nil
		case same && first.Element > second.Element:
			a, b = b, a
		}
		if a.tile > b.tile {
			return fmt.Errorf("%s runs after %s", first, second)
		}
		return nil
	}
	for storage, set := range in.Storages {
		uses := make([][]Use, in.Sets[set])
		for l, lp := range in.Loops {
			for _, a := range lp.Args {
				for e := lp.First; e < lp.Last && a.Storage == storage; e++ {
					a.targets(lp.element(e), func(t int32) { uses[t] = append(uses[t], Use{l, e, a.Access}) })
				}
			}
		}
		for _, list := range uses {
			for i, second := range list {
				for _, first := range list[:i] {
					if err := compare(first, second); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// A map that leads nowhere is found, not followed.
func TestCheckFindsStrays(t *testing.T) {
	in := strip(50, next)
	s, err := Inspect(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Loops[0].Args[0].Map[7] = 50
	const want = "tiling: element 3 of loop 0 reaches value 50 of storage 0, which has 50"
	if err := Check(in, s); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Tiles of a mesh in order have about one size; of random numbers, most elements come in a few.
func TestOversized(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	numbers := r.Perm(2000)
	for _, test := range []struct {
		name        string
		in          *Input
		least, most float64
	}{
		{"in order", strip(2000, next), 0, 0.1},
		{"random numbers", strip(2000, func(e int) int { return numbers[e] }), 0.5, 1},
	} {
		for _, parts := range []int{1, 4} {
			test.in.Parts = parts
			s, err := Inspect(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Oversized(2000 / test.in.Tile); !(got >= test.least && got <= test.most) {
				t.Errorf("%s, %d parts: %.2f, want %.2f to %.2f", test.name, parts, got, test.least, test.most)
			}
		}
	}
}
