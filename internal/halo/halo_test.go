package halo

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/go-op2/op2/internal/comm"
)

// onRanks calls f for each rank, and returns the first error. Other ranks learn of one.
func onRanks(n int, f func(c comm.Comm) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for r, c := range comm.Local(n, 0) {
		wg.Go(func() {
			defer c.Close()
			if errs[r] = f(c); errs[r] != nil {
				c.Fail(errs[r])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.As(err, new(*comm.Failure)) {
			return err
		}
	}
	return nil
}

// whole is a mesh that everyone knows all of.
type whole struct {
	ranks  int
	sizes  []int
	maps   []wholeMap
	owners [][]int32 // [set][element]
	orders [][]int64 // [set]: all elements, in the order in which ranks want theirs
}

type wholeMap struct {
	from, to, arity int
	values          []int64
}

// random returns a mesh of a few sets and maps, among up to 7 ranks.
func random(rng *rand.Rand) *whole {
	w := &whole{ranks: 1 + rng.IntN(7)}
	kinds := rng.IntN(3) // how elements are spread over the ranks
	for range 1 + rng.IntN(4) {
		size := rng.IntN(40)
		if rng.IntN(6) == 0 {
			size = rng.IntN(3)
		}
		owners := make([]int32, size)
		for e := range owners {
			switch owners[e] = int32(e * w.ranks / size); {
			case kinds == 1:
				owners[e] = int32(rng.IntN(w.ranks))
			case kinds == 2 && rng.IntN(8) == 0:
				owners[e] = 0
			}
		}
		order := make([]int64, size)
		for i, e := range rng.Perm(size) {
			order[i] = int64(e)
		}
		w.sizes, w.owners, w.orders = append(w.sizes, size), append(w.owners, owners), append(w.orders, order)
	}
	for range rng.IntN(6) {
		m := wholeMap{from: rng.IntN(len(w.sizes)), to: rng.IntN(len(w.sizes)), arity: 1 + rng.IntN(3)}
		from, to := w.sizes[m.from], w.sizes[m.to]
		masked, near := rng.IntN(3) == 0, rng.IntN(2) == 0
		for i := range from * m.arity {
			switch {
			case to == 0, masked && rng.IntN(4) == 0:
				m.values = append(m.values, -1-int64(rng.IntN(2)))
			case near:
				m.values = append(m.values, int64(min(to-1, i/m.arity*to/from+rng.IntN(3))))
			default:
				m.values = append(m.values, int64(rng.IntN(to)))
			}
		}
		w.maps = append(w.maps, m)
	}
	return w
}

// row returns where an element leads.
func (m *wholeMap) row(element int64) []int64 {
	return m.values[int(element)*m.arity:][:m.arity]
}

// owned returns the elements of a rank in the order in which it wants them.
func (w *whole) owned(set, rank int) []int64 {
	return slices.DeleteFunc(slices.Clone(w.orders[set]), func(e int64) bool { return w.owners[set][e] != int32(rank) })
}

// mesh returns what a rank knows of the mesh.
func (w *whole) mesh(c comm.Comm) (*Mesh, error) {
	m := &Mesh{}
	for i, size := range w.sizes {
		name := fmt.Sprint("set", i)
		owned := w.owned(i, c.Rank())
		home, err := NewDirectory(c, name, int64(size), owned)
		if err != nil {
			return nil, err
		}
		m.Sets = append(m.Sets, Set{name, int64(size), owned, home})
	}
	for i, mp := range w.maps {
		var values []int64
		for _, e := range m.Sets[mp.from].Owned {
			values = append(values, mp.row(e)...)
		}
		m.Maps = append(m.Maps, Map{fmt.Sprint("map", i), mp.from, mp.to, mp.arity, Numbers{wide: values}})
	}
	return m, nil
}

// naive is a set of a rank with its halo.
type naive struct {
	core    int
	parts   [][]int64 // owned, E_1, R_1 and so on
	numbers []int64
}

// prefix reports whether an element is in a prefix.
func (n *naive) prefix(x int, element int64) bool {
	return slices.ContainsFunc(n.parts[:min(x+1, len(n.parts))], func(part []int64) bool { return slices.Contains(part, element) })
}

// naive returns the sets of a rank with their halos, from the definitions.
func (w *whole) naive(rank, depth int) []naive {
	sets := make([]naive, len(w.sizes))
	for i := range sets {
		sets[i].parts = [][]int64{w.ordered(i, rank, &sets[i].core)}
	}
	add := func(belongs func(set int, element int64) bool) {
		parts := make([][]int64, len(sets))
		for i, size := range w.sizes {
			for e := range int64(size) {
				if !sets[i].prefix(len(sets[i].parts), e) && belongs(i, e) {
					parts[i] = append(parts[i], e)
				}
			}
			slices.SortStableFunc(parts[i], func(x, y int64) int { return cmp.Compare(w.owners[i][x], w.owners[i][y]) })
		}
		for i := range sets {
			sets[i].parts = append(sets[i].parts, parts[i])
		}
	}
	for k := 1; k <= depth; k++ {
		add(func(set int, element int64) bool { // E_k
			return slices.ContainsFunc(w.maps, func(m wholeMap) bool {
				return m.from == set && slices.ContainsFunc(m.row(element), func(t int64) bool { return sets[m.to].prefix(2*(k-1), t) })
			})
		})
		add(func(set int, element int64) bool { // R_k
			return slices.ContainsFunc(w.maps, func(m wholeMap) bool {
				for _, part := range sets[m.from].parts[:2*k] {
					for _, e := range part {
						if m.to == set && slices.Contains(m.row(e), element) {
							return true
						}
					}
				}
				return false
			})
		})
	}
	for i := range sets {
		sets[i].numbers = slices.Concat(sets[i].parts...)
	}
	return sets
}

// ordered returns the owned elements of a rank, the core first.
func (w *whole) ordered(set, rank int, core *int) []int64 {
	mask := func(e int64) (mask int) {
		bit := 1
		for _, m := range w.maps {
			if m.from == set {
				for _, t := range m.row(e) {
					if t >= 0 && w.owners[m.to][t] != int32(rank) {
						mask |= bit
					}
				}
				bit *= 2
			}
		}
		return mask
	}
	owned := w.owned(set, rank)
	slices.SortStableFunc(owned, func(x, y int64) int { return cmp.Compare(mask(x), mask(y)) })
	if *core = slices.IndexFunc(owned, func(e int64) bool { return mask(e) != 0 }); *core < 0 {
		*core = len(owned)
	}
	return owned
}

// local returns the mesh of a rank, from the definitions.
func (w *whole) local(rank, depth int) *Local {
	all := make([][]naive, w.ranks)
	for r := range all {
		all[r] = w.naive(r, depth)
	}
	l := &Local{Sets: make([]LocalSet, len(w.sizes)), Maps: make([][]int32, len(w.maps))}
	for i, n := range all[rank] {
		s := LocalSet{Size: int64(w.sizes[i]), Extents: Extents{Core: n.core, Owned: len(n.parts[0])}, Numbers: n.numbers}
		for k := range depth {
			s.Layers = append(s.Layers, Layer{len(n.parts[2*k+1]), len(n.parts[2*k+2])})
		}
		for p := 1; p <= 2*depth; p++ {
			var part Part
			for r := range w.ranks {
				elements := func(to, from int) (elements []int64) {
					for _, e := range all[to][i].parts[p] {
						if w.owners[i][e] == int32(from) {
							elements = append(elements, e)
						}
					}
					return elements
				}
				if came := elements(rank, r); len(came) > 0 {
					part.Receives = append(part.Receives, Receive{Rank: r, First: slices.Index(n.numbers, came[0]), Count: len(came)})
				}
				if sent := elements(r, rank); len(sent) > 0 {
					part.Sends = append(part.Sends, Send{r, places(n.numbers, sent)})
				}
			}
			s.Parts = append(s.Parts, part)
		}
		l.Sets[i] = s
	}
	for i, m := range w.maps {
		for _, e := range all[rank][m.from].numbers {
			l.Maps[i] = append(l.Maps[i], places(all[rank][m.to].numbers, m.row(e))...)
		}
	}
	return l
}

// places returns where the elements are among the numbers; -1 for those that are not.
func places(numbers, elements []int64) []int32 {
	places := make([]int32, len(elements))
	for i, e := range elements {
		places[i] = int32(slices.Index(numbers, e))
	}
	return places
}

// same compares meshes, of which lists may be empty or nil.
func same(got, want *Local) error {
	for i := range want.Sets {
		g, w := fmt.Sprintf("%+v", got.Sets[i]), fmt.Sprintf("%+v", want.Sets[i])
		if g != w {
			return fmt.Errorf("set %d:\n got %s\nwant %s", i, g, w)
		}
	}
	for i := range want.Maps {
		if !slices.Equal(got.Maps[i], want.Maps[i]) {
			return fmt.Errorf("map %d:\n got %v\nwant %v", i, got.Maps[i], want.Maps[i])
		}
	}
	return nil
}

// TestBuild compares the local meshes of random meshes with what the definitions say.
func TestBuild(t *testing.T) {
	for seed := range uint64(150) {
		if err := checkBuild(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func checkBuild(seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	w, depth := random(rng), 1+rng.IntN(3)
	return onRanks(w.ranks, func(c comm.Comm) error {
		m, err := w.mesh(c)
		if err != nil {
			return err
		}
		got, err := Build(c, m, depth)
		if err != nil {
			return err
		}
		if err := same(got, w.local(c.Rank(), depth)); err != nil {
			return fmt.Errorf("rank %d of %d, depth %d: %w", c.Rank(), w.ranks, depth, err)
		}
		return nil
	})
}

func FuzzBuild(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) {
		if err := checkBuild(seed); err != nil {
			t.Fatal(err)
		}
	})
}
