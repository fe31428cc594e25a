package op2

import (
	"fmt"
	"io"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// Mat is a sparse matrix. Loops assemble it: a kernel computes the local matrix of its element,
// which is added to the rows and columns that maps give.
//
// It consists of blocks, rowDim by colDim, of a [Sparsity]. Methods that refer to rows and columns
// number the values: row rowDim*e+i is component i of the element with the declared number e. A matrix whose
// sparsity has several parts, which maps mixed dats to mixed dats, has their rows and columns one part after another.
type Mat[T Scalar] algebra.Mat

func (m *Mat[T]) algebra() *algebra.Mat { return (*algebra.Mat)(m) }

// matrix returns the matrix as one of blocks.
func (m *Mat[T]) matrix() *algebra.BlockMatrix { return m.algebra().Blocks() }

// NewMat declares a matrix of zeros. A sparsity may have several. Blocks of parts are named for the matrix: that of
// part 0 of the rows of k with part 1 of the columns is k[0][1].
func NewMat[T Scalar](s *Sparsity, name string) *Mat[T] {
	return (*Mat[T])(entity.Declare(entity.Declaration{On: []*entity.Runtime{s.algebra().Runtime()}, What: "mat " + name, Of: "sparsity"},
		func() (*algebra.Mat, error) { return algebra.NewMat(s.algebra(), loop.Of[T](), name) },
		func(failed *entity.Runtime) *algebra.Mat { return algebra.InertMat(failed, loop.Of[T](), name) }))
}

// Err returns why the matrix could not be declared; nil if it was.
func (m *Mat[T]) Err() error { return m.rt().Made("mat", "NewMat") }

func (m *Mat[T]) rt() *entity.Runtime { return m.algebra().Sparsity().Runtime() }

// Block returns the matrix of part i of the rows with part j of the columns, which shares the values; nil if it is
// absent. A matrix of a single pattern is its own block.
func (m *Mat[T]) Block(i, j int) *Mat[T] { return (*Mat[T])(m.algebra().Block(i, j)) }

// Inc passes the matrix for addition: the kernel's parameter is the local matrix, which arrives
// zeroed, and what the kernel leaves in it is added. Rows and cols are maps of the sparsity, or
// masked ones; row r*rowDim+i of the local matrix, for component r of the map and i of the block,
// belongs to row rows[r]*rowDim+i, and the columns likewise.
//
// On interior facets of an extruded set, the rows of the local matrix are those of the layer below, then those of the
// layer above, and so are its columns.
//
// Through mixed maps, the rows of the local matrix are those of the parts of rows one after the other, as far as they
// lead somewhere, and so are its columns. What the kernel leaves where a block is absent is dropped.
func (m *Mat[T]) Inc(rows, cols MatMap) Arg { return m.pass(loop.Inc, rows, cols) }

// Write passes the matrix for writing: values are set to what the kernel leaves in the local
// matrix, laid out as for [Mat.Inc]. If several elements write a value, the last one wins, in
// ascending order, on every backend; within one local matrix the last place, row by row. Values
// that no element writes stay.
func (m *Mat[T]) Write(rows, cols MatMap) Arg { return m.pass(loop.Write, rows, cols) }

func (m *Mat[T]) pass(access loop.Access, rows, cols MatMap) Arg {
	if one := m.algebra().One(); m.Sparsity() == nil || one != nil && !isMixed(rows) && !isMixed(cols) {
		return Arg{entity.PassMat(access, one.Data(), plainMap(rows), plainMap(cols))}
	}
	b := entity.MixedBlocks{Name: m.Name(), Runtime: m.rt()}
	_, b.RowDims = setsOf(m.matrix().Rows)
	_, b.ColDims = setsOf(m.matrix().Cols)
	for _, row := range m.matrix().Blocks {
		list := make([]*entity.Data, len(row))
		for j, block := range row {
			list[j] = block.Data()
		}
		b.Mats = append(b.Mats, list)
	}
	return Arg{entity.PassMixedMat(access, b, mixedMap(rows), mixedMap(cols))}
}

// do does something within the runtime.
func (m *Mat[T]) do(f func() error) error {
	if err := m.Err(); err != nil {
		return err
	}
	return m.rt().Do((*entity.Runtime).EnterData, f)
}

// operate is do for a task that lists of operations can hold.
func (m *Mat[T]) operate(prepare func() (run.Task, error)) error {
	if err := m.Err(); err != nil {
		return err
	}
	return run.Operate(m.rt(), func() (run.Task, error) {
		t, err := prepare()
		t.Of = "mat " + m.Name()
		return t, err
	})
}

// Sparsity returns the pattern of the matrix.
func (m *Mat[T]) Sparsity() *Sparsity { return (*Sparsity)(m.algebra().Sparsity()) }

// Name returns the name the matrix was declared with.
func (m *Mat[T]) Name() string { return m.matrix().Name }

// Domain returns the sets and the dims of the parts of the dats that the matrix is multiplied with: those of its
// columns.
func (m *Mat[T]) Domain() (sets []*Set, dims []int) { return setsOf(m.matrix().Cols) }

// Rows returns the number of rows: of values, not of blocks, and on all ranks.
func (m *Mat[T]) Rows() int { return valuesOf(m.matrix().Rows) }

// Cols returns the number of columns: of values, not of blocks, and on all ranks.
func (m *Mat[T]) Cols() int { return valuesOf(m.matrix().Cols) }

// valuesOf returns the number of values of parts on all ranks.
func valuesOf(parts []algebra.Part) (n int) {
	for _, p := range parts {
		n += int(p.Set.Whole()) * p.Dim
	}
	return n
}

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
//
// Of a matrix of several parts it is a copy, in blocks of 1 × 1; those of [Mat.Block] are views.
func (m *Mat[T]) CSR() (csr CSR[T], err error) {
	err = m.do(func() error {
		csr, err = m.csr()
		return err
	})
	return csr, err
}

func (m *Mat[T]) csr() (CSR[T], error) {
	if m.algebra().One() == nil {
		return m.copied()
	}
	d, s := m.algebra().One().Data(), m.algebra().Sparsity().One()
	if err := d.Bring(true); err != nil {
		return CSR[T]{}, err
	}
	d.Storage().Replaced = true // perhaps
	p, values := m.algebra().One().Lend()
	csr := CSR[T]{Rows: p.Rows, Cols: s.Cols().Total(), RowDim: s.Block().Rows, ColDim: s.Block().Cols, RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: store.As[T](values)}
	if m.rt().Several() {
		csr.RowNumbers, csr.ColNumbers = slices.Clone(s.Rows().Numbers()[:p.Rows]), slices.Clone(s.Cols().Numbers())
	}
	return csr, nil
}

// copied returns a copy of the values of all parts.
func (m *Mat[T]) copied() (CSR[T], error) {
	if !m.rt().Several() {
		return m.gather(0)
	}
	l := m.matrix().LayoutHere(true)
	whole, err := m.matrix().Whole(l)
	if err != nil {
		return CSR[T]{}, problem.Errorf("op2: mat %s: %w", m.Name(), err)
	}
	csr := CSR[T]{Rows: l.Rows, RowDim: 1, ColDim: 1, RowPtr: whole.RowPtr, ColIdx: whole.ColIdx, Values: make([]T, len(whole.ColIdx))}
	for _, p := range m.matrix().Cols {
		csr.Cols += p.Total()
	}
	csr.RowNumbers, csr.ColNumbers = declaredNumbers(m.matrix().Rows, false), declaredNumbers(m.matrix().Cols, true)
	return csr, whole.Fill(store.Bytes(csr.Values), nil, 0, int32(csr.Cols))
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
			numbers = append(numbers, int64(valuesOf(parts[:i])+p.Declared(k)))
		}
	}
	return numbers
}

// Gather returns the whole matrix on one rank, rows and columns in declared numbers, and an empty
// one on the others. It is collective. On one process it is a copy of the matrix.
func (m *Mat[T]) Gather(rank int) (csr CSR[T], err error) {
	err = m.do(func() error {
		if rank < 0 || rank >= m.rt().Ranks() {
			return fmt.Errorf("op2: mat %s: Gather: rank %d is not one of the %d ranks", m.Name(), rank, m.rt().Ranks())
		}
		csr, err = m.gather(rank)
		csr.RowPtr, csr.ColIdx, csr.Values = slices.Clone(csr.RowPtr), slices.Clone(csr.ColIdx), slices.Clone(csr.Values)
		return err
	})
	return csr, err
}

// gather is Gather, whose slices may be the matrix's own.
func (m *Mat[T]) gather(rank int) (CSR[T], error) {
	gather, block := m.matrix().Gather, sparse.Blocks{Rows: 1, Cols: 1}
	if one := m.algebra().One(); one != nil {
		gather, block = one.Gather, m.algebra().Sparsity().One().Block()
	}
	p, values, err := gather(rank)
	if err != nil {
		return CSR[T]{}, problem.Errorf("op2: mat %s: %w", m.Name(), err)
	}
	if p == nil {
		return CSR[T]{}, nil
	}
	return CSR[T]{Rows: p.Rows, Cols: p.Cols, RowDim: block.Rows, ColDim: block.Cols, RowPtr: p.RowPtr, ColIdx: p.ColIdx, Values: store.As[T](values)}, nil
}

// Zero sets all values to zero.
func (m *Mat[T]) Zero() error {
	return m.operate(func() (run.Task, error) {
		return run.Task{What: "Zero",
			Uses: func() run.Uses { return run.Uses{Replaces: m.matrix().Data()} },
			Do:   func() error { return m.each((*algebra.Matrix).Clear) }}, nil
	})
}

// each calls f with each block until it fails.
func (m *Mat[T]) each(f func(*algebra.Matrix) error) error {
	for b := range m.matrix().All {
		if err := f(b); err != nil {
			return err
		}
	}
	return nil
}

// At returns the value in row i and column j, declared numbers, 0 if the pattern does not contain it.
// On several ranks it is collective.
func (m *Mat[T]) At(i, j int) (value T, err error) {
	err = m.do(func() error {
		b, at, err := m.find("At", i, j, false)
		if err != nil {
			return err
		}
		if at >= 0 {
			value = entity.Host[T](b.Data())[at]
		}
		all, err := entity.Combine(m.rt(), loop.Inc, value)
		if err == nil {
			value = all[0]
		}
		return err
	})
	return value, err
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
func (m *Mat[T]) change(operation string, i, j int, f func(*T), replaces bool) error {
	return m.do(func() error {
		b, at, err := m.find(operation, i, j, true)
		if err != nil {
			return err
		}
		found, err := entity.Combine(m.rt(), loop.Max, int64(at))
		if err != nil {
			return err
		}
		if found[0] < 0 {
			return m.rt().Agree(&problem.ShapeError{What: "mat " + m.Name(), Msg: fmt.Sprintf("%s(%d, %d): the pattern has no such value", operation, i, j),
				Hint: "a sparsity has what its maps connect, and the diagonal"})
		}
		if replaces {
			b.Data().Storage().Replaced = true
		}
		if at >= 0 {
			f(&entity.Host[T](b.Data())[at])
		}
		return nil
	})
}

// find brings the block with the value in row i and column j to the host, and returns the value's index there, or -1:
// if the pattern does not contain it, or another rank has it.
func (m *Mat[T]) find(operation string, i, j int, write bool) (*algebra.Matrix, int, error) {
	if i < 0 || i >= m.Rows() || j < 0 || j >= m.Cols() {
		return nil, -1, &problem.ShapeError{What: "mat " + m.Name(), Msg: fmt.Sprintf("%s(%d, %d): the matrix has %d rows and %d columns", operation, i, j, m.Rows(), m.Cols())}
	}
	r, i := partAt(m.matrix().Rows, i)
	c, j := partAt(m.matrix().Cols, j)
	b, rows, cols := m.matrix().Blocks[r][c], m.matrix().Rows[r], m.matrix().Cols[c]
	if b == nil {
		return nil, -1, nil
	}
	if err := b.Data().Bring(write); err != nil {
		return nil, -1, err
	}
	row, col := rows.Set.PlaceOf(i/rows.Dim), cols.Set.PlaceOf(j/cols.Dim)
	if row < 0 || row >= rows.Set.Size() || col < 0 {
		return b, -1, nil
	}
	return b, b.Find(row*rows.Dim+i%rows.Dim, col*cols.Dim+j%cols.Dim), nil
}

// partAt returns the part that has value i of all parts, and the value's number in it.
func partAt(parts []algebra.Part, i int) (part, at int) {
	for part < len(parts)-1 && i >= valuesOf(parts[part:part+1]) {
		i -= valuesOf(parts[part : part+1])
		part++
	}
	return part, i
}

// maxDense limits the number of values that Values returns.
const maxDense = 1 << 24

// Values returns a copy of all values, including zeros, row by row: [Rows()][Cols()]. It is for
// small matrices. On several ranks it is collective; all get the whole matrix.
func (m *Mat[T]) Values() (dense []T, err error) {
	err = m.do(func() error {
		rows, cols := m.Rows(), m.Cols()
		if cols > 0 && rows > maxDense/cols {
			return &problem.ShapeError{What: "mat " + m.Name(), Msg: fmt.Sprintf("Values gives at most %d values, %d rows of %d have more", maxDense, rows, cols),
				Hint: "CSR gives those that the matrix holds"}
		}
		dense = make([]T, rows*cols)
		for i, row := range m.matrix().Blocks {
			for j, b := range row {
				if b == nil {
					continue
				}
				if err := b.Data().Bring(false); err != nil {
					return err
				}
				values := entity.Host[T](b.Data())
				first := valuesOf(m.matrix().Rows[:i])*cols + valuesOf(m.matrix().Cols[:j])
				b.Each(func(r, c, at int) {
					dense[first+m.matrix().Rows[i].Declared(r)*cols+m.matrix().Cols[j].Declared(c)] = values[at]
				})
			}
		}
		dense, err = entity.Combine(m.rt(), loop.Inc, dense...)
		return err
	})
	return dense, err
}

// Norm returns the Frobenius norm: the square root of the sum of the squares of all values.
func (m *Mat[T]) Norm() (norm float64, err error) {
	err = m.do(func() error {
		norm, err = m.matrix().Norm()
		return err
	})
	return norm, err
}

// WriteMatrixMarket writes the matrix in MatrixMarket's coordinate format, which other programs
// read. Zeros in the pattern are written, too. On several ranks it is collective: rank 0 writes the
// whole matrix, in declared numbers, and the others' writer is not used.
func (m *Mat[T]) WriteMatrixMarket(w io.Writer) error {
	return m.do(func() error {
		csr, err := m.gather(0)
		if err != nil {
			return err
		}
		if csr.RowPtr != nil {
			err = sparse.WriteMarket(w, &sparse.Pattern{Rows: csr.Rows, Cols: csr.Cols, RowPtr: csr.RowPtr, ColIdx: csr.ColIdx}, sparse.Blocks{Rows: csr.RowDim, Cols: csr.ColDim}, csr.Values)
		}
		if err = m.rt().Agree(err); err != nil {
			return problem.Errorf("op2: mat %s: %w", m.Name(), err)
		}
		return nil
	})
}

// NBytes returns the size of the values in bytes. The pattern, which matrices share, has its own.
func (m *Mat[T]) NBytes() (n int64) {
	for p := range m.algebra().Sparsity().All {
		n += int64(p.Owned().Nonzeros()) * int64(p.Block().Size()) * int64(loop.Of[T]().Size())
	}
	return n
}

// CheckFinite returns an error, a *[ValueError], that names the first infinite or NaN value, if
// there is one. With diagnostics on, this is checked after every loop that changes the matrix.
func (m *Mat[T]) CheckFinite() error {
	return m.do(func() error { return m.each(func(b *algebra.Matrix) error { return b.Data().CheckFinite() }) })
}
