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
)

// folder is that of a generated package. New files are written to a folder within, and moved when all are
// there.
type folder struct {
	dir   string
	fresh string // "" until begin
	made  string // the outermost folder that begin made; "" if there was one
}

// begin makes the folder for new files, which finds out whether that is permitted.
func (f *folder) begin() (err error) {
	for at := f.dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
		f.made = at
	}
	if err = os.MkdirAll(f.dir, 0o777); err == nil {
		f.fresh, err = os.MkdirTemp(f.dir, ".op2-translate-")
	}
	if err != nil {
		f.end()
	}
	return err
}

// end removes what replace has not moved.
func (f *folder) end() {
	if f.fresh != "" {
		os.RemoveAll(f.fresh)
	}
	if f.made != "" {
		os.RemoveAll(f.made)
	}
}

// own returns the names of source files of a package that others have written, which would be in the same one.
func (f *folder) own() (names []string, err error) {
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
func (f *folder) generated() (map[string][]byte, error) {
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
func (f *folder) replace(files map[string][]byte) error {
	old, err := f.generated()
	if err != nil {
		return err
	}
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(path string) bool {
		data, ok := old[path]
		return ok && bytes.Equal(data, files[path])
	})
	at := func(path string) string { return filepath.Join(f.dir, filepath.FromSlash(path)) }
	fresh := func(path string) string { return filepath.Join(f.fresh, filepath.FromSlash(path)) }
	for _, path := range paths {
		if _, err := os.Lstat(at(path)); err == nil && old[path] == nil {
			return fmt.Errorf("%s was not written by op2 translate, which would overwrite it", at(path))
		}
		if err := os.MkdirAll(filepath.Dir(fresh(path)), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(fresh(path), files[path], 0o666); err != nil {
			return err
		}
	}
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Dir(at(path)), 0o777); err != nil {
			return err
		}
		if err := os.Rename(fresh(path), at(path)); err != nil {
			return err
		}
	}
	for path := range old {
		if _, ok := files[path]; !ok {
			if err := os.Remove(at(path)); err != nil {
				return err
			}
		}
	}
	f.made = ""
	return nil
}
