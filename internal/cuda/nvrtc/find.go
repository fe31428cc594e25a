package nvrtc

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/cuda/library"
)

// NotFoundError says where NVRTC was searched for.
type NotFoundError struct {
	Names []string // of the library
	Where []string // folders, and the loader's path
	Err   error    // why an existing library cannot be loaded; nil: there is none
}

func (e *NotFoundError) Error() string {
	s := "no NVRTC, the compiler of CUDA: looked for " + strings.Join(e.Names, ", ") + " in " + strings.Join(e.Where, ", ")
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s + "\n  hint: pip install nvidia-cuda-nvrtc-cu12, or the CUDA toolkit; OP2_NVRTC names the library, or its folder"
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// majors are the CUDA versions whose NVRTC is known to work, best first.
var majors = []string{"13", "12", "11.2"}

// names returns the library's possible names, the preferred major version first and later ones
// last, since a driver loads no code for later versions.
func names(prefer int) []string {
	sorted := slices.Clone(majors)
	if prefer > 0 {
		rank := func(version string) int {
			major, _, _ := strings.Cut(version, ".")
			n, _ := strconv.Atoi(major)
			if n > prefer {
				return n
			}
			return -n
		}
		slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	}
	var all []string
	for _, version := range sorted {
		all = append(all, "libnvrtc.so."+version)
	}
	return append(all, "libnvrtc.so")
}

// find loads the library from the first place that has it.
func find(prefer int) (*library.Library, error) {
	e := &NotFoundError{Names: names(prefer)}
	if named := os.Getenv("OP2_NVRTC"); named != "" {
		if info, err := os.Stat(named); err == nil && !info.IsDir() {
			e.Names, named = []string{filepath.Base(named)}, filepath.Dir(named)
		}
		e.Where = []string{named}
	} else {
		e.Where = append([]string{library.LoaderPath}, folders()...)
	}
	for _, dir := range e.Where {
		for _, name := range e.Names {
			l, err := open(dir, name)
			if err == nil {
				return l, nil
			}
			if dir != library.LoaderPath && e.Err == nil && !os.IsNotExist(err) {
				e.Err = err
			}
		}
	}
	return nil, e
}

// open loads the library from a folder, along with what it later looks up by bare name.
func open(dir, name string) (*library.Library, error) {
	if dir == library.LoaderPath {
		return library.Open(name)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	builtins, _ := filepath.Glob(filepath.Join(dir, "libnvrtc-builtins.so*"))
	for _, b := range builtins {
		_, _ = library.Open(b) // NVRTC itself reports what it misses
	}
	return library.Open(path)
}

// folders returns the usual places.
func folders() []string { return library.Folders("cu13/lib", "cuda_nvrtc/lib") }
