package gofunc

//lint:file-ignore U1000 the fields of words are moved as a whole, never by name

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// mover moves rows of dim values between their places and local copies, which are contiguous. Row i
// is at base, offset by as many rows as the target i*step bytes after the first says.
//
// Movers for a fixed dim ignore the last argument.
type mover func(base, local, targets P, step uintptr, rows, dim int)

// origin is the target of data that is not reached through a map.
var origin int32

// rowAt returns the address of row i, for rows of size bytes.
func rowAt(base, targets P, i, step, size uintptr) P {
	return add(base, uintptr(*(*int32)(add(targets, i*step)))*size)
}

// Words that fit into registers together, so that they are moved without a call to memmove.
type (
	none         struct{}
	one[W any]   struct{ a W }
	two[W any]   struct{ a, b W }
	three[W any] struct{ a, b, c W }
	four[W any]  struct{ a, b, c, d W }
)

// moveRow moves a row that consists of an A and a B.
func moveRow[A, B any](to, from P) {
	size := unsafe.Sizeof(*new(A))
	a, b := *(*A)(from), *(*B)(add(from, size))
	*(*A)(to), *(*B)(add(to, size)) = a, b
}

func fetchRows[A, B any](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new(A)) + unsafe.Sizeof(*new(B))
	for i := range uintptr(rows) {
		moveRow[A, B](add(local, i*size), rowAt(base, targets, i, step, size))
	}
}

func putRows[A, B any](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new(A)) + unsafe.Sizeof(*new(B))
	for i := range uintptr(rows) {
		moveRow[A, B](rowAt(base, targets, i, step, size), add(local, i*size))
	}
}

// copyMovers returns the movers of rows of 1 to 8 words.
func copyMovers[W any]() (fetch, put []mover) {
	return []mover{
			1: fetchRows[one[W], none], 2: fetchRows[two[W], none], 3: fetchRows[three[W], none], 4: fetchRows[four[W], none],
			5: fetchRows[four[W], one[W]], 6: fetchRows[four[W], two[W]], 7: fetchRows[four[W], three[W]], 8: fetchRows[four[W], four[W]],
		}, []mover{
			1: putRows[one[W], none], 2: putRows[two[W], none], 3: putRows[three[W], none], 4: putRows[four[W], none],
			5: putRows[four[W], one[W]], 6: putRows[four[W], two[W]], 7: putRows[four[W], three[W]], 8: putRows[four[W], four[W]],
		}
}

// number is the type of a value.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// eachRow returns a mover that calls f with each row and its copy.
func eachRow[T number](f func(place, local []T)) mover {
	return func(base, local, targets P, step uintptr, rows, dim int) {
		size := uintptr(dim) * unsafe.Sizeof(*new(T))
		for i := range uintptr(rows) {
			f(unsafe.Slice((*T)(rowAt(base, targets, i, step, size)), dim), unsafe.Slice((*T)(add(local, i*size)), dim))
		}
	}
}

func addRows[T number](base, local, targets P, step uintptr, rows, dim int) {
	size := uintptr(dim) * unsafe.Sizeof(*new(T))
	for i := range uintptr(rows) {
		place := unsafe.Slice((*T)(rowAt(base, targets, i, step, size)), dim)
		for d, v := range unsafe.Slice((*T)(add(local, i*size)), dim) {
			place[d] += v
		}
	}
}

func addOnes[T number](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new(T))
	for i := range uintptr(rows) {
		*(*T)(rowAt(base, targets, i, step, size)) += *(*T)(add(local, i*size))
	}
}

func addTwos[T number](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new([2]T))
	for i := range uintptr(rows) {
		p, l := (*[2]T)(rowAt(base, targets, i, step, size)), (*[2]T)(add(local, i*size))
		p[0] += l[0]
		p[1] += l[1]
	}
}

func addThrees[T number](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new([3]T))
	for i := range uintptr(rows) {
		p, l := (*[3]T)(rowAt(base, targets, i, step, size)), (*[3]T)(add(local, i*size))
		p[0] += l[0]
		p[1] += l[1]
		p[2] += l[2]
	}
}

func addFours[T number](base, local, targets P, step uintptr, rows, _ int) {
	size := unsafe.Sizeof(*new([4]T))
	for i := range uintptr(rows) {
		p, l := (*[4]T)(rowAt(base, targets, i, step, size)), (*[4]T)(add(local, i*size))
		p[0] += l[0]
		p[1] += l[1]
		p[2] += l[2]
		p[3] += l[3]
	}
}

// sumOnes to sumFours add all rows to the one at base. The totals stay in registers: in memory each
// addition would wait for the previous store.
func sumOnes[T number](base, local, _ P, _ uintptr, rows, _ int) {
	a := *(*T)(base)
	for _, v := range unsafe.Slice((*T)(local), rows) {
		a += v
	}
	*(*T)(base) = a
}

func sumTwos[T number](base, local, _ P, _ uintptr, rows, _ int) {
	p := (*two[T])(base)
	a, b := p.a, p.b
	for _, v := range unsafe.Slice((*two[T])(local), rows) {
		a, b = a+v.a, b+v.b
	}
	p.a, p.b = a, b
}

func sumThrees[T number](base, local, _ P, _ uintptr, rows, _ int) {
	p := (*three[T])(base)
	a, b, c := p.a, p.b, p.c
	for _, v := range unsafe.Slice((*three[T])(local), rows) {
		a, b, c = a+v.a, b+v.b, c+v.c
	}
	p.a, p.b, p.c = a, b, c
}

func sumFours[T number](base, local, _ P, _ uintptr, rows, _ int) {
	p := (*four[T])(base)
	a, b, c, d := p.a, p.b, p.c, p.d
	for _, v := range unsafe.Slice((*four[T])(local), rows) {
		a, b, c, d = a+v.a, b+v.b, c+v.c, d+v.d
	}
	p.a, p.b, p.c, p.d = a, b, c, d
}

// minRows and maxRows first check whether there is anything to do, which is faster than Go's min
// and max.
func minRows[T number](base, local, targets P, step uintptr, rows, dim int) {
	size := uintptr(dim) * unsafe.Sizeof(*new(T))
	for i := range uintptr(rows) {
		place := unsafe.Slice((*T)(rowAt(base, targets, i, step, size)), dim)
		for d, v := range unsafe.Slice((*T)(add(local, i*size)), dim) {
			if !(v > place[d]) {
				place[d] = min(place[d], v)
			}
		}
	}
}

func maxRows[T number](base, local, targets P, step uintptr, rows, dim int) {
	size := uintptr(dim) * unsafe.Sizeof(*new(T))
	for i := range uintptr(rows) {
		place := unsafe.Slice((*T)(rowAt(base, targets, i, step, size)), dim)
		for d, v := range unsafe.Slice((*T)(add(local, i*size)), dim) {
			if !(v < place[d]) {
				place[d] = max(place[d], v)
			}
		}
	}
}

// numbersFrom returns the mover of elements' numbers, which are ints in copies, from a table of the
// given type.
func numbersFrom(table loop.Scalar) mover {
	if table == loop.Int32 {
		return fetchNumbers[int32]
	}
	return fetchNumbers[int64]
}

func fetchNumbers[T int32 | int64](base, local, _ P, _ uintptr, _, n int) {
	numbers := unsafe.Slice((*int)(local), n)
	for i, v := range unsafe.Slice((*T)(base), n) {
		numbers[i] = int(v)
	}
}
