package chain

import (
	"fmt"
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
	flux := Loop{n - 1, []Arg{at(q(loop.Read), loop.All), at(res(loop.Inc), 0), at(res(loop.Inc), 1)}}
	update := Loop{n, []Arg{res(loop.RW), q(loop.Write)}}
	return &Input{Loops: []Loop{flux, update, flux, update}, Storages: []int{n, n}, Tile: 10, Parts: 4, Pack: 8}
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

// random returns a chain of loops over sets of a few dozen elements, with maps that lead far on some.
func random(r *rand.Rand) *Input {
	sets := make([]int, 1+r.IntN(3))
	for i := range sets {
		sets[i] = 1 + r.IntN(120)
	}
	in := &Input{Tile: 1 + r.IntN(12), Parts: 1 + r.IntN(5), Pack: 1 << r.IntN(4)}
	var on []int
	for range 1 + r.IntN(5) {
		set := r.IntN(len(sets))
		on, in.Storages = append(on, set), append(in.Storages, sets[set])
	}
	in.Seed = r.IntN(len(in.Storages))
	far := r.IntN(3) == 0
	for range 1 + r.IntN(6) {
		set := r.IntN(len(sets))
		l := Loop{Elements: sets[set]}
		access := map[int]loop.Access{}
		for range 1 + r.IntN(4) {
			s := r.IntN(len(in.Storages))
			a, direct := Arg{Storage: s, Component: loop.All}, on[s] == set && r.IntN(2) == 0
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
				a.Map = make([]int32, a.Arity*l.Elements)
				for i := range a.Map {
					target := i/a.Arity*sets[on[s]]/l.Elements + r.IntN(4) - 2
					if far && r.IntN(10) == 0 {
						target = r.IntN(sets[on[s]])
					}
					a.Map[i] = int32(max(0, min(target, sets[on[s]]-1)))
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
