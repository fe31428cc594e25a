package kernel_test

import (
	"reflect"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

func TestTypeOf(t *testing.T) {
	type point struct{ X, Y float64 }
	type state struct {
		Density  float64
		Velocity [2]point
		Phase    complex64
	}
	l, err := loop.LayoutOf(reflect.TypeFor[state]())
	if err != nil {
		t.Fatal(err)
	}
	of := kernel.TypeOf(l)
	velocity, before := of.(*kernel.Struct).Field("Velocity")
	if of.String() != "state" || velocity.String() != "[2]point" || before != 1 || kernel.Count(of) != 7 {
		t.Errorf("got %s with %s after %d", of, velocity, before)
	}
	for _, test := range []struct {
		like reflect.Type
		same bool
	}{
		{reflect.TypeFor[struct {
			Density  float64
			Velocity [2]struct{ X, Y float64 }
			Phase    complex64
		}](), true},
		{reflect.TypeFor[struct {
			Density  float64
			Velocity [2]struct{ Y, X float64 }
			Phase    complex64
		}](), false},
		{reflect.TypeFor[struct {
			Density  float64
			Velocity [3]point
			Phase    complex64
		}](), false},
		{reflect.TypeFor[struct {
			Density  float64
			Velocity [2]point
			Phase    complex128
		}](), false},
		{reflect.TypeFor[point](), false},
		{reflect.TypeFor[float64](), false},
	} {
		l, err := loop.LayoutOf(test.like)
		if err != nil {
			t.Fatal(err)
		}
		if got := kernel.Same(of, kernel.TypeOf(l)); got != test.same {
			t.Errorf("%s: got %t", l, got)
		}
	}
}
