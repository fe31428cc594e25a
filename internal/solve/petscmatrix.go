package solve

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/sorting"
)

// split is a matrix in memory of PETSc: on each rank the blocks in columns of its own, apart from those in
// columns of others. PETSc numbers one rank's columns after another's. Blocks of several values are in
// its format BAIJ.
type split struct {
	matrix *precondition.Matrix
	ends   []int32 // of each row's nonzeros in columns of this rank
	others []int32 // the other nonzeros, by rows and PETSc's numbers of their columns
}

// newSplit returns the matrix for PETSc, whose numbers of the elements here are given.
func newSplit(m *precondition.Matrix, numbers []int32) *split {
	s := &split{matrix: m, ends: m.Ends()}
	for r, end := range s.ends {
		before := len(s.others)
		for k := end; k < m.RowPtr[r+1]; k++ {
			s.others = append(s.others, k)
		}
		sorting.Int32sBy(s.others[before:], func(a, b int32) int { return cmp.Compare(numbers[m.ColIdx[a]], numbers[m.ColIdx[b]]) })
	}
	return s
}

// pattern returns the pattern with PETSc's numbers of columns, in ascending order.
func (s *split) pattern(numbers []int32) petsc.CSR {
	m, rows := s.matrix, len(s.ends)
	p := petsc.CSR{RowOffsets: m.RowPtr[:rows+1], Columns: make([]int32, m.RowPtr[rows])}
	for k := range p.Columns {
		p.Columns[k] = numbers[m.ColIdx[k]]
	}
	for r := range rows {
		sorting.Int32s(p.Columns[m.RowPtr[r]:m.RowPtr[r+1]])
	}
	return p
}

// fill copies the values to PETSc. Rows without columns of other ranks follow each other.
func (s *split) fill(inside, outside []float64) {
	m, size, first := s.matrix, s.matrix.Dim*s.matrix.Dim, 0
	for r, end := range s.ends {
		if next := m.RowPtr[r+1]; next > end || r == len(s.ends)-1 {
			inside = inside[copy(inside, m.Values[first:int(end)*size]):]
			first = int(next) * size
		}
	}
	for i, k := range s.others {
		copy(outside[i*size:(i+1)*size], m.Values[int(k)*size:])
	}
}

// numbers returns the number of each element here among those of all ranks, as PETSc has them: one
// rank's after another's.
func (e *petscEngine) numbers(library *petsc.Library) ([]int32, error) {
	p := e.solver.space[0]
	first, err := e.number(library, p.Here())
	if err != nil {
		return nil, err
	}
	n, err := numbersOf(Part{Set: p.Set, Dim: 1}, first/p.Dim)
	return n.of, err
}

// Preconditioners of PETSc that take matrices of blocks as such, and those that do so inside of
// others: ilu, for one, then eliminates by blocks.
var (
	blockPreconditioners = []string{"none", "jacobi", "pbjacobi", "bjacobi", "asm", "ilu"}
	innerPreconditioners = []string{"", "none", "jacobi", "pbjacobi", "ilu", "lu"}
)

// inBlocks reports whether a matrix is in PETSc's format for blocks, BAIJ: if the preconditioner works
// with it, unless the option -mat_type says otherwise.
func (e *petscEngine) inBlocks(library *petsc.Library, p petsc.Parameters) (bool, error) {
	if e.solver.space[0].Dim == 1 {
		return false, nil
	}
	options := map[string]string{"mat_type": "", "pc_type": "", "sub_pc_type": ""}
	for name := range options {
		value, err := library.Option(p, name)
		if err != nil {
			return false, err
		}
		options[name] = value
	}
	switch kind := options["mat_type"]; kind {
	case "aij", "baij":
		return kind == "baij", nil
	case "":
	default:
		return false, fmt.Errorf("the option -mat_type %s: matrices are aij or baij", kind)
	}
	return slices.Contains(blockPreconditioners, cmp.Or(options["pc_type"], p.Preconditioner)) &&
		slices.Contains(innerPreconditioners, options["sub_pc_type"]), nil
}
