package plot_test

import (
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"github.com/go-op2/op2/plot"
)

// The potential flow around a cylinder, on a ring of quadrilaterals.
func ExampleWriteFile() {
	const around, outwards = 120, 40
	mesh := plot.Mesh{Corners: 4}
	var speed []float64
	for j := range outwards + 1 {
		r := math.Pow(4, float64(j)/outwards)
		for i := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / around)
			mesh.XY = append(mesh.XY, r*cos, r*sin)
			u := 1 - (cos*cos-sin*sin)/(r*r)
			v := -2 * sin * cos / (r * r)
			speed = append(speed, math.Hypot(u, v))
		}
	}
	for j := range outwards {
		for i := range around {
			a, b := int32(j*around+i), int32(j*around+(i+1)%around)
			mesh.Cells = append(mesh.Cells, a, b, b+around, a+around)
		}
	}

	dir, err := os.MkdirTemp("", "plot")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "cylinder.png")
	err = plot.WriteFile(path, plot.Field{Mesh: mesh, Values: speed}, plot.Options{
		Title:    "Flow around a cylinder",
		Subtitle: "potential flow",
		Label:    "Speed / free stream",
		View:     plot.Rect{X0: -2.5, Y0: -1.5, X1: 2.5, Y1: 1.5},
		Smooth:   true,
		Contours: 10,
		Width:    400,
		Height:   300,
	})
	if err != nil {
		panic(err)
	}

	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	info, err := png.DecodeConfig(file)
	fmt.Println(info.Width, info.Height, err)
	// Output: 400 300 <nil>
}
