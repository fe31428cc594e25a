package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
)

// fromGo translates the Go kernel k of a source that starts in line 1 of k.go.
func fromGo(t *testing.T, source string) *kernel.Kernel {
	t.Helper()
	k, err := fromgo.Parse("package kernels; import \"math\"; var _ = math.Pi\n"+source).Kernel("k", "k.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
	return k
}

// fromC reads the C kernel k.
func fromC(t *testing.T, source string, consts []kernel.Const, shapes ...kernel.Shape) *kernel.Kernel {
	t.Helper()
	k, err := fromc.Kernel("k", source, consts)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, shapes)
	return k
}

// datArg returns an argument for dat d of the loop, direct or through a component of map m.
func datArg(access loop.Access, d, m, component int) loop.Arg {
	return loop.Arg{Kind: loop.Dat, Access: access, Data: d, Map: m, ColMap: loop.Direct, Component: component}
}

func globalArg(access loop.Access, d int) loop.Arg {
	return loop.Arg{Kind: loop.Global, Access: access, Data: d, Map: loop.Direct, ColMap: loop.Direct}
}

// expect fails the test if got differs from want, and shows the first line that differs.
func expect(t *testing.T, got, want string) {
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
