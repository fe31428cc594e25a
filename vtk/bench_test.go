package vtk

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-op2/op2/mesh"
)

// BenchmarkSeries writes steps of a million triangles with a scalar on the cells and a vector on the nodes. "call" is
// what a step costs a program that computes long enough, "step" all of the work.
func BenchmarkSeries(b *testing.B) {
	const nx, ny = 1000, 500
	m := &mesh.Mesh{Dim: 2}
	for j := range int32(ny + 1) {
		for i := range int32(nx + 1) {
			m.Points = append(m.Points, float64(i)/nx, float64(j)/nx)
		}
	}
	var triangles []int32
	for j := range int32(ny) {
		for i := range int32(nx) {
			n := i + j*(nx+1)
			triangles = append(triangles, n, n+1, n+nx+2, n, n+nx+2, n+nx+1)
		}
	}
	m.Blocks = []mesh.Block{{Kind: mesh.Triangle, Nodes: triangles}}
	h, u := make([]float64, m.Cells()), make([]float64, 2*m.Nodes())
	for i := range h {
		h[i] = math.Sin(float64(i) / 1e5)
	}
	for i := range u {
		u[i] = math.Cos(float64(i) / 1e5)
	}
	for _, c := range []struct {
		name    string
		wait    bool
		options []Option
	}{{"call", false, nil}, {"step", true, nil}, {"step/single", true, []Option{Single()}}, {"step/text", true, []Option{Text()}}} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s")
			s, err := NewSeries(path, m, c.options...)
			if err != nil {
				b.Fatal(err)
			}
			t := 0.0
			for b.Loop() {
				t++
				if err := s.Write(t, CellValues("h", h), NodeValues("u", u)); err != nil {
					b.Fatal(err)
				}
				if !c.wait {
					b.StopTimer()
				}
				if err := s.wait(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			info, err := os.Stat(path + "/s_000000.vtu")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/1e6, "MB")
		})
	}
}
