package lower_test

import (
	"testing"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

func TestSuits(t *testing.T) {
	direct := func(access loop.Access, d int) loop.Arg { return arg(access, d, loop.Direct, 0) }
	through := func(access loop.Access, d int) loop.Arg { return arg(access, d, 0, 0) }
	mat := func(access loop.Access) loop.Arg { return loop.Arg{Kind: loop.Mat, Access: access, Data: 4, Map: 0} }
	for _, test := range []struct {
		name                        string
		args                        []loop.Arg
		atomically, narrow, gathers bool // narrow: atomically, with operations on 4 bytes alone
	}{
		{"nothing collides", []loop.Arg{through(loop.Read, 0), direct(loop.Inc, 1)}, false, false, false},
		{"one dat of 8 bytes", []loop.Arg{through(loop.Inc, 0), through(loop.Inc, 0), direct(loop.Read, 1)}, true, false, true},
		{"one dat of 4 bytes", []loop.Arg{through(loop.Inc, 2), {Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct}}, true, true, true},
		{"values of 2 bytes", []loop.Arg{through(loop.Inc, 3)}, false, false, true},
		{"two dats", []loop.Arg{through(loop.Inc, 0), through(loop.Inc, 1)}, true, false, false},
		{"a dat on the set itself", []loop.Arg{through(loop.Inc, 2), direct(loop.Inc, 0)}, true, true, false},
		{"a global", []loop.Arg{through(loop.Inc, 2), global(loop.Inc, 5)}, true, true, false},
		{"a maximum", []loop.Arg{through(loop.Max, 0)}, true, false, false},
		{"rw", []loop.Arg{through(loop.RW, 0)}, false, false, false},
		{"a matrix that is added to", []loop.Arg{mat(loop.Inc)}, true, false, false},
		{"a matrix that is written", []loop.Arg{mat(loop.Write), through(loop.Inc, 2)}, true, true, false},
	} {
		l := &loop.Loop{Args: test.args, Maps: []loop.Map{{Arity: 2}}, Data: []loop.Data{
			dat(loop.Float64, 1), dat(loop.Float64, 1), dat(loop.Float32, 1), dat(loop.Int16, 1),
			{Kind: loop.Mat, Type: loop.Float64, Dim: 1, ColDim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 1},
		}}
		got := []bool{lower.Atomically.Suits(l, true), lower.Atomically.Suits(l, false), lower.Gathers.Suits(l, true), lower.Last.Suits(l, false)}
		for i, want := range []bool{test.atomically, test.narrow, test.gathers, true} {
			if got[i] != want {
				t.Errorf("%s: %s: %v", test.name, []string{"atomically", "without 8 bytes", "gathers", "last"}[i], got[i])
			}
		}
	}
}
