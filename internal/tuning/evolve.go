package tuning

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wisdom"
)

// How choices evolve: of so many in a generation, and in all, new ones are made of so many parents.
const (
	population = 8
	mostTried  = 4 * population
	parents    = 3
)

// firstGeneration returns some of all choices to begin with, which depend on the loop alone.
func firstGeneration(of loop.Hash, space []choice.Choices) []choice.Choices {
	all, r := slices.Clone(space), random(of, 0)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(population, len(all))]
}

// nextGeneration returns choices that have not been tried yet, each of which takes every choice from one of the best, and
// some by chance; nil if there are no others, or enough have been tried.
func nextGeneration(of loop.Hash, space []choice.Choices, tried []wisdom.Tried) []choice.Choices {
	if len(tried) >= mostTried {
		return nil
	}
	seen := map[choice.Choices]bool{{}: true}
	best := []choice.Choices{{}}
	for _, t := range sorting.Sorted(tried, func(a, b wisdom.Tried) int { return cmp.Compare(a.Ratio, b.Ratio) }) {
		c, err := choice.Parse(t.Choice)
		if err != nil {
			continue
		}
		seen[c] = true
		if t.Refused == "" && t.Times > 0 && len(best) < parents {
			best = append(best, c)
		}
	}
	r := random(of, len(tried))
	var children []choice.Choices
	for range 64 * population {
		if len(children) == population {
			break
		}
		child := choice.Choices{}
		for _, field := range choice.Fields() {
			others := slices.DeleteFunc(slices.Clone(space), func(c choice.Choices) bool { return field.Of(c) == "" })
			if len(others) == 0 {
				continue
			}
			from := best[r.IntN(len(best))]
			if r.IntN(8) == 0 {
				from = others[r.IntN(len(others))]
			}
			if value := field.Of(from); value != "" {
				child, _ = with(child, field, value) // as it has been already
			}
		}
		if !seen[child] && slices.Contains(space, child) {
			seen[child] = true
			children = append(children, child)
		}
	}
	return children
}

// random returns a source that is the same for the same loop in the same generation.
func random(of loop.Hash, generation int) *rand.Rand {
	seed := uint64(0)
	for _, b := range of[:8] {
		seed = seed<<8 | uint64(b)
	}
	return rand.New(rand.NewPCG(seed, uint64(generation)))
}
