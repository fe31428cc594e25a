//go:build unix

package petsc

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/jit"
)

// TestRanks solves systems on 1 and 3 ranks of Open MPI, each of which runs TestOnRank.
func TestRanks(t *testing.T) {
	library(t)
	mpirun, err := exec.LookPath("mpirun.openmpi")
	if err != nil {
		t.Skip(err)
	}
	for _, ranks := range []string{"1", "3"} {
		t.Run(ranks, func(t *testing.T) {
			run := exec.Command(mpirun, "--oversubscribe", "-n", ranks, os.Args[0], "-test.run=^TestOnRank$", "-test.count=1")
			run.Env = append(os.Environ(), "OP2_TEST_RANK=1", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// world initializes MPI and returns the ranks of mpirun.
func world(t *testing.T) *Ranks {
	mpi, err := purego.Dlopen("libmpi.so.40", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		t.Fatal(err)
	}
	symbol := func(name string) uintptr {
		at, err := purego.Dlsym(mpi, name)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	w := &Ranks{Communicator: symbol("ompi_mpi_comm_world"), MPI: "Open MPI"}
	var threads, rank, size int32
	var initialize func(argc, argv *int32, required int32, provided *int32) int32
	var number func(comm uintptr, n *int32) int32
	purego.RegisterLibFunc(&initialize, mpi, "MPI_Init_thread")
	initialize(nil, nil, 3, &threads)
	purego.RegisterLibFunc(&number, mpi, "MPI_Comm_rank")
	number(w.Communicator, &rank)
	purego.RegisterLibFunc(&number, mpi, "MPI_Comm_size")
	number(w.Communicator, &size)
	w.Rank, w.Size = int(rank), int(size)
	t.Cleanup(func() { purego.SyscallN(symbol("MPI_Finalize")) })
	return w
}

// TestOnRank is one rank of TestRanks. Iteration counts are about those of one process,
// with preconditioners that couple nothing.
func TestOnRank(t *testing.T) {
	if os.Getenv("OP2_TEST_RANK") == "" {
		t.Skip("TestRanks runs it")
	}
	on := world(t)
	l, err := Open(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, on)
	if err != nil {
		t.Fatal(err)
	}
	for _, methods := range []string{"cg jacobi", "gmres none", "cg bjacobi", "cg gamg", "gmres asm",
		"blocks cg jacobi", "blocks cg pbjacobi", "blocks gmres bjacobi", "blocks gmres asm"} {
		whole := laplace(50)
		rest, blocks := strings.CutPrefix(methods, "blocks ")
		if blocks {
			whole = whole.blocks()
		}
		want, b := whole.exact()
		method, preconditioner, _ := strings.Cut(rest, " ")
		single, _, err := whole.split(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := newSolver(t, single, parameters(method, preconditioner)).Solve(make([]float64, whole.Rows), b, false)
		if err != nil {
			t.Fatal(err)
		}
		system, lo, err := whole.split(l, on)
		if err != nil {
			t.Fatal(err)
		}
		p := parameters(method, preconditioner)
		stop, enough := -1, errors.New("enough")
		p.Monitor = func(iteration int, _ float64) error {
			if iteration == stop {
				return enough
			}
			return nil
		}
		s := newSolver(t, system, p)
		for round := range 4 {
			scale := 1.0
			if round == 1 { // PETSc sees changed values
				scale = 10
				for i := range whole.Values {
					whole.Values[i] *= scale
				}
			}
			if stop = -1; round == 2 {
				stop = 2
			}
			x := make([]float64, system.Rows)
			out, err := s.Solve(x, b[lo:lo+system.Rows], false)
			switch d := far(x, want[lo:lo+system.Rows]); {
			case round == 2:
				if err != enough && alone.Iterations > 2 {
					t.Errorf("%s: %v, want %v", methods, err, enough)
				}
			case err != nil:
				t.Fatal(err)
			case round == 0 && (!out.Converged || d > 1e-6):
				t.Errorf("%s on %d ranks: error %g, %s after %d", methods, on.Size, d, out.Reason, out.Iterations)
			case slices.Contains([]string{"jacobi", "pbjacobi", "none"}, preconditioner) && max(out.Iterations-alone.Iterations, alone.Iterations-out.Iterations) > 1:
				t.Errorf("%s: %d iterations on %d ranks, %d on one", methods, out.Iterations, on.Size, alone.Iterations)
			case round == 3: // after another 10 times of the matrix alone
				for i := range x {
					x[i] *= 10
				}
				if d := far(x, want[lo:lo+system.Rows]); d > 1e-5 {
					t.Errorf("%s after an error: error %g", methods, d)
				}
			}
		}
	}
}

// A PETSc of another MPI library than that of the ranks is refused.
func TestOtherMPI(t *testing.T) {
	i, err := Find()
	if err != nil || i.MPI != "Open MPI" {
		t.Skip("no PETSc of Open MPI")
	}
	_, err = start(jit.Config{CacheDir: t.TempDir()}, &Ranks{Size: 2, MPI: "MPICH"})
	want := "the PETSc in " + i.Dir + " was built with Open MPI, the ranks use MPICH\n" +
		"  hint: start the program with the mpirun of Open MPI, or choose another installation by PETSC_DIR"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}
