package sparse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

// A Tile is a matrix that is part of a larger one.
type Tile struct {
	Pattern *Pattern
	Shape   Blocks
	Row     int     // its first row of values in the larger matrix
	Cols    []int32 // of each column of blocks: its first column of values there; negative: left out
}

// Merged is a matrix that consists of tiles, value by value.
type Merged struct {
	RowPtr []int32 // [rows+1]
	ColIdx []int32 // [nonzeros], ascending in each row
	tile   []int32 // [nonzeros]: which one the value is from; -1: it is zero
	at     []int32 // [nonzeros]: its index there
}

// Merge returns the matrix, with that many rows, that consists of the tiles, which do not overlap.
// Diagonal, unless it is nil, has the column of each row that the pattern includes in any case.
func Merge(rows int, tiles []Tile, diagonal []int32) (*Merged, error) {
	m := &Merged{RowPtr: make([]int32, rows+1)}
	ends := make([]int64, rows+1)
	for _, t := range tiles {
		for r := range t.Pattern.Rows {
			n := t.Shape.Cols * int(t.Pattern.RowPtr[r+1]-t.Pattern.RowPtr[r])
			for i := range t.Shape.Rows {
				ends[t.Row+r*t.Shape.Rows+i+1] += int64(n)
			}
		}
	}
	most := int64(0)
	for _, n := range ends {
		most += n
	}
	if most+int64(len(diagonal)) > math.MaxInt32 {
		return nil, fmt.Errorf("%d nonzeros, at most %d are possible", most, math.MaxInt32)
	}
	m.ColIdx, m.tile, m.at = make([]int32, 0, most), make([]int32, 0, most), make([]int32, 0, most)
	type entry struct{ col, tile, at int32 }
	var row []entry
	for r := range rows {
		row = row[:0]
		for k, t := range tiles {
			b, i := (r-t.Row)/t.Shape.Rows, (r-t.Row)%t.Shape.Rows
			if r < t.Row || b >= t.Pattern.Rows {
				continue
			}
			for n := t.Pattern.RowPtr[b]; n < t.Pattern.RowPtr[b+1]; n++ {
				col := t.Cols[t.Pattern.ColIdx[n]]
				for j := 0; j < t.Shape.Cols && col >= 0; j++ {
					row = append(row, entry{col + int32(j), int32(k), int32((int(n)*t.Shape.Cols+j)*t.Shape.Rows + i)})
				}
			}
		}
		if diagonal != nil && !slices.ContainsFunc(row, func(e entry) bool { return e.col == diagonal[r] }) {
			row = append(row, entry{diagonal[r], -1, 0})
		}
		slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.col, b.col) })
		for _, e := range row {
			m.ColIdx, m.tile, m.at = append(m.ColIdx, e.col), append(m.tile, e.tile), append(m.at, e.at)
		}
		m.RowPtr[r+1] = int32(len(m.ColIdx))
	}
	return m, nil
}

// Fill copies the values of the tiles, of 1, 2, 4 or 8 bytes each: those in columns from first up to last to
// inside, the others to outside.
func (m *Merged) Fill(size int, inside, outside []byte, first, last int32, values [][]byte) {
	switch size {
	case 1:
		fill[uint8](m, inside, outside, first, last, values)
	case 2:
		fill[uint16](m, inside, outside, first, last, values)
	case 4:
		fill[uint32](m, inside, outside, first, last, values)
	case 8:
		fill[uint64](m, inside, outside, first, last, values)
	}
}

func fill[T any](m *Merged, insideBytes, outsideBytes []byte, first, last int32, bytes [][]byte) {
	inside, outside := words[T](insideBytes), words[T](outsideBytes)
	values := make([][]T, len(bytes))
	for i := range bytes {
		values[i] = words[T](bytes[i])
	}
	in, out := 0, 0
	for k, tile := range m.tile {
		var v T
		if tile >= 0 {
			v = values[tile][m.at[k]]
		}
		if c := m.ColIdx[k]; c >= first && c < last {
			inside[in] = v
			in++
		} else {
			outside[out] = v
			out++
		}
	}
}

// words returns memory as words.
func words[T any](memory []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)/int(unsafe.Sizeof(*new(T))))
}
