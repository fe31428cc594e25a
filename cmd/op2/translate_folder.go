package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-op2/op2/internal/translate"
	"github.com/go-op2/op2/internal/wholefile"
)

// packageFolder is that of a generated package.
type packageFolder struct {
	dir   string
	fresh *wholefile.Folder // nil until begin
}

// begin prepares for new files, which finds out whether that is permitted.
func (f *packageFolder) begin() (err error) {
	f.fresh, err = wholefile.NewFolder(f.dir)
	return err
}

// own returns the names of source files of a package that others have written, which would be in the same one.
func (f *packageFolder) own() (names []string, err error) {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	generated, failed := f.generated()
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); (ext == ".go" || ext == ".s" || ext == ".c") && generated[e.Name()] == nil {
			names = append(names, e.Name())
		}
	}
	return names, errors.Join(err, failed)
}

// generated returns the files that were generated, by path in the folder.
func (f *packageFolder) generated() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(f.dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == f.dir {
			return nil
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(data, []byte(translate.Mark)) {
			within, err := filepath.Rel(f.dir, path)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(within)] = data
		}
		return nil
	})
	return files, err
}

// replace writes the files, and removes what was generated before. Files of others are left alone.
func (f *packageFolder) replace(files map[string][]byte) error {
	old, err := f.generated()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if data, ok := old[path]; ok && bytes.Equal(data, files[path]) {
			continue
		}
		at := filepath.Join(f.dir, filepath.FromSlash(path))
		if _, err := os.Lstat(at); err == nil && old[path] == nil {
			return fmt.Errorf("%s was not written by op2 translate, which would overwrite it", at)
		}
		if err := f.fresh.Write(path, files[path]); err != nil {
			return err
		}
	}
	maps.DeleteFunc(old, func(path string, _ []byte) bool { _, ok := files[path]; return ok })
	return f.fresh.Replace(slices.Collect(maps.Keys(old)))
}
