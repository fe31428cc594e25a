package mesh

import (
	"fmt"
	"math"
)

// Check returns an error that names the first problem with the mesh, or nil. It checks that the
// counts fit an int32, that each slice has the length that its count requires, that indices are in
// range, that coordinates are finite, and that Bound holds nothing but [Wall] and [FarField]. It
// does not check the geometry.
func (m *Airfoil) Check() error {
	for _, c := range []struct {
		name  string
		count int
	}{
		{"Nodes", m.Nodes}, {"Cells", m.Cells}, {"Edges", m.Edges}, {"Bedges", m.Bedges},
	} {
		if c.count < 0 || c.count > math.MaxInt32 {
			return fmt.Errorf("mesh: %s: expected a count from 0 to %d, found %d", c.name, math.MaxInt32, c.count)
		}
	}
	if err := checkLength("XY", len(m.XY), m.Nodes, 2, "nodes"); err != nil {
		return err
	}
	for k, x := range m.XY {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("mesh: XY[%d]: expected a finite coordinate, found %v", k, x)
		}
	}
	for _, s := range []struct {
		name   string
		values []int32
		count  int
		per    int
		of     string
		target string
		limit  int
	}{
		{"CellNodes", m.CellNodes, m.Cells, 4, "cells", "node", m.Nodes},
		{"EdgeNodes", m.EdgeNodes, m.Edges, 2, "edges", "node", m.Nodes},
		{"EdgeCells", m.EdgeCells, m.Edges, 2, "edges", "cell", m.Cells},
		{"BedgeNodes", m.BedgeNodes, m.Bedges, 2, "boundary edges", "node", m.Nodes},
		{"BedgeCell", m.BedgeCell, m.Bedges, 1, "boundary edges", "cell", m.Cells},
	} {
		if err := checkLength(s.name, len(s.values), s.count, s.per, s.of); err != nil {
			return err
		}
		for k, v := range s.values {
			if v < 0 || int(v) >= s.limit {
				return fmt.Errorf("mesh: %s[%d]: expected a %s index in [0,%d), found %d",
					s.name, k, s.target, s.limit, v)
			}
		}
	}
	if err := checkLength("Bound", len(m.Bound), m.Bedges, 1, "boundary edges"); err != nil {
		return err
	}
	for k, b := range m.Bound {
		if b != Wall && b != FarField {
			return fmt.Errorf("mesh: Bound[%d]: expected %d (wall) or %d (far field), found %d",
				k, Wall, FarField, b)
		}
	}
	return nil
}

func checkLength(name string, length, count, per int, of string) error {
	if int64(length) != int64(count)*int64(per) {
		return fmt.Errorf("mesh: %s: expected %d values for %d %s, found %d",
			name, int64(count)*int64(per), count, of, length)
	}
	return nil
}
