package device

import "unsafe"

// transpose sets to to the transpose of a matrix of rows by cols values of the given size.
func transpose(to, from unsafe.Pointer, rows, cols, size int) {
	switch size {
	case 1:
		transposed[uint8](to, from, rows, cols)
	case 2:
		transposed[uint16](to, from, rows, cols)
	case 4:
		transposed[uint32](to, from, rows, cols)
	case 8:
		transposed[uint64](to, from, rows, cols)
	}
}

// tile is the number of rows and columns that are moved together, few enough for them to stay in
// the cache until all of it has been used.
const tile = 64

func transposed[T any](toMemory, fromMemory unsafe.Pointer, rows, cols int) {
	to, from := unsafe.Slice((*T)(toMemory), rows*cols), unsafe.Slice((*T)(fromMemory), rows*cols)
	for row := 0; row < rows; row += tile {
		for col := 0; col < cols; col += tile {
			for c := col; c < min(col+tile, cols); c++ {
				column := to[c*rows : (c+1)*rows]
				for r := row; r < min(row+tile, rows); r++ {
					column[r] = from[r*cols+c]
				}
			}
		}
	}
}
