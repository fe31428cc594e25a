package packs_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// Streams are fetched where a loop has maps, or several values of a dat for each element.
func TestStreams(t *testing.T) {
	for _, test := range []struct {
		name, source string
		loop         loop.Loop
		want         []string
	}{
		{"through a map", `func k(k *[10]float64, p, y *[4]float64) { for i := range 4 { y[i] += k[i] * p[i] } }`, loop.Loop{
			Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, 0, loop.All), codegentest.Dat(loop.Inc, 2, 0, loop.All)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 10}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
			Maps: []loop.Map{{Arity: 4}},
		}, []string{
			"for (int b = 0; b < 16 * OP2_LANES; b += 64) __builtin_prefetch((const char *)(map0 + 4 * (n + 128)) + b, 0);",
			"for (int b = 0; b < 80 * OP2_LANES; b += 64) __builtin_prefetch((const char *)(k_2 + 10 * (n + 128)) + b, 0);",
		}},
		{"changed, and a value for each", `func k(x *[2]float32, s *float32) { x[0], x[1] = *s, -x[0] }`, loop.Loop{
			Args: []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float32, Dim: 2}, {Kind: loop.Dat, Type: loop.Float32, Dim: 1}},
		}, []string{
			"for (int b = 0; b < 8 * OP2_LANES; b += 64) __builtin_prefetch((const char *)(x + 2 * (n + 1024)) + b, 1);",
			"for (int b = 0; b < 4 * OP2_LANES; b += 64) __builtin_prefetch((const char *)(s + (n + 1024)) + b, 0);",
		}},
		{"large", `func k(x *[1000]float64) { for i := range 1000 { x[i] *= 2 } }`, loop.Loop{
			Args: []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1000}},
		}, []string{
			"for (int b = 0; b < 8000 * OP2_LANES; b += 64) __builtin_prefetch((const char *)(x + 1000 * (n + 16)) + b, 1);",
		}},
		{"contiguous", `func k(x, y *float64) { *x += 2 * *y }`, loop.Loop{
			Args: []loop.Arg{codegentest.Dat(loop.RW, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0)},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
		}, nil},
	} {
		in := codegen.Input{Loop: &test.loop, Kernel: codegentest.FromGo(t, test.source), Options: codegen.Options{SIMD: tune.SIMDOn}}
		var got []string
		for line := range strings.Lines(host.Sequential(in).Text) {
			if strings.Contains(line, "__builtin_prefetch") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}
