package halo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/comm"
)

// given returns a built set as another tool could have made it: the halo's elements are in any order
// in their parts.
func given(c comm.Comm, seed uint64, s *LocalSet, numbered bool) *Given {
	g := &Given{Name: "cells", Extents: s.Extents}
	numbers, places := slices.Clone(s.Numbers), make([]int32, s.Total())
	for e := range places {
		places[e] = int32(e)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(c.Rank())))
	for part := 1; part <= len(s.Parts); part++ {
		first, end := s.Prefix(part-1), s.Prefix(part)
		rng.Shuffle(end-first, func(i, j int) {
			places[first+i], places[first+j] = places[first+j], places[first+i]
		})
	}
	for e, place := range places {
		numbers[place] = s.Numbers[e]
	}
	if numbered {
		g.Numbers = numbers
	}
	to, from := comm.Outbox[int32]{}, comm.Outbox[int32]{}
	for _, p := range s.Parts {
		for _, send := range p.Sends {
			to.Add(send.Rank, send.Elements...)
		}
		for _, r := range p.Receives {
			for i := range r.Count {
				from.Add(r.Rank, places[r.Element(i)])
			}
		}
	}
	shuffled := func(o comm.Outbox[int32], order func(rank int) uint64) comm.Outbox[int32] {
		for rank, elements := range o {
			rng := rand.New(rand.NewPCG(seed, order(rank)))
			rng.Shuffle(len(elements), func(i, j int) { elements[i], elements[j] = elements[j], elements[i] })
		}
		return o
	}
	g.Sends = shuffled(to, func(rank int) uint64 { return uint64(100*c.Rank() + rank) })
	g.Receives = shuffled(from, func(rank int) uint64 { return uint64(100*rank + c.Rank()) })
	return g
}

// TestAdopt fills the halos of sets that come with lists.
func TestAdopt(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		w, depth, numbered := random(rng), 1+rng.IntN(2), rng.IntN(2) == 0
		err := onRanks(w.ranks, func(c comm.Comm) error {
			m, err := w.mesh(c)
			if err != nil {
				return err
			}
			mesh, err := Build(c, m, depth)
			if err != nil {
				return err
			}
			g := given(c, seed, &mesh.Sets[0], numbered)
			s, err := Adopt(c, g)
			if err != nil {
				return err
			}
			return checkAdopted(c, g, s)
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// checkAdopted fills the halo with numbers: given ones, or those that the elements got.
func checkAdopted(c comm.Comm, g *Given, s *LocalSet) error {
	if g.Numbers != nil && !slices.Equal(s.Numbers, g.Numbers) {
		return fmt.Errorf("numbers %v, want %v", s.Numbers, g.Numbers)
	}
	values := make([]uint64, s.Total())
	for e := range s.Owned {
		values[e] = uint64(s.Numbers[e])
	}
	for i := range s.Parts {
		for e := s.Prefix(i); e < s.Prefix(i+1); e++ {
			values[e] = 0xBAD
		}
		if err := transfer(c, &s.Parts[i], values); err != nil {
			return err
		}
		for e := s.Owned; e < s.Prefix(i+1); e++ {
			if values[e] != uint64(s.Numbers[e]) {
				return fmt.Errorf("rank %d, part %d: element %d has %d, want %d", c.Rank(), i+1, e, values[e], s.Numbers[e])
			}
		}
	}
	size := []int64{int64(s.Owned)}
	if err := comm.Sum(c, size); err != nil {
		return err
	}
	_, err := NewDirectory(c, g.Name, size[0], s.Numbers[:s.Owned])
	return err
}

// TestAdoptErrors changes something in the lists of two ranks that own two elements each and have
// those of the other one as halo.
func TestAdoptErrors(t *testing.T) {
	for _, test := range []struct {
		change func(g []*Given)
		want   string
	}{
		{func(g []*Given) { g[1].Core = 3 }, "a core of 3 elements, of 2 that are owned"},
		{func(g []*Given) { g[1].Layers[0].Executed = -1 }, "layer 1 of the halo has -1 and 1 elements"},
		{func(g []*Given) { g[1].Numbers = g[1].Numbers[1:] }, "4 numbers are needed for 2 owned elements and a halo of 2, 3 were given"},
		{func(g []*Given) { g[1].Sends[0][1] = 2 }, "this rank sends rank 0 element 2, which it does not own"},
		{func(g []*Given) { g[1].Sends[0][1] = 0 }, "this rank sends rank 0 element 0 twice"},
		{func(g []*Given) { g[1].Receives[0][1] = 1 }, "this rank receives element 1, which is not in its halo"},
		{func(g []*Given) { g[1].Receives[0][1] = 2 }, "this rank receives element 2 twice"},
		{func(g []*Given) { g[1].Receives[0] = []int32{2} }, "no rank sends element 3 of the halo"},
		{func(g []*Given) { g[1].Receives = nil }, "no rank sends element 2 of the halo"},
		{func(g []*Given) { g[1].Sends = map[int][]int32{2: {0, 1}} }, "this rank sends to rank 2, of 2"},
		{func(g []*Given) { g[1].Receives = map[int][]int32{1: {2, 3}} }, "this rank receives from itself"},
		{func(g []*Given) { g[1].Layers = append(g[1].Layers, Layer{}) }, "ranks give from 1 to 2 layers of halo"},
		{func(g []*Given) { g[1].Numbers = nil }, "some ranks give numbers in the whole mesh, others do not"},
		{func(g []*Given) { g[0].Sends[1] = []int32{0} }, "rank 0 sends 1 element to rank 1, which expects 2"},
		{func(g []*Given) { g[0].Sends = nil }, "rank 0 sends 0 elements to rank 1, which expects 2"},
		{func(g []*Given) {
			g[1].Receives, g[1].Layers, g[1].Numbers = nil, []Layer{{}}, g[1].Numbers[:2]
		}, "rank 0 sends 2 elements to rank 1, which expects 0"},
		{func(g []*Given) { slices.Reverse(g[0].Sends[1]) },
			"rank 0 sends element 1 of the whole mesh to rank 1, which expects element 0 at this place of the list, 0"},
		{func(g []*Given) {
			for r := range g {
				g[r].Numbers = []int64{1, 2, 1, 2}
			}
		}, "ranks 0 and 1 both own element 1"},
	} {
		ranks := []*Given{}
		for r := range 2 {
			own, other := int64(2*r), int64(2-2*r)
			ranks = append(ranks, &Given{"cells", Extents{1, 2, []Layer{{1, 1}}}, []int64{own, own + 1, other, other + 1},
				map[int][]int32{1 - r: {0, 1}}, map[int][]int32{1 - r: {2, 3}}})
		}
		test.change(ranks)
		err := onRanks(2, func(c comm.Comm) error {
			_, err := Adopt(c, ranks[c.Rank()])
			return err
		})
		if err == nil || !strings.HasSuffix(err.Error(), "op2: set cells: "+test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestCheckRows has maps between sets of four owned elements, of which the first is the core, and two
// layers of halo, of one element in each part.
func TestCheckRows(t *testing.T) {
	err := onRanks(2, func(c comm.Comm) error {
		other := 1 - c.Rank()
		g := &Given{"cells", Extents{1, 4, []Layer{{1, 1}, {1, 1}}}, nil, map[int][]int32{other: {1, 0, 2, 3}}, map[int][]int32{other: {4, 5, 6, 7}}}
		s, err := Adopt(c, g)
		if err != nil || c.Rank() == 1 {
			return err
		}
		for _, test := range []struct {
			values           []int32
			rows, increments string
		}{
			{[]int32{0, 5, 1, -1, 5, 7, 7, 9}, "<nil>", "<nil>"},
			{[]int32{4, 0, 0, 0, 0, 0, 0, 0}, "op2: map next: component 0 of element 0 of the core leads into the halo, to element 4", "<nil>"},
			{[]int32{0, 6, 0, 0, 0, 0, 0, 0}, "op2: map next: component 0 of element 1 leads beyond layer 1 of the halo, to element 6", "<nil>"},
			{[]int32{0, 0, 0, 0, 6, 0, 0, 0}, "op2: map next: component 0 of element 4 leads beyond layer 1 of the halo, to element 6", "<nil>"},
			{[]int32{0, 0, 0, 0, 0, 0, 8, 0}, "op2: map next: component 0 of element 6 leads beyond layer 2 of the halo, to element 8", "<nil>"},
			{[]int32{0, 0, 0, 4, 0, 0, 0, 0}, "<nil>",
				"op2: map next: element 3 leads to element 4, of rank 1, which does not execute it: what the element adds is missing there"},
		} {
			if got := fmt.Sprint(CheckRows("map next", s, s, 1, test.values)); got != test.rows {
				t.Errorf("%v: %s, want %s", test.values, got, test.rows)
			}
			if got := fmt.Sprint(CheckIncrements("map next", s, s, 1, test.values)); got != test.increments {
				t.Errorf("%v: %s, want %s", test.values, got, test.increments)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
