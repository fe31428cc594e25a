package plot

import "testing"

func TestMend(t *testing.T) {
	r := art(
		"aa.bb...",
		"aa.bb...",
		".....b..",
		"aaa.bb..",
		"aaaa.b.b",
	)
	mend(r)
	want := art(
		"aaabb...",
		"aaabb...",
		"aaa.bb..",
		"aaaabb..",
		"aaaaabbb",
	)
	if r.String() != want.String() {
		t.Errorf("got\n%swant\n%s", r, want)
	}
}

func TestFillBodies(t *testing.T) {
	for _, test := range []struct {
		name      string
		inside    bool // what is said of patches that reach the rim
		art, want []string
	}{
		{"a hole", false,
			[]string{
				".......",
				".aaaaa.",
				".a..aa.",
				".aa..a.",
				".aaaaa.",
			}, []string{
				".......",
				".aaaaa.",
				".a##aa.",
				".aa##a.",
				".aaaaa.",
			}},
		{"a bay is no hole", false,
			[]string{
				"aaaaa",
				"a..aa",
				"aa...",
				"aaaaa",
			}, []string{
				"aaaaa",
				"a..aa",
				"aa...",
				"aaaaa",
			}},
		{"a spiral leads out", false,
			[]string{
				"aaaaaaa",
				"a.....a",
				"a.aaa.a",
				"a.a...a",
				"a.aaaaa",
				"a......",
				"aaaaaaa",
			}, []string{
				"aaaaaaa",
				"a.....a",
				"a.aaa.a",
				"a.a...a",
				"a.aaaaa",
				"a......",
				"aaaaaaa",
			}},
		{"corners do not connect", false,
			[]string{
				".aa",
				"a.a",
				"aaa",
			}, []string{
				".aa",
				"a#a",
				"aaa",
			}},
		{"a hole that the frame cuts", true,
			[]string{
				"aaaa",
				"aa..",
				"aa..",
			}, []string{
				"aaaa",
				"aa##",
				"aa##",
			}},
	} {
		r := art(test.art...)
		fillBodies(r, true, func(point) bool { return test.inside })
		if want := art(test.want...); r.String() != want.String() {
			t.Errorf("%s:\n%swant\n%s", test.name, r, want)
		}
	}
}

// What four bars that overlap enclose is no hole of the mesh: each is a part of its own. Where they are one, it is.
func TestWhatPartsEnclose(t *testing.T) {
	bars := [][4]float64{{0, 0, 4, 1}, {0, 3, 4, 4}, {0, 0, 1, 4}, {3, 0, 4, 4}}
	apart := Mesh{Corners: 4}
	for i, b := range bars {
		d := 0.01 * float64(i) // no corners coincide
		n := int32(4 * i)
		apart.XY = append(apart.XY, b[0]+d, b[1]+d, b[2]+d, b[1]+d, b[2]+d, b[3]+d, b[0]+d, b[3]+d)
		apart.Cells = append(apart.Cells, n, n+1, n+2, n+3)
	}
	one := Mesh{Corners: 4, XY: []float64{0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 3, 1, 3, 3, 1, 3},
		Cells: []int32{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7}}
	for _, test := range []struct {
		name string
		mesh Mesh
		hole bool
	}{
		{"apart", apart, false}, {"one", one, true},
	} {
		picture, err := Draw(Field{Mesh: test.mesh, Values: []float64{1, 2, 3, 4}}, Options{View: Rect{-1, -1, 5, 5}, Width: 600})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for y := range picture.Rect.Dy() {
			for x := range picture.Rect.Dx() {
				if picture.RGBAAt(x, y) == bodyColor {
					found++
				}
			}
		}
		if (found > 1000) != test.hole {
			t.Errorf("%s: %d pixels in the color of bodies", test.name, found)
		}
	}
}
