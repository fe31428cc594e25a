package plot

import (
	"math"
	"runtime"
	"sort"

	"github.com/go-op2/op2/internal/parallel"
)

// An ink is the content of a sample: a number that stands for a color, or one of the first few,
// which stand for things other than colors of the scale.
type ink = uint16

const (
	bare     ink = iota // no cell
	body                // no cell, but cells all around
	invalid             // a value that is not finite
	firstInk            // the first color
)

// fine is the number of samples per pixel in each direction.
const fine = 3

// shades is the number of inks for the range of a scale: more than any map has colors that differ
// in one of 256 steps.
const shades = 1 << 10

// raster is a grid of samples, several per pixel. Sample (i, j) lies at
// (i+½, j+½); j grows downwards.
//
// A polygon owns the samples inside it. Of those on its border it owns the ones
// on its left and top sides. An edge of two polygons is cut by a row of samples
// at bitwise the same place for both, so polygons that share edges leave no
// sample out and own none twice.
type raster struct {
	w, h int
	ink  []ink // shape [h, w]
	rows span  // polygons draw in these rows only
}

// span is a half-open range of integers.
type span struct{ lo, hi int }

type point struct{ x, y float64 }

func newRaster(w, h int) *raster {
	return &raster{w, h, make([]ink, w*h), span{0, h}}
}

// samplesIn returns the numbers of the samples from lo to hi that lie in
// limits.
func samplesIn(lo, hi float64, limits span) span {
	// Clamped before the conversion: far outside, an int would overflow.
	clamp := func(v float64) int {
		return int(math.Ceil(min(max(v-0.5, float64(limits.lo)), float64(limits.hi))))
	}
	return span{clamp(lo), clamp(hi)}
}

// box returns the rows and columns of the samples in the smallest box around
// p. Where either is empty, p owns no sample.
func (r *raster) box(p []point) (rows, cols span) {
	x0, y0, x1, y1 := p[0].x, p[0].y, p[0].x, p[0].y
	for _, q := range p[1:] {
		x0, x1 = min(x0, q.x), max(x1, q.x)
		y0, y1 = min(y0, q.y), max(y1, q.y)
	}
	return samplesIn(y0, y1, r.rows), samplesIn(x0, x1, span{0, r.w})
}

// flat draws the polygon p in one ink.
func (r *raster) flat(p []point, c ink) {
	r.scan(p, func(j int, cols span) {
		row := r.ink[j*r.w : (j+1)*r.w]
		for i := cols.lo; i < cols.hi; i++ {
			row[i] = c
		}
	})
}

// shaded draws the triangle p in the inks from firstInk on that result from linear interpolation of
// v, the numbers above firstInk at the corners, clamped to [0, top].
func (r *raster) shaded(p [3]point, v [3]float64, top float64) {
	ax, ay := p[1].x-p[0].x, p[1].y-p[0].y
	bx, by := p[2].x-p[0].x, p[2].y-p[0].y
	det := ax*by - bx*ay
	if det == 0 {
		return
	}
	gx := ((v[1]-v[0])*by - (v[2]-v[0])*ay) / det
	gy := ((v[2]-v[0])*ax - (v[1]-v[0])*bx) / det
	// In a sliver the gradient is huge, and rounding can move the value out of the corners' range.
	lo := min(max(min(v[0], v[1], v[2]), 0), top)
	hi := min(max(max(v[0], v[1], v[2]), 0), top)
	r.scan(p[:], func(j int, cols span) {
		row := r.ink[j*r.w : (j+1)*r.w]
		left := v[0] + gy*(float64(j)+0.5-p[0].y) + gx*(0.5-p[0].x)
		for i := cols.lo; i < cols.hi; i++ {
			at := min(max(left+gx*float64(i), lo), hi)
			row[i] = firstInk + ink(at+0.5)
		}
	})
}

// scan calls draw with the samples that the polygon p owns, row by row.
func (r *raster) scan(p []point, draw func(row int, cols span)) {
	rows, cols := r.box(p)
	if cols.lo >= cols.hi {
		return
	}
	var buffer [8]float64
	for j := rows.lo; j < rows.hi; j++ {
		cuts := buffer[:0]
		y := float64(j) + 0.5
		a := p[len(p)-1]
		for _, b := range p {
			if (a.y <= y) != (b.y <= y) {
				cuts = append(cuts, cut(a, b, y))
			}
			a = b
		}
		sort.Float64s(cuts)
		for k := 0; k+1 < len(cuts); k += 2 {
			if s := samplesIn(cuts[k], cuts[k+1], span{0, r.w}); s.lo < s.hi {
				draw(j, s)
			}
		}
	}
}

// cut returns where the edge from a to b has height y. The result is bitwise
// the same for the edge from b to a.
func cut(a, b point, y float64) float64 {
	if a.y > b.y {
		a, b = b, a
	}
	return a.x + (y-a.y)/(b.y-a.y)*(b.x-a.x)
}

// inBands calls draw concurrently with parts of [0, n), one for each processor, and returns when
// all are done.
func inBands(n int, draw func(part span)) {
	parallel.Parts(n, max(1, min(runtime.GOMAXPROCS(0), n)), func(lo, hi int) { draw(span{lo, hi}) })
}
