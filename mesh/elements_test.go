package mesh

import (
	"slices"
	"testing"
)

func TestNACA0012Elements(t *testing.T) {
	const i, j = 8, 5
	e, err := NACA0012Elements(i, j)
	if err != nil {
		t.Fatal(err)
	}
	if want := (3*i+1)*(j+1) - (i + 1); e.Nodes != want || len(e.XY) != 2*want {
		t.Fatalf("%d nodes, %d coordinates, want %d nodes", e.Nodes, len(e.XY), want)
	}
	if e.Cells != 3*i*j || len(e.CellNodes) != 4*e.Cells {
		t.Fatalf("%d cells with %d corners, want %d cells", e.Cells, len(e.CellNodes), 3*i*j)
	}
	places := map[[2]float64]int{}
	for n := range e.Nodes {
		at := [2]float64{e.XY[2*n], e.XY[2*n+1]}
		if other, twice := places[at]; twice {
			t.Errorf("nodes %d and %d are both at %v", other, n, at)
		}
		places[at] = n
	}

	// The cells are those of the finite volumes, in another order of corners.
	v, err := NACA0012(i, j)
	if err != nil {
		t.Fatal(err)
	}
	for c := range e.Cells {
		for k, corner := range []int{0, 1, 3, 2} {
			n, m := e.CellNodes[4*c+k], v.CellNodes[4*c+corner]
			if e.XY[2*n] != v.XY[2*m] || e.XY[2*n+1] != v.XY[2*m+1] {
				t.Fatalf("corner %d of cell %d is at %v, want %v", k, c, e.XY[2*n:2*n+2], v.XY[2*m:2*m+2])
			}
		}
	}

	// The far field is what boundary edges of that kind touch.
	want := map[[2]float64]bool{}
	for b, kind := range v.Bound {
		for _, n := range v.BedgeNodes[2*b : 2*b+2] {
			if kind == FarField {
				want[[2]float64{v.XY[2*n], v.XY[2*n+1]}] = true
			}
		}
	}
	if len(e.FarField) != len(want) || !slices.IsSorted(e.FarField) {
		t.Errorf("%d nodes of the far field, want %d", len(e.FarField), len(want))
	}
	for _, n := range e.FarField {
		if at := [2]float64{e.XY[2*n], e.XY[2*n+1]}; !want[at] {
			t.Errorf("node %d at %v is not on the far field", n, at)
		}
	}
}

func TestNACA0012ElementsRefused(t *testing.T) {
	if _, err := NACA0012Elements(1, 1); err == nil {
		t.Error("a mesh of one cell along the airfoil is made")
	}
}
