//go:build linux

package vtk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestMain(m *testing.M) { optest.Main(m) }

// On processes, ranks write into one file together where the library can, and VTK reads what one rank writes.
func TestHDFOfProcesses(t *testing.T) {
	const folder = "OP2_TEST_VTK_FOLDER"
	if mpitest.Inside() {
		rt := optest.Must(op2.Open(op2.WithBackend("go")))
		f := optest.Must(foilShare(rt))
		optest.OK(t, f.writePieces(rt, os.Getenv(folder)))
		optest.OK(t, WriteFile(filepath.Join(os.Getenv(folder), "end.vtkhdf"), f.mesh, Nodes("x", f.x)))
		optest.OK(t, rt.Close())
		rt = optest.Must(op2.Open(op2.WithBackend("go")))
		optest.OK(t, writeBlocks(rt, foilWithGroups(), filepath.Join(os.Getenv(folder), "b.vtkhdf"), false))
		optest.OK(t, rt.Close())
		return
	}
	optest.NotShort(t)
	interpreter := python(t)
	serial, err := hdf5.Open(nil)
	if err != nil {
		optest.Require(t, "hdf5", err.Error())
	}
	args := []string{"-c", strings.Replace(readWithVTK, "\nfor path", summary+"\nfor path", 1)}
	for _, run := range []struct {
		kind   string
		ranks  int
		serial bool // the library has no parallel access
	}{{"", 1, false}, {mpitest.OpenMPI, 3, false}, {mpitest.OpenMPI, 2, true}, {mpitest.MPICH, 2, false}} {
		dir := t.TempDir()
		t.Run(fmt.Sprint(run), func(t *testing.T) {
			args = append(args, filepath.Join(dir, "s.vtkhdf"), filepath.Join(dir, "b.vtkhdf"), filepath.Join(dir, "end.vtkhdf"))
			if run.kind == "" {
				optest.OK(t, optest.OnRanks(1, func(rt *op2.Runtime) error {
					f := optest.Must(foilShare(rt))
					return errors.Join(f.writePieces(rt, dir), WriteFile(filepath.Join(dir, "end.vtkhdf"), f.mesh, Nodes("x", f.x)))
				}))
				optest.OK(t, optest.OnRanks(1, func(rt *op2.Runtime) error {
					return writeBlocks(rt, foilWithGroups(), filepath.Join(dir, "b.vtkhdf"), false)
				}))
				return
			}
			t.Setenv(folder, dir)
			if run.serial {
				t.Setenv(hdf5.Variable, serial.Path)
			}
			said := mpitest.Run(t, run.kind, run.ranks, "TestHDFOfProcesses")
			if through := strings.Contains(said, "rank 0 writes for all ranks"); through && !run.serial {
				optest.Require(t, "hdf5", "the parallel library for "+run.kind)
			} else if !through && run.serial {
				t.Error("no warning that rank 0 writes")
			}
		})
	}
	out, err := exec.Command(interpreter, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const each = 2 + 2*7 + 1 // grids: two steps, the blocks of two steps, and the end
	grids := strings.SplitAfter(string(out), "\n\n")
	for i := each; i < len(grids)-1; i++ {
		if want := grids[i%each]; grids[i] != want || strings.Count(want, "\n") < 4 {
			t.Errorf("grid %d of run %d: VTK read\n%s\non one rank\n%s", i%each, i/each, grids[i], want)
		}
	}
	if len(grids) != 4*each+1 {
		t.Errorf("%d grids in %s", len(grids)-1, out)
	}
}

// A full disk is an error of ranks that write together, too, and the steps before stay.
func TestFullDiskOfProcesses(t *testing.T) {
	const folder = "OP2_TEST_VTK_FULL"
	if mpitest.Inside() {
		rt := optest.Must(op2.Open(op2.WithBackend("go")))
		m := optest.Must(mesh.NACA0012Share(40, 20, rt.Rank(), rt.Ranks()))
		f := declareFoil(m, rt.NewSetShare)
		s := optest.Must(NewSeries(filepath.Join(os.Getenv(folder), "s.vtkhdf"), m, On(rt)))
		var err error
		for step := 0; step < 100 && err == nil; step++ {
			noise := make([]float64, m.Nodes())
			for i := range noise {
				noise[i] = rand.Float64()
			}
			err = s.Write(float64(step), Nodes("x", f.x), NodeValues("noise", noise))
		}
		if err == nil || !strings.Contains(err.Error(), "no space left on device") {
			t.Errorf("got %v", err)
		}
		optest.OK(t, rt.Close())
		return
	}
	optest.NotShort(t)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("no small disk: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	t.Setenv(folder, dir)
	mpitest.Run(t, mpitest.OpenMPI, 3, "TestFullDiskOfProcesses")
}
