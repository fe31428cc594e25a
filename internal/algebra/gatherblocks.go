package algebra

import (
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/store"
)

// Gather returns the whole matrix, value by value and in declared numbers, on one rank, and nil on the
// others: the rows and columns are those of one part after another. It is collective.
func (m *BlockMatrix) Gather(root int) (*sparse.Pattern, []byte, error) {
	var tiles []sparse.Tile
	var values [][]byte
	row := 0
	for i, rows := range m.Rows {
		col := 0
		for j, cols := range m.Cols {
			if b := m.Blocks[i][j]; b != nil {
				p, of, err := b.Gather(root)
				if err != nil {
					return nil, nil, err
				}
				if p != nil {
					numbers := make([]int32, p.Cols)
					for c := range numbers {
						numbers[c] = int32(col + c*cols.Dim)
					}
					tiles = append(tiles, sparse.Tile{Pattern: p, Shape: b.data.Sparsity().Block(), Row: row, Cols: numbers})
					values = append(values, of)
				}
			}
			col += int(cols.Set.Whole()) * cols.Dim
		}
		row += int(rows.Set.Whole()) * rows.Dim
	}
	rt := m.Rows[0].Set.Runtime()
	if rt.Rank() != root {
		return nil, nil, rt.Agree(nil)
	}
	merged, err := sparse.Merge(row, tiles, nil)
	if err = rt.Agree(err); err != nil {
		return nil, nil, err
	}
	size := m.size()
	whole := store.Room(len(merged.ColIdx) * size)
	columns := 0
	for _, p := range m.Cols {
		columns += int(p.Set.Whole()) * p.Dim
	}
	merged.Fill(size, whole, nil, 0, int32(columns), values)
	return &sparse.Pattern{Rows: row, Cols: columns, RowPtr: merged.RowPtr, ColIdx: merged.ColIdx}, whole, nil
}
