package petsc

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/native"
)

// An Installation is an installed PETSc.
type Installation struct {
	Dir string // the folder that contains include/ and lib/
	// From petscvariables, as PETSc's own makefiles use them:
	Compiler string   // that PETSc was built with, such as mpicc
	Flags    []string // to compile and link the shim
	MPI      string   // that PETSc was built with: "Open MPI" or "MPICH"; "" if it is neither

	digest string // of the configuration, which compiled code depends on
}

// Find searches for an installation: as PETSC_DIR and PETSC_ARCH say; without these, as pkg-config
// says, and in the usual places.
func Find() (Installation, error) {
	var looked []string
	for _, dir := range candidates() {
		i, err := open(dir)
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return i, err
		}
		looked = append(looked, dir)
	}
	return Installation{}, &native.NotFoundError{
		What: "no PETSc", Names: []string{"lib/petsc/conf/petscvariables"}, Where: looked,
		Hint: "apt install petsc-dev (Debian, Ubuntu), or set PETSC_DIR, and PETSC_ARCH where the installation has one",
	}
}

func candidates() []string {
	if dir := os.Getenv("PETSC_DIR"); dir != "" {
		if arch := os.Getenv("PETSC_ARCH"); arch != "" {
			return []string{filepath.Join(dir, arch), dir}
		}
		return []string{dir}
	}
	var dirs []string
	for _, name := range []string{"PETSc", "petsc"} {
		if out, err := exec.Command("pkg-config", "--variable=prefix", name).Output(); err == nil {
			dirs = append(dirs, strings.TrimSpace(string(out)))
			break
		}
	}
	return append(dirs, "/usr/lib/petsc", "/usr/local/petsc", "/usr/local", "/opt/petsc")
}

// open reads the configuration of the installation in dir.
func open(dir string) (Installation, error) {
	conf := filepath.Join(dir, "lib", "petsc", "conf", "petscvariables")
	text, err := os.ReadFile(conf)
	if err != nil {
		return Installation{}, err
	}
	v := variables(string(text))
	i := Installation{Dir: dir, Compiler: v["PCC"]}
	if i.Compiler == "" || v["PETSC_LIB_BASIC"] == "" {
		return i, fmt.Errorf("%s: PCC and PETSC_LIB_BASIC, the compiler and the library, are expected in it", conf)
	}
	lib := filepath.Join(dir, "lib")
	i.Flags = append(i.Flags, strings.Fields(v["PETSC_CC_INCLUDES"])...)
	i.Flags = append(i.Flags, "-I"+filepath.Join(dir, "include"), "-L"+lib)
	i.Flags = append(i.Flags, strings.Fields(v["PETSC_LIB_BASIC"])...)
	i.Flags = append(i.Flags, "-Wl,-rpath,"+lib)

	// The headers matter too; these change with every version.
	h := sha256.New()
	h.Write(text)
	for _, name := range []string{"petscconf.h", "petscversion.h"} {
		for _, include := range i.Flags {
			if header, err := os.ReadFile(filepath.Join(strings.TrimPrefix(include, "-I"), name)); err == nil {
				h.Write(header)
				i.MPI = cmp.Or(i.MPI, mpiOf(string(header)))
				break
			}
		}
	}
	i.digest = hex.EncodeToString(h.Sum(nil)[:8])
	return i, nil
}

// mpiOf returns the MPI library that a petscconf.h names; "" if it names none.
func mpiOf(header string) string {
	for _, mpi := range []struct{ define, name string }{
		{"PETSC_HAVE_OMPI_MAJOR_VERSION", "Open MPI"}, {"PETSC_HAVE_OPENMPI", "Open MPI"}, {"PETSC_HAVE_MPICH", "MPICH"},
	} {
		if strings.Contains(header, "#define "+mpi.define) {
			return mpi.name
		}
	}
	return ""
}

// variables parses the definitions of a makefile without conditionals.
func variables(text string) map[string]string {
	v := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			v[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return v
}
