package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/native"
)

// Variable is the environment variable with the path of the MPI library to use.
const Variable = "OP2_MPI_LIBRARY"

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

// folders returns those of the installation of the launcher in PATH, if it has folders of its own.
func folders(family launch.Family) (found []string) {
	launchers := []string{"mpirun", "mpiexec"}
	switch family {
	case launch.OpenMPI:
		launchers = append([]string{"mpirun.openmpi"}, launchers...)
	case launch.MPICH:
		launchers = append([]string{"mpirun.mpich"}, launchers...)
	}
	for _, l := range launchers {
		path, err := exec.LookPath(l)
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		for _, lib := range []string{"lib", "lib64"} {
			if dir := filepath.Join(filepath.Dir(filepath.Dir(path)), lib); !slices.Contains(found, dir) {
				found = append(found, dir)
			}
		}
	}
	return found
}

// search returns how to find a library that works with the launcher.
func search(l launch.Launch) native.Search {
	s := native.Search{What: "no MPI library", Names: names(l.Family), Variable: Variable, First: folders(l.Family)}
	if l.Launcher != "" {
		s.What += " that works with " + l.Launcher + ", which started this process"
	}
	packages := "openmpi-bin, or mpich"
	switch l.Family {
	case launch.OpenMPI:
		packages = "openmpi-bin"
	case launch.MPICH:
		packages = "mpich"
	}
	s.Hint = "apt install " + packages + " (Debian, Ubuntu), or set " + Variable + " to the path of the library"
	return s
}

// find loads the library that works with the launcher, or the one that the variable names.
func find(l launch.Launch) (library *Library, err error) {
	err = search(l).Find(func(loaded *native.Library) (err error) {
		library, err = identifyLibrary(loaded)
		if err == nil && l.Family != launch.AnyMPI && l.Family != library.Family && os.Getenv(Variable) == "" {
			err = fmt.Errorf("%s is %s", library.Path, library.Name)
		}
		if err != nil {
			_ = loaded.Close()
		}
		return err
	})
	return library, err
}
