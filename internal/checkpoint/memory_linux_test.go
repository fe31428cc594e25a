package checkpoint

import (
	"os"
	"path/filepath"
	"testing"
)

// The tightest limit of a control group and those around it counts, without files that can be dropped.
func TestMemoryOfGroups(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"job/memory.max": "1000\n", "job/memory.current": "700\n", "job/memory.stat": "anon 500\ninactive_file 150\n",
		"job/step/memory.max": "max\n", "job/step/memory.current": "600\n",
	} {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for own, want := range map[string]int64{"0::/job/step\n": 450, "0::/\n": 5000, "1:memory:/job\n": 5000, "": 5000} {
		if got := leftInGroups(root, own, 5000); got != want {
			t.Errorf("%q: found %d, expected %d", own, got, want)
		}
	}
}
