package loop

import (
	"fmt"
	"reflect"
	"testing"
)

type (
	pressure float64
	vector   struct{ X, Y float64 }
	state    struct {
		Density  pressure
		Velocity [2]vector
	}
	nearest struct {
		Distance float64
		Cell     int32
		Inside   bool
	}
)

func TestLayout(t *testing.T) {
	for _, test := range []struct {
		of      reflect.Type
		text    string
		meaning string
		carrier string
	}{
		{reflect.TypeFor[pressure](), "pressure", "{float64@0; 8}", "1 float64"},
		{reflect.TypeFor[[3]int16](), "[3]int16", "{int16@0 int16@2 int16@4; 6}", "3 int16"},
		{reflect.TypeFor[state](), "state", "{float64@0 float64@8 float64@16 float64@24 float64@32; 40}", "5 float64"},
		{reflect.TypeFor[nearest](), "nearest", "{float64@0 int32@8 bool@12; 16}", "2 uint64"},
		{reflect.TypeFor[struct{ A, B bool }](), "struct{A bool; B bool}", "{bool@0 bool@1; 2}", "2 bool"},
		{reflect.TypeFor[struct {
			A int16
			B bool
		}](), "struct{A int16; B bool}", "{int16@0 bool@2; 4}", "2 uint16"},
		{reflect.TypeFor[complex64](), "complex64", "{float32@0 float32@4; 8}", "2 float32"},
	} {
		l, err := LayoutOf(test.of)
		if err != nil {
			t.Errorf("%s: %v", test.of, err)
			continue
		}
		scalar, n := l.Carrier()
		if got := fmt.Sprint(n, " ", scalar); l.String() != test.text || l.Meaning() != test.meaning || got != test.carrier {
			t.Errorf("got %s, %s, moved as %s, want %s, %s, %s", l, l.Meaning(), got, test.text, test.meaning, test.carrier)
		}
	}
	l, _ := LayoutOf(reflect.TypeFor[[2]state]())
	if leaf := l.Leaves()[8]; leaf != (Leaf{"[1].Velocity[1].X", 64, Float64}) {
		t.Errorf("got %+v", leaf)
	}
}

func TestLayoutRefuses(t *testing.T) {
	for _, test := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[string](), "string is not plain: values are numbers, bools, and arrays and structs of these"},
		{reflect.TypeFor[struct{ A [2]struct{ Next *int } }](), "A[0].Next is *int, which is not plain: values are numbers, bools, and arrays and structs of these"},
		{reflect.TypeFor[[0]int8](), "[0]int8 holds nothing"},
		{reflect.TypeFor[struct{ A struct{} }](), "A is struct {}, which holds nothing"},
		{reflect.TypeFor[[1 << 17]int8](), "[131072]int8 holds 131072 numbers, at most 65536 are possible"},
	} {
		if _, err := LayoutOf(test.of); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
