package partition

import (
	"math"

	"github.com/go-op2/op2/internal/order"
)

// curveBits is the number of bits of a place on the curve. As those of a float64, they
// are those of a positive number, and numbers compare as bits do.
const curveBits = 62

// along returns where the points are on a Hilbert curve through the cube that holds them.
func along(at order.Points) []float64 {
	c := newCurve(at.Dim, bounds(at))
	places := make([]float64, len(at.Values)/at.Dim)
	for e := range places {
		places[e] = math.Float64frombits(c.place(at.Values[e*at.Dim : (e+1)*at.Dim]))
	}
	return places
}

// bounds returns the least of each coordinate, and the negative of the greatest, which is the least,
// too. Without points, they are +Inf.
func bounds(at order.Points) []float64 {
	b := make([]float64, 2*at.Dim)
	for i := range b {
		b[i] = math.Inf(1)
	}
	for i := 0; i < len(at.Values); i += at.Dim {
		for d, x := range at.Values[i : i+at.Dim] {
			b[d], b[at.Dim+d] = min(b[d], x), min(b[at.Dim+d], -x)
		}
	}
	return b
}

// curve is a Hilbert curve through a cube.
//
// Source: J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707 (2004).
type curve struct {
	low   []float64
	scale float64
	bits  int // of each coordinate
	x     []uint64
}

// newCurve returns a curve through points with the given bounds.
func newCurve(dim int, bounds []float64) *curve {
	c := &curve{low: bounds[:dim], bits: max(1, curveBits/dim), x: make([]uint64, dim)}
	extent := 0.0 // half of it, which cannot overflow
	for d, low := range c.low {
		extent = max(extent, -bounds[dim+d]/2-low/2)
	}
	if extent > 0 && !math.IsInf(extent, 0) {
		c.scale = float64(uint64(1)<<c.bits) / extent
	}
	return c
}

// place returns where a point is on the curve: its cell in a grid of 2^bits in each direction, transformed in
// place by Skilling's inverse undo and Gray encoding (AxesToTranspose), and the bits of all coordinates
// interleaved, the first coordinate's first. Of more than 62 dimensions, the first ones count.
func (c *curve) place(point []float64) uint64 {
	x, top := c.x[:min(len(c.x), curveBits)], uint64(1)<<c.bits
	for d := range x {
		x[d] = min(uint64((point[d]/2-c.low[d]/2)*c.scale), top-1)
	}
	for q := top >> 1; q > 1; q >>= 1 {
		for d := range x {
			if x[d]&q != 0 {
				x[0] ^= q - 1
			} else {
				t := (x[0] ^ x[d]) & (q - 1)
				x[0] ^= t
				x[d] ^= t
			}
		}
	}
	for d := 1; d < len(x); d++ { // Gray code
		x[d] ^= x[d-1]
	}
	t := uint64(0)
	for q := top >> 1; q > 1; q >>= 1 {
		if x[len(x)-1]&q != 0 {
			t ^= q - 1
		}
	}
	place := uint64(0)
	for b := c.bits - 1; b >= 0; b-- {
		for d := range x {
			place = place<<1 | (x[d]^t)>>b&1
		}
	}
	return place
}
