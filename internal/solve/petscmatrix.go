package solve

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/precondition"
)

// split is a matrix in memory of PETSc: on each rank what is in columns of its own, apart from what is
// in columns of others. PETSc numbers one rank's columns after another's.
type split struct {
	matrix  *precondition.Matrix
	blocked bool    // PETSc's BAIJ, blocks as they are; otherwise AIJ, their values by rows
	ends    []int32 // of each row's nonzeros in columns of this rank
	others  []int32 // the other nonzeros, by rows and PETSc's numbers of their columns
}

// newSplit returns the matrix for PETSc, whose numbers of the elements here are given.
func newSplit(m *precondition.Matrix, numbers []int32, blocked bool) *split {
	s := &split{matrix: m, blocked: blocked, ends: m.Ends()}
	for r, end := range s.ends {
		before := len(s.others)
		for k := end; k < m.RowPtr[r+1]; k++ {
			s.others = append(s.others, k)
		}
		slices.SortFunc(s.others[before:], func(a, b int32) int { return cmp.Compare(numbers[m.ColIdx[a]], numbers[m.ColIdx[b]]) })
	}
	return s
}

// scalars returns the number of rows that PETSc has for each row of blocks.
func (s *split) scalars() int {
	if s.blocked {
		return 1
	}
	return s.matrix.Dim
}

// pattern returns the pattern with PETSc's numbers of columns, in ascending order.
func (s *split) pattern(numbers []int32) (petsc.CSR, error) {
	m, d := s.matrix, s.scalars()
	nonzeros := int64(m.RowPtr[len(s.ends)]) * int64(d*d)
	if nonzeros > math.MaxInt32 {
		return petsc.CSR{}, fmt.Errorf("%d nonzeros, PETSc numbers up to %d", nonzeros, math.MaxInt32)
	}
	p := petsc.CSR{RowOffsets: make([]int32, 1, len(s.ends)*d+1), Columns: make([]int32, 0, nonzeros)}
	var columns []int32
	for r := range s.ends {
		columns = columns[:0]
		for _, c := range m.ColIdx[m.RowPtr[r]:m.RowPtr[r+1]] {
			columns = append(columns, numbers[c])
		}
		slices.Sort(columns)
		for range d {
			for _, c := range columns {
				for j := range d {
					p.Columns = append(p.Columns, c*int32(d)+int32(j))
				}
			}
			p.RowOffsets = append(p.RowOffsets, int32(len(p.Columns)))
		}
	}
	return p, nil
}

// fill copies the values to PETSc.
func (s *split) fill(inside, outside []float64) {
	m, others := s.matrix, s.others
	size := m.Dim * m.Dim
	if s.scalars() == 1 { // rows without columns of other ranks follow each other
		first := 0
		for r, end := range s.ends {
			if next := m.RowPtr[r+1]; next > end || r == len(s.ends)-1 {
				inside = inside[copy(inside, m.Values[first:int(end)*size]):]
				first = int(next) * size
			}
		}
		s.put(outside, others)
		return
	}
	var run []int32
	for r, end := range s.ends {
		run = run[:0]
		for k := m.RowPtr[r]; k < end; k++ {
			run = append(run, k)
		}
		n := m.RowPtr[r+1] - end
		inside, outside, others = s.put(inside, run), s.put(outside, others[:n]), others[n:]
	}
}

// put stores the nonzeros of a row, and returns what is left of the memory.
func (s *split) put(to []float64, nonzeros []int32) (rest []float64) {
	d, from := s.matrix.Dim, s.matrix.Values
	if s.scalars() == 1 {
		size := d * d
		for i, k := range nonzeros {
			copy(to[i*size:(i+1)*size], from[int(k)*size:])
		}
		return to[len(nonzeros)*size:]
	}
	for i := range d {
		for _, k := range nonzeros {
			for j := range d {
				to[j] = from[(int(k)*d+j)*d+i]
			}
			to = to[d:]
		}
	}
	return to
}

// numbers returns the number of each element here among those of all ranks, as PETSc has them: one
// rank's after another's.
func (e *petscEngine) numbers(library *petsc.Library) ([]int32, error) {
	set, dim := e.solver.space[0].Set, e.solver.space[0].Dim
	first := 0
	if e.on != nil {
		var err error
		if first, err = library.Number(e.on, set.Size()*dim); err != nil {
			return nil, err
		}
	}
	numbers, err := algebra.NewVector[int32](set, 1, nil, "numbers")
	if err != nil {
		return nil, err
	}
	values := core.Overwriting[int32](numbers.Data)
	for i := range set.Size() {
		values[i] = int32(first/dim + i)
	}
	return withHalo[int32](numbers)
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
