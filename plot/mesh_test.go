package plot

import (
	"math"
	"slices"
	"testing"
)

// grid returns a mesh of nx by ny quadrilaterals on [x0, x1] x [y0, y1],
// without the cells whose middles are in hole.
func grid(nx, ny int, r Rect, hole func(x, y float64) bool) Mesh {
	m := Mesh{Corners: 4}
	for j := range ny + 1 {
		for i := range nx + 1 {
			m.XY = append(m.XY,
				r.X0+r.width()*float64(i)/float64(nx),
				r.Y0+r.height()*float64(j)/float64(ny))
		}
	}
	for j := range ny {
		for i := range nx {
			x := r.X0 + r.width()*(float64(i)+0.5)/float64(nx)
			y := r.Y0 + r.height()*(float64(j)+0.5)/float64(ny)
			if hole != nil && hole(x, y) {
				continue
			}
			a := int32(j*(nx+1) + i)
			b := a + int32(nx) + 1
			m.Cells = append(m.Cells, a, a+1, b+1, b)
		}
	}
	return m
}

// wing returns an O-mesh from a symmetric airfoil with its nose at (0, 0) and
// its tail at (1, 0) to a circle of radius 3 about (0.5, 0). With a cut, the
// nodes along one line from the tail on are there twice.
func wing(around, outwards int, cut bool) Mesh {
	m := Mesh{Corners: 4}
	columns := around
	if cut {
		columns++
	}
	for j := range outwards + 1 {
		s := float64(j) / float64(outwards)
		s *= s
		for i := range columns {
			sin, cos := math.Sincos(2 * math.Pi * float64(i%around) / float64(around))
			x := (1 + cos) / 2
			y := 0.1 * sin * math.Sqrt(max(1-x, 0)) // round nose, sharp tail
			m.XY = append(m.XY, x+s*(0.5+3*cos-x), y+s*(3*sin-y))
		}
	}
	for j := range outwards {
		for i := range around {
			a, b := int32(j*columns+i), int32(j*columns+(i+1)%columns)
			m.Cells = append(m.Cells, a, b, b+int32(columns), a+int32(columns))
		}
	}
	return m
}

// unitSquare is two triangles, one clockwise.
var unitSquare = Mesh{
	XY:      []float64{0, 0, 1, 0, 1, 1, 0, 1},
	Cells:   []int32{0, 1, 2, 0, 3, 2},
	Corners: 3,
}

func TestMeshArea(t *testing.T) {
	if got := unitSquare.area(0); got != 0.5 {
		t.Errorf("counter-clockwise: %g", got)
	}
	if got := unitSquare.area(1); got != -0.5 {
		t.Errorf("clockwise: %g", got)
	}
	far := Mesh{XY: []float64{1e8, 1e8, 1e8 + 1, 1e8, 1e8 + 1, 1e8 + 1, 1e8, 1e8 + 1}, Cells: []int32{0, 1, 2, 3}, Corners: 4}
	if got := far.area(0); got != 1 {
		t.Errorf("far from the origin: %g", got)
	}
}

func TestMeshFrame(t *testing.T) {
	if got, want := unitSquare.frame(), (Rect{0, 0, 1, 1}); got != want {
		t.Errorf("rectangle: %v, want %v", got, want)
	}
	triangle := Mesh{XY: []float64{0, 0, 1, 0, 0, 1, 9, 9}, Cells: []int32{0, 1, 2}, Corners: 3}
	if got, want := triangle.frame(), (Rect{-0.03, -0.03, 1.03, 1.03}); got != want {
		t.Errorf("triangle and a node of no cell: %v, want %v", got, want)
	}
}

func TestMergeNodes(t *testing.T) {
	got := mergeNodes([]float64{0, 0, 1, 0, math.Copysign(0, -1), 0, 0, 1, 1, 0, 1, 0})
	for n, want := range []int32{0, 1, 0, 3, 1, 1} {
		if got[n] != want {
			t.Errorf("node %d: %d, want %d", n, got[n], want)
		}
	}
}

// What lies behind other cells of a projected mesh is hidden, with its edges, and the axes have no numbers.
func TestProjected(t *testing.T) {
	square := Mesh{XY: []float64{0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 2, 1, 2, 2, 1, 2, 9, 9}, Cells: []int32{0, 1, 2, 3}, Corners: 4}
	both := square
	both.Cells = []int32{4, 5, 6, 7, 0, 1, 2, 3}
	o := Options{Width: 400, Height: 300, Min: 0, Max: 1, Edges: true, Projected: true}
	draw := func(m Mesh, values []float64, o Options) []uint8 {
		picture, err := Draw(Field{Mesh: m, Values: values}, o)
		if err != nil {
			t.Fatal(err)
		}
		return picture.Pix
	}
	alone := draw(square, []float64{1}, o)
	if !slices.Equal(draw(both, []float64{0, 1}, o), alone) {
		t.Error("a hidden cell is seen")
	}
	o.Projected = false
	if slices.Equal(draw(square, []float64{1}, o), alone) {
		t.Error("axes of projected coordinates have numbers")
	}
}
