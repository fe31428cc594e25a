package translated

import (
	"slices"
	"testing"
	"unsafe"
)

func TestFind(t *testing.T) {
	levelsOf := func(missing ...string) {
		for _, level := range levels {
			has[level] = func() bool { return !slices.Contains(missing, level) }
		}
	}
	calls := func(unsafe.Pointer) {}
	levelsOf("x86-64-v4", "armv8-a")
	Register("a/op2gen",
		Code{Name: "flux", Key: "1", Level: "x86-64-v4", Call: calls},
		Code{Name: "flux", Key: "1", Level: "x86-64-v3", Call: calls},
		Code{Name: "flux", Key: "1", Level: "x86-64-v2", Call: calls},
		Code{Name: "update", Key: "2", Level: "x86-64-v2", Call: calls},
		Code{Name: "arm", Key: "3", Level: "armv8-a", Call: calls})
	if c := Find("1"); c == nil || c.Level != "x86-64-v3" {
		t.Errorf("found %+v, want the highest level that the processor has", c)
	}
	if c := Find("2"); c == nil || c.Level != "x86-64-v2" {
		t.Errorf("found %+v", c)
	}
	if c := Find("3"); c != nil {
		t.Errorf("found %+v, which is for another processor", c)
	}
	Register("b/op2gen", Code{Name: "arm", Key: "3", Level: "armv8-a"})
	p := Packages()
	if len(p) != 1 || p[0].Path != "a/op2gen" || p[0].Level != "x86-64-v3" || !slices.Equal(p[0].Names, []string{"flux", "update"}) {
		t.Errorf("packages %+v", p)
	}
}
