package main

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/plot"
)

// draw draws the particles as dots in the color of their age.
func draw(path string, living []particle, step int32) error {
	const corners, radius = 8, 0.012
	f := plot.Field{Mesh: plot.Mesh{Corners: corners}}
	for _, p := range living {
		f.Values = append(f.Values, dt*float64(step-p.Born))
		for i := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			f.Mesh.Cells = append(f.Mesh.Cells, int32(len(f.Mesh.XY)/2))
			f.Mesh.XY = append(f.Mesh.XY, p.X[0]+radius*cos, p.X[1]+radius*sin)
		}
	}
	return plot.WriteFile(path, f, plot.Options{
		Title:    "Particles in a jet that hits a wall",
		Subtitle: fmt.Sprintf("%d of them, at t = %.3g", len(living), dt*float64(step)),
		Label:    "time since birth",
		View:     plot.Rect{X0: -length / 2, X1: length / 2, Y0: -2 * radius, Y1: height + 2*radius},
	})
}
