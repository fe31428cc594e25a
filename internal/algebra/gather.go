package algebra

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// gathered is rows of a matrix: the number of each, how many blocks it has, and their columns and
// values.
type gathered struct {
	rows, lengths, cols []int64
	values              []byte
}

// Gather returns the whole matrix, in declared numbers and with the bytes of its values, on one rank, and
// nil on the others. It is collective.
func (m *Matrix) Gather(root int) (*sparse.Pattern, []byte, error) {
	if err := m.data.Bring(false); err != nil {
		return nil, nil, err
	}
	s, rt := m.data.Sparsity(), m.data.Runtime()
	c := rt.Comm()
	if !rt.Several() {
		p, values := m.Declared()
		return p, values, nil
	}
	came, err := comm.Gather(c, root, m.here().encode())
	if err != nil {
		return nil, nil, problem.Errorf("op2: mat %s: %w", m.data.Name(), err)
	}
	if c.Rank() != root {
		return nil, nil, rt.Agree(nil)
	}
	var parts []gathered
	for _, data := range came {
		parts = append(parts, decode(data))
	}
	p, values, err := merge(parts, int(s.Rows().Whole()), int(s.Cols().Whole()), s.Block().Size()*m.data.Scalar().Size())
	return p, values, rt.Agree(err)
}

// Declared returns this rank's rows of a matrix whose values have been brought to the host: in declared
// numbers, unless it is distributed. The bytes are a copy if they are in another order in memory.
func (m *Matrix) Declared() (*sparse.Pattern, []byte) {
	s := m.data.Sparsity()
	p, places := s.Declared()
	size := s.Block().Size() * m.data.Scalar().Size()
	values := entity.Host[byte](m.data)[:p.Nonzeros()*size]
	if places == nil {
		return p, values
	}
	declared := store.Room(len(values))
	for k, place := range places {
		copy(declared[int(place)*size:(int(place)+1)*size], values[k*size:])
	}
	return p, declared
}

// Lend is Declared for values that the program may change until the matrix is used again.
func (m *Matrix) Lend() (*sparse.Pattern, []byte) {
	p, values := m.Declared()
	if _, places := m.data.Sparsity().Declared(); places != nil {
		m.data.Storage().Lend(places, m.data.Sparsity().Block().Size()*m.data.Scalar().Size(), values)
	}
	return p, values
}

// here returns the rows of this rank.
func (m *Matrix) here() gathered {
	s := m.data.Sparsity()
	p := s.Owned()
	var g gathered
	for r := range p.Rows {
		g.rows = append(g.rows, s.Rows().NumberHere(r))
		g.lengths = append(g.lengths, int64(p.RowPtr[r+1]-p.RowPtr[r]))
	}
	for _, c := range p.ColIdx {
		g.cols = append(g.cols, s.Cols().NumberHere(int(c)))
	}
	g.values = entity.Host[byte](m.data)[:p.Nonzeros()*s.Block().Size()*m.data.Scalar().Size()]
	return g
}

// encode returns the rows as a message.
func (g gathered) encode() []byte {
	numbers := slices.Concat([]int64{int64(len(g.rows)), int64(len(g.cols))}, g.rows, g.lengths, g.cols)
	return append(slices.Clone(store.Bytes(numbers)), g.values...)
}

// decode returns the rows of a message.
func decode(data []byte) (g gathered) {
	sizes := make([]int64, 2)
	data = data[copy(store.Bytes(sizes), data):]
	numbers := make([]int64, 2*sizes[0]+sizes[1])
	g.values = data[copy(store.Bytes(numbers), data):]
	g.rows, g.lengths, g.cols = numbers[:sizes[0]], numbers[sizes[0]:2*sizes[0]], numbers[2*sizes[0]:]
	return g
}

// merge returns the matrix that consists of all rows, of blocks of some bytes.
func merge(parts []gathered, rows, cols, size int) (*sparse.Pattern, []byte, error) {
	total, lengths := int64(0), make([]int64, rows+1)
	for _, g := range parts {
		total += int64(len(g.cols))
		for i, r := range g.rows {
			lengths[r+1] = g.lengths[i]
		}
	}
	if total > math.MaxInt32 {
		return nil, nil, fmt.Errorf("op2: the whole matrix has %d blocks, one rank can have at most %d", total, math.MaxInt32)
	}
	p := &sparse.Pattern{Rows: rows, Cols: cols, RowPtr: make([]int32, rows+1), ColIdx: make([]int32, total)}
	for r := range rows {
		p.RowPtr[r+1] = p.RowPtr[r] + int32(lengths[r+1])
	}
	values := store.Room(int(total) * size)
	for _, g := range parts {
		at := 0
		for i, r := range g.rows {
			columns := g.cols[at : at+int(g.lengths[i])]
			order := make([]int, len(columns))
			for k := range order {
				order[k] = k
			}
			sorting.By(order, func(a, b int) int { return cmp.Compare(columns[a], columns[b]) })
			for k, from := range order {
				place := int(p.RowPtr[r]) + k
				p.ColIdx[place] = int32(columns[from])
				copy(values[place*size:(place+1)*size], g.values[(at+from)*size:])
			}
			at += len(columns)
		}
	}
	return p, values, nil
}
