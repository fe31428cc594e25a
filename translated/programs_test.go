package translated

import (
	"slices"
	"testing"
)

func TestFindProgram(t *testing.T) {
	RegisterPrograms("a/op2gen",
		Program{Name: "update", Device: "cuda", Key: "1", PTX: "text", Level: "compute_70"},
		Program{Name: "flux", Device: "cuda", Key: "2", PTX: "text", Level: "compute_70"},
		Program{Name: "flux", Device: "cuda", Key: "3", PTX: "text", Level: "compute_70"},
		Program{Name: "flux", Device: "opencl", Key: "4"})
	RegisterPrograms("b/op2gen", Program{Name: "stress", Device: "opencl", Key: "5"})
	for _, c := range []struct{ device, key, name string }{
		{"cuda", "1", "update"}, {"cuda", "3", "flux"}, {"opencl", "4", "flux"}, {"opencl", "5", "stress"},
		{"opencl", "1", ""}, {"cuda", "6", ""}, {"opencl-cpu", "4", ""},
	} {
		if p := FindProgram(c.device, c.key); p == nil && c.name != "" || p != nil && p.Name != c.name {
			t.Errorf("%s, %s: %+v, want %s", c.device, c.key, p, c.name)
		}
	}
	equal := func(a, b Package) bool {
		return a.Path == b.Path && a.Level == b.Level && slices.Equal(a.Names, b.Names)
	}
	for device, want := range map[string][]Package{
		"cuda":       {{Path: "a/op2gen", Level: "compute_70", Names: []string{"flux", "update"}}},
		"opencl":     {{Path: "a/op2gen", Names: []string{"flux"}}, {Path: "b/op2gen", Names: []string{"stress"}}},
		"opencl-cpu": nil,
	} {
		if got := ProgramPackages(device); !slices.EqualFunc(got, want, equal) {
			t.Errorf("%s: %+v, want %+v", device, got, want)
		}
	}
}
