package userkernel

import (
	"go/build"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Of what a package exports, there are the files that are compiled on this platform.
func TestExport(t *testing.T) {
	other := map[string]string{"linux": "windows"}[runtime.GOOS]
	if other == "" {
		other = "linux"
	}
	Export("example.com/gas%2eflow.init.0", nil)
	Export("example.com/gas%2eflow.init.0", fstest.MapFS{
		"a.go":                      {Data: []byte("package gas")},
		"a_test.go":                 {Data: []byte("package gas")},
		"b_" + other + ".go":        {Data: []byte("package gas")},
		"generate.go":               {Data: []byte("//go:build ignore\n\npackage main")},
		"deep/c.go":                 {Data: []byte("package deep")},
		"a.txt":                     {Data: []byte("text")},
		"c_" + runtime.GOOS + ".go": {Data: []byte("package gas")},
	})
	Export("example.com/gas%2eflow.init.1", fstest.MapFS{"d.go": {Data: []byte("package gas")}})
	got := ""
	for _, f := range exportedBy("example.com/gas.flow") {
		got += f.Name + " "
	}
	if want := "a.go c_" + runtime.GOOS + ".go d.go "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if files := exportedBy("example.com/gas"); files != nil {
		t.Errorf("another package exports %v", files)
	}
}

// Files are those that go/build takes.
func TestPlatforms(t *testing.T) {
	names := []string{"a.go", "_a.go", ".a.go", "linux.go", "amd64.go", "linux_amd64.go", "a_unix.go", "a_flow.go", "a_go1.go", "a.b_windows.go"}
	for _, system := range append(systems, "none") {
		names = append(names, "a_"+system+".go", "a_b_"+system+".go")
		for _, processor := range append(processors, "none") {
			names = append(names, "a_"+system+"_"+processor+".go", "a_"+processor+"_"+system+".go", "a_"+processor+".go")
		}
	}
	texts := []string{"package a"}
	for _, tag := range append(slices.Concat(systems, processors), "unix", "gc", "cgo", "mine", "ignore", "go1", "go1.20", "go1.20.1", "go1.20rc1", "go1.99", "go2", "go") {
		texts = append(texts, "//go:build "+tag+"\n\npackage a", "// Text.\n\n//go:build !"+tag+" && !windows\n\npackage a")
	}
	texts = append(texts, "/* License */\n\n//go:build ignore\n\npackage a", "package a\n\n//go:build ignore\n", "/*\n//go:build ignore\n*/\n\npackage a")
	ports := []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "android/arm", "ios/arm64", "illumos/amd64", "js/wasm", "wasip1/wasm", "plan9/386", "solaris/amd64", "zos/s390x"}
	for i, port := range ports {
		system, processor, _ := strings.Cut(port, "/")
		p := platform{system, processor, []string{"gc", "mine"}}
		c := build.Default
		c.GOOS, c.GOARCH, c.CgoEnabled, c.Compiler, c.BuildTags = system, processor, i%2 == 0, "gc", []string{"mine"}
		if c.CgoEnabled {
			p.tags = append(p.tags, "cgo")
		}
		check := func(name, text string) {
			c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
			want, err := c.MatchFile("", name)
			if got := p.compiles(name, []byte(text)); err != nil || got != want {
				t.Errorf("%s: %s, %q: got %v, want %v, %v", port, name, text, got, want, err)
			}
		}
		for _, name := range names {
			check(name, "package a")
		}
		for _, text := range texts {
			check("a.go", text)
		}
	}
}
