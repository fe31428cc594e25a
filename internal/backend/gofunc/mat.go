package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
)

// mat is a mat among the arguments: where a local matrix goes.
type mat struct {
	values  P
	local   uintptr // offset of the first element's local matrix into the worker's scratch memory
	size    uintptr // of a local matrix
	write   bool
	scatter func(m *mat, at []int32, local P)

	rows, cols     int // components of the maps: blocks of the local matrix
	rowDim, colDim int // of a block
	blocks         int
	entries        backend.Entries

	// Without a table:
	rowsOf, colsOf P       // the maps' values
	found          uintptr // offset of an element's entries
}

// mat passes a local matrix.
func (r *runner) mat(slot int, a loop.Arg, m backend.Memory, poison bool) {
	l := r.spec.Loop
	d, t := l.Data[a.Data], l.Type(a)
	rows, cols := l.Local(a)
	o := opsFor[t]
	size := uintptr(r.sizeOf(a))
	x := mat{
		values: m.Data[a.Data], local: r.newLocal(slot, size), size: size, write: a.Access == loop.Write,
		rows: l.Maps[a.Map].Arity, cols: l.Maps[a.ColMap].Arity, rowDim: d.Dim, colDim: d.ColDim,
		blocks: m.Elements[a.Data], entries: m.Entries[a.Entries], rowsOf: m.Maps[a.Map], colsOf: m.Maps[a.ColMap], scatter: o.scatter,
	}
	if x.entries.Table == nil {
		x.found = r.newScratch(uintptr(4 * x.rows * x.cols))
	}
	if a.Access == loop.Inc {
		r.zeroed = append(r.zeroed, r.locals[len(r.locals)-1])
	} else if poison {
		r.before = append(r.before, step{local: x.local, size: size, dim: rows * cols, move: o.poisonCopies})
	}
	r.mats = append(r.mats, x)
}

// put adds the local matrix of element e, the i-th of its strip, to the entries, or writes it there.
func (m *mat) put(e, i int, scratch P) {
	local := add(scratch, m.local+uintptr(i)*m.size)
	n := m.rows * m.cols
	if m.entries.Table != nil {
		m.scatter(m, m.entries.Table[e*n:(e+1)*n], local)
		return
	}
	at := unsafe.Slice((*int32)(add(scratch, m.found)), n)
	rows := unsafe.Slice((*int32)(add(m.rowsOf, uintptr(4*e*m.rows))), m.rows)
	cols := unsafe.Slice((*int32)(add(m.colsOf, uintptr(4*e*m.cols))), m.cols)
	pattern := sparse.Pattern{RowPtr: m.entries.RowPtr, ColIdx: m.entries.ColIdx}
	pattern.Locate(rows, cols, at)
	m.scatter(m, at, local)
}

// scatter puts a local matrix into the blocks at the given entries, below 0 nowhere.
func scatter[T number](m *mat, at []int32, from P) {
	size := m.rowDim * m.colDim
	local := unsafe.Slice((*T)(from), len(at)*size)
	values := unsafe.Slice((*T)(m.values), m.blocks*size)
	if size == 1 && !m.write {
		for n, k := range at {
			if k >= 0 {
				values[k] += local[n]
			}
		}
		return
	}
	width := m.cols * m.colDim
	for n, k := range at {
		if k < 0 {
			continue
		}
		block := values[int(k)*size : (int(k)+1)*size]
		corner := n/m.cols*m.rowDim*width + n%m.cols*m.colDim
		for j := range m.colDim {
			for i := range m.rowDim {
				if m.write {
					block[j*m.rowDim+i] = local[corner+i*width+j]
				} else {
					block[j*m.rowDim+i] += local[corner+i*width+j]
				}
			}
		}
	}
}
