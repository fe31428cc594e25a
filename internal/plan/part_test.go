package plan

import (
	"reflect"
	"strings"
	"testing"
)

func TestPart(t *testing.T) {
	in := ring()
	in.Boundaries = []int{3} // blocks 0-1, 2, 3-4, 5 have the colors 0, 1, 2, 3
	in.Last, in.BlockSize = 6, 2
	p := mustBuild(t, in)
	if want := []int32{0, 2, 3, 5, 6}; !reflect.DeepEqual(p.BlockOffsets, want) {
		t.Fatalf("blocks %v, want %v", p.BlockOffsets, want)
	}
	p.Colors, p.ColorOffsets, p.BlocksByColor = 2, []int32{0, 2, 4}, []int32{0, 2, 1, 3}
	for _, test := range []struct {
		first, last int
		want        Part
		largest     int
	}{
		{0, 6, Part{0, 4, [][2]int32{{0, 2}, {2, 4}}}, 2},
		{0, 3, Part{0, 2, [][2]int32{{0, 1}, {2, 3}}}, 1},
		{3, 6, Part{2, 4, [][2]int32{{1, 2}, {3, 4}}}, 1},
		{3, 5, Part{2, 3, [][2]int32{{1, 2}}}, 1},
		{3, 3, Part{2, 2, nil}, 1},
	} {
		got, err := p.Part(test.first, test.last)
		if err != nil || !reflect.DeepEqual(*got, test.want) || got.LargestColor() != test.largest {
			t.Errorf("[%d, %d): got %+v, %v, want %+v", test.first, test.last, got, err, test.want)
		}
	}
	for _, wrong := range [][2]int{{0, 1}, {1, 3}, {3, 0}, {0, 7}, {-1, 3}} {
		if _, err := p.Part(wrong[0], wrong[1]); err == nil || !strings.Contains(err.Error(), "blocks have other boundaries") {
			t.Errorf("%v: got %v", wrong, err)
		}
	}
}
