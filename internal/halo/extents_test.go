package halo

import (
	"reflect"
	"testing"
)

func TestExtents(t *testing.T) {
	halo := []Layer{{2, 1}, {3, 0}}
	for _, test := range []struct {
		e     Extents
		total int
		wrong string
		twice Extents
	}{
		{All(0), 0, "", All(0)},
		{All(5), 5, "", All(10)},
		{Extents{3, 5, halo}, 11, "", Extents{6, 10, []Layer{{4, 2}, {6, 0}}}},
		{Extents{Core: 6, Owned: 5}, 5, "a core of 6 elements, of 5 that are owned", Extents{Core: 12, Owned: 10}},
		{Extents{0, 0, []Layer{{0, -1}}}, -1, "layer 1 of the halo has 0 and -1 elements", Extents{0, 0, []Layer{{0, -2}}}},
	} {
		wrong := ""
		if err := test.e.Check(); err != nil {
			wrong = err.Error()
		}
		if wrong != test.wrong || test.e.Total() != test.total || !reflect.DeepEqual(test.e.Times(2), test.twice) {
			t.Errorf("%+v: total %d, %q, twice %+v", test.e, test.e.Total(), wrong, test.e.Times(2))
		}
	}
}
