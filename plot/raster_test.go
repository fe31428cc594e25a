package plot

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// art returns a raster from a picture of it: '.' bare, '#' body, 'a' the first
// color and so on.
func art(rows ...string) *raster {
	r := newRaster(len(rows[0]), len(rows))
	for j, row := range rows {
		for i, c := range row {
			switch c {
			case '.':
				r.ink[j*r.w+i] = bare
			case '#':
				r.ink[j*r.w+i] = body
			default:
				r.ink[j*r.w+i] = firstInk + ink(c-'a')
			}
		}
	}
	return r
}

func (r *raster) String() string {
	var b strings.Builder
	for j := range r.h {
		for _, k := range r.ink[j*r.w : (j+1)*r.w] {
			switch k {
			case bare:
				b.WriteByte('.')
			case body:
				b.WriteByte('#')
			default:
				b.WriteByte(byte('a' + k - firstInk))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestFlat(t *testing.T) {
	for _, test := range []struct {
		name string
		p    []point
		want []string
	}{
		{"triangle", []point{{0, 0}, {6, 0}, {0, 6}}, []string{
			"aaaaa.",
			"aaaa..",
			"aaa...",
			"aa....",
			"a.....",
			"......",
		}},
		{"left and top sides on samples are in, right and bottom are out", []point{{0.5, 0.5}, {3.5, 0.5}, {3.5, 2.5}, {0.5, 2.5}}, []string{
			"aaa...",
			"aaa...",
			"......",
		}},
		{"arrow", []point{{0.1, 0}, {3.1, 3}, {6.1, 0}, {3.1, 6}}, []string{
			"a.....",
			".a....",
			".aa.a.",
			"..aa..",
			"..aa..",
			"......",
		}},
		{"larger than the raster", []point{{-1e9, -1e9}, {1e9, -1e9}, {1e9, 1e9}, {-1e9, 1e9}}, []string{
			"aaa",
			"aaa",
		}},
		{"outside", []point{{10, 0}, {20, 0}, {20, 9}}, []string{
			"...",
			"...",
		}},
		{"between samples", []point{{0.6, 0}, {1.4, 0}, {1.4, 2}, {0.6, 2}}, []string{
			"...",
			"...",
		}},
	} {
		want := art(test.want...)
		for _, clockwise := range []bool{false, true} {
			p := append([]point(nil), test.p...)
			if clockwise {
				for i, q := range test.p {
					p[len(p)-1-i] = q
				}
			}
			got := newRaster(want.w, want.h)
			got.flat(p, firstInk)
			if got.String() != want.String() {
				t.Errorf("%s (reversed: %v):\n%swant\n%s", test.name, clockwise, got, want)
			}
		}
	}
}

// A triangle covers as many samples as its area says, but for its sides.
func TestFlatArea(t *testing.T) {
	r := newRaster(300, 300)
	p := []point{{10.3, 20.7}, {280.1, 90.2}, {60.6, 270.9}}
	r.flat(p, firstInk)
	covered := 0
	for _, k := range r.ink {
		if k == firstInk {
			covered++
		}
	}
	area := ((p[1].x-p[0].x)*(p[2].y-p[0].y) - (p[2].x-p[0].x)*(p[1].y-p[0].y)) / 2
	if math.Abs(float64(covered)-area) > 30 {
		t.Errorf("%d samples, area %g", covered, area)
	}
}

// Cells that share edges own every sample between them, and own none twice.
func TestScanIsWatertight(t *testing.T) {
	const n, size = 40, 120
	random := rand.New(rand.NewPCG(1, 2))
	m := grid(n, n, Rect{0, 0, size, size}, nil)
	for j := 1; j < n; j++ {
		for i := 1; i < n; i++ {
			at := 2 * (j*(n+1) + i)
			m.XY[at] += 1.2 * (random.Float64() - 0.5)
			m.XY[at+1] += 1.2 * (random.Float64() - 0.5)
			if random.IntN(4) == 0 { // edges on samples are the hard ones
				m.XY[at], m.XY[at+1] = math.Floor(m.XY[at])+0.5, math.Floor(m.XY[at+1])+0.5
			}
		}
	}
	r := newRaster(size, size)
	var times [size][size]int
	count := func(j int, cols span) {
		for i := cols.lo; i < cols.hi; i++ {
			times[j][i]++
		}
	}
	for c := range m.cells() {
		var p []point
		for _, k := range m.cell(c) {
			p = append(p, point{m.XY[2*k], m.XY[2*k+1]})
		}
		if c%3 == 0 { // two triangles, one of them reversed
			r.scan([]point{p[0], p[1], p[2]}, count)
			r.scan([]point{p[3], p[2], p[0]}, count)
		} else {
			r.scan(p, count)
		}
	}
	for j := range times {
		for i, n := range times[j] {
			if n != 1 {
				t.Fatalf("sample (%d, %d) is owned %d times", i, j, n)
			}
		}
	}
}

// A linear field is drawn linearly, by triangles and by quadrilaterals.
func TestSmoothIsLinear(t *testing.T) {
	const w, h, top = 90, 60, 1000
	for _, test := range []struct {
		name string
		mesh Mesh
	}{
		{"triangles", Mesh{
			XY:      []float64{-10, -10, 100, -10, 100, 70, -10, 70, 30, 20},
			Cells:   []int32{0, 1, 4, 1, 2, 4, 2, 4, 3, 3, 0, 4},
			Corners: 3,
		}},
		{"quadrilaterals", grid(7, 5, Rect{-10, -10, 100, 70}, nil)},
		{"quadrilaterals smaller than samples", grid(200, 160, Rect{-1, -1, 91, 61}, nil)},
	} {
		levels := make([]float64, test.mesh.nodes())
		for n := range levels {
			levels[n] = 100 + 5*test.mesh.XY[2*n] + 3*test.mesh.XY[2*n+1]
		}
		r := newRaster(w, h)
		paintSmooth(r, test.mesh, ground{scale: 1, y1: h}, levels, nil, top)
		for j := range h {
			for i := range w {
				x, y := float64(i)+0.5, h-float64(j)-0.5
				want := 100 + 5*x + 3*y
				got := float64(r.ink[j*w+i]) - float64(firstInk)
				tolerance := 0.51
				if len(test.mesh.Cells) > 1e5 {
					tolerance = 5 // such a cell has one ink
				}
				if math.Abs(got-want) > tolerance {
					t.Fatalf("%s: sample (%d, %d) is %g, want %g", test.name, i, j, got, want)
				}
			}
		}
	}
}

func TestSmoothClampsToTheScale(t *testing.T) {
	r := newRaster(10, 1)
	r.shaded([3]point{{0, 0}, {10, 0}, {5, 90}}, [3]float64{-50, 50, 0}, 20)
	if first, last := r.ink[0], r.ink[9]; first != firstInk || last != firstInk+20 {
		t.Errorf("ends are %d and %d", first-firstInk, last-firstInk)
	}
}
