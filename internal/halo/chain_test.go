package halo

import (
	"fmt"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// iteration returns the loops of one iteration of airfoil: q, qold, adt, res and x are dats 0 to 4.
func iteration() []Loop {
	direct := func(dat int, access loop.Access) Arg { return Arg{dat, access, false} }
	mapped := func(dat int, access loop.Access) Arg { return Arg{dat, access, true} }
	save := Loop{Args: []Arg{direct(0, loop.Read), direct(1, loop.Write)}}
	adt := Loop{Args: []Arg{mapped(4, loop.Read), direct(0, loop.Read), direct(2, loop.Write)}}
	res := Loop{Args: []Arg{mapped(4, loop.Read), mapped(0, loop.Read), mapped(2, loop.Read), mapped(3, loop.Inc)}}
	bres := Loop{Args: []Arg{mapped(4, loop.Read), mapped(0, loop.Read), mapped(2, loop.Read), mapped(3, loop.Inc)}}
	update := Loop{Args: []Arg{direct(1, loop.Read), direct(0, loop.Write), direct(3, loop.RW), direct(2, loop.Read)}}
	return []Loop{save, adt, res, bres, update, adt, res, bres, update}
}

// TestPlanChain checks how many exchanges an iteration takes with some layers of halo, what each loop
// executes, and what is received before.
func TestPlanChain(t *testing.T) {
	x := Values{Valid: 8}
	for _, test := range []struct {
		depth, chained int
		want           string // by exchange: prefixes executed, prefixes of dats before
	}{
		{1, 2, "[0 0] [0 0 0 0 8]; [1 1 0 0] [2 0 2 0 8]; [1 1 0] [2 0 2 0 8]; "},
		{2, 2, "[0 2 1 1 0 0] [2 0 0 0 8]; [1 1 0] [2 0 2 0 8]; "},
		{3, 1, "[2 4 3 3 2 2 1 1 0] [4 0 0 2 8]; "},
	} {
		got := ""
		dats := []Values{{}, {}, {}, {}, x}
		for _, e := range PlanChain(iteration(), dats, test.depth) {
			var executed []int
			for _, s := range e.Steps {
				executed = append(executed, s.Execute)
			}
			got += fmt.Sprint(executed, " ", e.Steps[0].Before, "; ")
		}
		if got != test.want {
			t.Errorf("%d layers: %s, want %s", test.depth, got, test.want)
		}
		if _, chained, apart := Repeated(iteration(), dats, test.depth); chained != test.chained || apart != 2 {
			t.Errorf("%d layers: %d exchanges, and %d loop by loop", test.depth, chained, apart)
		}
	}
}
