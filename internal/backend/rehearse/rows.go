package rehearse

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
)

// rows are rows whose values are copied at once.
type rows struct {
	backend.Rows
	memory *pretend.Device
}

// PrepareRows prepares copies of rows.
func (k *Backend) PrepareRows(r backend.Rows) (backend.RowCopies, error) {
	return &rows{r, k.Memory}, nil
}

func (r *rows) Gather(to device.Buffer) error {
	r.each(to, func(value, buffer []byte) { copy(buffer, value) })
	return nil
}

func (r *rows) Scatter(from device.Buffer) error {
	r.each(from, func(value, buffer []byte) { copy(value, buffer) })
	return nil
}

// each calls f for each value and its place in the buffer.
func (r *rows) each(buffer device.Buffer, f func(value, buffer []byte)) {
	b, along, apart := r.Mirror.Values()
	shape := r.Mirror.Shape()
	at := func(b device.Buffer, i int) []byte {
		return unsafe.Slice((*byte)(unsafe.Add(r.memory.Memory(b), i*shape.Size)), shape.Size)
	}
	for i, e := range r.Elements {
		for c := range shape.Dim {
			f(at(b, along*int(e)+apart*c), at(buffer, int(r.Places[i])+c))
		}
	}
}
