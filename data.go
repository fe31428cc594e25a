package op2

import (
	"github.com/go-op2/op2/internal/entity"
)

// What operations on dats ask of them, within the runtime.

func (d *dat) rt() *entity.Runtime { return d.data().Runtime() }
func (d *dat) set() *entity.Set    { return d.data().Set() }
func (d *dat) dim() int            { return d.data().Dim() }

// each returns the number of values of each element of the set that the program knows the dat on.
func (d *dat) each() int {
	if d.data() == nil {
		return 0
	}
	return d.dim() / d.data().Layers()
}
func (d *dat) name() string     { return d.data().Name() }
func (d *dat) describe() string { return d.data().Describe() }

// named returns data of the program, which checkpoints know by its name.
func named(d *entity.Data, err error) *entity.Data {
	if err == nil {
		d.Runtime().Program().Declare(d)
	}
	return d
}

// Scalar is the types of numbers: of nonzeros of matrices, and of components of values in dats and
// globals.
type Scalar interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}
