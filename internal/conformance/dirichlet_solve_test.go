package conformance

import (
	_ "embed"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed dirichlet_solve_test.go
var dirichletSolveSource string

func addBlock2(a *[2][2]float64, v *[4]float64) {
	for i := range 2 {
		for j := range 2 {
			a[i][j] += v[2*i+j]
		}
	}
}

// Every method and preconditioner solves systems with Dirichlet conditions, on every backend, with
// the result of a dense solver.
func TestDirichletSolve(t *testing.T) {
	optest.NotShort(t)
	const n = 24
	some := []int{0, 3, 4, 11, 23}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	solvers := [][3]string{{"petsc", "cg", "gamg"}, {"petsc", "preonly", "cholesky"}, {"petsc", "cg", "icc"}}
	for _, method := range []string{"cg", "gmres", "bicgstab"} {
		for _, preconditioner := range []string{"none", "jacobi", "pbjacobi", "bjacobi", "ilu", "ssor"} {
			solvers = append(solvers, [3]string{"native", method, preconditioner})
		}
	}
	for _, backend := range []string{"go", "sequential", "openmp", "opencl"} {
		t.Run(backend, func(t *testing.T) {
			rt, err := op2.Open(op2.WithBackend(backend), op2.WithThreads(2), op2.WithLog(nil))
			if errors.Is(err, op2.ErrUnavailable) {
				optest.Require(t, backend, err.Error())
			}
			optest.OK(t, err)
			defer rt.Close()
			for _, test := range []struct {
				name       string
				n          int
				fixed      []int
				components []int
				masked     bool
			}{
				{"values", n, some, nil, false},
				{"components", n, some, []int{1}, false},
				{"masked", n, some, nil, true},
				{"masked components", n, some, []int{0}, true},
				{"all fixed", n, all, nil, false},
				{"all masked", n, all, nil, true},
				{"none", n, nil, nil, false},
				{"no elements", 0, nil, nil, false},
			} {
				a, x, b, want := fixedSystem(t, rt, test.n, test.fixed, test.components, test.masked)
				for _, s := range solvers {
					if onDevice := []string{"jacobi", "pbjacobi", "gamg"}; backend == "opencl" && (s[1] != "cg" || !slices.Contains(onDevice, s[2])) {
						continue // TestSolversAgreeOnDevices runs the others, which take long to compile
					}
					if s[2] == "gamg" && len(test.fixed) == n {
						continue // an error of PETSc's: nothing is left on the coarse grid
					}
					system := solver.New(a, solver.Engine(s[0]), solver.Method(s[1]), solver.Preconditioner(s[2]),
						solver.WithRTol(1e-13), solver.WithBlocks(3))
					err := system.Err()
					if errors.Is(err, op2.ErrUnavailable) {
						continue // TestSolversAgree requires PETSc
					}
					optest.OK(t, err)
					if _, err := system.Solve(x, b); err != nil {
						t.Fatalf("%s, %v: %v", test.name, s, err)
					}
					for i, v := range optest.Must(x.DataRO()) {
						if !(max(v-want[i], want[i]-v) <= 1e-10) {
							t.Fatalf("%s, %v: x[%d] is %g, want %g", test.name, s, i, v, want[i])
						}
					}
					optest.OK(t, system.Close())
				}
			}
		})
	}
}

// fixedSystem assembles a symmetric system, with or without the fixed rows and columns, and applies
// conditions. want is its solution.
func fixedSystem(t *testing.T, rt *op2.Runtime, n int, fixed, components []int, masked bool) (a *op2.Mat[float64], x, b *op2.Dat[float64], want []float64) {
	t.Helper()
	s := optest.NewSystem(n, 2, true)
	set, nonzeros := optest.NewSet(t, rt, n, "nodes"), optest.NewSet(t, rt, len(s.Rows), "nonzeros")
	row, col := optest.NewMap(t, nonzeros, set, 1, s.Rows, "row"), optest.NewMap(t, nonzeros, set, 1, s.Cols, "col")
	on := op2.NewSubset(set, fixed, "fixed")
	profile := optest.NewDat[float64](t, set, 2, nil, "profile")
	l := lifted{a: &optest.Dense{Cols: 2 * n, Values: make([]float64, 4*n*n)}, fixed: map[int]float64{}, diagonal: 1}
	for i, v := range optest.Must(profile.Data()) {
		v = float64(i%7) - 2.5
		optest.Must(profile.Data())[i] = v
		if slices.Contains(fixed, i/2) && (components == nil || slices.Contains(components, i%2)) {
			l.fixed[i] = v
		}
	}
	for i := range 2 * n {
		for j := range 2 * n {
			_, r := l.fixed[i]
			_, c := l.fixed[j]
			if !masked || !r && !c {
				l.a.Values[2*n*i+j] = s.Dense.At(i, j)
			}
		}
	}
	var rows, cols op2.MatMap = row, col
	condition := op2.FixTo(on, profile)
	if components != nil {
		// The dat has one value for each of the components.
		values := optest.Must(profile.Data())
		single := optest.NewDat[float64](t, set, 1, nil, "single")
		for i := range n {
			optest.Must(single.Data())[i] = values[2*i+components[0]]
		}
		condition = op2.FixTo(on, single).Components(components...)
	}
	if masked {
		rows, cols = row.Masked(on, "rows", components...), col.Masked(on, "cols", components...)
	}
	a = op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: row, Cols: col}}, 2, 2, "pattern"), "a")
	optest.Run(t, op2.Kernels(dirichletSolveSource).Func(addBlock2), nonzeros, a.Inc(rows, cols), optest.NewDat(t, nonzeros, 4, s.Blocks, "blocks").Read())
	x, b = optest.NewDat[float64](t, set, 2, nil, "x"), optest.NewDat(t, set, 2, s.B, "b")
	optest.OK(t, op2.NewDirichlet(condition).Apply(a, b))
	if n > 0 {
		var solution mat.VecDense
		optest.OK(t, solution.SolveVec(mat.NewDense(2*n, 2*n, l.matrix().Values), mat.NewVecDense(2*n, l.rhs(s.B))))
		want = slices.Clone(solution.RawVector().Data)
	}
	return a, x, b, want
}
