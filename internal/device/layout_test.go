package device

import (
	"testing"
	"unsafe"
)

func TestTranspose(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {1, 9}, {9, 1}, {3, 200}, {200, 3}, {130, 70}} {
		checkTransposed[int8](t, shape[0], shape[1])
		checkTransposed[int16](t, shape[0], shape[1])
		checkTransposed[float32](t, shape[0], shape[1])
		checkTransposed[float64](t, shape[0], shape[1])
	}
}

func checkTransposed[T int8 | int16 | float32 | float64](t *testing.T, rows, cols int) {
	from, to := make([]T, rows*cols), make([]T, rows*cols)
	for i := range from {
		from[i] = T(i % 127)
	}
	transpose(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), rows, cols, int(unsafe.Sizeof(from[0])))
	for i, v := range from {
		if r, c := i/cols, i%cols; to[c*rows+r] != v {
			t.Fatalf("%d by %d %T: row %d, column %d is %v, want %v", rows, cols, v, r, c, to[c*rows+r], v)
		}
	}
}
