package plan

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Elements change places between two boundaries only, and take their targets along.
func TestRearranged(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		in := randomInput(seed)
		in.First, in.Boundaries = 0, []int{in.Last / 3}
		out, order := in.Rearranged(8)
		if out == nil {
			continue
		}
		found++
		if err := Check(out, mustBuild(t, out)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, part := range [][2]int{{0, in.Last / 3}, {in.Last / 3, in.Last}} {
			sorted := slices.Sorted(slices.Values(order[part[0]:part[1]]))
			for i, e := range sorted {
				if int(e) != part[0]+i {
					t.Fatalf("seed %d: elements %v of part %v", seed, sorted, part)
				}
			}
		}
		for d := range in.Data {
			if in.slots(d) == nil {
				continue
			}
			was, is := in.spansOf(in.slots(d)), out.spansOf(out.slots(d))
			for i, e := range order {
				if a, b := reachedThrough(was, int(e)), reachedThrough(is, i); !slices.Equal(a, b) {
					t.Fatalf("seed %d: element %d reaches %v, in place %d it reaches %v", seed, e, a, i, b)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("%d inputs were rearranged", found)
	}
}

func reachedThrough(spans []span, e int) []int32 {
	var targets []int32
	for i := range spans {
		targets = append(targets, spans[i].targets(e, e+1, make([]int32, 64))...)
	}
	slices.Sort(targets)
	return targets
}

// The edges of a random graph get as many colors as there are ranges, and half as many blocks have
// each; in their own order nearly every block has a color of its own.
func TestRandomGraphIsRearranged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ends := make([]int32, 2*20000)
	for i := range ends {
		ends[i] = r.Int32N(4000)
	}
	in := &Input{Last: 20000, BlockSize: 200, Maps: []Map{{Arity: 2, Targets: 4000, Values: ends}}, Data: []Data{through(true, false, 0)}}
	if p := mustBuild(t, in); p.Gain(2) > 1.1 {
		t.Errorf("two threads gain %v in the graph's own order", p.Gain(2))
	}
	out, _ := in.Rearranged(16)
	if f := mustBuild(t, out).Report(); f.Blocks != 136 || f.Colors != 16 || f.SmallColor < 8 {
		t.Errorf("got\n%v", f)
	}
}
