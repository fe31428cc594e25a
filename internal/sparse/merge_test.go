package sparse

import (
	"slices"
	"testing"
)

// Tiles of several shapes become one matrix, whose rows are sorted by the columns there.
func TestMerge(t *testing.T) {
	tiles := []Tile{
		{Pattern: &Pattern{Rows: 1, Cols: 2, RowPtr: []int32{0, 2}, ColIdx: []int32{0, 1}}, Shape: Blocks{2, 1}, Row: 0, Cols: []int32{7, 3}},
		{Pattern: &Pattern{Rows: 2, Cols: 2, RowPtr: []int32{0, 0, 2}, ColIdx: []int32{0, 1}}, Shape: Blocks{1, 2}, Row: 2, Cols: []int32{4, -1}},
		{Pattern: &Pattern{Rows: 1, Cols: 1, RowPtr: []int32{0, 1}, ColIdx: []int32{0}}, Shape: Blocks{2, 1}, Row: 0, Cols: []int32{5}},
	}
	values := [][]byte{{1, 2, 3, 4}, {5, 6, 70, 80}, {9, 10}}
	m, err := Merge(4, tiles, []int32{3, 4, 5, 6})
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := make([]byte, 4), make([]byte, 7)
	m.Fill(1, inside, outside, 3, 5, values)
	if want := []int32{0, 3, 7, 8, 11}; !slices.Equal(m.RowPtr, want) {
		t.Errorf("the row pointers are %v, want %v", m.RowPtr, want)
	}
	if want := []int32{3, 5, 7, 3, 4, 5, 7, 5, 4, 5, 6}; !slices.Equal(m.ColIdx, want) {
		t.Errorf("the columns are %v, want %v", m.ColIdx, want)
	}
	if want := []byte{3, 4, 0, 5}; !slices.Equal(inside, want) {
		t.Errorf("the values inside are %v, want %v", inside, want)
	}
	if want := []byte{9, 1, 10, 2, 0, 6, 0}; !slices.Equal(outside, want) {
		t.Errorf("the values outside are %v, want %v", outside, want)
	}
}
