package ckernel_test

import (
	"testing"

	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/codegentest"
)

// Compiler messages use the program's names for everything that was renamed.
func TestRenames(t *testing.T) {
	k := codegentest.FromGo(t, `
type pair struct{ register, y float64 }

var gam float64

func double(linux float64) float64 { return 2 * linux * gam }

func k(uint *float64, y *float64) {
	register := pair{register: *uint}
	y_ := 1.0
	for signed := 0; signed < 2; signed++ {
		y := double(register.register)
		y_ += y
	}
	*y = y_
}
`)
	names := ckernel.Renames(k)
	for given, want := range map[string]string{
		"uint_": "uint", "linux_": "linux", "signed_": "signed", "register_": "register", "double_": "double", "pair_": "pair",
		"gam": "gam", "y_2": "y", "op2_double_lanes": "double", "y_": "",
	} {
		if names[given] != want {
			t.Errorf("%s is %q, want %q", given, names[given], want)
		}
	}
}
