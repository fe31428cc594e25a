// Package wholefile writes files, and folders of them, that appear only when they are complete.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes the file at path: what write writes. The file appears, or takes the place of one that was there, only
// when it is complete: until then it is a hidden file next to path, which is removed on an error, and left behind only
// by a process that is killed. Where path is a link, its target is replaced; anything but a regular file is refused.
func Write(path string, write func(io.Writer) error) (err error) {
	f, err := Begin(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Discard()
		}
	}()
	to, err := os.OpenFile(f.Name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, 64<<10)
	if err = write(out); err == nil {
		err = out.Flush() // it would return what write has returned, again
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	return f.Finish()
}

// File is a file that is being written under another name, as Write does, by one who needs that name.
type File struct {
	Name string // of the hidden file, which exists and is empty
	path string
}

// Begin creates the hidden file. Finish or Discard must follow.
func Begin(path string) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // keep a link, and replace its target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("write %s: expected a regular file or none, found mode %s", path, info.Mode())
	}
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	return &File{f.Name(), path}, f.Close()
}

// Finish gives the file its name.
func (f *File) Finish() error {
	written, err := os.OpenFile(f.Name, os.O_RDWR, 0) // Windows syncs no file that is open for reading alone
	if err != nil {
		return err
	}
	// Without the sync, a power failure could leave the new name without the contents.
	if err := errors.Join(written.Sync(), written.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name, f.path)
}

// Discard removes the file.
func (f *File) Discard() { os.Remove(f.Name) }

// createBeside creates a new hidden file in the folder of path. Unlike os.CreateTemp it leaves the permissions to
// the process's mask, as for any file a program writes.
func createBeside(path string) (*os.File, error) {
	folder, name := filepath.Split(path)
	for {
		temporary := filepath.Join(folder, fmt.Sprintf(".%s.%x.tmp", name, rand.Uint64()))
		f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			failed.Path = path // which the program knows
			if _, there := os.Stat(filepath.Dir(path)); errors.Is(there, fs.ErrNotExist) {
				failed.Op, failed.Err = "create", missingFolder(filepath.Dir(path))
			}
		}
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// missingFolder is the folder that is not there for a new file. It is fs.ErrNotExist.
type missingFolder string

func (f missingFolder) Error() string { return "there is no folder " + string(f) }

func (f missingFolder) Is(target error) bool { return target == fs.ErrNotExist }
