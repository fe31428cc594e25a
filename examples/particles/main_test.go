package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
)

// A step of the midpoint method multiplies x by grow, and y by shrink.
func factors() (grow, shrink float64) {
	h := spread * dt
	return 1 + h + h*h/2, 1 - h + h*h/2
}

// After each step, exactly those particles live that are still in the channel, each once, where the method takes it and
// near where the flow would, and in its cell.
func TestParticles(t *testing.T) {
	channel := optest.Must(domain(5))
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		s := optest.Must(newStream(rt, channel, 1500))
		grow, shrink := factors()
		h := spread * dt
		var expected []particle // where they are born
		again := stream{doors: s.doors, random: seeded()}
		for step := range 120 {
			births := 0
			if step%7 < 5 { // in some steps none are born
				births = 1 + step%3
			}
			expected = append(expected, again.births(births)...)
			again.step++
			optest.OK(t, s.advance(births))
			if step%20 > 0 && step < 100 {
				continue
			}

			living := optest.Must(s.particles())
			slices.SortFunc(living, func(a, b particle) int { return cmp.Compare(a.Number, b.Number) })
			n := 0
			for _, p := range expected {
				k := float64(s.step - p.Born)
				x, y := p.X[0]*math.Pow(grow, k), p.X[1]*math.Pow(shrink, k)
				if math.Abs(x) > length/2 {
					continue
				}
				if n == len(living) || living[n].Number != p.Number {
					t.Fatalf("step %d: particle %d is not there: %v", step, p.Number, living)
				}
				got := living[n]
				if math.Abs(got.X[0]-x) > 1e-12 || math.Abs(got.X[1]-y) > 1e-12 {
					t.Fatalf("step %d: particle %d is at %v, want (%g, %g)", step, p.Number, got.X, x, y)
				}
				if off := math.Abs(got.X[0] - p.X[0]*math.Exp(h*k)); off > 1.1*k*h*h*h/6*math.Abs(x) {
					t.Fatalf("step %d: particle %d is %g from where the flow takes it", step, p.Number, off)
				}
				n++
			}
			if n != len(living) || int(s.born)-s.left != n || s.living.Size() != n {
				t.Fatalf("step %d: %d are in the channel, %d were born, %d left, %d are living, of which the program knows %d", step, n, s.born, s.left, s.living.Size(), len(living))
			}
		}
		if s.left == 0 || s.living.Size() == 0 {
			t.Errorf("%d have left, %d are living", s.left, s.living.Size())
		}

		number := make([]int32, channel.Cells())
		for _, p := range optest.Must(s.particles()) {
			number[p.Cell]++
			var c cell
			for i, node := range channel.Blocks[0].Element(int(p.Cell)) {
				copy(c.X[i][:], channel.Point(node))
			}
			if w := c.weights(p.X); slices.Min(w[:]) < -1e-9 {
				t.Errorf("particle %d at %v is not in cell %d: %v", p.Number, p.X, p.Cell, w)
			}
		}
		if got := optest.Must(s.counted()); !slices.Equal(got, number) {
			t.Errorf("loops count %d, want %d", got, number)
		}
	})
}

// Where there is no room for another particle, the error says so, on all ranks.
func TestNoRoom(t *testing.T) {
	channel := optest.Must(domain(5))
	err := op2.RunRanks(2, func(rank op2.Option) error {
		rt := optest.Must(op2.Open(rank, op2.WithBackend("go")))
		defer rt.Close()
		s := optest.Must(newStream(rt, channel, 9))
		for range 5 {
			if err := s.advance(1); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "more than 9 particles are in the cells of rank 1: it needs more room") {
		t.Error(err)
	}
}
