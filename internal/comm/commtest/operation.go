package commtest

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// affine is a function x → Slope*x + Shift, and mixed a record.
type (
	affine struct{ Slope, Shift int32 }
	mixed  struct {
		Sum   float64
		Count int16
	}
)

// operations combines values by an operation, whose result shows the order of ranks, and records. No
// rank combines those of all others, unless it does so for all.
func operations(c comm.Comm) error {
	after := func(f, g affine) affine { return affine{g.Slope * f.Slope, g.Slope*f.Shift + g.Shift} }
	given := func(rank, i int) affine { return affine{int32(rank%2 + 1), int32(i + rank)} }
	identity := affine{1, 0}
	calls := []int64{0}
	op := &loop.Op{
		Identity: unsafe.Slice((*byte)(unsafe.Pointer(&identity)), unsafe.Sizeof(identity)),
		Apply: func(into, from unsafe.Pointer) {
			calls[0]++
			*(*affine)(into) = after(*(*affine)(into), *(*affine)(from))
		},
	}
	values, want := make([]affine, 3), make([]affine, 3)
	for i := range values {
		values[i], want[i] = given(c.Rank(), i), given(0, i)
		for rank := 1; rank < c.Size(); rank++ {
			want[i] = after(want[i], given(rank, i))
		}
	}
	if err := combine(c, loop.Reduction{Access: loop.Reduce, Type: loop.Int32, Dim: 6, Op: op}, values, want); err != nil {
		return err
	}
	if err := comm.Sum(c, calls); err != nil {
		return err
	}
	if most := len(values) * c.Size() * bits.Len(uint(c.Size()-1)); int(calls[0]) > most {
		return fmt.Errorf("the operation is called %d times, want at most %d", calls[0], most)
	}
	if err := panics(c); err != nil {
		return err
	}

	layout, err := loop.LayoutOf(reflect.TypeFor[mixed]())
	if err != nil {
		return err
	}
	n := c.Size()
	return combine(c, loop.Reduction{Access: loop.Inc, Type: loop.Uint64, Dim: 4, Record: layout},
		[]mixed{{0.5, 1}, {float64(c.Rank()), int16(-c.Rank())}},
		[]mixed{{0.5 * float64(n), int16(n)}, {float64(n * (n - 1) / 2), int16(-n * (n - 1) / 2)}})
}

// panics combines values by an operation that panics, which all ranks learn of. They can go on.
func panics(c comm.Comm) (err error) {
	op := &loop.Op{Identity: make([]byte, 8), Apply: func(into, from unsafe.Pointer) { panic("no such value") }}
	value := new(int64)
	defer func() {
		if failed := recover() != nil || err != nil; failed == (c.Size() > 1) {
			err = comm.Sum(c, []int64{1})
		} else {
			err = errors.New("an operation that panics has a result")
		}
	}()
	request, err := c.Reduce(loop.Reduction{Access: loop.Reduce, Type: loop.Int64, Dim: 1, Op: op}, unsafe.Pointer(value))
	if err != nil {
		return err
	}
	return request.Wait()
}

// combine combines values, which become those wanted.
func combine[T comparable](c comm.Comm, r loop.Reduction, values, want []T) error {
	request, err := c.Reduce(r, unsafe.Pointer(unsafe.SliceData(values)))
	if err := first(err, request.Wait(), request.Wait()); err != nil {
		return err
	}
	for i := range values {
		if values[i] != want[i] {
			return fmt.Errorf("value %d is %v, want %v", i, values[i], want[i])
		}
	}
	return nil
}
