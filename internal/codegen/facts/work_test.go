package facts_test

import (
	"testing"

	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/loop"
)

// The work for an element is its arithmetic and half an addition for a value that is read, two for
// one that is written.
func TestCost(t *testing.T) {
	l := &loop.Loop{
		Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 8}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
	}
	for _, c := range []struct {
		body string
		want int
	}{
		{"*y = 2 * x[0]", 7},
		{"for i := 0; i < 8; i++ { for j := 0; j < 8; j++ { *y += x[i] * x[j] } }", 6 + 128},
		{"for *y > 1 { *y *= x[0] }", 6 + 8},
		{"*y = math.Exp(x[0]) / x[1]", 6 + 29},
	} {
		if got := facts.Cost(l, codegentest.FromGo(t, "func k(x *[8]float64, y *float64) { "+c.body+" }")); got != c.want {
			t.Errorf("%s: %d, want %d", c.body, got, c.want)
		}
	}
}

// Operations are those of floats: a division and a function are one each, and counters are none.
func TestOperations(t *testing.T) {
	for body, want := range map[string]int{
		"*y = 2 * x[0]": 1,
		"for i := 0; i < 8; i++ { *y += x[i] * x[7-i] }": 16,
		"*y = math.Exp(x[0]) / x[1]":                     2,
		"if x[0] > 0 { *y = x[1] + x[2] + x[3] }":        1,
		"i := int32(3) * 5; *y = x[i%8] - 1":             1,
		"*y = max(x[0], x[1])":                           1,
	} {
		if got := facts.Operations(codegentest.FromGo(t, "func k(x *[8]float64, y *float64) { "+body+" }")); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
