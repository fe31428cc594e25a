//go:build unix

package petsc

import (
	"errors"
	"fmt"
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

// split returns the rows of a rank of a system, in equal parts, the last of which is empty on more
// than two ranks.
func (s System) split(l *Library, on *Ranks) (System, int, error) {
	parts := min(on.Size, 2)
	lo, hi := min(on.Rank, parts)*s.Rows/parts, min(on.Rank+1, parts)*s.Rows/parts
	first, err := l.Number(on, hi-lo)
	if err == nil && first != lo {
		err = fmt.Errorf("the first row is %d, want %d", first, lo)
	}
	p := System{On: on, Rows: hi - lo, Block: s.Block}
	p.RowOffsets, p.Outside.RowOffsets = []int32{0}, []int32{0}
	for r := lo; r < hi; r++ {
		for k := s.RowOffsets[r]; k < s.RowOffsets[r+1]; k++ {
			to, column := &p.CSR, s.Columns[k]-int32(lo)
			if column < 0 || int(column) >= p.Rows {
				to, column = &p.Outside, s.Columns[k]
			}
			to.Columns, to.Values = append(to.Columns, column), append(to.Values, s.Values[k])
		}
		p.RowOffsets = append(p.RowOffsets, int32(len(p.Columns)))
		p.Outside.RowOffsets = append(p.Outside.RowOffsets, int32(len(p.Outside.Columns)))
	}
	return p, lo, err
}

// TestOnRank is one rank of TestRanks. Iteration counts are those of one process, with Jacobi's
// preconditioner.
func TestOnRank(t *testing.T) {
	if os.Getenv("OP2_TEST_RANK") == "" {
		t.Skip("TestRanks runs it")
	}
	on := world(t)
	l, err := Open(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, on)
	if err != nil {
		t.Fatal(err)
	}
	whole := laplace(50)
	want, b := whole.exact()
	for _, methods := range []string{"cg jacobi", "gmres none", "cg bjacobi", "cg gamg", "gmres asm"} {
		method, preconditioner, _ := strings.Cut(methods, " ")
		alone, err := newSolver(t, laplace(50), parameters(method, preconditioner)).Solve(make([]float64, 50), b, false)
		if err != nil {
			t.Fatal(err)
		}
		system, lo, err := laplace(50).split(l, on)
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
				for i := range system.Values {
					system.Values[i] *= scale
				}
				for i := range system.Outside.Values {
					system.Outside.Values[i] *= scale
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
			case slices.Contains([]string{"jacobi", "none"}, preconditioner) && out.Iterations != alone.Iterations:
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
