package loop_test

import (
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// Data that an element reaches in the same ways are alike, whatever the order of the arguments; a mat and a dat are not.
func TestAlike(t *testing.T) {
	arg := func(kind loop.Kind, d, m, component int) loop.Arg {
		return loop.Arg{Kind: kind, Data: d, Map: m, Component: component}
	}
	l := loop.Loop{
		Args: []loop.Arg{
			arg(loop.Mat, 0, 0, loop.All),
			arg(loop.Dat, 1, 0, 1), arg(loop.Dat, 1, 0, 0), arg(loop.Dat, 1, 0, 1),
			arg(loop.Dat, 2, 0, loop.All),
			arg(loop.Dat, 3, 0, 0),
			arg(loop.Dat, 4, 1, 2), arg(loop.Dat, 4, loop.Direct, 0),
			arg(loop.Dat, 5, loop.Direct, 0), arg(loop.Dat, 5, 1, 2),
		},
		Data: []loop.Data{{Kind: loop.Mat}, {Kind: loop.Dat}, {Kind: loop.Dat}, {Kind: loop.Dat}, {Kind: loop.Dat}, {Kind: loop.Dat}},
		Maps: []loop.Map{{Arity: 2}, {Arity: 3}},
	}
	var alike []int
	for d := range l.Data {
		alike = append(alike, l.Alike(d))
	}
	if want := []int{0, 1, 1, 3, 4, 4}; !slices.Equal(alike, want) {
		t.Errorf("got %v, want %v", alike, want)
	}
	if got, want := l.WaysTo(4), []loop.Way{{Map: loop.Direct}, {Map: 1, Component: 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
