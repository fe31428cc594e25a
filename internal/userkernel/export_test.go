package userkernel

import (
	"runtime"
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
