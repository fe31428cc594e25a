package kernel_test

import (
	"reflect"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

func TestCTypes(t *testing.T) {
	type point struct{ X, Y float64 }
	type state struct {
		Density  float32
		Velocity [2]point
		On       bool
	}
	l, err := loop.LayoutOf(reflect.TypeFor[[3]state]())
	if err != nil {
		t.Fatal(err)
	}
	const points = "typedef struct point { double X; double Y; } point; "
	const states = "typedef struct state { float Density; struct point Velocity[2]; bool On; } state; "
	for _, test := range []struct{ source, want string }{
		{"void k(const state *q) { }", points + states},
		{"void k(double *q) { point p; }", points},
		{"void k(double *states) { }", ""},
		{"typedef struct { double X, Y; } point; void k(state *q) { }", states},
		{"struct state { int a; }; void k(struct state *q) { }", ""},
	} {
		if got := kernel.CTypes(test.source, []kernel.Type{kernel.TypeOf(l)}, nil); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.source, got, test.want)
		}
	}
	for source, want := range map[string]bool{
		"struct state { int a; };":                      true,
		"typedef struct state { int a; } state;":        false,
		"struct state { }; typedef struct state state;": false,
	} {
		if got := kernel.OnlyTag(source, "state"); got != want {
			t.Errorf("%s: %t", source, got)
		}
	}
}
