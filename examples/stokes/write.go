package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/shares"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/vtk"
)

// write writes velocity and pressure to a file for ParaView.
func (s settings) write(rt *op2.Runtime, m *mesh.Mesh, f *flow) error {
	if s.folder == "" {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	pressure, err := f.pressure()
	if err != nil {
		return err
	}
	path := filepath.Join(s.folder, shares.Name(s.problem, s.shares))
	if err := vtk.WriteFile(path, m, vtk.Nodes("velocity", f.u), vtk.Nodes("pressure", pressure)); err != nil {
		return err
	}
	fmt.Fprintf(rt.Output(os.Stderr), "results: %s\n", path)
	return nil
}

// pressure returns the pressure at all nodes.
func (f *flow) pressure() (*op2.Dat[float64], error) {
	p := op2.NewDat[float64](f.Nodes, 1, nil, "pressure")
	return p, op2.ParLoop(f.kernels.Func(atNodes), f.Cells, f.p.Read(f.CellCorners), p.Write(f.CellNodes))
}

// draw draws the speed and stream lines, on rank 0, which alone needs the whole mesh.
func (p problem) draw(path string, n int, f *flow) error {
	u, err := f.u.Gather(0)
	if err != nil || f.rt.Rank() != 0 {
		return err
	}
	m, err := p.mesh(n)
	if err != nil {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Corners: 3}, Vectors: u}
	for n := range m.Nodes() {
		field.Values = append(field.Values, math.Hypot(u[2*n], u[2*n+1]))
	}
	for c := range m.Cells() {
		n := m.Blocks[0].Element(c) // a triangle with mid-edge nodes: four triangles
		field.Mesh.Cells = append(field.Mesh.Cells, n[0], n[3], n[5], n[3], n[1], n[4], n[5], n[4], n[2], n[3], n[4], n[5])
	}
	o := p.plot
	o.Title, o.Subtitle, o.Label, o.Smooth = p.title, fmt.Sprintf("Stokes flow, %d triangles: quadratic velocity, linear pressure", m.Cells()), "speed", true
	if err := plot.WriteFile(path, field, o); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "picture: %s\n", path)
	return nil
}
