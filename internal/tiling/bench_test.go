package tiling

import (
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// airfoil returns one iteration of the airfoil's loops on a grid of nx by ny cells.
func airfoil(nx, ny int) *Input {
	n := nx * ny
	var edges []int32
	for y := range ny {
		for x := range nx {
			c := int32(y*nx + x)
			if x+1 < nx {
				edges = append(edges, c, c+1)
			}
			if y+1 < ny {
				edges = append(edges, c, c+int32(nx))
			}
		}
	}
	const q, old, adt, res = 0, 1, 2, 3
	at := func(s int, a loop.Access) Arg { return Arg{Storage: s, Access: a} }
	through := func(s int, a loop.Access) Arg {
		return Arg{Storage: s, Access: a, Map: edges, Arity: 2, Component: loop.All}
	}
	save := Loop{Last: n, Args: []Arg{at(q, loop.Read), at(old, loop.Write)}}
	area := Loop{Last: n, Args: []Arg{at(q, loop.Read), at(adt, loop.Write)}}
	flux := Loop{Set: 1, Last: len(edges) / 2, Args: []Arg{through(q, loop.Read), through(adt, loop.Read), through(res, loop.Inc)}}
	update := Loop{Last: n, Args: []Arg{at(old, loop.Read), at(q, loop.Write), at(res, loop.RW), at(adt, loop.Read)}}
	return &Input{Loops: []Loop{save, area, flux, update, area, flux, update}, Sets: []int{n, len(edges) / 2}, Storages: []int{0, 0, 0, 0}, Tile: 3000, Parts: 1, Pack: 8}
}

func BenchmarkInspect(b *testing.B) {
	for _, parts := range []int{1, 32} {
		in := airfoil(1200, 600)
		in.Parts = parts
		var s *Schedule
		for range b.N {
			var err error
			if s, err = Inspect(in); err != nil {
				b.Fatal(err)
			}
		}
		elements, later, runs := 0, 0, 0
		for l := range in.Loops {
			elements += in.Loops[l].Last
			runs += len(s.Runs[l])
		}
		for stage, groups := range s.Stages {
			for _, g := range groups {
				for tile := g.First; tile < g.Last; tile++ {
					for l := range in.Loops {
						for _, r := range s.Of(l, tile) {
							if stage > 0 {
								later += int(r[1] - r[0])
							}
						}
					}
				}
			}
		}
		b.Logf("%d parts: %d tiles, %d stages, %.2f %% in seams, %.1f runs for each tile and loop", parts, s.Tiles(), len(s.Stages), 100*float64(later)/float64(elements), float64(runs)/float64(s.Tiles()*len(in.Loops)))
	}
}

func BenchmarkCheck(b *testing.B) {
	in := airfoil(1200, 600)
	in.Parts = 16
	s, err := Inspect(in)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := Check(in, s); err != nil {
			b.Fatal(err)
		}
	}
}
