package halo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/comm"
)

// TestRestrict fills the needed elements of halos, and no others.
func TestRestrict(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w, depth, dense := random(rng), 1+rng.IntN(2), rng.IntN(5)
		err := onRanks(w.ranks, func(c comm.Comm) error {
			m, err := w.mesh(c)
			if err != nil {
				return err
			}
			mesh, err := Build(c, m, depth)
			if err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(seed, uint64(c.Rank())))
			for i := range mesh.Sets {
				if err := checkRestrict(c, &mesh.Sets[i], func(int) bool { return rng.IntN(4) < dense }); err != nil {
					return fmt.Errorf("rank %d, set %d: %w", c.Rank(), i, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func checkRestrict(c comm.Comm, s *LocalSet, needs func(e int) bool) error {
	needed, values := make([]bool, s.Total()), make([]uint64, s.Total())
	for e := range needed {
		needed[e] = needs(e)
		if e < s.Owned {
			values[e] = uint64(s.Numbers[e]) + 1
		}
	}
	parts, err := Restrict(c, s, needed)
	if err != nil {
		return err
	}
	for i := range parts {
		if err := transfer(c, &parts[i], values); err != nil {
			return err
		}
		for _, r := range parts[i].Receives {
			if r.Count == 0 || r.Elements != nil && len(r.Elements) != r.Count {
				return fmt.Errorf("a message of %d elements: %v", r.Count, r.Elements)
			}
		}
	}
	for e := s.Owned; e < s.Total(); e++ {
		want := uint64(0)
		if needed[e] {
			want = uint64(s.Numbers[e]) + 1
		}
		if values[e] != want {
			return fmt.Errorf("element %d has %d, want %d", e, values[e], want)
		}
	}
	return nil
}

// TestFetch brings rows to ranks that ask for any elements, in any order, some twice.
func TestFetch(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 4))
		w, bytes := random(rng), rng.IntN(9)
		size := w.sizes[0]
		err := onRanks(w.ranks, func(c comm.Comm) error {
			held := w.owned(0, c.Rank())
			rows := []byte{}
			for _, e := range held {
				for b := range bytes {
					rows = append(rows, byte(int(e)*7+b))
				}
			}
			home, err := NewDirectory(c, "set", int64(size), held)
			if err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(seed, uint64(c.Rank())))
			var numbers []int64
			for range rng.IntN(1 + 2*size) {
				numbers = append(numbers, int64(rng.IntN(size)))
			}
			got, err := Fetch(c, home, held, rows, bytes, numbers)
			if err != nil {
				return err
			}
			for i, e := range numbers {
				for b := range bytes {
					if v := got[i*bytes+b]; v != byte(int(e)*7+b) {
						return fmt.Errorf("rank %d: row %d, of element %d, has %d at %d", c.Rank(), i, e, v, b)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestDirectories looks owners up in directories of all kinds.
func TestDirectories(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := random(rng)
		owners := slices.Clone(w.owners[0])
		slices.Sort(owners)
		err := onRanks(w.ranks, func(c comm.Comm) error {
			var owned []int64
			for e, owner := range owners {
				if int(owner) == c.Rank() {
					owned = append(owned, int64(e))
				}
			}
			blocks, err := NewDirectory(c, "set", int64(len(owners)), owned)
			if err != nil {
				return err
			}
			offsets, err := Offsets(c, int64(len(owned)))
			if err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(seed, uint64(c.Rank())))
			numbers, want := []int64{}, []int32{}
			for range rng.IntN(1 + 2*len(owners)) {
				e := rng.IntN(len(owners))
				numbers, want = append(numbers, int64(e)), append(want, owners[e])
			}
			for _, d := range []*Directory{blocks, Shares(offsets), Whole(owners)} {
				if got, err := d.Owners(c, numbers); err != nil || !slices.Equal(got, want) {
					return fmt.Errorf("%v, %v, want %v", got, err, want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestErrors has meshes and lists that are refused.
func TestErrors(t *testing.T) {
	directory := func(c comm.Comm, owned ...[]int64) error {
		_, err := NewDirectory(c, "cells", 5, owned[c.Rank()])
		return err
	}
	build := func(c comm.Comm, owned []int64, home *Directory, values ...int64) error {
		cells := Set{"cells", 4, owned, home}
		_, err := Build(c, &Mesh{[]Set{cells}, []Map{{"next", 0, 0, 1, Numbers{wide: values}}}}, 1)
		return err
	}
	halves := [][]int64{{0, 1}, {2, 3}}
	for _, test := range []struct {
		want string
		run  func(c comm.Comm) error
	}{
		{"op2: set cells: ranks 0 and 1 both own element 2", func(c comm.Comm) error { return directory(c, []int64{0, 1, 2}, []int64{4, 3, 2}) }},
		{"op2: set cells: rank 0 owns element 1 twice", func(c comm.Comm) error { return directory(c, []int64{0, 1, 1}, []int64{4, 3, 2}) }},
		{"op2: set cells: no rank owns element 1", func(c comm.Comm) error { return directory(c, []int64{0}, []int64{4, 3, 2}) }},
		{"op2: set cells: rank 1 owns element 5, which is not one of the 5", func(c comm.Comm) error { return directory(c, []int64{0, 1, 2}, []int64{5, 4, 3}) }},
		{"op2: set cells: rank 1 owns element -1, which is not one of the 5", func(c comm.Comm) error { return directory(c, []int64{0, 1, 2}, []int64{-1, 4, 3}) }},
		{"op2: map next: value 4, of component 0 for element 1, is not one of the 4 cells",
			func(c comm.Comm) error { return build(c, halves[c.Rank()], Shares([]int64{0, 2, 4}), 0, 4) }},
		{"op2: map next: 2 values are needed for 2 owned cells with arity 1, 1 were given",
			func(c comm.Comm) error { return build(c, halves[c.Rank()], Shares([]int64{0, 2, 4}), 0) }},
		{"rank 0 owns element 1 of cells twice",
			func(c comm.Comm) error {
				return build(c, [][]int64{{1, 1}, {2, 3}}[c.Rank()], Shares([]int64{0, 2, 4}), 0, 0)
			}},
		{"rank 0 does not own element 1 of cells, as it should",
			func(c comm.Comm) error {
				return build(c, [][]int64{{0}, {2, 3}}[c.Rank()], Shares([]int64{0, 2, 4}), [][]int64{{1}, {2, 3}}[c.Rank()]...)
			}},
		{"rank 0 does not own element 1 of cells, as rank 1 believes",
			func(c comm.Comm) error {
				return build(c, [][]int64{{0}, {2, 3}}[c.Rank()], Shares([]int64{0, 2, 4}), [][]int64{{0}, {1, 1}}[c.Rank()]...)
			}},
		{"rank 0 does not hold element 1, as rank 1 believes",
			func(c comm.Comm) error {
				_, err := Fetch(c, Whole([]int32{0, 0, 1, 1}), [][]int64{{0}, {2, 3}}[c.Rank()], make([]byte, 1+c.Rank()), 1, []int64{1}[:c.Rank()])
				return err
			}},
	} {
		err := onRanks(2, test.run)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
