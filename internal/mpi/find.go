package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-op2/op2/internal/launch"
)

// Variable is the environment variable with the path of the MPI library to use.
const Variable = "OP2_MPI_LIBRARY"

// A NotFoundError says where MPI was searched for.
type NotFoundError struct {
	Launch launch.Launch // who started the process; the zero value if nobody did
	Names  []string      // of libraries
	Errs   []string      // why those that were found cannot be used
}

func (e *NotFoundError) Error() string {
	text := "no MPI library: looked for " + strings.Join(e.Names, ", ")
	packages := "openmpi-bin, or mpich"
	switch e.Launch.Family {
	case launch.OpenMPI:
		packages = "openmpi-bin"
	case launch.MPICH:
		packages = "mpich"
	}
	if e.Launch.Launcher != "" {
		text = fmt.Sprintf("no MPI library that works with %s, which started this process: looked for %s", e.Launch.Launcher, strings.Join(e.Names, ", "))
	}
	if len(e.Errs) > 0 {
		text += "\n  " + strings.Join(e.Errs, "\n  ")
	}
	return text + "\n  hint: apt install " + packages + " (Debian, Ubuntu), or set " + Variable + " to the path of the library"
}

// names returns the names of MPI libraries that work with launchers of a family, the preferred
// first.
func names(family launch.Family) []string {
	abis, open, mpich := []string{"libmpi_abi.so.1", "libmpi_abi.so.0"}, []string{"libmpi.so.40", "libmpi.so.20"}, []string{"libmpi.so.12", "libmpich.so.12"}
	if runtime.GOOS == "darwin" {
		abis, open, mpich = []string{"libmpi_abi.1.dylib", "libmpi_abi.0.dylib"}, []string{"libmpi.40.dylib"}, []string{"libmpi.12.dylib", "libmpich.12.dylib"}
	}
	switch family {
	case launch.OpenMPI:
		return append(abis, open...)
	case launch.MPICH:
		return append(abis, mpich...)
	}
	return append(append(abis, open...), mpich...)
}

// paths returns where to look for a library: in the installation of the launcher in PATH, if it has
// a folder of its own, and where the system's loader looks.
func paths(names []string, family launch.Family) []string {
	launchers := []string{"mpirun", "mpiexec"}
	switch family {
	case launch.OpenMPI:
		launchers = append([]string{"mpirun.openmpi"}, launchers...)
	case launch.MPICH:
		launchers = append([]string{"mpirun.mpich"}, launchers...)
	}
	var found []string
	for _, l := range launchers {
		path, err := exec.LookPath(l)
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		prefix := filepath.Dir(filepath.Dir(path))
		for _, name := range names {
			for _, lib := range []string{"lib", "lib64"} {
				if file := filepath.Join(prefix, lib, name); exists(file) {
					found = append(found, file)
				}
			}
		}
	}
	found = append(found, names...)
	if runtime.GOOS == "darwin" { // the loader does not look there
		for _, name := range names {
			found = append(found, "/opt/homebrew/lib/"+name, "/usr/local/lib/"+name)
		}
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// find loads the library that works with the launcher.
func find(l launch.Launch) (*Library, error) {
	if path := os.Getenv(Variable); path != "" {
		library, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("%s=%s: %w", Variable, path, err)
		}
		return library, nil
	}
	missing := &NotFoundError{Launch: l, Names: names(l.Family)}
	for _, path := range paths(missing.Names, l.Family) {
		library, err := load(path)
		switch {
		case err == nil && (l.Family == launch.AnyMPI || l.Family == library.Family):
			return library, nil
		case err == nil:
			missing.Errs = append(missing.Errs, fmt.Sprintf("%s is %s", library.Path, library.Name))
			library.unload()
		case !strings.Contains(err.Error(), "No such file") && !strings.Contains(err.Error(), "no such file"):
			missing.Errs = append(missing.Errs, err.Error())
		}
	}
	return nil, missing
}
