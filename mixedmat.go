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

// MixedMat is a matrix of blocks, which maps mixed dats to mixed dats: each block is a mat of its own,
// or absent. Loops assemble all blocks at once through mixed maps, or single ones through maps.
type MixedMat[T Scalar] struct {
	sparsity *MixedSparsity
	name     string
	blocks   [][]*Mat[T]
	matrix   *algebra.BlockMatrix
}

// NewMixedMat declares a matrix of zeros. Its blocks are named for it: that in row 0 and column 1 of
// the blocks of k is k[0][1].
func NewMixedMat[T Scalar](s *MixedSparsity, name string) *MixedMat[T] {
	return core.Declare(core.Declaration{On: []*core.Runtime{orEmpty(s).rt}, What: "mixed mat " + name, Of: "mixed sparsity"},
		func() (*MixedMat[T], error) { return newMixedMat[T](s, name) },
		func(failed *core.Runtime) *MixedMat[T] {
			return &MixedMat[T]{sparsity: &MixedSparsity{rt: failed, name: name}, name: name}
		})
}

func newMixedMat[T Scalar](s *MixedSparsity, name string) (*MixedMat[T], error) {
	m := &MixedMat[T]{sparsity: s, name: name, matrix: &algebra.BlockMatrix{}}
	for j, set := range s.cols {
		m.matrix.Cols = append(m.matrix.Cols, algebra.Part{Set: set, Dim: s.colDims[j]})
	}
	for i, row := range s.blocks {
		m.matrix.Rows = append(m.matrix.Rows, algebra.Part{Set: s.rows[i], Dim: s.rowDims[i]})
		m.blocks = append(m.blocks, make([]*Mat[T], len(row)))
		m.matrix.Blocks = append(m.matrix.Blocks, make([]*algebra.Matrix, len(row)))
		for j, of := range row {
			if of == nil {
				continue
			}
			b, err := algebra.NewMatrix(of.core(), loop.Of[T](), blockName(name, i, j))
			if err != nil {
				return nil, err
			}
			m.blocks[i][j], m.matrix.Blocks[i][j] = (*Mat[T])(b), b
		}
	}
	return m, nil
}

// Err returns why the matrix could not be declared; nil if it was.
func (m *MixedMat[T]) Err() error {
	return orEmpty(orEmpty(m).sparsity).rt.Made("mixed mat", "NewMixedMat")
}

// Block returns the mat in row i and column j of the blocks; nil if it is absent.
func (m *MixedMat[T]) Block(i, j int) *Mat[T] {
	if m == nil || m.blocks == nil {
		return nil
	}
	return m.blocks[i][j]
}

// Sparsity returns the pattern of the matrix.
func (m *MixedMat[T]) Sparsity() *MixedSparsity { return orEmpty(m).sparsity }

// Name returns the name the matrix was declared with.
func (m *MixedMat[T]) Name() string { return orEmpty(m).name }

func (m *MixedMat[T]) String() string { return m.Name() }

// Rows returns the number of rows: of values, of all parts, and on all ranks.
func (m *MixedMat[T]) Rows() int { return values(orEmpty(orEmpty(m).matrix).Rows) }

// Cols returns the number of columns: of values, of all parts, and on all ranks.
func (m *MixedMat[T]) Cols() int { return values(orEmpty(orEmpty(m).matrix).Cols) }

// values returns the number of values of parts on all ranks.
func values(parts []algebra.Part) (n int) {
	for _, p := range parts {
		n += int(p.Set.Whole()) * p.Dim
	}
	return n
}

// begin enters the runtime, unless the mat is nil or undeclared.
func (m *MixedMat[T]) begin() error {
	if err := m.Err(); err != nil {
		return err
	}
	return m.rt().EnterData()
}

func (m *MixedMat[T]) rt() *core.Runtime { return m.sparsity.rt }

// each calls f with each block that there is, until it fails.
func (m *MixedMat[T]) each(f func(b *Mat[T]) error) error {
	if err := m.Err(); err != nil {
		return err
	}
	for _, row := range m.blocks {
		for _, b := range row {
			if b == nil {
				continue
			}
			if err := f(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Zero sets all values to zero.
func (m *MixedMat[T]) Zero() error { return m.each((*Mat[T]).Zero) }

// CheckFinite returns an error that names the block and its first infinite or NaN value, if there is
// one; see [Mat.CheckFinite].
func (m *MixedMat[T]) CheckFinite() error { return m.each((*Mat[T]).CheckFinite) }

// NBytes returns the size of the values of all blocks in bytes.
func (m *MixedMat[T]) NBytes() (n int64) {
	for _, row := range orEmpty(m).blocks {
		for _, b := range row {
			if b != nil {
				n += b.NBytes()
			}
		}
	}
	return n
}

// ZeroRows sets the rows of a part for a subset's elements, or all elements of its set, to zero in all
// blocks, and their diagonal to the given value; see [Mat.ZeroRows].
func (m *MixedMat[T]) ZeroRows(part int, rows IterationSet, diagonal T, components ...int) error {
	if err := m.Err(); err != nil {
		return err
	}
	if part < 0 || part >= len(m.blocks) {
		return &problem.ShapeError{What: "mixed mat " + m.name, Msg: fmt.Sprintf("ZeroRows: there is no part %d: the rows have %s, numbered from 0", part, problem.Count(len(m.blocks), "part"))}
	}
	if diagonal != 0 && (part >= len(m.blocks[part]) || m.blocks[part][part] == nil) {
		return m.absent("ZeroRows with a diagonal", part)
	}
	for j, b := range m.blocks[part] {
		if b == nil {
			continue
		}
		on := diagonal
		if j != part {
			on = 0
		}
		if err := b.ZeroRows(rows, on, components...); err != nil {
			return err
		}
	}
	return nil
}

// absent returns the error for an operation that needs a block on the diagonal.
func (m *MixedMat[T]) absent(operation string, part int) error {
	return &problem.ShapeError{What: "mixed mat " + m.name, Msg: fmt.Sprintf("%s needs the block [%d][%d], which is absent", operation, part, part),
		Hint: "NewMixedSparsity makes it of pairs of maps that lead to its rows and its columns, unless it is listed as absent"}
}

// Mul sets y to the matrix–vector product with x: its parts are like those of the columns, those of y
// like those of the rows. They must be different dats.
func (m *MixedMat[T]) Mul(y, x *MixedDat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.checkProduct("Mul", y, m.matrix.Rows, x, m.matrix.Cols); err != nil {
		return err
	}
	return m.matrix.Mul(mixedVectors(y), mixedVectors(x))
}

// MulTranspose sets y to the product of the transposed matrix with x.
func (m *MixedMat[T]) MulTranspose(y, x *MixedDat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := m.checkProduct("MulTranspose", y, m.matrix.Cols, x, m.matrix.Rows); err != nil {
		return err
	}
	return m.matrix.MulTranspose(mixedVectors(y), mixedVectors(x))
}

func (m *MixedMat[T]) checkProduct(operation string, y *MixedDat[T], yParts []algebra.Part, x *MixedDat[T], xParts []algebra.Part) error {
	what := "mixed mat " + m.name
	if err := partsFit(y, what, operation+" into y", yParts); err != nil {
		return err
	}
	if err := partsFit(x, what, operation+" of x", xParts); err != nil {
		return err
	}
	for i, p := range x.Parts() {
		if j := slices.Index(y.Parts(), p); j >= 0 {
			return fmt.Errorf("op2: %s: %s: part %d of x and part %d of y are one dat, %s", what, operation, i, j, p.Name())
		}
	}
	return nil
}

// mixedVectors returns the parts as vectors.
func mixedVectors[T Scalar](d *MixedDat[T]) []algebra.Vector {
	var list []algebra.Vector
	for _, p := range d.Parts() {
		list = append(list, vector(p))
	}
	return list
}

// partsFit returns an error unless the mixed dat has the parts that an operation needs.
func partsFit[T Scalar](d *MixedDat[T], what, operation string, parts []algebra.Part) error {
	if d.Len() == 0 {
		return fmt.Errorf("op2: %s: %s: the mixed dat is nil, or was not made by NewMixedDat", what, operation)
	}
	if d.Len() != len(parts) {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s takes a mixed dat of %s, %s has %d", operation, problem.Count(len(parts), "part"), d.Name(), d.Len())}
	}
	for i, p := range parts {
		if err := vector(d.Part(i)).Fits(what, fmt.Sprintf("%s: part %d", operation, i), p.Set, p.Dim); err != nil {
			return err
		}
	}
	return nil
}

// Diagonal copies the diagonal to a mixed dat; it is zero where the block on the diagonal is absent.
func (m *MixedMat[T]) Diagonal(to *MixedDat[T]) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	if err := partsFit(to, "mixed mat "+m.name, "Diagonal", m.matrix.Rows); err != nil {
		return err
	}
	for i, row := range m.matrix.Blocks {
		d := vector(to.Part(i))
		if i >= len(row) || row[i] == nil {
			if err := d.Zero(); err != nil {
				return err
			}
			continue
		}
		if err := row[i].NeedsDiagonal("Diagonal"); err != nil {
			return err
		}
		if err := row[i].Diagonal(d); err != nil {
			return err
		}
	}
	return nil
}

// Norm returns the Frobenius norm: the square root of the sum of the squares of all values.
func (m *MixedMat[T]) Norm() (_ float64, err error) {
	if err := m.begin(); err != nil {
		return 0, err
	}
	defer m.rt().LeaveWith(&err)
	return m.matrix.Norm()
}

// Values returns a copy of all values, including zeros, row by row: [Rows()][Cols()]. The rows and
// columns are those of one part after another. It is for small matrices. On several ranks it is
// collective; all get the whole matrix, in declared numbers.
func (m *MixedMat[T]) Values() ([]T, error) {
	if err := m.Err(); err != nil {
		return nil, err
	}
	rows, cols := m.Rows(), m.Cols()
	if cols > 0 && rows > maxDense/cols {
		return nil, &problem.ShapeError{What: "mixed mat " + m.name, Msg: fmt.Sprintf("Values gives at most %d values, %d rows of %d have more", maxDense, rows, cols),
			Hint: "CSR gives those that the matrix holds"}
	}
	dense := make([]T, rows*cols)
	for i := range m.blocks {
		for j, b := range m.blocks[i] {
			if b == nil {
				continue
			}
			block, err := b.Values()
			if err != nil {
				return nil, err
			}
			at := values(m.matrix.Rows[:i])*cols + values(m.matrix.Cols[:j])
			for r := range b.Rows() {
				copy(dense[at+r*cols:], block[r*b.Cols():(r+1)*b.Cols()])
			}
		}
	}
	return dense, nil
}

// CSR returns a copy of the matrix as one of values: the rows and columns of one part after another.
// That of a block, as [Mat.CSR] of [MixedMat.Block] returns it, is no copy. On several ranks each gets
// its own rows.
func (m *MixedMat[T]) CSR() (_ CSR[T], err error) {
	if err := m.begin(); err != nil {
		return CSR[T]{}, err
	}
	defer m.rt().LeaveWith(&err)
	if !m.rt().Several() {
		p, values, err := m.matrix.Gather(0)
		if err != nil {
			return CSR[T]{}, problem.Errorf("op2: mixed mat %s: %w", m.name, err)
		}
		return CSR[T]{Rows: p.Rows, Cols: p.Cols, RowDim: 1, ColDim: 1, RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: core.As[T](values)}, nil
	}
	l := m.matrix.LayoutHere(true)
	whole, err := m.matrix.Whole(l)
	if err != nil {
		return CSR[T]{}, problem.Errorf("op2: mixed mat %s: %w", m.name, err)
	}
	csr := CSR[T]{Rows: l.Rows, RowDim: 1, ColDim: 1, RowPtr: whole.RowPtr, ColIdx: whole.ColIdx, Values: make([]T, len(whole.ColIdx))}
	for _, p := range m.matrix.Cols {
		csr.Cols += p.Total()
	}
	csr.RowNumbers, csr.ColNumbers = declaredNumbers(m.matrix.Rows, false), declaredNumbers(m.matrix.Cols, true)
	return csr, whole.Fill(core.Bytes(csr.Values), nil, 0, int32(csr.Cols))
}

// declaredNumbers returns the numbers in the whole matrix of the rows or columns here, with those of
// the halo or without.
func declaredNumbers(parts []algebra.Part, halo bool) []int64 {
	var numbers []int64
	for i, p := range parts {
		n := p.Here()
		if halo {
			n = p.Total()
		}
		for k := range n {
			numbers = append(numbers, int64(values(parts[:i])+p.Declared(k)))
		}
	}
	return numbers
}

// WriteMatrixMarket writes the matrix in MatrixMarket's coordinate format: the rows and columns of one
// part after another. On several ranks it is collective: rank 0 writes the whole matrix, in declared
// numbers, and the others' writer is not used.
func (m *MixedMat[T]) WriteMatrixMarket(w io.Writer) (err error) {
	if err := m.begin(); err != nil {
		return err
	}
	defer m.rt().LeaveWith(&err)
	p, all, err := m.matrix.Gather(0)
	if err != nil {
		return problem.Errorf("op2: mixed mat %s: %w", m.name, err)
	}
	if p != nil {
		err = sparse.WriteMarket(w, p, sparse.Blocks{Rows: 1, Cols: 1}, core.As[T](all))
	}
	if err = m.rt().Agree(err); err != nil {
		return problem.Errorf("op2: mixed mat %s: %w", m.name, err)
	}
	return nil
}

// Inc passes the matrix for addition: the kernel's parameter is the local matrix of all blocks, which
// arrives zeroed, and what the kernel leaves in it is added. Its rows are those of the parts of rows
// one after the other, as far as they lead somewhere, and so are its columns. What the kernel leaves
// where a block is absent is dropped.
func (m *MixedMat[T]) Inc(rows, cols *MixedMap) Arg { return m.pass(loop.Inc, rows, cols) }

// Write passes the matrix for writing: values are set to what the kernel leaves in the local matrix,
// laid out as for [MixedMat.Inc]; see [Mat.Write].
func (m *MixedMat[T]) Write(rows, cols *MixedMap) Arg { return m.pass(loop.Write, rows, cols) }

func (m *MixedMat[T]) pass(access loop.Access, rows, cols *MixedMap) Arg {
	b := core.MixedBlocks{Name: m.Name()}
	if m != nil && m.sparsity != nil {
		b.Runtime = m.rt()
		b.RowDims, b.ColDims = m.sparsity.rowDims, m.sparsity.colDims
		for _, row := range m.blocks {
			list := make([]*core.Data, len(row))
			for j, block := range row {
				list[j] = block.data()
			}
			b.Mats = append(b.Mats, list)
		}
	}
	return Arg(core.PassMixedMat(access, b, rows.core(), cols.core()))
}
