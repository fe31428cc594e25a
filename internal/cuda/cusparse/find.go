package cusparse

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/cuda/library"
)

// NotFoundError says where cuSPARSE was searched for.
type NotFoundError struct {
	Where []string // folders, and the loader's path; nil: it is turned off
	Names []string // of the library
	Err   error    // why an existing library cannot be used; nil: there is none
}

func (e *NotFoundError) Error() string {
	if e.Where == nil {
		return "OP2_CUSPARSE=0 refuses cuSPARSE"
	}
	if e.Err != nil {
		return "cuSPARSE does not do: " + e.Err.Error()
	}
	return "no cuSPARSE: looked for " + strings.Join(e.Names, ", ") + " in " + strings.Join(e.Where, ", ") +
		"\n  hint: pip install nvidia-cusparse-cu12, or the CUDA toolkit; OP2_CUSPARSE names the library, or its folder"
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// candidates returns the possible folders and names of the library, those for CUDA's major version
// prefer first. OP2_CUSPARSE in the environment names the library or its folder, or is 0 for none.
func candidates(prefer int) (where, names []string) {
	names = []string{"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so"}
	named := os.Getenv("OP2_CUSPARSE")
	switch {
	case named == "0":
		return nil, nil
	case named != "":
		if info, err := os.Stat(named); err == nil && !info.IsDir() {
			return []string{filepath.Dir(named)}, []string{filepath.Base(named)}
		}
		return []string{named}, names
	}
	if prefer == 11 {
		names[0], names[1] = names[1], names[0]
	}
	wheels := []string{"cu13/lib", "cusparse/lib"}
	if prefer < 13 {
		slices.Reverse(wheels)
	}
	return append([]string{library.LoaderPath}, library.Folders(wheels...)...), names
}

// load loads the library from a folder. Its dependencies are in the same folder, or in a sibling
// folder, where the loader may not look for them.
func load(dir, name string) (*library.Library, error) {
	if dir == library.LoaderPath {
		return library.Open(name)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	for _, beside := range []string{dir, filepath.Join(dir, "../../nvjitlink/lib")} {
		found, _ := filepath.Glob(filepath.Join(beside, "libnvJitLink.so.*"))
		for _, f := range found {
			_, _ = library.Open(f) // cuSPARSE itself reports what it misses
		}
	}
	return library.Open(path)
}
