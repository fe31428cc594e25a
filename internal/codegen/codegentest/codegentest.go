// Package codegentest has the kernels, arguments and comparisons of the tests of code generation.
package codegentest

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
)

// FromGo translates the Go kernel k of a source that starts in line 1 of k.go.
func FromGo(t *testing.T, source string) *kernel.Kernel {
	t.Helper()
	k, err := fromgo.Parse("package kernels; import \"math\"; var _ = math.Pi\n"+source).Kernel("k", "k.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
	return k
}

// FromC reads the C kernel k.
func FromC(t *testing.T, source string, consts []kernel.Const, shapes ...kernel.Shape) *kernel.Kernel {
	t.Helper()
	k, err := fromc.Kernel("k", source, consts)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, shapes)
	return k
}

// Dat returns an argument for dat d of the loop, direct or through a component of map m.
func Dat(access loop.Access, d, m, component int) loop.Arg {
	return loop.Arg{Kind: loop.Dat, Access: access, Data: d, Map: m, ColMap: loop.Direct, Component: component}
}

// Direct returns an argument for dat d of the loop at the element itself.
func Direct(access loop.Access, d int) loop.Arg { return Dat(access, d, loop.Direct, 0) }

// Global returns an argument for global d of the loop.
func Global(access loop.Access, d int) loop.Arg {
	return loop.Arg{Kind: loop.Global, Access: access, Data: d, Map: loop.Direct, ColMap: loop.Direct}
}

// Floats is the input for a Go kernel of float64 dats of three values each, with a map of arity 1.
func Floats(t *testing.T, source string, args ...loop.Arg) codegen.Input {
	t.Helper()
	l := &loop.Loop{Kernel: "k", Args: args, Maps: []loop.Map{{Arity: 1}}}
	for range args {
		l.Data = append(l.Data, loop.Data{Kind: loop.Dat, Type: loop.Float64, Dim: 3})
	}
	return codegen.Input{Loop: l, Kernel: FromGo(t, source)}
}

// Expect fails the test if got differs from want, and shows the first line that differs.
func Expect(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Errorf("line %d differs; got:\n%s\nwant:\n%s", i+1, got, want)
			return
		}
	}
}
