package op2

import (
	"errors"
	"fmt"
	"io"

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
// number the values: row rowDim*e+i is component i of element e.
type Mat[T Scalar] algebra.Matrix[T]

// matrix returns the mat for operations on matrices.
func (m *Mat[T]) matrix() *algebra.Matrix[T] { return (*algebra.Matrix[T])(m) }

// data returns what the mat is to the runtime; nil for a nil mat.
func (m *Mat[T]) data() *core.Data { return m.matrix().Data() }

// NewMat declares a matrix of zeros. A sparsity may have several.
func NewMat[T Scalar](s *Sparsity, name string) (*Mat[T], error) {
	if s == nil {
		return nil, fmt.Errorf("op2: mat %s: there is no sparsity", name)
	}
	rt := s.core().Runtime()
	if err := rt.Declare("mat", name); err != nil {
		return nil, err
	}
	defer rt.Leave()
	m, err := algebra.NewMatrix[T](s.core(), name)
	return (*Mat[T])(m), err
}

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

// made returns an error for a mat that NewMat did not make.
func (m *Mat[T]) made() error {
	if !m.data().Made() {
		return errors.New("op2: the mat is nil, or was not made by NewMat")
	}
	return nil
}

// begin enters the runtime, unless the mat is nil or undeclared.
func (m *Mat[T]) begin() error {
	if err := m.made(); err != nil {
		return err
	}
	return m.data().Runtime().EnterData()
}

// values returns the host's values, whether or not they are valid; nil if there are none yet.
func (m *Mat[T]) values() []T { return core.Host[T](m.data()) }

// beginRead enters the runtime like begin, for calls that read the values on the host.
func (m *Mat[T]) beginRead() error {
	if err := m.begin(); err != nil {
		return err
	}
	brought := false
	defer func() {
		if !brought {
			m.rt().Leave()
		}
	}()
	err := m.bring(false)
	brought = err == nil
	return err
}

// Sparsity returns the pattern of the matrix.
func (m *Mat[T]) Sparsity() *Sparsity { return (*Sparsity)(orEmpty(m.data()).Sparsity()) }

// Name returns the name the matrix was declared with.
func (m *Mat[T]) Name() string { return orEmpty(m.data()).Name() }

// Domain returns the set and the dim of the dats that the matrix is multiplied with: those of its
// columns.
func (m *Mat[T]) Domain() (set *Set, dim int) { return m.Sparsity().Cols(), m.Sparsity().ColDim() }

// Rows returns the number of rows: of values, not of blocks.
func (m *Mat[T]) Rows() int { return m.Sparsity().Rows().Size() * m.Sparsity().RowDim() }

// Cols returns the number of columns: of values, not of blocks.
func (m *Mat[T]) Cols() int { return m.Sparsity().Cols().Size() * m.Sparsity().ColDim() }

// CSR is a matrix as stored, in compressed rows of blocks.
//
// The index arrays are 32-bit and count from 0, and the values of a block are stored column by
// column, which is what PETSc uses for its types AIJ (blocks of 1 × 1) and BAIJ (square blocks)
// without a copy.
type CSR[T Scalar] struct {
	Rows, Cols     int     // of blocks
	RowDim, ColDim int     // of a block
	RowPtr         []int32 // [Rows+1]: row r has the blocks [RowPtr[r], RowPtr[r+1])
	ColIdx         []int32 // [blocks], ascending in each row
	Values         []T     // [blocks][ColDim][RowDim]
}

// CSR returns a view of the matrix: the values may be changed, the pattern may not. It is valid
// as long as the slice of [Dat.Data].
func (m *Mat[T]) CSR() (CSR[T], error) {
	if err := m.begin(); err != nil {
		return CSR[T]{}, err
	}
	defer m.rt().Leave()
	csr, err := m.csr(true)
	if err == nil {
		m.storage().Replaced = true // perhaps
	}
	return csr, err
}

// csr returns the CSR view, for changing the values or only reading them.
func (m *Mat[T]) csr(write bool) (CSR[T], error) {
	if err := m.bring(write); err != nil {
		return CSR[T]{}, err
	}
	s := m.sparsity()
	return CSR[T]{Rows: s.Rows().Total(), Cols: s.Cols().Total(), RowDim: s.Block().Rows, ColDim: s.Block().Cols,
		RowPtr: s.Pattern().RowPtr, ColIdx: s.Pattern().ColIdx, Values: m.values()}, nil
}

// Zero sets all values to zero.
func (m *Mat[T]) Zero() error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	return m.matrix().Clear()
}

// At returns the value in row i and column j, 0 if the pattern does not contain it.
func (m *Mat[T]) At(i, j int) (T, error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().Leave()
	at, err := m.find("At", i, j)
	if at < 0 {
		return 0, err
	}
	return m.values()[at], nil
}

// Set sets the value in row i and column j, which the pattern must contain. It works on the host:
// for many values, use a loop, or [Mat.CSR].
func (m *Mat[T]) Set(i, j int, value T) error {
	return m.change("Set", i, j, func(v *T) { *v, m.storage().Replaced = value, true })
}

// Add adds to the value in row i and column j, as [Mat.Set] sets it.
func (m *Mat[T]) Add(i, j int, value T) error {
	return m.change("Add", i, j, func(v *T) { *v += value })
}

// change changes a single value.
func (m *Mat[T]) change(operation string, i, j int, f func(*T)) error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	if err := m.bring(true); err != nil {
		return err
	}
	at, err := m.find(operation, i, j)
	if err != nil {
		return err
	}
	if at < 0 {
		return &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("%s(%d, %d): the pattern has no such value", operation, i, j),
			Hint: "a sparsity has what its maps connect, and the diagonal"}
	}
	f(&m.values()[at])
	return nil
}

// find returns the index of the value in row i and column j, or -1.
func (m *Mat[T]) find(operation string, i, j int) (int, error) {
	if i < 0 || i >= m.Rows() || j < 0 || j >= m.Cols() {
		return -1, &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("%s(%d, %d): the matrix has %d rows and %d columns", operation, i, j, m.Rows(), m.Cols())}
	}
	return m.matrix().Find(i, j), nil
}

// maxDense limits the number of values that Values returns.
const maxDense = 1 << 24

// Values returns a copy of all values, including zeros, row by row: [Rows()][Cols()]. It is for
// small matrices.
func (m *Mat[T]) Values() ([]T, error) {
	if err := m.beginRead(); err != nil {
		return nil, err
	}
	defer m.rt().Leave()
	rows, cols := m.Rows(), m.Cols()
	if cols > 0 && rows > maxDense/cols {
		return nil, &problem.ShapeError{What: "mat " + m.name(), Msg: fmt.Sprintf("Values gives at most %d values, %d rows of %d have more", maxDense, rows, cols),
			Hint: "CSR gives those that the matrix holds"}
	}
	dense := make([]T, rows*cols)
	values := m.values()
	m.matrix().Each(func(i, j, at int) { dense[i*cols+j] = values[at] })
	return dense, nil
}

// Norm returns the Frobenius norm: the square root of the sum of the squares of all values.
func (m *Mat[T]) Norm() (float64, error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().Leave()
	return sparse.Frobenius(m.values()), nil
}

// Norm1 returns the largest sum of magnitudes in a column.
func (m *Mat[T]) Norm1() (float64, error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().Leave()
	return sparse.Norm1(m.sparsity().Pattern(), m.sparsity().Block(), m.values()), nil
}

// NormInf returns the largest sum of magnitudes in a row.
func (m *Mat[T]) NormInf() (float64, error) {
	if err := m.beginRead(); err != nil {
		return 0, err
	}
	defer m.rt().Leave()
	return sparse.NormInf(m.sparsity().Pattern(), m.sparsity().Block(), m.values()), nil
}

// WriteMatrixMarket writes the matrix in MatrixMarket's coordinate format, which other programs
// read. Zeros in the pattern are written, too.
func (m *Mat[T]) WriteMatrixMarket(w io.Writer) error {
	if err := m.beginRead(); err != nil {
		return err
	}
	defer m.rt().Leave()
	if err := sparse.WriteMarket(w, m.sparsity().Pattern(), m.sparsity().Block(), m.values()); err != nil {
		return problem.Errorf("op2: mat %s: %w", m.name(), err)
	}
	return nil
}

// NBytes returns the size of the values in bytes. The pattern, which matrices share, has its own.
func (m *Mat[T]) NBytes() int64 {
	return int64(m.Sparsity().Blocks()) * int64(orEmpty(m.Sparsity().core()).Block().Size()) * int64(loop.Of[T]().Size())
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one. With diagnostics on, this is checked after every loop that changes the matrix.
func (m *Mat[T]) CheckFinite() error {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().Leave()
	return m.data().CheckFinite()
}
