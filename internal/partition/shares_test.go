package partition

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/order"
)

// onRanks runs f on each of n ranks, and returns their results and errors.
func onRanks(n int, f func(c comm.Comm) ([]int32, error)) ([][]int32, []error) {
	results, errs := make([][]int32, n), make([]error, n)
	var group sync.WaitGroup
	for rank, c := range comm.Local(n, 0) {
		group.Go(func() { results[rank], errs[rank] = f(c) })
	}
	group.Wait()
	return results, errs
}

// Shares of any sizes, also empty ones, are divided as one rank would divide the whole: with points
// at random, on a grid, where many have a coordinate in common, and all at one place.
func TestShares(t *testing.T) {
	const n = 800
	defer func(was int) { dense = was }(dense)
	for seed, points := range []func(r *rand.Rand) float64{
		func(r *rand.Rand) float64 { return r.NormFloat64() },
		func(r *rand.Rand) float64 { return float64(r.IntN(9) - 4) },
		func(*rand.Rand) float64 { return math.Copysign(0, -1) },
		func(r *rand.Rand) float64 { return math.Exp(90 * r.NormFloat64()) },
	} {
		for dim := 1; dim <= 3; dim++ {
			for ranks := 1; ranks <= 7; ranks++ {
				dense = []int{512, 2}[ranks%2] // as on many ranks
				r := rand.New(rand.NewPCG(uint64(seed), uint64(10*dim+ranks)))
				at := make([]float64, n*dim)
				for i := range at {
					at[i] = points(r)
				}
				starts := []int{0, n}
				for range ranks - 1 {
					starts = append(starts, r.IntN(2)*r.IntN(n))
				}
				slices.Sort(starts)
				for _, o := range []Options{
					{Parts: ranks, Method: "bisect"}, {Parts: ranks, Method: "curve"}, {Parts: 13, Method: "bisect", Weights: weights(r, 13)},
					{Parts: 2 * ranks, Method: "curve", Weights: weights(r, 2*ranks)},
				} {
					want, err := Whole(&order.Mesh{Sets: []order.Set{{Size: n, Coordinates: at, Dim: dim}}}, o)
					if err != nil {
						t.Fatal(err)
					}
					got, errs := onRanks(ranks, func(c comm.Comm) ([]int32, error) {
						return Shares(c, at[starts[c.Rank()]*dim:starts[c.Rank()+1]*dim], dim, o)
					})
					if err := errors.Join(errs...); err != nil || !slices.Equal(slices.Concat(got...), want[0]) {
						t.Fatalf("points %d, %d dimensions, %d ranks, %+v: error %v, %v, expected %v", seed, dim, ranks, o, err,
							loads(slices.Concat(got...), o.Parts), loads(want[0], o.Parts))
					}
				}
			}
		}
	}
}

func weights(r *rand.Rand, n int) []float64 {
	weights := make([]float64, n)
	for p := range weights {
		weights[p] = float64(r.IntN(3))
	}
	weights[n-1] = 1
	return weights
}

// What is wrong with the coordinates of one rank is an error on all.
func TestSharesFail(t *testing.T) {
	for _, c := range []struct {
		wrong []float64
		why   string
	}{
		{[]float64{1, 2, 3, math.NaN()}, "element 1 of the share is at NaN, which is no place"},
		{[]float64{1, 2, 3}, "3 coordinates are not 2 for each element"},
	} {
		_, errs := onRanks(3, func(ranks comm.Comm) ([]int32, error) {
			if ranks.Rank() == 1 {
				return Shares(ranks, c.wrong, 2, Options{})
			}
			return Shares(ranks, []float64{1, 2}, 2, Options{})
		})
		other := "rank 1: its coordinates are wrong"
		if got, want := fmt.Sprint(errs), fmt.Sprint([]string{other, c.why, other}); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	for _, o := range []Options{{Method: "metis"}, {Parts: -1}} {
		if owners, err := Shares(comm.Local(1, 0)[0], nil, 2, o); err == nil {
			t.Errorf("%+v: %v", o, owners)
		}
	}
}

// The first rank that has failed ends the search of the others.
func TestSharesAfterFailure(t *testing.T) {
	_, errs := onRanks(2, func(c comm.Comm) ([]int32, error) {
		if c.Rank() == 1 {
			c.Fail(errors.New("no mesh"))
			return nil, nil
		}
		return Shares(c, []float64{1, 2}, 1, Options{})
	})
	if errs[0] == nil || errs[0].Error() != "rank 1: no mesh" {
		t.Error(errs[0])
	}
}
