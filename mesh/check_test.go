package mesh

import (
	"math"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Airfoil)
		want  string
	}{
		{"negative count", func(m *Airfoil) { m.Cells = -1 },
			"mesh: Cells: expected a count from 0 to 2147483647, found -1"},
		{"too few coordinates", func(m *Airfoil) { m.XY = m.XY[:27] },
			"mesh: XY: expected 28 values for 14 nodes, found 27"},
		{"no coordinates", func(m *Airfoil) { m.XY = nil },
			"mesh: XY: expected 28 values for 14 nodes, found 0"},
		{"too many cell nodes", func(m *Airfoil) { m.Cells-- },
			"mesh: CellNodes: expected 20 values for 5 cells, found 24"},
		{"too few edge nodes", func(m *Airfoil) { m.EdgeNodes = m.EdgeNodes[2:] },
			"mesh: EdgeNodes: expected 14 values for 7 edges, found 12"},
		{"too few edge cells", func(m *Airfoil) { m.EdgeCells = m.EdgeCells[2:] },
			"mesh: EdgeCells: expected 14 values for 7 edges, found 12"},
		{"too few boundary edge nodes", func(m *Airfoil) { m.BedgeNodes = m.BedgeNodes[1:] },
			"mesh: BedgeNodes: expected 20 values for 10 boundary edges, found 19"},
		{"too few boundary cells", func(m *Airfoil) { m.BedgeCell = m.BedgeCell[1:] },
			"mesh: BedgeCell: expected 10 values for 10 boundary edges, found 9"},
		{"too many bounds", func(m *Airfoil) { m.Bound = append(m.Bound, Wall) },
			"mesh: Bound: expected 10 values for 10 boundary edges, found 11"},
		{"not a number", func(m *Airfoil) { m.XY[3] = math.NaN() },
			"mesh: XY[3]: expected a finite coordinate, found NaN"},
		{"infinite", func(m *Airfoil) { m.XY[27] = math.Inf(-1) },
			"mesh: XY[27]: expected a finite coordinate, found -Inf"},
		{"negative node", func(m *Airfoil) { m.CellNodes[7] = -1 },
			"mesh: CellNodes[7]: expected a node index in [0,14), found -1"},
		{"node beyond the last", func(m *Airfoil) { m.EdgeNodes[0] = 14 },
			"mesh: EdgeNodes[0]: expected a node index in [0,14), found 14"},
		{"cell beyond the last", func(m *Airfoil) { m.EdgeCells[1] = 6 },
			"mesh: EdgeCells[1]: expected a cell index in [0,6), found 6"},
		{"boundary node beyond the last", func(m *Airfoil) { m.BedgeNodes[5] = math.MaxInt32 },
			"mesh: BedgeNodes[5]: expected a node index in [0,14), found 2147483647"},
		{"boundary cell beyond the last", func(m *Airfoil) { m.BedgeCell[9] = 6 },
			"mesh: BedgeCell[9]: expected a cell index in [0,6), found 6"},
		{"unknown bound", func(m *Airfoil) { m.Bound[1] = 0 },
			"mesh: Bound[1]: expected 1 (wall) or 2 (far field), found 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mustNACA0012(t, 2, 1)
			tt.spoil(m)
			if err := m.Check(); err == nil || err.Error() != tt.want {
				t.Errorf("Check: %v\nwant:  %s", err, tt.want)
			}
			var b strings.Builder
			if err := m.Write(&b); err == nil || err.Error() != tt.want || b.Len() > 0 {
				t.Errorf("Write: %v, after %d bytes\nwant:  %s", err, b.Len(), tt.want)
			}
		})
	}
}

func TestCheckEmpty(t *testing.T) {
	if err := new(Airfoil).Check(); err != nil {
		t.Error(err)
	}
}
