package unit

import (
	"maps"
	"path/filepath"
	"testing"
)

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	want := map[Place]bool{{What: "ParLoop", File: "/flow/flow.go", Line: 88}: true, {What: "flux", File: "/flow/kernels.go"}: true}
	for p := range want {
		for range 2 {
			if err := Reach(dir, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := Reached(dir); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if err := Reach(filepath.Join(dir, "missing"), Place{}); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}
