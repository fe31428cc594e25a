package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is new files for a folder, which are moved there only when all are complete: until then they are in a hidden
// folder within, which only a process leaves behind that is killed.
type Folder struct {
	dir, hidden string
	made        string   // the outermost folder that had to be made; "" if there was one
	paths       []string // in dir, of the new files
}

// NewFolder begins new files for a folder, which is made if there is none. Discard must end that.
func NewFolder(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
		f.made = at
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		f.hidden, err = os.MkdirTemp(dir, ".op2-new-")
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Write writes a new file, whose path in the folder has slashes.
func (f *Folder) Write(path string, data []byte) error {
	at := filepath.Join(f.hidden, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	f.paths = append(f.paths, filepath.FromSlash(path))
	return os.WriteFile(at, data, 0o666)
}

// Replace moves the new files to where they belong, and removes the old ones with these paths.
func (f *Folder) Replace(old []string) error {
	for _, path := range f.paths {
		to := filepath.Join(f.dir, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(f.hidden, path), to); err != nil {
			return err
		}
	}
	for _, path := range old {
		if err := os.Remove(filepath.Join(f.dir, filepath.FromSlash(path))); err != nil {
			return err
		}
	}
	f.made = ""
	return nil
}

// Discard removes new files that Replace has not moved, and folders that were made for them.
func (f *Folder) Discard() {
	if f.hidden != "" {
		os.RemoveAll(f.hidden)
	}
	if f.made != "" {
		os.RemoveAll(f.made)
	}
}
