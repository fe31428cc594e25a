package algebra

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/sparse"
)

// Matrix is a sparse matrix.
type Matrix struct {
	data *entity.Data // [blocks][colDim][rowDim]

	stages   []stage        // of a product; nil until the first one
	dotting  *dotting       // of a product with an inner product, likewise
	order    []int32        // in which a product adds up the nonzeros of rows; nil: as stored
	products *profile.Stats // likewise
	nonzeros Vector         // the values one by one; undeclared until some are set on a device
	diagonal *places        // nil until it is used
	zeroings []*zeroing     // on a device
	lifted   []*lifting     // what boundary conditions took out of the matrix
	firstOf  rowOfBlocks    // of which it is the first block

	liftings   int  // so far, which number them
	zeroedRows bool // by ZeroRows
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(s *entity.Sparsity, of loop.Scalar, name string) (*Matrix, error) {
	d, err := entity.NewMat(s, of, name)
	if err != nil {
		return nil, err
	}
	m := &Matrix{data: d}
	entity.Follow(d.Runtime(), m)
	d.KeepBeside(m)
	return m, nil
}

// InertMatrix returns a matrix that failed to be declared.
func InertMatrix(d *entity.Data) *Matrix { return &Matrix{data: d} }

// Data returns what the matrix is to the runtime; nil for a nil matrix.
func (m *Matrix) Data() *entity.Data {
	if m == nil {
		return nil
	}
	return m.data
}

// values returns the host's values, whether or not they are valid.
func (m *Matrix) values() hostValues { return hostValuesOf(m.data) }

// ZeroedRows reports whether ZeroRows made the matrix unsymmetric, perhaps.
func (m *Matrix) ZeroedRows() bool { return m.zeroedRows }

// Find returns the index of the value in row i and column j, or -1 if the pattern does not have it.
func (m *Matrix) Find(i, j int) int {
	b := m.data.Sparsity().Block()
	block := m.data.Sparsity().Pattern().Find(int32(i/b.Rows), int32(j/b.Cols))
	if block < 0 {
		return -1
	}
	return int(block)*b.Size() + j%b.Cols*b.Rows + i%b.Rows
}

// Each calls f with the row, the column and the index of each value in the rows of this rank.
func (m *Matrix) Each(f func(i, j, at int)) {
	sparse.Each(m.data.Sparsity().Owned(), m.data.Sparsity().Block(), f)
}

// Editable reports whether the device has the values, and loops can change them one by one.
func (m *Matrix) Editable() bool { return m.data.OnDevice() && m.data.Numberable() }

// hostValues is the memory of values of some size.
type hostValues struct {
	bytes []byte
	size  int
}

// hostValuesOf returns the host's values of a dat or a mat, whether or not they are valid.
func hostValuesOf(d *entity.Data) hostValues {
	return hostValues{entity.Host[byte](d), d.Scalar().Size()}
}

// at returns value i.
func (v hostValues) at(i int) []byte { return v.bytes[i*v.size : (i+1)*v.size : (i+1)*v.size] }

// places are values of a matrix, by their indices in the order of CSR.
type places struct {
	of    *Matrix
	at    []int
	among *entity.Subset // of the nonzeros; nil until a loop on a device runs over it
	from  *entity.Map    // to the nonzeros; nil until a loop on a device goes through it
}

func (p *places) add(at int) { p.at = append(p.at, at) }

// zeroing lists the values that ZeroRows sets.
type zeroing struct {
	over           entity.Range
	components     []int
	rows, diagonal *places // diagonal is nil if it stays zero
}

// stage is the product of some rows. On several ranks, there are two stages: the rows that have
// columns of this rank alone, while the halo of the vector is on its way, and the others.
type stage struct {
	product backend.Product // nil if goroutines multiply
	rows    sparse.Division // for goroutines
}

// dotting is the stages of a product that also computes an inner product.
type dotting struct {
	stages []stage
	dots   []float64 // of each
}
