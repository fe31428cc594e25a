package rehearse

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// product is a product on the device.
type product struct {
	backend *Backend
	matrix  backend.Matrix
	inner   backend.Product
}

// PrepareProduct prepares a product.
func (k *Backend) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	inner, err := k.Multiplier.PrepareProduct(m)
	return &product{k, m, inner}, err
}

func (p *product) Ready() error { return p.inner.Ready() }

func (p *product) Run(y, x backend.Vector) error {
	if err := p.backend.Watch.Product(p.matrix, y.SoA, x.SoA); err != nil {
		return err
	}
	var at [3]unsafe.Pointer
	for i, m := range []*device.Mirror{p.matrix.Mirror, y.Mirror, x.Mirror} {
		b, err := m.Use(i != 1, i == 1, tune.AoS)
		if err != nil {
			return err
		}
		at[i] = p.backend.Memory.Memory(b)
	}
	p.matrix.Values = at[0]
	inner, err := p.backend.Multiplier.PrepareProduct(p.matrix)
	if err != nil {
		return err
	}
	if err := inner.Ready(); err != nil {
		return err
	}
	p.backend.pending = append(p.backend.pending, p.matrix.ReportTime)
	return inner.Run(backend.Vector{Host: at[1]}, backend.Vector{Host: at[2]})
}
