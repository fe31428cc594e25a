package gpu

import (
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// array is what does not change and was copied to the device: values of a map, a part of a
// plan. Loops that need the same share it.
type array struct {
	buffer device.Buffer
	keep   unsafe.Pointer // of the host, so that its address stays its own
}

// arrayKey is what was copied.
type arrayKey struct {
	address unsafe.Pointer
	length  int
	columns int // stored by so many columns; 0: as it is on the host
}

// ints copies numbers to the device, or finds them there.
func (e *engine) ints(values []int32) (device.Buffer, error) {
	return e.columns(values, 0)
}

// columns copies rows of so many numbers, column by column. With 0 columns it is ints.
func (e *engine) columns(values []int32, columns int) (device.Buffer, error) {
	if columns == 1 {
		columns = 0
	}
	key := arrayKey{unsafe.Pointer(unsafe.SliceData(values)), len(values), columns}
	if a, ok := e.arrays[key]; ok {
		return a.buffer, nil
	}
	from := values
	if columns > 0 {
		rows := len(values) / columns
		from = make([]int32, len(values))
		for c := range columns {
			column := from[c*rows : (c+1)*rows]
			for r := range column {
				column[r] = values[r*columns+c]
			}
		}
	}
	b, err := upload(e.device, from)
	if err == nil {
		e.arrays[key] = &array{b, key.address}
	}
	return b, err
}

// upload copies values to memory of their own on the device.
func upload[T any](d device.Device, values []T) (device.Buffer, error) {
	size := len(values) * int(unsafe.Sizeof(*new(T)))
	b, err := d.Alloc(max(size, 8))
	if err == nil && size > 0 {
		err = d.Upload(b, 0, unsafe.Pointer(unsafe.SliceData(values)), size)
	}
	return b, err
}
