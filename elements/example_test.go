package elements_test

import (
	_ "embed"
	"fmt"
	"log"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/elements"
	"github.com/go-op2/op2/mesh"
)

//go:embed example_test.go
var exampleSource string

// moments adds a triangle's area, and the integral of x² over it. Its sides may be curved.
func moments(x *[6][2]float64, area, square *float64) {
	for q := range 6 {
		r, s, w := elements.GaussTriangle6(q)
		n, d := elements.TriangleP2(r, s)
		var g [6][2]float64
		w *= elements.Gradients2(x[:], d[:], g[:])
		place := elements.Value2(n[:], x[:])
		*area += w
		*square += w * place[0] * place[0]
	}
}

// A kernel that integrates over a disc of curved triangles.
func Example() {
	onCircle := func(group string, p []float64) {
		r := math.Hypot(p[0], p[1])
		p[0], p[1] = p[0]/r, p[1]/r
	}
	m, err := mesh.Disc(mesh.Triangle, 20, 1)
	if err != nil {
		log.Fatal(err)
	}
	if m, err = m.Quadratic(onCircle); err != nil {
		log.Fatal(err)
	}
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	disc := m.Declare(rt)
	area, square := op2.NewGlobal(rt, []float64{0}, "area"), op2.NewGlobal(rt, []float64{0}, "square")
	kernel := op2.Kernels(exampleSource).Func(moments)
	if err := op2.ParLoop(kernel, disc.Cells, disc.X.Read(disc.CellNodes), area.Inc(), square.Inc()); err != nil {
		log.Fatal(err)
	}
	a, _ := area.Value()
	b, _ := square.Value()
	fmt.Printf("area %.5f, π is %.5f; second moment %.5f, π/4 is %.5f\n", a, math.Pi, b, math.Pi/4)
	// Output: area 3.14159, π is 3.14159; second moment 0.78540, π/4 is 0.78540
}

// Functions are those of any point of a cell: here the middle of a tetrahedron.
func ExampleTetrahedronP1() {
	n, d := elements.TetrahedronP1(0.25, 0.25, 0.25)
	x := [][3]float64{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}
	var g [4][3]float64
	det := elements.Gradients3(x, d[:], g[:])
	fmt.Println("the middle is", elements.Value3(n[:], x), "the volume", det/6)
	fmt.Println("the gradient of the last function is", g[3])
	// Output:
	// the middle is [0.5 0.5 0.5] the volume 1.3333333333333333
	// the gradient of the last function is [0 0 0.5]
}
