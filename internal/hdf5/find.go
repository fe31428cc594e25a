package hdf5

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// Variable is the environment variable with the path of the library to use.
const Variable = "OP2_HDF5_LIBRARY"

// MPI is what parallel access goes through.
type MPI struct {
	Name         string  // "Open MPI 4.1.4"
	Communicator uintptr // MPI_Comm of all ranks
	Info         uintptr // MPI_INFO_NULL
	Identity     uintptr // the address of MPI_Get_library_version: the library must be linked with this very MPI
	Build        string  // how Debian calls the parallel build of the library: "openmpi"
}

// versions are the binary interfaces of the library, the newest first; "" for the file that compilers link with.
var versions = []string{".320", ".310", ".300", ".200", ".103", ".101", ".100", ".10", ""}

// names returns the names of the library's builds.
func names(builds ...string) (names []string) {
	for _, build := range builds {
		for _, version := range versions {
			if runtime.GOOS == "darwin" {
				names = append(names, "libhdf5"+build+version+".dylib")
			} else {
				names = append(names, "libhdf5"+build+".so"+version)
			}
		}
	}
	return names
}

// loaded are the libraries of the process: for parallel access through an MPI, by its identity, and, by 0, without.
var loaded struct {
	sync.Mutex
	libraries map[uintptr]*Library
}

// Open loads the library, for parallel access through an MPI unless that is nil. The error is a
// *native.NotFoundError.
func Open(mpi *MPI) (*Library, error) {
	var identity uintptr
	if mpi != nil {
		identity = mpi.Identity
	}
	loaded.Lock()
	defer loaded.Unlock()
	if l := loaded.libraries[identity]; l != nil {
		return l, nil
	}
	if unsafe.Sizeof(identity) < 8 {
		return nil, &native.NotFoundError{What: "no HDF5", Err: errors.New("processors of 64 bits are needed")}
	}
	var l *Library
	err := search(mpi).Find(func(found *native.Library) (err error) {
		if l, err = bind(found); err == nil && mpi != nil {
			err = l.suits(mpi)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if loaded.libraries == nil {
		loaded.libraries = map[uintptr]*Library{}
	}
	loaded.libraries[identity] = l
	return l, nil
}

func search(mpi *MPI) native.Search {
	s := native.Search{What: "no HDF5", Variable: Variable, Names: names("_serial", "", "_openmpi", "_mpich")}
	packages := "libhdf5-dev"
	if mpi != nil {
		s.What, s.Names, packages = "no parallel HDF5", names("_"+mpi.Build, ""), "libhdf5-"+mpi.Build+"-dev"
	}
	s.Hint = "apt install " + packages + " (Debian, Ubuntu), or set " + Variable + " to the path of the library"
	return s
}

// suits returns an error unless the library accesses files in parallel through an MPI.
func (l *Library) suits(mpi *MPI) error {
	if l.parallel == (parallel{}) {
		return fmt.Errorf("HDF5 %s was built without parallel access", l.Version)
	}
	if identity, err := l.native.Symbol("MPI_Get_library_version"); err != nil || identity != mpi.Identity {
		return fmt.Errorf("HDF5 %s was built with another MPI than %s", l.Version, mpi.Name)
	}
	return nil
}
