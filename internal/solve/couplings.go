package solve

import (
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sparse"
)

// Each of two ranks has one of the values in which a matrix couples an element of the one and an
// element of the other. Checks of symmetry compare them.

// findAsymmetryAcross returns the first value in a row of this rank and a column of another that
// differs from the one across the diagonal, which that rank has, in declared numbers. It is
// collective.
func (s *Solver) findAsymmetryAcross(m *Matrix) (a sparse.Asymmetry, found bool, err error) {
	if !s.rt.Several() {
		return a, false, nil
	}
	p, b, values := m.Data().Sparsity().Owned(), m.Data().Sparsity().Block(), valuesOf(m)
	set := s.space[0].Set
	diagonal, err := s.space.with(sparse.DiagonalRoots(p, b, values), "diagonal")
	if err != nil {
		return a, false, err
	}
	places, err := algebra.NewVector[int64](set, 1, nil, "places")
	if err != nil {
		return a, false, err
	}
	own := entity.Overwriting[int64](places.Data)
	for i := range set.Size() {
		own[i] = int64(i)
	}
	roots, err := withHalo[float64](diagonal[0])
	if err != nil {
		return a, false, err
	}
	at, err := withHalo[int64](places)
	if err != nil {
		return a, false, err
	}
	owners := set.HaloOwners()
	out := comm.Outbox[uint64]{} // the row's declared number, that of the column on its rank, and the bits of the block's values
	for r := range p.Rows {
		for k := p.RowPtr[r+1] - 1; k >= p.RowPtr[r] && int(p.ColIdx[k]) >= p.Rows; k-- {
			c := int(p.ColIdx[k])
			out.Add(int(owners[c-p.Rows]), uint64(set.NumberHere(r)), uint64(at[c]))
			out.Add(int(owners[c-p.Rows]), comm.Values[uint64](comm.Bytes(values[int(k)*b.Size():(int(k)+1)*b.Size()]))...)
		}
	}
	came, err := out.Send(s.rt.Comm())
	if err != nil {
		return a, false, err
	}
	halo := make(map[int64]int, len(owners))
	for i := range owners {
		halo[set.NumberHere(p.Rows+i)] = p.Rows + i
	}
	for _, message := range came {
		for coupling := range slices.Chunk(message.Values, 2+b.Size()) {
			col, row, block := int64(coupling[0]), int(coupling[1]), comm.Values[float64](comm.Bytes(coupling[2:]))
			if a, found = mirror(m, block, row, halo[col], roots); found {
				a.Row, a.Col = s.space[0].Declared(a.Row), int(col)*b.Rows+a.Col%b.Rows
				return a, true, nil
			}
		}
	}
	return a, false, nil
}

// mirror compares the block of the matrix in a row of this rank and a column of another with the block
// across the diagonal, and returns the first value that differs. Column 0, which this rank has, stands
// for one of which there is nothing here.
func mirror(m *Matrix, mirrored []float64, row, col int, diagonal []float64) (sparse.Asymmetry, bool) {
	b, at := m.Data().Sparsity().Block(), -1
	if col > 0 {
		at = int(m.Data().Sparsity().Pattern().Find(int32(row), int32(col)))
	}
	for k, w := range mirrored {
		i, j, v, root := k/b.Rows, k%b.Rows, 0.0, 0.0
		if at >= 0 {
			v, root = valuesOf(m)[at*b.Size()+j*b.Rows+i], diagonal[col*b.Rows+j]
		}
		if sparse.Differs(v, w, diagonal[row*b.Rows+i], root) {
			return sparse.Asymmetry{Row: row*b.Rows + i, Col: col*b.Rows + j, Value: v, Mirrored: w}, true
		}
	}
	return sparse.Asymmetry{}, false
}

// withHalo returns the values of a vector, with those of the halo up to date.
func withHalo[T loop.Number](v Vector) ([]T, error) {
	if err := v.Update(); err != nil {
		return nil, err
	}
	return entity.Reading[T](v.Data)
}
