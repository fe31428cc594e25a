package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/sparse"
)

// mat is a mat argument: where a local matrix goes.
type mat struct {
	values  P
	local   uintptr // offset of the first element's local matrix into the worker's scratch memory
	size    uintptr // of a local matrix
	write   bool
	scatter func(m *mat, at []int32, local P)

	rows, cols     int // components of the maps: number of blocks of the local matrix
	rowDim, colDim int // of a block
	width          int // of the local matrix, in values
	blocks         int
	nonzeros       backend.Nonzeros

	// Without a table:
	rowsOf, colsOf P       // the maps' values
	found          uintptr // offset of an element's positions
}

// put adds the local matrix of element e, the i-th of its strip, to the sparse one, or writes it
// there.
func (m *mat) put(e, i int, scratch P) {
	local := add(scratch, m.local+uintptr(i)*m.size)
	n := m.rows * m.cols
	if m.nonzeros.Table != nil {
		m.scatter(m, m.nonzeros.Table[e*n:(e+1)*n], local)
		return
	}
	at := unsafe.Slice((*int32)(add(scratch, m.found)), n)
	rows := unsafe.Slice((*int32)(add(m.rowsOf, uintptr(4*e*m.rows))), m.rows)
	cols := unsafe.Slice((*int32)(add(m.colsOf, uintptr(4*e*m.cols))), m.cols)
	pattern := sparse.Pattern{RowPtr: m.nonzeros.RowPtr, ColIdx: m.nonzeros.ColIdx}
	pattern.Locate(rows, cols, 0, at)
	m.scatter(m, at, local)
}

// scatter adds a local matrix to the blocks at the given positions, or writes it there; negative
// ones are dropped.
func scatter[T number](m *mat, at []int32, from P) {
	size := m.rowDim * m.colDim
	local := unsafe.Slice((*T)(from), (m.rows*m.rowDim-1)*m.width+m.cols*m.colDim)
	values := unsafe.Slice((*T)(m.values), m.blocks*size)
	if size == 1 && !m.write && m.width == m.cols {
		for n, k := range at {
			if k >= 0 {
				values[k] += local[n]
			}
		}
		return
	}
	for n, k := range at {
		if k < 0 {
			continue
		}
		block := values[int(k)*size : (int(k)+1)*size]
		corner := n/m.cols*m.rowDim*m.width + n%m.cols*m.colDim
		for j := range m.colDim {
			for i := range m.rowDim {
				if m.write {
					block[j*m.rowDim+i] = local[corner+i*m.width+j]
				} else {
					block[j*m.rowDim+i] += local[corner+i*m.width+j]
				}
			}
		}
	}
}
