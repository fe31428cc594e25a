package petsc

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

func TestMain(m *testing.M) {
	if os.Getenv("OP2_TEST_RANK") != "" { // the cache is that of the test that runs ranks
		os.Exit(m.Run())
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "op2-petsc-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		os.Setenv("OP2_CACHE_DIR", dir)
		return m.Run()
	}())
}

// library returns PETSc; without it, it skips the test, unless OP2_REQUIRE requires it.
func library(t testing.TB) *Library {
	t.Helper()
	l, err := Open(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, nil)
	var missing *native.NotFoundError
	if errors.As(err, &missing) {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "petsc") {
			t.Fatalf("petsc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no petsc: %v", err)
	}
	if err != nil {
		t.Fatalf("%+v", err)
	}
	return l
}

// laplace returns the matrix with 2 on the diagonal and -1 next to it.
func laplace(n int) System {
	s := System{Rows: n, Block: 1, CSR: CSR{RowOffsets: []int32{0}}}
	for i := range n {
		for j := max(0, i-1); j <= min(n-1, i+1); j++ {
			s.Columns = append(s.Columns, int32(j))
			s.Values = append(s.Values, map[bool]float64{true: 2, false: -1}[i == j])
		}
		s.RowOffsets = append(s.RowOffsets, int32(len(s.Columns)))
	}
	return s
}

// times returns A x.
func (s System) times(x []float64) []float64 {
	y, d := make([]float64, s.Rows), s.Block
	for r := range s.Rows / d {
		for k := int(s.RowOffsets[r]); k < int(s.RowOffsets[r+1]); k++ {
			for at, v := range s.Values[k*d*d : (k+1)*d*d] {
				y[r*d+at%d] += v * x[int(s.Columns[k])*d+at/d]
			}
		}
	}
	return y
}

// shell returns the same matrix as an operator.
func (s System) shell() System {
	shell := System{Rows: s.Rows, Block: s.Block, Diagonal: make([]float64, s.Rows)}
	for i := range shell.Diagonal {
		for k := s.RowOffsets[i]; k < s.RowOffsets[i+1]; k++ {
			if int(s.Columns[k]) == i {
				shell.Diagonal[i] = s.Values[k]
			}
		}
	}
	shell.Apply = func(x, y []float64) error {
		copy(y, s.times(x))
		return nil
	}
	return shell
}

// split returns the rows of a rank of a system, in equal parts, the last of which is empty on more
// than two ranks, and the number of the first one; all rows for nil. They are copied to PETSc.
func (s System) split(l *Library, on *Ranks) (System, int, error) {
	lo, hi := 0, s.Rows/s.Block
	var err error
	if on != nil {
		parts := min(on.Size, 2)
		lo, hi = min(on.Rank, parts)*hi/parts, min(on.Rank+1, parts)*hi/parts
		var first int
		if first, err = l.Number(on, (hi-lo)*s.Block); err == nil && first != lo*s.Block {
			err = fmt.Errorf("the first row is %d, want %d", first, lo*s.Block)
		}
	}
	p := s
	p.On, p.Rows = on, (hi-lo)*s.Block
	p.RowOffsets, p.Columns, p.Values = []int32{0}, nil, nil
	from, to := s.RowOffsets[lo], s.RowOffsets[hi]
	for _, offset := range s.RowOffsets[lo+1 : hi+1] {
		p.RowOffsets = append(p.RowOffsets, offset-from)
	}
	p.Columns = s.Columns[from:to]
	size := s.Block * s.Block
	p.Fill = func(inside, outside []float64) {
		for k := from; k < to; k++ {
			to := &inside
			if c := int(s.Columns[k]); c < lo || c >= hi {
				to = &outside
			}
			*to = (*to)[copy(*to, s.Values[int(k)*size:(int(k)+1)*size]):]
		}
		if len(inside)+len(outside) > 0 {
			panic(fmt.Sprintf("memory for %d and %d values too many", len(inside), len(outside)))
		}
	}
	return p, lo * s.Block, err
}

// blocks returns the matrix of the first system in blocks of two by two, with couplings inside of
// them.
func (s System) blocks() System {
	b := System{Rows: 2 * s.Rows, Block: 2, Blocked: true, CSR: CSR{RowOffsets: s.RowOffsets, Columns: s.Columns}}
	for _, v := range s.Values {
		b.Values = append(b.Values, v, v/4, v/4, 2*v)
	}
	return b
}

func parameters(method, preconditioner string) Parameters {
	return Parameters{Method: method, Preconditioner: preconditioner,
		RTol: 1e-10, ATol: 1e-50, DivTol: 1e4, MaxIterations: 1000, Restart: 30}
}

// newSolver creates a solver and closes it when the test ends.
func newSolver(t *testing.T, s System, p Parameters) *Solver {
	t.Helper()
	solver, err := library(t).NewSolver(s, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := solver.Close(); err != nil {
			t.Error(err)
		}
	})
	return solver
}

// exact returns a solution and its right-hand side.
func (s System) exact() (x, b []float64) {
	x = make([]float64, s.Rows)
	for i := range x {
		x[i] = math.Sin(float64(3*i + 1))
	}
	return x, s.times(x)
}

func far(a, b []float64) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

func TestSolve(t *testing.T) {
	matrix := laplace(50)
	want, b := matrix.exact()
	for _, kind := range []struct {
		name   string
		system System
	}{{"matrix", matrix}, {"operator", matrix.shell()}} {
		for _, methods := range []string{"cg jacobi", "gmres none", "bcgs jacobi", "minres none", "cg icc", "gmres ilu", "preonly lu", "preonly cholesky", "cg sor", "cg gamg", "cg bjacobi"} {
			method, preconditioner, _ := strings.Cut(methods, " ")
			if kind.system.Apply != nil && preconditioner != "jacobi" && preconditioner != "none" {
				continue
			}
			t.Run(kind.name+"/"+methods, func(t *testing.T) {
				s := newSolver(t, kind.system, parameters(method, preconditioner))
				for round := range 2 {
					x := make([]float64, 50)
					out, err := s.Solve(x, b, round == 1)
					if err != nil {
						t.Fatal(err)
					}
					if d := far(x, want); !out.Converged || d > 1e-6 || out.Unused != "" {
						t.Errorf("error %g, %s after %d, unused options %q", d, out.Reason, out.Iterations, out.Unused)
					}
					if n := len(out.Residuals); n != out.Iterations+1 && method != "preonly" {
						t.Errorf("%d residuals of %d iterations", n, out.Iterations)
					}
				}
			})
		}
	}
}

// The preconditioner sees changed values, too, unless it is reused.
func TestChangedValues(t *testing.T) {
	for _, preconditioner := range []string{"lu", "jacobi", "sor", "blocks jacobi", "blocks pbjacobi", "blocks ilu"} {
		matrix := laplace(20)
		system := matrix
		preconditioner, blocks := strings.CutPrefix(preconditioner, "blocks ")
		if blocks {
			matrix = matrix.blocks()
			system, _, _ = matrix.split(nil, nil)
		}
		want, b := matrix.exact()
		s := newSolver(t, system, parameters("gmres", preconditioner))
		x := make([]float64, matrix.Rows)
		if _, err := s.Solve(x, b, false); err != nil {
			t.Fatal(err)
		}
		first := 0
		for round, keep := range []bool{false, true} {
			for i := range matrix.Values {
				matrix.Values[i] *= 1000
			}
			for i := range b {
				b[i] *= 1000
			}
			out, err := s.Solve(x, b, keep)
			if err != nil || !out.Converged || far(x, want) > 1e-6 {
				t.Errorf("%s: error %g, %s, %v", preconditioner, far(x, want), out.Reason, err)
			}
			if round == 0 {
				first = int(math.Floor(math.Log10(out.Residuals[0])))
				continue
			}
			// PETSc's sor reads the matrix itself each time: nothing is reused.
			want := first + 3
			if preconditioner == "sor" {
				want = first
			}
			if second := int(math.Floor(math.Log10(out.Residuals[0]))); second != want {
				t.Errorf("%s: the first residual is 1e%d, with the kept preconditioner 1e%d", preconditioner, first, second)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	matrix := laplace(30)
	want, b := matrix.exact()
	p := parameters("cg", "jacobi")
	p.Prefix, p.Options = "first_", "-ksp_type gmres\t-pc_type lu -ksp_rtol 1e-12 -ksp_typ cg -x -1.5"
	s := newSolver(t, matrix, p)
	x := make([]float64, 30)
	out, err := s.Solve(x, b, false)
	if err != nil || far(x, want) > 1e-10 {
		t.Errorf("error %g, %v", far(x, want), err)
	}
	if out.Unused != "-first_ksp_typ -first_x" {
		t.Errorf("unused options: %q", out.Unused)
	}
	if types, err := s.Types(); types != "gmres + lu" || err != nil {
		t.Errorf("%q, %v", types, err)
	}
	// They are released with the solver.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	p.Options = ""
	s = newSolver(t, matrix, p)
	if types, err := s.Types(); types != "cg + jacobi" || err != nil {
		t.Errorf("%q, %v", types, err)
	}
}

func TestErrors(t *testing.T) {
	l := library(t)
	for _, test := range []struct {
		parameters Parameters
		want       string
	}{
		{parameters("nonsense", "jacobi"), "Unable to find requested KSP type nonsense (PETSc error 86 in KSPSetType)"},
		{parameters("cg", "nonsense"), "Unable to find requested PC type nonsense (PETSc error 86 in PCSetType)"},
		{Parameters{Method: "cg", Preconditioner: "none", RTol: -3, MaxIterations: 10, Restart: 30}, "Relative tolerance -3. must be non-negative and less than 1.0 (PETSc error 63 in KSPSetTolerances)"},
	} {
		_, err := l.NewSolver(laplace(3), test.parameters)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	// PETSc still works after a failure within Solve.
	broken := laplace(3)
	broken.RowOffsets, broken.Columns, broken.Values = []int32{0, 1, 2, 3}, []int32{1, 0, 0}, []float64{1, 1, 1}
	s := newSolver(t, broken, parameters("gmres", "ilu"))
	if out, err := s.Solve(make([]float64, 3), []float64{1, 2, 3}, false); err == nil || !strings.Contains(err.Error(), "Matrix is missing diagonal entry") {
		t.Errorf("%v, %s", err, out.Reason)
	}
	want, b := laplace(3).exact()
	x := make([]float64, 3)
	if _, err := newSolver(t, laplace(3), parameters("cg", "jacobi")).Solve(x, b, false); err != nil || far(x, want) > 1e-8 {
		t.Errorf("error %g, %v", far(x, want), err)
	}
}

func TestFailedPreconditioner(t *testing.T) {
	singular := laplace(2)
	singular.Values = []float64{1, 1, 1, 1}
	out, err := newSolver(t, singular, parameters("gmres", "lu")).Solve(make([]float64, 2), []float64{1, 2}, false)
	if err != nil || out.Converged || out.Reason != "DIVERGED_PC_FAILED" || out.Failure != "FACTOR_NUMERIC_ZEROPIVOT" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestMonitor(t *testing.T) {
	matrix := laplace(40)
	_, b := matrix.exact()
	var seen []float64
	p := parameters("cg", "jacobi")
	stop, stopped := -1, errors.New("enough")
	p.Monitor = func(iteration int, residual float64) error {
		if iteration == stop {
			return stopped
		}
		seen = append(seen, residual)
		return nil
	}
	s := newSolver(t, matrix, p)
	out, err := s.Solve(make([]float64, 40), b, false)
	if err != nil || !slices.Equal(out.Residuals, seen) || len(seen) < 10 {
		t.Errorf("saw %v, %+v, %v", seen, out, err)
	}
	stop = 5
	if _, err := s.Solve(make([]float64, 40), b, false); err != stopped {
		t.Errorf("%v, want %v", err, stopped)
	}
	stop = -1
	if again, err := s.Solve(make([]float64, 40), b, false); err != nil || !slices.Equal(again.Residuals, out.Residuals) {
		t.Errorf("%+v, %v", again, err)
	}
}

// What happens in the operator reaches Go: an error, a panic, a nested solve.
func TestOperator(t *testing.T) {
	matrix := laplace(20)
	want, b := matrix.exact()
	inner := newSolver(t, matrix, parameters("cg", "jacobi"))
	shell := matrix.shell()
	multiply := shell.Apply
	var act func() error
	shell.Apply = func(x, y []float64) error {
		if err := act(); err != nil {
			return err
		}
		deep(0)
		return multiply(x, y)
	}
	s := newSolver(t, shell, parameters("gmres", "jacobi"))
	x := make([]float64, 20)

	act = func() error { return errors.New("no more") }
	if _, err := s.Solve(x, b, false); err == nil || err.Error() != "no more" {
		t.Errorf("%v", err)
	}
	func() {
		defer func() {
			if p := recover(); p != "help" {
				t.Errorf("recovered %v", p)
			}
		}()
		act = func() error { panic("help") }
		s.Solve(x, b, false)
		t.Error("the panic was lost")
	}()
	act = func() error {
		y := make([]float64, 20)
		_, err := inner.Solve(y, b, false)
		if far(y, want) > 1e-8 {
			t.Errorf("the inner error is %g", far(y, want))
		}
		runtime.GC()
		return err
	}
	if _, err := s.Solve(x, b, false); err != nil || far(x, want) > 1e-8 {
		t.Errorf("error %g, %v", far(x, want), err)
	}
}

// deep makes the stack grow, and so move.
func deep(n int) int {
	var frame [512]byte
	if n == 200 {
		return int(frame[n])
	}
	frame[n] = byte(n)
	return deep(n+1) + int(frame[n])
}

// PETSc, and the MPI below it, must not replace Go's signal handlers: a nil dereference is still a
// panic.
func TestSignals(t *testing.T) {
	library(t)
	for range 3 {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "nil pointer") {
					t.Errorf("recovered %v", p)
				}
			}()
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			var p *[1 << 20]int
			p[runtime.NumGoroutine()]++
		}()
	}
}

func TestSeveralGoroutines(t *testing.T) {
	library(t)
	done := make(chan error)
	for g := range 8 {
		go func() {
			matrix := laplace(10 + 5*g).shell()
			want, b := laplace(10 + 5*g).exact()
			done <- func() error {
				s, err := library(t).NewSolver(matrix, parameters("cg", "jacobi"))
				if err != nil {
					return err
				}
				defer s.Close()
				for range 20 {
					x := make([]float64, len(b))
					if _, err := s.Solve(x, b, false); err != nil || far(x, want) > 1e-8 {
						return fmt.Errorf("error %g, %v", far(x, want), err)
					}
					runtime.Gosched()
				}
				return nil
			}()
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Installations that are missing, incomplete, or built for other number types.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PETSC_DIR", dir)
	t.Setenv("PETSC_ARCH", "arch")
	expect := func(want string) {
		t.Helper()
		_, err := start(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, nil)
		if err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	expect("no PETSc: looked for lib/petsc/conf/petscvariables in " + dir + "/arch, " + dir +
		"\n  hint: apt install petsc-dev (Debian, Ubuntu), or set PETSC_DIR, and PETSC_ARCH where the installation has one")

	conf := filepath.Join(dir, "arch", "lib", "petsc", "conf")
	include := filepath.Join(dir, "arch", "include")
	for _, d := range []string{conf, include} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	variables := filepath.Join(conf, "petscvariables")
	write(variables, "PCC = \n")
	expect(variables + ": PCC and PETSC_LIB_BASIC, the compiler and the library, are expected in it")

	if _, err := jit.New(jit.Config{}); err != nil {
		t.Skip(err)
	}
	write(variables, "PCC = cc\nPETSC_LIB_BASIC = -lm\n")
	const double = "#define PETSC_USE_REAL_DOUBLE 1\n"
	for _, test := range []struct{ conf, reason string }{
		{double + "#define PETSC_USE_COMPLEX 1\n", "works with complex numbers"},
		{"#define PETSC_USE_REAL_SINGLE 1\n", "does not work in double precision"},
		{double + "#define PETSC_USE_64BIT_INDICES 1\n", "has indices of 64 bits"},
	} {
		write(filepath.Join(include, "petscconf.h"), test.conf)
		expect("the PETSc in " + dir + "/arch " + test.reason + "; double precision, real numbers and indices of 32 bits are needed" +
			"\n  hint: PETSC_DIR chooses another installation")
	}
	write(filepath.Join(include, "petscconf.h"), double)
	write(variables, "PCC = op2-mpicc\nPETSC_LIB_BASIC = -lm\n")
	expect(`no C compiler called "op2-mpicc" in PATH (` + os.Getenv("PATH") + ")" +
		"\n  hint: PETSc in " + dir + "/arch was built with it, and is called through it; PETSC_DIR chooses another installation")
	write(variables, "PCC = cc\nPETSC_LIB_BASIC = -lm\n")
	_, err := start(jit.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")}, nil)
	var failed *jit.CompileError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "petscksp.h") {
		t.Errorf("%v", err)
	}
}
