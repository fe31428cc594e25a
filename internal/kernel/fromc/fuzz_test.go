package fromc

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

var testConsts = []kernel.Const{
	{Name: "gam", Type: kernel.Basic(loop.Float64)},
	{Name: "gm1", Type: kernel.Basic(loop.Float64)},
	{Name: "cfl", Type: kernel.Basic(loop.Float64)},
	{Name: "eps", Type: kernel.Basic(loop.Float64)},
	{Name: "qinf", Type: &kernel.Array{Len: 4, Elem: kernel.Basic(loop.Float64)}},
	{Name: "steps", Type: kernel.Basic(loop.Int32)},
}

// FuzzKernel: any text is refused with a *kernel.Error or yields IR that obeys the rules. To
// reproduce a failure: go test -run 'FuzzKernel/<name in testdata>'.
func FuzzKernel(f *testing.F) {
	for _, c := range airfoil {
		f.Add(strings.Replace(c.source, c.name, "k", 1))
	}
	for _, c := range lowerCases {
		f.Add(c.source)
	}
	for _, c := range errorCases {
		f.Add(c.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		k, err := Kernel("k", source, testConsts)
		if err != nil {
			e, ok := err.(*kernel.Error)
			if !ok || len(e.Problems) == 0 || strings.Contains(err.Error(), "internal error in the analysis") {
				t.Fatal(err)
			}
			return
		}
		if broken := verify(k); broken != nil {
			t.Fatalf("%s\n%s\n%s", source, dump(k), strings.Join(broken, "\n"))
		}
	})
}
