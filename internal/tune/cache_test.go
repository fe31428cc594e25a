package tune

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCoreCache(t *testing.T) {
	for _, test := range []struct {
		name    string
		indices []map[string]string
		want    int
	}{
		{"none", nil, 1 << 20},
		{"EPYC", []map[string]string{{"level": "1", "type": "Data", "size": "48K"}, {"level": "2", "type": "Unified", "size": "1024K"}, {"level": "3", "type": "Unified", "size": "32768K"}}, 1 << 20},
		{"2 MiB", []map[string]string{{"level": "2", "type": "Unified", "size": "2M"}}, 2 << 20},
		{"no size", []map[string]string{{"level": "2", "type": "Unified"}}, 1 << 20},
	} {
		dir := t.TempDir()
		for i, files := range test.indices {
			index := filepath.Join(dir, "index"+string(rune('0'+i)))
			if err := os.Mkdir(index, 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(index, name), []byte(text+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := coreCache(dir); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
