package op2_test

import (
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// Operations on a mixed mat are those of one process on several ranks, too, and so are conditions.
func TestMixedMatOnRanks(t *testing.T) {
	optest.NotShort(t)
	var first, constrained [2][]float64
	for k, saddle := range []bool{false, true} {
		for _, ranks := range []int{1, 3} {
			if err := optest.OnRanks(ranks, func(rt *op2.Runtime) error {
				steps := optest.Steps(rt)
				s, err := optest.NewMixedSystem(rt, saddle)
				if err != nil {
					return err
				}
				steps.Check(s.M.Mul(s.X, s.B))
				product := optest.DeclaredValues(s.X)
				steps.Check(s.M.MulTranspose(s.X, s.B))
				product = append(product, optest.DeclaredValues(s.X)...)
				bc, _ := conditions(rt, s, saddle)
				if steps.Err() != nil {
					return steps.Err()
				}
				for range 2 {
					steps.Check(bc.Apply(s.M, s.B))
				}
				system := append(optest.Must(s.M.Values()), optest.DeclaredValues(s.B)...)
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
				csr, err := s.M.CSR()
				if err != nil {
					return err
				}
				all, n := optest.Must(s.M.Values()), s.M.Cols()
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
