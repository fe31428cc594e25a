package main

import (
	"fmt"
	"math"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

// dam is a dam in the middle of a channel one meter long. On its left water is one meter high; it breaks
// at time 0.
type dam struct {
	name  string
	right float64 // the height on the right
}

var dams = []dam{{"Ritter: dry land", 0}, {"Stoker: 0.1 m of water", 0.1}}

const afterBreak = 0.06 // the time of the comparison, when no wave has reached the ends

// start is the surface before the dam breaks.
func (d dam) start(x, y float64) float64 {
	if x < 0.5 {
		return 1
	}
	return d.right
}

// exact returns the height of the water at the given time after the break.
//
// Sources: A. Ritter (1892); J. J. Stoker, "Water Waves" (1957), section 10.8.
func (d dam) exact(x, time float64) float64 {
	s := (x - 0.5) / time
	c := math.Sqrt(gravity)
	fan := square(2*c-s) / (9 * gravity)
	if d.right == 0 {
		return hat(s, -c, 2*c, fan, 0)
	}
	// The height behind the bore: there the velocity in the fan, and in the bore, is the same.
	low, high := d.right, 1.0
	bore := func(h float64) float64 { return (h - d.right) * math.Sqrt(gravity/2*(1/h+1/d.right)) }
	for range 60 {
		h := (low + high) / 2
		if 2*(c-math.Sqrt(gravity*h)) > bore(h) {
			low = h
		} else {
			high = h
		}
	}
	u := bore(low)
	if s > u-math.Sqrt(gravity*low) {
		fan = low
	}
	return hat(s, -c, low*u/(low-d.right), fan, d.right)
}

// hat returns 1 to the left of from, between inside, and after to the right of to.
func hat(s, from, to, inside, after float64) float64 {
	switch {
	case s < from:
		return 1
	case s > to:
		return after
	}
	return inside
}

// breaks returns the mean error of the height of the water on a mesh of n triangles along the channel.
func (d dam) breaks(rt *op2.Runtime, n int) (l1 float64, err error) {
	m, err := mesh.Rectangle(mesh.Triangle, n, 4, 1, 4/float64(n))
	if err != nil {
		return 0, err
	}
	if err := m.Mark("coast", func([]float64) bool { return true }); err != nil {
		return 0, err
	}
	drag = 0
	w, err := newWater(rt, m, calm, d.start)
	if err != nil {
		return 0, err
	}
	if err := w.advance(afterBreak); err != nil {
		return 0, err
	}
	q, err := w.q.InDeclaredOrder()
	if err != nil {
		return 0, err
	}
	for c := range m.Cells() {
		x, _ := middle(m, c)
		l1 += math.Abs(q[4*c]-d.exact(x, afterBreak)) / float64(m.Cells())
	}
	return l1, nil
}

// printDams prints the errors of dam breaks on finer and finer meshes.
func printDams(backend string) error {
	first, err := op2.Open(op2.WithBackend(backend)) // stays open: MPI ends with the last runtime
	if err != nil {
		return err
	}
	defer first.Close()
	out := first.Output(os.Stdout)
	for _, d := range dams {
		fmt.Fprintf(out, "%s\n\n%16s %13s %7s\n", d.name, "squares along", "error in L1", "order")
		before := 0.0
		for _, n := range []int{100, 200, 400, 800} {
			rt, err := op2.Open(op2.WithBackend(backend))
			if err != nil {
				return err
			}
			l1, err := d.breaks(rt, n)
			rt.Close()
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%16d %13.3e", n, l1)
			if before > 0 {
				fmt.Fprintf(out, " %7.2f", math.Log2(before/l1))
			}
			fmt.Fprintln(out)
			before = l1
		}
		fmt.Fprintln(out)
	}
	return nil
}
