package chain

import (
	"fmt"
	"maps"
	"math/rand/v2"
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
				for _, r := range s.FreshOf(set, tile) {
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
