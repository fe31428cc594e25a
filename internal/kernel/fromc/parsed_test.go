package fromc

import (
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
	"github.com/go-op2/op2/internal/loop"
)

// The kernels of a text are lowered from one tree, unless they see other consts.
func TestParsedOnce(t *testing.T) {
	given := csource.Given{File: "k.c", Text: "void a(double *x) { *x = gam; }\nvoid b(double *x) { double *p = x; *p++ = gam; }\nvoid c(double *x) { y = 1; }\n"}
	in := input{file: given.File, text: given.Text}
	gam := []kernel.Const{{Name: "gam", Type: kernel.Basic(loop.Float64)}}
	held := in.parse("", gam)
	for range 2 {
		for name, valid := range map[string]bool{"a": true, "b": true, "c": false} {
			k, err := Of(name, given, nil, gam)
			if (err == nil) != valid || valid && (k.Name != name || !k.Exact) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if in.parse("", gam) != held {
		t.Error("a text is parsed again")
	}
	single := []kernel.Const{{Name: "gam", Type: kernel.Basic(loop.Float32)}}
	if in.parse("", single) == held {
		t.Error("a const of another type has the tree of the first one")
	}
}
