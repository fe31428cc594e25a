package algebra

import (
	"github.com/go-op2/op2/internal/tune"
)

// asNonzeros returns the values as a dat with one of them per element.
func (m *Matrix) asNonzeros() (Vector, error) {
	if m.nonzeros.Data != nil {
		return m.nonzeros, nil
	}
	var err error
	m.nonzeros, err = m.AsVector(1)
	return m.nonzeros, err
}

// AsVector returns the matrix as a dat of dim values per element, in the order of CSR.
func (m *Matrix) AsVector(dim int) (Vector, error) {
	set, err := m.data.Runtime().NewSetHere(m.data.Sparsity().Blocks()*m.data.Sparsity().Block().Size()/dim, "nonzeros of "+m.data.Name())
	if err != nil {
		return Vector{}, err
	}
	d := m.data.View(set, dim)
	d.SetLayout(tune.AoS)
	return Vector{d}, nil
}
