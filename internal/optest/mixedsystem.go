package optest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/solver"
	"gonum.org/v1/gonum/mat"
)

// MixedSystem is a system of two parts: a velocity with two components on one set, and a pressure on
// another, reached by random maps from cells.
type MixedSystem struct {
	Sets []*op2.Set
	M    *op2.Mat[float64]
	X, B *op2.MixedDat[float64]
	All  *op2.MixedMap
	Mass *op2.Mat[float64] // of the pressure
	Want []float64
}

// NewMixedSystem declares a system whose block [1][1] is present or absent: the latter makes it a
// saddle point, symmetric and indefinite.
func NewMixedSystem(rt *op2.Runtime, saddle bool) (*MixedSystem, error) {
	const cells, u, p = 40, 30, 12
	random := rand.New(rand.NewPCG(5, 7))
	any := func(arity, n int) []int {
		values := make([]int, cells*arity)
		for i := range values {
			values[i] = (i/arity*n/cells + random.IntN(4)) % n
		}
		return values
	}
	elements, nodes, corners := rt.NewSet(cells, "cells"), rt.NewSet(u, "nodes"), rt.NewSet(p, "corners")
	toNodes, toCorners := op2.NewMap(elements, nodes, 3, any(3, u), "toNodes"), op2.NewMap(elements, corners, 2, any(2, p), "toCorners")
	s := &MixedSystem{Sets: []*op2.Set{nodes, corners}, All: op2.NewMixedMap([]*op2.Map{toNodes, toCorners}, "all")}
	var absent [][2]int
	if saddle {
		absent = append(absent, [2]int{1, 1})
	}
	sparsity := op2.NewSquareSparsity(s.All, []int{2, 1}, "pattern", absent...)
	s.M = op2.NewMat[float64](sparsity, "a")
	s.Mass = op2.NewMat[float64](op2.NewSquareSparsity(toCorners, 1, "mass"), "mass")
	zeros := func(name string) *op2.MixedDat[float64] {
		return op2.NewMixedDat([]*op2.Dat[float64]{op2.NewDat[float64](nodes, 2, nil, name+"u"), op2.NewDat[float64](corners, 1, nil, name+"p")}, name)
	}
	s.X, s.B = zeros("x"), zeros("b")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return s, s.fill(random)
}

// fill sets the matrix and the right-hand side, and solves the system by dense elimination.
func (s *MixedSystem) fill(random *rand.Rand) error {
	n := s.M.Rows()
	dense := mat.NewDense(n, n, nil)
	set := func(block *op2.Mat[float64], of func(i, j int) float64, row, col int) {
		pattern := Nonzeros(block)
		for i := range block.Rows() {
			for j := range block.Cols() {
				if pattern[i*block.Cols()+j] {
					dense.Set(row+i, col+j, of(i, j))
				}
			}
		}
	}
	u := s.M.Block(0, 0).Rows()
	set(s.M.Block(0, 0), func(i, j int) float64 { return math.Sin(float64(i*j)) + math.Sin(float64(i+j)) }, 0, 0)
	set(s.M.Block(0, 1), func(i, j int) float64 { return math.Cos(float64(i + 3*j)) }, 0, u)
	set(s.M.Block(1, 0), func(i, j int) float64 { return math.Cos(float64(j + 3*i)) }, u, 0)
	if b := s.M.Block(1, 1); b != nil {
		set(b, func(i, j int) float64 { return math.Sin(float64(2 * i * j)) }, u, u)
	}
	for i := range n {
		if i >= u && s.M.Block(1, 1) == nil {
			break
		}
		sum := 1.0
		for j := range n {
			sum += math.Abs(dense.At(i, j))
		}
		dense.Set(i, i, sum)
	}
	right := make([]float64, n)
	for i := range right {
		right[i] = random.NormFloat64()
	}
	var x mat.VecDense
	if err := x.SolveVec(dense, mat.NewVecDense(n, right)); err != nil {
		return err
	}
	s.Want = slices.Clone(x.RawVector().Data)
	for i := range 2 {
		for j := range 2 {
			if block := s.M.Block(i, j); block != nil {
				if err := SetBlock(block, dense, i*u, j*u); err != nil {
					return err
				}
			}
		}
	}
	if err := SetPart(s.B.Parts()[0], right[:u]); err != nil {
		return err
	}
	if err := SetPart(s.B.Parts()[1], right[u:]); err != nil {
		return err
	}
	complement := mat.NewDense(n-u, n-u, nil)
	for i := range n - u {
		complement.Set(i, i, -2)
	}
	return SetBlock(s.Mass, complement, 0, 0)
}

// Nonzeros returns which values of a matrix its pattern has, in declared numbers.
func Nonzeros(m *op2.Mat[float64]) []bool {
	csr := Must(m.CSR())
	before := slices.Clone(csr.Values)
	for i := range csr.Values {
		csr.Values[i] = 1
	}
	there := make([]bool, m.Rows()*m.Cols())
	for i, v := range Must(m.Values()) {
		there[i] = v != 0
	}
	copy(Must(m.CSR()).Values, before)
	return there
}

// SetBlock sets the values of a block from those of a dense matrix, on the rank that has them.
func SetBlock(m *op2.Mat[float64], dense *mat.Dense, row, col int) error {
	csr, err := m.CSR()
	if err != nil {
		return err
	}
	number := func(numbers []int64, i int) int {
		if numbers == nil {
			return i
		}
		return int(numbers[i])
	}
	for r := range csr.Rows {
		for k := csr.RowPtr[r]; k < csr.RowPtr[r+1]; k++ {
			for at := range csr.RowDim * csr.ColDim {
				i := number(csr.RowNumbers, r)*csr.RowDim + at%csr.RowDim
				j := number(csr.ColNumbers, int(csr.ColIdx[k]))*csr.ColDim + at/csr.RowDim
				csr.Values[int(k)*csr.RowDim*csr.ColDim+at] = dense.At(row+i, col+j)
			}
		}
	}
	return nil
}

// SetPart sets a dat to values in declared numbers.
func SetPart(d *op2.Dat[float64], values []float64) error {
	to, err := d.Data()
	if err != nil {
		return err
	}
	for i, e := range d.Set().DeclaredNumbers()[:d.Set().Owned()] {
		copy(to[i*d.Dim():(i+1)*d.Dim()], values[int(e)*d.Dim():])
	}
	return nil
}

// Off returns how far a mixed dat is from what is wanted.
func Off(x *op2.MixedDat[float64], want []float64) (float64, error) {
	most := 0.0
	for _, p := range x.Parts() {
		values, err := p.InDeclaredOrder()
		if err != nil {
			return 0, err
		}
		for i, v := range values {
			if d := math.Abs(v - want[i]); !(d <= most) {
				most = d
			}
		}
		want = want[len(values):]
	}
	return most, nil
}

// Solve solves the system with the matrix, and compares with the dense solution.
func (s *MixedSystem) Solve(t *testing.T, options ...solver.Option) solver.Convergence {
	t.Helper()
	return s.SolveOf(t, s.M, options...)
}

func (s *MixedSystem) SolveOf(t *testing.T, a solver.Operator, options ...solver.Option) solver.Convergence {
	t.Helper()
	system := solver.New(a, append(options, solver.WithRTol(1e-11))...)
	defer system.Close()
	var c solver.Convergence
	var err error
	for range 2 {
		if c, err = system.Solve(s.X, s.B); err != nil {
			t.Fatal(err)
		}
	}
	if far := Must(Off(s.X, s.Want)); !(far <= 1e-8) {
		t.Errorf("%g off", far)
	}
	return c
}

// DeclaredValues returns the values of all parts in declared numbers.
func DeclaredValues(x *op2.MixedDat[float64]) (all []float64) {
	for _, p := range x.Parts() {
		all = append(all, Must(p.InDeclaredOrder())...)
	}
	return all
}
