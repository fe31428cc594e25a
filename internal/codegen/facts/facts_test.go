package facts_test

import (
	"testing"

	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Bounds knows loops that count up by one between constants.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		loop     string
		from, to int64
		counter  string
	}{
		{"for i := range 3 { *x += float64(i) }", 0, 3, "i"},
		{"for n := 2; n < 5; n++ { *x += float64(n) }", 2, 5, "n"},
		{"for i := 0; i < 8; i += 2 { *x += float64(i) }", 0, 0, ""},
		{"for i := 8; i > 0; i-- { *x += float64(i) }", 0, 0, ""},
		{"for *x > 1 { *x /= 2 }", 0, 0, ""},
	} {
		k := codegentest.FromGo(t, "func k(x *float64) { "+c.loop+" }")
		from, to, v := facts.Bounds(kernel.All[*kernel.For](k)[0])
		counter := ""
		if v != nil {
			counter = v.Name
		}
		if from != c.from || to != c.to || counter != c.counter {
			t.Errorf("%s: %s from %d to %d", c.loop, counter, from, to)
		}
	}
}

func TestContinuedFromWithin(t *testing.T) {
	for body, want := range map[string]bool{
		"for i := range 3 { if *x > 0 { continue }; *x += float64(i) }":                                       false,
		"a: for i := range 3 { for j := range 3 { if *x > 0 { continue a }; *x += float64(i + j) } }":         true,
		"for i := range 3 { for j := range 3 { if *x > 0 { continue }; *x += float64(i + j) } }":              false,
		"a: for i := range 3 { for j := range 3 { if *x > 0 { break a }; *x += float64(i + j) } }":            false,
		"a: for i := range 3 { switch { case *x > 1: continue a; default: *x += float64(i) } }":               false,
		"a: for i := range 3 { for j := range 3 { switch { case *x > 1: continue a }; *x += float64(i+j) } }": true,
	} {
		k := codegentest.FromGo(t, "func k(x *float64) { "+body+" }")
		if got := facts.ContinuedFromWithin(kernel.All[*kernel.For](k)[0]); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}

// A loop needs double precision for its values, or for what its kernel computes with.
func TestNeedsFloat64(t *testing.T) {
	for _, c := range []struct {
		kernel string
		values loop.Scalar
		want   bool
	}{
		{"func k(x *float32) { *x *= 2 }", loop.Float32, false},
		{"func k(x *float64) { *x *= 2 }", loop.Float64, true},
		{"func k(x *float32) { *x = float32(float64(*x) * 2) }", loop.Float32, true},
		{"func k(x *int32) { var y float64; *x += 1; _ = y }", loop.Int32, true},
	} {
		l := &loop.Loop{Args: []loop.Arg{codegentest.Direct(loop.RW, 0)}, Data: []loop.Data{{Kind: loop.Dat, Type: c.values, Dim: 1}}}
		if got := facts.NeedsFloat64(l, codegentest.FromGo(t, c.kernel)); got != c.want {
			t.Errorf("%s: %v", c.kernel, got)
		}
	}
}
