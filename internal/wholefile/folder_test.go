package wholefile_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-op2/op2/internal/wholefile"
)

// New files take the place of old ones all at once, or not at all; files of others stay.
func TestFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "outer", "inner")
	for _, step := range []struct {
		name    string
		files   map[string]string
		discard bool
		remove  []string
		want    map[string]string
	}{
		{"discarded at first", map[string]string{"a": "1"}, true, nil, map[string]string{}},
		{"new", map[string]string{"a": "1", "sub/b": "2"}, false, nil, map[string]string{"outer/inner/a": "1", "outer/inner/sub/b": "2"}},
		{"discarded later", map[string]string{"a": "3", "sub/c": "4"}, true, []string{"sub/b"}, map[string]string{"outer/inner/a": "1", "outer/inner/sub/b": "2"}},
		{"replaced", map[string]string{"sub/b": "5", "sub/c": "6"}, false, []string{"a"}, map[string]string{"outer/inner/sub/b": "5", "outer/inner/sub/c": "6"}},
	} {
		f, err := wholefile.NewFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		for path, text := range step.files {
			if err := f.Write(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if !step.discard {
			if err := f.Replace(step.remove); err != nil {
				t.Fatal(err)
			}
		}
		f.Discard()
		if got := filesIn(t, root); !maps.Equal(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
	}
}

// filesIn returns what the files in a folder contain.
func filesIn(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		within, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files[filepath.ToSlash(within)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
