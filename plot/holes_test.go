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
		fillBodies(r, func(point) bool { return test.inside })
		if want := art(test.want...); r.String() != want.String() {
			t.Errorf("%s:\n%swant\n%s", test.name, r, want)
		}
	}
}
