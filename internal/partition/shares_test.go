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
				return Shares(ranks, c.wrong, 2, Options{Parts: ranks.Size()})
			}
			return Shares(ranks, []float64{1, 2}, 2, Options{Parts: ranks.Size()})
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
		return Shares(c, []float64{1, 2}, 1, Options{Parts: c.Size()})
	})
	if errs[0] == nil || errs[0].Error() != "rank 1: no mesh" {
		t.Error(errs[0])
	}
}

// Parts of weighted elements have equal weights, or those in proportion to theirs, to an element for each cut, on any number of ranks
// the same.
func TestSharesByWeight(t *testing.T) {
	const n, dim = 600, 2
	defer func(was int) { dense = was }(dense)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		at, elements, total := make([]float64, n*dim), make([]int64, n), int64(0)
		for i := range at {
			at[i] = float64(r.IntN(12)) // many at one place
		}
		for i := range elements {
			elements[i] = 1 + r.Int64N(50)*r.Int64N(50)
			total += elements[i]
		}
		for _, o := range []Options{{Parts: 5, Method: "bisect"}, {Parts: 6, Method: "curve"}, {Parts: 7, Method: "bisect", Weights: []float64{1, 0, 2, 1, 0, 0, 3}}} {
			var want []int32
			for ranks := 1; ranks <= 5; ranks++ {
				dense = []int{512, 2}[ranks%2]
				got, errs := onRanks(ranks, func(c comm.Comm) ([]int32, error) {
					first, last := c.Rank()*n/ranks, (c.Rank()+1)*n/ranks
					own := o
					own.Elements = elements[first:last]
					return Shares(c, at[first*dim:last*dim], dim, own)
				})
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				all := slices.Concat(got...)
				if ranks == 1 {
					want = all
				}
				if !slices.Equal(all, want) {
					t.Fatalf("%+v: %d ranks find other parts than one", o, ranks)
				}
			}
			sums := make([]float64, o.Parts)
			for e, p := range want {
				sums[p] += float64(elements[e])
			}
			for p, share := range o.shares(int(total)) {
				if off := math.Abs(sums[p] - share); off > 3*2500 || share == 0 && off > 0 {
					t.Errorf("%+v: part %d has the weight %v, want %v", o, p, sums[p], share)
				}
			}
		}
	}
}

// So do parts that a graph is divided into.
func TestLeadByWeight(t *testing.T) {
	const n = 30 // squared
	path := order.Map{From: 0, To: 1, Arity: 2}
	for y := range n {
		for x := range n - 1 {
			path.Values = append(path.Values, int32(y*n+x), int32(y*n+x+1), int32(x*n+y), int32((x+1)*n+y))
		}
	}
	m := &order.Mesh{Sets: []order.Set{{Size: len(path.Values) / 2}, {Size: n * n}}, Maps: []order.Map{path}}
	elements, total := make([]int64, n*n), int64(0)
	for e := range elements {
		elements[e] = 1 << 20
		if e%n < 6 {
			elements[e] = 1 << 25
		}
		total += elements[e]
	}
	for _, method := range []string{"graph", "metis", "scotch"} {
		for parts := 1; parts <= 6; parts++ {
			owners, err := Lead(m, 1, Options{Parts: parts, Method: method, Elements: elements})
			if err != nil {
				t.Fatal(err)
			}
			sums := make([]int64, parts)
			for e, p := range owners {
				sums[p] += elements[e]
			}
			if most := float64(slices.Max(sums)) * float64(parts) / float64(total); most > 1.1 {
				t.Errorf("%s: %d parts: the heaviest has %v times its share: %v", method, parts, most, sums)
			}
		}
	}
}
