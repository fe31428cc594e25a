package entity

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Host returns the host's values, whether or not they are valid; nil if there are none yet.
func Host[T any](d *Data) []T { return store.Values[T](d.storage) }

// Reading returns the values on the host, for reading only.
func Reading[T any](d *Data) ([]T, error) {
	if err := d.Bring(false); err != nil {
		return nil, err
	}
	return Host[T](d), nil
}

// Writing returns the values on the host, for reading and writing.
func Writing[T any](d *Data) ([]T, error) {
	if err := d.Bring(true); err != nil {
		return nil, err
	}
	return Host[T](d), nil
}

// Overwriting returns the values on the host for a caller that overwrites all of them.
func Overwriting[T any](d *Data) []T {
	d.storage.Discard()
	return Host[T](d)
}

// Bring makes the host's values valid and, for writing, the only valid ones.
func (d *Data) Bring(write bool) error { return named(d.storage.Bring(write)) }

// ClearAbsent zeroes the values of elements that are not there.
func (d *Data) ClearAbsent() {
	if d.column == nil || d.column.bounds == nil {
		return
	}
	row, each := d.rowSize(), d.rowSize()/d.column.layers
	for e := range d.set.Total() {
		bottom, top := d.column.Bounds(e)
		values := d.Bytes()[e*row : (e+1)*row]
		clear(values[:bottom*each])
		clear(values[top*each:])
	}
}

// Zero sets all values to zero.
func (d *Data) Zero() error { return named(d.storage.Zero()) }

// named converts an error of a storage, which names the data, or of a queued call, to one of the
// library's.
func named(err error) error {
	if err != nil {
		return problem.Errorf("op2: %w", problem.Bare(err))
	}
	return nil
}

// OnDevice reports whether the device has the values, so that changing them there is preferable.
func (d *Data) OnDevice() bool { return d.storage.OnDevice() }

// Take copies the values of another dat of the same set and dim: on the device if they are valid there
// or not allocated yet.
func (d *Data) Take(from *Data) error {
	if d.SoA() != from.SoA() {
		return named(d.storage.TakeOnHost(from.storage))
	}
	return named(d.storage.Take(from.storage))
}

// Vector returns a dat as an operand of a product, with what the program has changed in declared order.
func (d *Data) Vector() backend.Vector {
	d.storage.TakeBack()
	return backend.Vector{Host: d.storage.Host(), Mirror: d.storage.Mirror(), SoA: d.SoA()}
}

// Bytes returns the host's values as bytes; nil if there are none.
func (d *Data) Bytes() []byte {
	if d.storage.Host() == nil {
		return nil
	}
	return unsafe.Slice((*byte)(d.storage.Host()), d.storage.Bytes())
}

// AsFloat64s returns the host's values as float64, which must not be changed; zeros if there are none.
func (d *Data) AsFloat64s() []float64 {
	if d.scalar == loop.Float64 && d.storage.Host() != nil {
		return Host[float64](d)
	}
	return d.Float64s()
}

// Float64s returns a copy of the host's values as float64; zeros if there are none.
func (d *Data) Float64s() []float64 {
	if d.storage.Host() == nil {
		return make([]float64, d.Elements()*d.dim)
	}
	return d.Convert(d.Bytes())
}

// Convert returns values like those of the data, which have these bytes, as float64.
func (d *Data) Convert(values []byte) []float64 { return converts[d.scalar](values) }

var converts = [...]func(values []byte) []float64{
	loop.Bool: convert[uint8], loop.Int8: convert[int8], loop.Int16: convert[int16], loop.Int32: convert[int32], loop.Int64: convert[int64],
	loop.Uint8: convert[uint8], loop.Uint16: convert[uint16], loop.Uint32: convert[uint32], loop.Uint64: convert[uint64],
	loop.Float32: convert[float32], loop.Float64: convert[float64],
}

func convert[T loop.Number](values []byte) []float64 {
	from := comm.Values[T](values)
	to := make([]float64, len(from))
	for i, v := range from {
		to[i] = float64(v)
	}
	return to
}
