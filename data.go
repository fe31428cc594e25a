package op2

import (
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
)

// What operations on dats and mats ask of them, within the runtime.

func (d *dat) rt() *core.Runtime { return d.data().Runtime() }
func (d *dat) set() *core.Set    { return d.data().Set() }
func (d *dat) dim() int          { return d.data().Dim() }
func (d *dat) name() string      { return d.data().Name() }
func (d *dat) describe() string  { return d.data().Describe() }

func (m *Mat[T]) rt() *core.Runtime        { return m.data().Runtime() }
func (m *Mat[T]) dim() int                 { return m.data().Dim() }
func (m *Mat[T]) name() string             { return m.data().Name() }
func (m *Mat[T]) storage() *core.Storage   { return m.data().Storage() }
func (m *Mat[T]) sparsity() *core.Sparsity { return m.data().Sparsity() }
func (m *Mat[T]) bring(write bool) error   { return m.data().Bring(write) }

// vector returns a dat of scalars for operations on vectors.
func vector[T Scalar](d *Dat[T]) algebra.Vector { return algebra.Vector{Data: d.data()} }

// Scalar is the types of numbers: what matrices hold, and what values of dats and globals consist
// of.
type Scalar interface {
	float64 | float32 | int64 | int32 | int16 | int8 | uint64 | uint32 | uint16 | uint8
}
