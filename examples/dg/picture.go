package main

import (
	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// pressure returns the pressure on 16 parts of each triangle of the mesh that a function makes: it differs at an edge from
// cell to cell, and inside is not linear. It is collective, and for rank 0, which alone needs the whole mesh.
func (s *sound) pressure(room func() (*mesh.Mesh, error)) (plot.Field, error) {
	const points = 15
	samples := op2.NewDat[float64](s.cells, points, nil, "samples")
	if err := op2.ParLoop(s.source.Func(s.k.sample), s.cells, s.u.Read(), samples.Write()); err != nil {
		return plot.Field{}, err
	}
	var err error
	f := plot.Field{Mesh: plot.Mesh{Corners: 3}}
	if f.Values, err = samples.Gather(0); f.Values == nil || err != nil {
		return plot.Field{}, err
	}
	m, err := room()
	if err != nil {
		return plot.Field{}, err
	}
	nodes := m.Blocks[0].Nodes
	for c := range m.Cells() {
		o, a, b := m.Point(nodes[3*c]), m.Point(nodes[3*c+1]), m.Point(nodes[3*c+2])
		row := int32(c * points) // the first point in a row of them, as sample3 has them
		for j := range 5 {
			for i := range 5 - j {
				for k := range 2 { // rounded alike in both cells of an edge
					f.Mesh.XY = append(f.Mesh.XY, (float64(4-i-j)*o[k]+float64(i)*a[k]+float64(j)*b[k])/4)
				}
				p, above := row+int32(i), row+int32(i+5-j)
				if i < 4-j {
					f.Mesh.Cells = append(f.Mesh.Cells, p, p+1, above)
				}
				if i > 0 && i < 4-j {
					f.Mesh.Cells = append(f.Mesh.Cells, p, above, above-1)
				}
			}
			row += int32(5 - j)
		}
	}
	return f, nil
}
