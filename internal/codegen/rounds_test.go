package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
)

// Where a conversion rounds, compilers must not contract.
func TestRounds(t *testing.T) {
	l := &loop.Loop{Args: []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0)}, Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}}}
	for _, c := range []struct {
		source string
		want   bool
	}{
		{"*x = *x**x + 1", false},
		{"*x = float64(*x**x) + 1", true},
		{"*x = float64(float32(*x**x)) + 1", false}, // to another type, which no compiler omits
		{"*x = square(*x) + 1", false},
		{"*x = float64(square(*x)) + 1", true},
		{"y := *x**x; *x = float64(y) + 1", true},
	} {
		k := codegentest.FromGo(t, "func square(x float64) float64 { return x*x }\nfunc k(x *float64) { "+c.source+" }")
		p := host.Sequential(codegen.Input{Loop: l, Kernel: k})
		if p.Rounds != c.want || strings.Contains(p.Text, "// Products and sums are rounded separately: -ffp-contract=off.\n") != c.want {
			t.Errorf("%s: %v\n%s", c.source, p.Rounds, p.Text)
		}
		for dialect, line := range map[codegen.Dialect]string{codegen.OpenCLC: "#pragma OPENCL FP_CONTRACT OFF\n", codegen.CUDA: "// Products and sums are rounded separately.\n"} {
			p := device.Print(codegen.DeviceInput{Loop: l, Kernel: k, Options: codegen.DeviceOptions{Dialect: dialect, GroupSize: 64}})
			if p.Rounds != c.want || strings.Contains(p.Text, line) != c.want {
				t.Errorf("%s: %v\n%s", c.source, p.Rounds, p.Text)
			}
		}
	}
}
