package gpu

import (
	"fmt"
	"maps"
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/device"
)

// ints copies numbers to the device, unless they are there already.
func (e *engine) ints(values []int32) (*array, error) { return e.columns(values, 0) }

// columns copies rows of that many numbers, column by column. With 0 columns it is ints.
func (e *engine) columns(values []int32, columns int) (*array, error) {
	if columns < 2 {
		return sharedArray(e, values, "", func() []int32 { return values })
	}
	return sharedArray(e, values, fmt.Sprint(columns, " columns"), func() []int32 {
		var all []int
		for c := range columns {
			all = append(all, c)
		}
		return columnsOf(values, columns, all)
	})
}

// columnsOf returns some columns of rows of that many numbers, one after another.
func columnsOf[T any](values []T, width int, columns []int) []T {
	rows := len(values) / width
	out := make([]T, rows*len(columns))
	for i, c := range columns {
		column := out[i*rows : (i+1)*rows]
		for r := range column {
			column[r] = values[r*width+c]
		}
	}
	return out
}

// bytes copies numbers below 256.
func (e *engine) bytes(values []int32) (*array, error) {
	return sharedArray(e, values, "bytes", func() []uint8 {
		narrow := make([]uint8, len(values))
		for i, v := range values {
			narrow[i] = uint8(v)
		}
		return narrow
	})
}

// sharedArray copies data to the device in the form that stored returns, unless it is there already.
func sharedArray[T, S any](e *engine, values []T, form string, stored func() []S) (*array, error) {
	address := unsafe.Pointer(unsafe.SliceData(values))
	key := arrayKey{uintptr(address), len(values), form}
	if a := e.arrays[key].Value(); a != nil {
		return a, nil
	}
	b, err := upload(e, stored())
	if err != nil {
		return nil, err
	}
	if len(e.arrays) >= 2*e.alive+64 {
		maps.DeleteFunc(e.arrays, func(_ arrayKey, a weak.Pointer[array]) bool { return a.Value() == nil })
		e.alive = len(e.arrays)
	}
	a := &array{b, address}
	device.LeaveTo(&e.garbage, a, []device.Buffer{b})
	e.arrays[key] = weak.Make(a)
	return a, nil
}

// upload copies values to newly allocated memory on the device.
func upload[T any](e *engine, values []T) (device.Buffer, error) {
	size := len(values) * int(unsafe.Sizeof(*new(T)))
	b, err := e.alloc(max(size, 8))
	if err != nil || size == 0 {
		return b, err
	}
	if err := e.device.Upload(b, 0, unsafe.Pointer(unsafe.SliceData(values)), size); err != nil {
		e.device.Free(b)
		return 0, err
	}
	return b, nil
}
