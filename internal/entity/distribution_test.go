package entity

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
)

// Each rank of two runs, and a run of one, read the same data of a set's distribution.
func TestDistribution(t *testing.T) {
	parts := halo.Extents{Core: 1, Owned: 3, Layers: []halo.Layer{{Executed: 2, ReadOnly: 1}}}
	local := &halo.LocalSet{Extents: parts, Size: 10, Numbers: []int64{4, 5, 6, 0, 1, 9}, Parts: make([]halo.Part, 2)}
	placed := func(d distribution, c comm.Comm) distribution {
		d.localize(c, local)
		return d
	}
	times := func(d distribution) distribution { return d.times(2) }
	type row struct {
		name string
		d    distribution
		want string // whole, targets, first, declared, ranks, layers, parts, pending
	}
	errs := comm.Each(2, 0, func(c comm.Comm) error {
		var errs []error
		rank := c.Rank()
		for _, test := range []row{
			{"nothing declared", distribution{}, "0 0 0 0 1 0 0 false"},
			{"alone", alone(parts), "3 6 0 6 1 0 0 false"},
			{"whole", whole(halo.All(10)), "10 10 0 10 1 0 0 true"},
			{"whole, distributed", placed(whole(halo.All(10)), c), "10 10 0 10 2 1 2 false"},
			{"shares", inShares(c, []int64{0, 4, 10}), fmt.Sprintf("10 10 %d %d 2 0 0 true", 4*rank, 4+2*rank)},
			{"shares, distributed", placed(inShares(c, []int64{0, 4, 10}), c), fmt.Sprintf("10 10 %d %d 2 1 2 false", 4*rank, 4+2*rank)},
			{"values", times(alone(parts)), "6 12 0 12 1 0 0 false"},
			{"values, distributed", times(placed(whole(halo.All(10)), c)), "20 20 0 20 2 1 0 false"},
			{"came distributed", placed(adopted(local), c), "10 10 0 6 2 1 2 false"},
		} {
			s := Set{distribution: test.d}
			if got := fmt.Sprint(s.Whole(), s.Targets(), s.first, s.declared, s.Parted().Size(), s.Depth(), len(s.Parts()), s.pending); got != test.want {
				errs = append(errs, fmt.Errorf("%s: %s, want %s", test.name, got, test.want))
			}
		}
		return errors.Join(errs...)
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// Loops run over the rows of a halo only if messages keep it valid.
func TestPrefixes(t *testing.T) {
	for _, test := range []struct {
		depth int
		want  []int // Executable, then prefixes 0 to 4, and everywhere
	}{{0, []int{4, 4, 4, 4, 4, 4, 4}}, {1, []int{6, 4, 6, 7, 7, 7, 7}}, {2, []int{7, 4, 6, 7, 7, 9, 9}}} {
		s := &Set{extents: halo.Extents{Core: 2, Owned: 4, Layers: []halo.Layer{{Executed: 2, ReadOnly: 1}, {ReadOnly: 2}}}, distribution: distribution{depth: test.depth}}
		got := []int{s.Executable()}
		for x := range 5 {
			got = append(got, s.Prefix(x))
		}
		if got = append(got, s.Prefix(halo.Everywhere)); !slices.Equal(got, test.want) {
			t.Errorf("with %d layers kept valid: %v, want %v", test.depth, got, test.want)
		}
	}
}
