package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
)

// problem is a place where a fluid flows: its velocity is known on the whole boundary.
type problem struct {
	title  string
	mesh   func(n int) (*mesh.Mesh, error)
	moving string // the groups where kernel sets the velocity; elsewhere on the boundary it is zero
	kernel any
	report func(out io.Writer, f *flow) error
	plot   plot.Options
}

var problems = map[string]problem{
	"cavity": {
		title: "A cavity whose lid moves", mesh: cavity, moving: "top", kernel: lid, report: reportEddy,
		plot: plot.Options{Streamlines: 30},
	},
	"channel": {
		title: "A cylinder in a channel", mesh: channel, moving: "ends", kernel: parabola, report: reportGap,
		plot: plot.Options{Streamlines: 40},
	},
}

// solve sets the velocity on the boundary, and computes the flow.
func (p problem) solve(f *flow, engine string) (solver.Convergence, error) {
	if err := op2.ParLoop(f.kernels.Func(p.kernel), f.NodesOf(p.moving), f.X.Read(), f.u.Write()); err != nil {
		return solver.Convergence{}, err
	}
	return f.solve(engine, nil)
}

// cavity returns the unit square, of n by n squares of two triangles.
func cavity(n int) (*mesh.Mesh, error) {
	m, err := mesh.Rectangle(mesh.Triangle, n, n, 1, 1)
	if err != nil {
		return nil, err
	}
	return m.Quadratic(nil)
}

// The channel is 2 wide, the cylinder is in its middle.
const (
	channelLength = 6.0
	radius        = 0.5
)

// channel returns a channel around a cylinder: n layers of triangles from it to the walls, finer at the cylinder,
// whose sides on it are curved.
func channel(n int) (*mesh.Mesh, error) {
	const perimeter = 2 * (2 + channelLength) // the channel's corners are nodes where this divides the number of nodes
	around := perimeter * ((n + 3) / 4)
	m, err := mesh.Annulus(mesh.Triangle, n, around, radius, 1)
	if err != nil {
		return nil, err
	}
	for i := range m.Nodes() {
		p := m.Point(int32(i))
		turn, layer := float64(i%around)/float64(around), float64(i/around)/float64(n)
		x, y := onRectangle(perimeter * turn)
		sin, cos := math.Sincos(2 * math.Pi * turn)
		s := (math.Pow(3, layer) - 1) / 2
		p[0], p[1] = (1-s)*radius*cos+s*x, (1-s)*radius*sin+s*y
	}
	if err := m.Mark("ends", func(x []float64) bool { return math.Abs(x[0]) > channelLength/2-1e-9 }); err != nil {
		return nil, err
	}
	return m.Quadratic(func(group string, x []float64) {
		if group == "inner" {
			r := math.Hypot(x[0], x[1])
			x[0], x[1] = x[0]*radius/r, x[1]*radius/r
		}
	})
}

// onRectangle returns the place on the channel's boundary at a distance along it, counterclockwise from the x axis.
func onRectangle(s float64) (x, y float64) {
	const l = channelLength
	switch {
	case s < 1:
		return l / 2, s
	case s < 1+l:
		return l/2 + 1 - s, 1
	case s < 3+l:
		return -l / 2, 2 + l - s
	case s < 3+2*l:
		return s - 3 - 1.5*l, -1
	}
	return l / 2, s - 4 - 2*l
}

// reportEddy prints how much fluid the cavity's eddy moves around, the largest value of the stream function, which it
// takes on the vertical line in the middle by symmetry.
func reportEddy(out io.Writer, f *flow) error {
	strength, y, err := f.strongest(0.5, 0, 1)
	fmt.Fprintf(out, "the eddy around (0.5, %.3f) moves %.5f\n", y, strength)
	return err
}

// reportGap prints how much fluid passes above the cylinder: half of what enters the channel.
func reportGap(out io.Writer, f *flow) error {
	through, _, err := f.strongest(0, radius, 1)
	fmt.Fprintf(out, "above the cylinder pass %.5f of %.5f\n", through, 4.0/3)
	return err
}

// place is a node of a vertical line: its height, and the horizontal velocity there.
type place struct{ Y, U float64 }

// strongest integrates the horizontal velocity from a to b along the sides of triangles on a vertical line: exactly, since on each
// it is quadratic. It returns the largest absolute value of the integrals up to the nodes, and where it is.
func (f *flow) strongest(x, a, b float64) (value, y float64, err error) {
	points, err1 := f.X.DataRO()
	velocity, err2 := f.u.DataRO()
	if err := errors.Join(err1, err2); err != nil {
		return 0, 0, err
	}
	var own []place
	for i := 0; i < len(points); i += 2 {
		if math.Abs(points[i]-x) < 1e-9 && points[i+1] > a-1e-9 && points[i+1] < b+1e-9 {
			own = append(own, place{points[i+1], velocity[i]})
		}
	}
	line, err := shares.Gather(f.rt, own)
	if err != nil {
		return 0, 0, err
	}
	slices.SortFunc(line, func(p, q place) int { return cmp.Compare(p.Y, q.Y) })
	sum := 0.0
	for i := 0; i+2 < len(line); i += 2 {
		side := line[i : i+3]
		v0, v1, v2 := side[0].U, side[1].U, side[2].U
		part := (side[2].Y - side[0].Y) / 24
		for k, to := range []float64{sum + part*(5*v0+8*v1-v2), sum + part*(4*v0+16*v1+4*v2)} {
			if sum = to; math.Abs(sum) > value {
				value, y = math.Abs(sum), side[1+k].Y
			}
		}
	}
	return value, y, nil
}

// knownErrors solves for the known solution, on a mesh of the unit square, and returns the errors of velocity and pressure in L2.
func knownErrors(rt *op2.Runtime, m *mesh.Mesh, engine string) (velocity, pressure float64, err error) {
	f, err := newFlow(rt, m)
	if err != nil {
		return 0, 0, err
	}
	if err := op2.ParLoop(f.kernels.Func(known), f.NodesOf(), f.X.Read(), f.u.Write()); err != nil {
		return 0, 0, err
	}
	if _, err := f.solve(engine, load); err != nil {
		return 0, 0, err
	}
	sum := op2.NewGlobal(rt, make([]float64, 3), "sum")
	if err := op2.ParLoop(f.kernels.Func(squareError), f.Cells, f.X.Read(f.CellNodes), f.up.Read(f.all), sum.Inc()); err != nil {
		return 0, 0, err
	}
	squares, err := sum.Data()
	if err != nil {
		return 0, 0, err
	}
	return math.Sqrt(squares[0]), math.Sqrt(squares[1] - squares[2]*squares[2]), nil // the area is 1
}
