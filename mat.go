package op2

import (
	"fmt"
	"io"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// Mat is a sparse matrix. Loops assemble it: a kernel computes the local matrix of its element,
// which is added to the rows and columns that maps give.
//
// It consists of blocks, rowDim by colDim, of a [Sparsity]. Methods that refer to rows and columns
// number the values: row rowDim*e+i is component i of the element with the declared number e.
type Mat[T Scalar] algebra.Matrix

// matrix returns the mat for operations on matrices.
func (m *Mat[T]) matrix() *algebra.Matrix { return (*algebra.Matrix)(m) }

// data returns what the mat is to the runtime; nil for a nil mat.
func (m *Mat[T]) data() *core.Data { return m.matrix().Data() }

// NewMat declares a matrix of zeros. A sparsity may have several.
func NewMat[T Scalar](s *Sparsity, name string) *Mat[T] {
	m := core.Declare(core.Declaration{On: []*core.Runtime{s.core().Runtime()}, What: "mat " + name, Of: "sparsity"},
		func() (*algebra.Matrix, error) { return algebra.NewMatrix(s.core(), loop.Of[T](), name) },
		func(failed *core.Runtime) *algebra.Matrix {
			return algebra.InertMatrix(core.InertMat(failed, loop.Of[T](), name))
		})
	return (*Mat[T])(m)
}

// Err returns why the matrix could not be declared; nil if it was.
func (m *Mat[T]) Err() error { return orEmpty(m.data()).Runtime().Made("mat", "NewMat") }

// Inc passes the matrix for addition: the kernel's parameter is the local matrix, which arrives
// zeroed, and what the kernel leaves in it is added. Rows and cols are maps of the sparsity, or
// masked ones; row r*rowDim+i of the local matrix, for component r of the map and i of the block,
// belongs to row rows[r]*rowDim+i, and the columns likewise.
func (m *Mat[T]) Inc(rows, cols MatMap) Arg {
	return Arg(core.PassMat(loop.Inc, m.data(), matMap(rows), matMap(cols)))
}

// Write passes the matrix for writing: values are set to what the kernel leaves in the local
// matrix, laid out as for [Mat.Inc]. If several elements write a value, the last one wins, in
// ascending order, on every backend; within one local matrix the last place, row by row. Values
// that no element writes stay.
func (m *Mat[T]) Write(rows, cols MatMap) Arg {
	return Arg(core.PassMat(loop.Write, m.data(), matMap(rows), matMap(cols)))
}

// begin enters the runtime, unless the mat is nil or undeclared.
func (m *Mat[T]) begin() error {
	if err := m.Err(); err != nil {
		return err
	}
	return m.data().Runtime().EnterData()
}

// values returns the host's values, whether or not they are valid; nil if there are none yet.
func (m *Mat[T]) values() []T { return core.Host[T](m.data()) }

// beginRead enters the runtime like begin, for calls that read the values on the host.
func (m *Mat[T]) beginRead() (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	brought := false
	defer func() {
		if !brought {
			m.rt().LeaveWith(&err)
		}
	}()
	err = m.bring(false)
	brought = err == nil
	return err
}

// Sparsity returns the pattern of the matrix.
func (m *Mat[T]) Sparsity() *Sparsity { return (*Sparsity)(orEmpty(m.data()).Sparsity()) }

// Name returns the name the matrix was declared with.
func (m *Mat[T]) Name() string { return orEmpty(m.data()).Name() }

// Domain returns the set and the dim of the dats that the matrix is multiplied with: those of its
// columns.
func (m *Mat[T]) Domain() (set *Set, dim int) { return m.Sparsity().Cols(), m.Sparsity().block().Cols }

// Rows returns the number of rows: of values, not of blocks, and on all ranks.
func (m *Mat[T]) Rows() int { return m.Sparsity().Rows().Size() * m.Sparsity().block().Rows }

// Cols returns the number of columns: of values, not of blocks, and on all ranks.
func (m *Mat[T]) Cols() int { return m.Sparsity().Cols().Size() * m.Sparsity().block().Cols }

// CSR is a matrix in compressed rows of blocks.
//
// The index arrays are 32-bit and count from 0, and the values of a block are stored column by
// column, as in PETSc's types AIJ (blocks of 1 × 1) and BAIJ (square blocks).
type CSR[T Scalar] struct {
	Rows, Cols     int     // of blocks
	RowDim, ColDim int     // of a block
	RowPtr         []int32 // [Rows+1]: row r has the blocks [RowPtr[r], RowPtr[r+1])
	ColIdx         []int32 // [blocks], ascending in each row
	Values         []T     // [blocks][ColDim][RowDim]

	// On several ranks, Rows are those of this rank, in the order of Data, and Cols besides these
	// the ones that other ranks own. These are their declared numbers; nil on one process, where
	// rows and columns have those.
	RowNumbers, ColNumbers []int64
}

// CSR returns a view of the matrix: the values may be changed, the pattern may not. It is valid
// as long as the slice of [Dat.Data]. On several ranks each gets its own rows; see [Mat.Gather].
func (m *Mat[T]) CSR() (_ CSR[T], err error) {
	if err := m.begin(); err != nil {
		return CSR[T]{}, err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.bring(true); err != nil {
		return CSR[T]{}, err
	}
	m.storage().Replaced = true // perhaps
	set, block := m.sparsity(), m.sparsity().Block()
	p, values := m.matrix().Lend()
	csr := CSR[T]{Rows: p.Rows, Cols: set.Cols().Total(), RowDim: block.Rows, ColDim: block.Cols, RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: core.As[T](values)}
	if m.rt().Several() {
		csr.RowNumbers, csr.ColNumbers = set.Rows().NumbersHere()[:p.Rows], set.Cols().NumbersHere()
	}
	return csr, nil
}

// Gather returns the whole matrix on one rank, rows and columns in declared numbers, and an empty
// one on the others. It is collective. On one process it is a copy of the matrix.
func (m *Mat[T]) Gather(rank int) (_ CSR[T], err error) {
	if err := m.begin(); err != nil {
		return CSR[T]{}, err
	}
	defer m.rt().LeaveWith(&err)
	if rank < 0 || rank >= m.rt().Ranks() {
		return CSR[T]{}, fmt.Errorf("op2: mat %s: Gather: rank %d is not one of the %d ranks", m.name(), rank, m.rt().Ranks())
	}
	p, values, err := m.matrix().Gather(rank)
	if p == nil || err != nil {
		return CSR[T]{}, err
	}
	b := m.sparsity().Block()
	return CSR[T]{Rows: p.Rows, Cols: p.Cols, RowDim: b.Rows, ColDim: b.Cols,
		RowPtr: slices.Clone(p.RowPtr), ColIdx: slices.Clone(p.ColIdx), Values: slices.Clone(core.As[T](values))}, nil
}

// Zero sets all values to zero.
func (m *Mat[T]) Zero() (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	return m.matrix().Clear()
}

// At returns the value in row i and column j, declared numbers, 0 if the pattern does not contain it.
// On several ranks it is collective.
func (m *Mat[T]) At(i, j int) (_ T, err error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().LeaveWith(&err)
	at, err := m.find("At", i, j)
	if err != nil {
		return 0, err
	}
	var value T
	if at >= 0 {
		value = m.values()[at]
	}
	all, err := core.Combine(m.rt(), loop.Inc, value)
	if err != nil {
		return 0, err
	}
	return all[0], nil
}

// Set sets the value in row i and column j, declared numbers, which the pattern must contain. It works
// on the host: for many values, use a loop, or [Mat.CSR]. On several ranks it is collective: all give
// the same arguments.
func (m *Mat[T]) Set(i, j int, value T) error {
	return m.change("Set", i, j, func(v *T) { *v = value }, true)
}

// Add adds to the value in row i and column j, as [Mat.Set] sets it.
func (m *Mat[T]) Add(i, j int, value T) error {
	return m.change("Add", i, j, func(v *T) { *v += value }, false)
}

// change changes a single value.
func (m *Mat[T]) change(operation string, i, j int, f func(*T), replaces bool) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.bring(true); err != nil {
		return err
	}
	at, err := m.find(operation, i, j)
	if err != nil {
		return err
	}
	found, err := core.Combine(m.rt(), loop.Max, int64(at))
	if err != nil {
		return err
	}
	if found[0] < 0 {
		return m.rt().Agree(&problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("%s(%d, %d): the pattern has no such value", operation, i, j),
			Hint: "a sparsity has what its maps connect, and the diagonal"})
	}
	if replaces {
		m.storage().Replaced = true
	}
	if at >= 0 {
		f(&m.values()[at])
	}
	return nil
}

// find returns the index of the value in row i and column j, or -1: if the pattern does not contain
// it, or another rank has it.
func (m *Mat[T]) find(operation string, i, j int) (int, error) {
	if i < 0 || i >= m.Rows() || j < 0 || j >= m.Cols() {
		return -1, &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("%s(%d, %d): the matrix has %d rows and %d columns", operation, i, j, m.Rows(), m.Cols())}
	}
	s := m.sparsity()
	b := s.Block()
	row, col := s.Rows().PlaceOf(i/b.Rows), s.Cols().PlaceOf(j/b.Cols)
	if row < 0 || row >= s.Rows().Size() || col < 0 {
		return -1, nil
	}
	return m.matrix().Find(row*b.Rows+i%b.Rows, col*b.Cols+j%b.Cols), nil
}

// maxDense limits the number of values that Values returns.
const maxDense = 1 << 24

// Values returns a copy of all values, including zeros, row by row: [Rows()][Cols()]. It is for
// small matrices. On several ranks it is collective; all get the whole matrix.
func (m *Mat[T]) Values() (_ []T, err error) {
	if err := m.beginRead(); err != nil {
		return nil, err
	}
	defer m.rt().LeaveWith(&err)
	rows, cols := m.Rows(), m.Cols()
	if cols > 0 && rows > maxDense/cols {
		return nil, &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("Values gives at most %d values, %d rows of %d have more", maxDense, rows, cols),
			Hint: "CSR gives those that the matrix holds"}
	}
	dense := make([]T, rows*cols)
	values, set := m.values(), m.sparsity()
	b := set.Block()
	m.matrix().Each(func(i, j, at int) {
		row, col := int(set.Rows().NumberHere(i/b.Rows))*b.Rows+i%b.Rows, int(set.Cols().NumberHere(j/b.Cols))*b.Cols+j%b.Cols
		dense[row*cols+col] = values[at]
	})
	return core.Combine(m.rt(), loop.Inc, dense...)
}

// Norm returns the Frobenius norm: the square root of the sum of the squares of all values.
func (m *Mat[T]) Norm() (_ float64, err error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().LeaveWith(&err)
	return m.matrix().Norm()
}

// WriteMatrixMarket writes the matrix in MatrixMarket's coordinate format, which other programs
// read. Zeros in the pattern are written, too. On several ranks it is collective: rank 0 writes the
// whole matrix, in declared numbers, and the others' writer is not used.
func (m *Mat[T]) WriteMatrixMarket(w io.Writer) (err error) {
	if err := m.beginRead(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	p, values, err := m.matrix().Gather(0)
	if err != nil {
		return err
	}
	if p != nil {
		err = sparse.WriteMarket(w, p, m.sparsity().Block(), core.As[T](values))
	}
	if err = m.rt().Agree(err); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.name(), err)
	}
	return nil
}

// NBytes returns the size of the values in bytes. The pattern, which matrices share, has its own.
func (m *Mat[T]) NBytes() int64 {
	return int64(m.Sparsity().Blocks()) * int64(m.Sparsity().block().Size()) * int64(loop.Of[T]().Size())
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one. With diagnostics on, this is checked after every loop that changes the matrix.
func (m *Mat[T]) CheckFinite() (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	return m.data().CheckFinite()
}
