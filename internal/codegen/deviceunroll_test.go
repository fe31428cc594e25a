package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// Short loops ask to be unrolled, unless what is in them would be repeated too often.
func TestUnroll(t *testing.T) {
	l := loop.Loop{Kernel: "k", Args: []loop.Arg{codegentest.Dat(loop.Inc, 0, loop.Direct, 0), codegentest.Global(loop.Read, 1)},
		Data: []loop.Data{float64s(4), {Kind: loop.Global, Type: loop.Float64, Dim: 4}}}
	for _, test := range []struct {
		body string
		want map[string]bool // by the head of a loop: whether it asks
	}{
		{"for i := range 16 { x[i&3] += y[0] }", map[string]bool{"i < 16": true}},
		{"for i := range 17 { x[i&3] += y[0] }", map[string]bool{"i < 17": false}},
		{"for i := range 1 { x[i] += y[0] }", map[string]bool{"i < 1": false}},
		{"for i := range 8 { for j := range 8 { x[i&3] += y[j&3] } }", map[string]bool{"i < 8": true, "j < 8": true}},
		{"for i := range 8 { for j := range 9 { x[i&3] += y[j&3] } }", map[string]bool{"i < 8": false, "j < 9": true}},
		{"for i := range 4 { for j := range 4 { for m := range 5 { x[i] += y[j] * y[m&3] } } }",
			map[string]bool{"i < 4": false, "j < 4": true, "m < 5": true}},
		{"for i := range 4 { x[i] += y[int(y[i])] }", map[string]bool{"i < 4": false}}, // ends when something has failed
		{"for i := 0; i < 4; i += 2 { x[i] += y[i] }", map[string]bool{"i < 4": false}},
	} {
		k := codegentest.FromGo(t, "func k(x, y *[4]float64) {\n"+test.body+"\n}")
		for d, word := range map[codegen.Dialect]string{codegen.OpenCLC: `_Pragma("unroll") `, codegen.CUDA: ""} {
			text := device.Print(codegen.DeviceInput{Loop: &l, Kernel: k, Options: codegen.DeviceOptions{Dialect: d, Strategy: tune.Direct, GroupSize: 64}}).Text
			_, text, _ = strings.Cut(text, `"k.go"`)
			own := word + "for (int d = 0; d < 4; d++) x_own[d] = 0;"
			if !strings.Contains(text, "\t"+own) {
				t.Errorf("%v: no %q in\n%s", d, own, text)
			}
			for head, asks := range test.want {
				before, _, found := strings.Cut(text, head)
				before = strings.TrimSpace(before[strings.LastIndex(before, "\n")+1:])
				if !found || strings.HasPrefix(before, "_Pragma") != (asks && word != "") {
					t.Errorf("%v, %s: %q is before %q", d, test.body, before, head)
				}
			}
		}
	}
}
