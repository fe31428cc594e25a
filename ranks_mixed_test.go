package op2_test

import (
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// PETSc solves mixed systems of several ranks of its own MPI.
func TestMixedPETScRanks(t *testing.T) {
	optest.NotShort(t)
	if !mpitest.Inside() {
		optest.OpenPETSc(t)
		mpitest.Run(t, mpitest.OpenMPI, 2, "TestMixedPETScRanks")
		return
	}
	schur, petsc := solver.Schur, solver.PETSc
	tight := solver.WithSplit(0, solver.CG, solver.WithRTol(1e-12))
	for _, saddle := range []bool{false, true} {
		rt := optest.Open(t, op2.WithBackend("go"))
		if rt.Ranks() != 2 {
			t.Fatalf("%d ranks", rt.Ranks())
		}
		s, err := newMixedSystem(rt, saddle)
		optest.OK(t, err)
		for _, test := range []struct {
			name    string
			saddle  bool
			alike   bool // takes as many iterations as the native engine
			options []solver.Option
		}{
			{"jacobi", false, true, []solver.Option{solver.Jacobi}},
			{"defaults", false, true, nil},
			{"additive", false, true, []solver.Option{solver.Additive, solver.CG}},
			{"symmetric_multiplicative", false, true, []solver.Option{solver.SymmetricMultiplicative}},
			{"one matrix", false, false, []solver.Option{solver.BJacobi}},
			{"schur, self", true, true, []solver.Option{schur, tight, solver.WithSplit(1, solver.None)}},
			{"schur, selfp", true, true, []solver.Option{schur, tight, solver.WithSelfP()}},
			{"schur, user", true, true, []solver.Option{solver.SchurUpper, tight, solver.WithSchurMatrix(s.mass), solver.WithSplit(1, solver.PreOnly)}},
			{"schur, a11", false, false, []solver.Option{schur, solver.WithSplit(1, solver.BJacobi)}},
		} {
			if test.saddle != saddle {
				continue
			}
			native := s.solve(t, test.options...)
			c := s.solve(t, append(test.options, petsc)...)
			if n, p := native.Iterations, c.Iterations; test.alike && (n < p-1 || n > p+1) {
				t.Errorf("%s: %d iterations, %d with PETSc", test.name, n, p)
			}
		}
		s.solve(t, petsc, solver.WithPETScOptions("-mat_type aij -pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_0_pc_type bjacobi -fieldsplit_1_pc_type none"))
	}
}

// Operations on a mixed mat are those of one process on several ranks, too, and so are conditions.
func TestMixedMatOnRanks(t *testing.T) {
	optest.NotShort(t)
	var first, constrained [2][]float64
	for k, saddle := range []bool{false, true} {
		for _, ranks := range []int{1, 3} {
			if err := optest.OnRanks(ranks, func(rt *op2.Runtime) error {
				steps := optest.Steps(rt)
				s, err := newMixedSystem(rt, saddle)
				if err != nil {
					return err
				}
				steps.Check(s.m.Mul(s.x, s.b))
				product := declaredValues(s.x)
				steps.Check(s.m.MulTranspose(s.x, s.b))
				product = append(product, declaredValues(s.x)...)
				bc, _ := conditions(rt, s, saddle)
				if steps.Err() != nil {
					return steps.Err()
				}
				for range 2 {
					steps.Check(bc.Apply(s.m, s.b))
				}
				system := append(optest.Must(s.m.Values()), declaredValues(s.b)...)
				if steps.Err() != nil {
					return steps.Err()
				}
				if ranks == 1 {
					first[k], constrained[k] = product, system
					return nil
				}
				for i, v := range append(product, system...) {
					if want := append(first[k], constrained[k]...)[i]; !(v-want <= 1e-12 && want-v <= 1e-12) {
						return fmt.Errorf("saddle point: %v: value %d is %v, on one process %v", saddle, i, v, want)
					}
				}
				csr, err := s.m.CSR()
				if err != nil {
					return err
				}
				all, n := optest.Must(s.m.Values()), s.m.Cols()
				for r := range csr.Rows {
					for k := csr.RowPtr[r]; k < csr.RowPtr[r+1]; k++ {
						if want := all[int(csr.RowNumbers[r])*n+int(csr.ColNumbers[csr.ColIdx[k]])]; csr.Values[k] != want {
							return fmt.Errorf("CSR: row %d has %v, want %v", csr.RowNumbers[r], csr.Values[k], want)
						}
					}
				}
				return nil
			}); err != nil {
				t.Errorf("%d ranks: %v", ranks, err)
			}
		}
	}
}

// declaredValues returns the values of all parts in declared numbers.
func declaredValues(x *op2.MixedDat[float64]) (all []float64) {
	for _, p := range x.Parts() {
		all = append(all, optest.Must(p.InDeclaredOrder())...)
	}
	return all
}
