package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A NotFoundError reports that something native is missing or cannot be used: a library, a compiler,
// a device.
type NotFoundError struct {
	What  string   // is missing, such as "no PETSc"
	Names []string // of what was looked for
	Where []string // it was looked for: folders, the loader's path
	Err   error    // why what was found cannot be used; nil: nothing was found
	Hint  string   // what to install or to set; Err may have a hint of its own
}

func (e *NotFoundError) Error() string {
	text := e.What
	if e.Names != nil {
		text += ": looked for " + strings.Join(e.Names, ", ")
	}
	if e.Where != nil {
		text += " in " + strings.Join(e.Where, ", ")
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		text += "\n  hint: " + e.Hint
	}
	return text
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// ProgramPath says where programs are looked for.
func ProgramPath() string {
	if path := os.Getenv("PATH"); path != "" {
		return "PATH (" + path + ")"
	}
	return "PATH, which is empty"
}

// A Search describes a library that may be installed.
type Search struct {
	What     string   // the error says first, such as "no METIS"
	Names    []string // of the library's file, the preferred first
	Variable string   // of the environment: if set, it names the file or its folder; "" for none
	First    []string // folders that precede those of the loader
	Last     []string // folders that follow them
	Needs    []string // patterns of files, relative to the library's folder, that it looks up by bare name
	Hint     string
}

// loaderFolders stands for the folders that the loader searches for a bare name.
const loaderFolders = ""

// Find loads the first of the libraries that use accepts. If there is none, the error is a
// *NotFoundError with the reasons why those that exist cannot be used. The program's signal handlers
// are protected.
func (s Search) Find(use func(*Library) error) error {
	if !Supported {
		return &NotFoundError{What: s.What, Err: Unsupported}
	}
	defer Guard()()
	missing := &NotFoundError{What: s.What, Hint: s.Hint}
	folders := s.folders(missing)
	for _, dir := range folders {
		for _, name := range s.names() {
			err := s.try(dir, name, use)
			switch {
			case err == nil:
				return nil
			case errors.Is(err, os.ErrNotExist):
			case missing.Err == nil:
				missing.Err = err
			case !strings.Contains(missing.Err.Error(), err.Error()):
				missing.Err = fmt.Errorf("%w\n  %w", missing.Err, err)
			}
		}
	}
	return missing
}

// Open loads the first of the libraries that exist.
func (s Search) Open() (found *Library, err error) {
	err = s.Find(func(l *Library) error { found = l; return nil })
	return found, err
}

// named returns the path in the variable, and whether that is a folder.
func (s Search) named() (path string, folder bool) {
	if s.Variable != "" {
		path = os.Getenv(s.Variable)
	}
	info, err := os.Stat(path)
	return path, err == nil && info.IsDir()
}

func (s Search) names() []string {
	if path, folder := s.named(); path != "" && !folder {
		return []string{path}
	}
	return s.Names
}

// folders returns where to look, and notes it in the error.
func (s Search) folders(missing *NotFoundError) []string {
	missing.Names = s.names()
	switch path, folder := s.named(); {
	case folder:
		missing.Where = []string{path + " (" + s.Variable + ")"}
		return []string{path}
	case path != "":
		missing.Names = []string{path + " (" + s.Variable + ")"}
		return []string{loaderFolders}
	}
	folders := append(slices.Clone(s.First), loaderFolders)
	if runtime.GOOS == "darwin" { // the loader does not look there
		folders = append(folders, "/opt/homebrew/lib", "/usr/local/lib")
	}
	folders = append(folders, s.Last...)
	for _, dir := range folders {
		if dir == loaderFolders {
			dir = "the loader's path"
			if path := os.Getenv("LD_LIBRARY_PATH"); path != "" {
				dir += " (LD_LIBRARY_PATH=" + path + ")"
			}
		}
		missing.Where = append(missing.Where, dir)
	}
	return folders
}

// try loads a library from a folder, with its dependences, and passes it on. The error is os.ErrNotExist
// if there is none.
func (s Search) try(dir, name string, use func(*Library) error) error {
	path := filepath.Join(dir, name)
	if filepath.IsAbs(path) {
		if _, err := os.Stat(path); err != nil {
			return err
		}
		for _, pattern := range s.Needs {
			needed, _ := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
			for _, file := range needed {
				_, _ = Open(file) // the library itself reports what it misses
			}
		}
	}
	l, err := Open(path)
	if err != nil {
		if text := err.Error(); strings.Contains(text, "o such file") && strings.Contains(text, name) {
			return os.ErrNotExist // rather than a library that it needs
		}
		return err
	}
	if err := use(l); err != nil {
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return err
	}
	return nil
}
