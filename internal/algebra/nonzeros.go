package algebra

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/userkernel"
)

// nonzeros is the view of a matrix's values for loops that set some of them in place, on a
// device.
type nonzeros struct {
	all     Vector // one value per element, in the order of CSR
	rows    []*zeroing
	onto    *entity.Map // from the elements of the rows to their diagonal values
	kernels map[string]*userkernel.Kernel
}

// asNonzeros returns the values as a dat.
func (m *Matrix) asNonzeros() (*nonzeros, error) {
	if m.nonzeros != nil {
		return m.nonzeros, nil
	}
	d, err := m.AsVector(1)
	if err != nil {
		return nil, err
	}
	e := &nonzeros{all: d, kernels: map[string]*userkernel.Kernel{}}
	for _, name := range []string{"matFill", "matDiagonal", "matSetDiagonal", "matAddToDiagonal"} {
		e.kernels[name] = sourceFor(m.data.Scalar()).Instance(name, nil).Alone()
	}
	m.nonzeros = e
	return e, nil
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

// zeroing sets the values of some rows to zero, and their diagonal to a value.
type zeroing struct {
	over       entity.Range
	components []int
	diagonal   bool
	zero, set  *run.Loop
	value      *entity.Data
}

// manyZeroings limits the number of cached zeroings.
const manyZeroings = 8

// zeroRowsOnDevice sets rows to zero, and their diagonal to a value, on the device.
func (m *Matrix) zeroRowsOnDevice(rows entity.Range, diagonal []byte, components []int) error {
	e, err := m.asNonzeros()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(e.rows, func(z *zeroing) bool {
		return z.over == rows && slices.Equal(z.components, components) && (z.components == nil) == (components == nil) && z.diagonal == (diagonal != nil)
	})
	if at < 0 {
		z, err := m.newZeroing(e, rows, diagonal != nil, components)
		if err != nil {
			return err
		}
		if len(e.rows) == manyZeroings {
			e.rows = slices.Delete(e.rows, 0, 1)
		}
		at, e.rows = len(e.rows), append(e.rows, z)
	}
	z := e.rows[at]
	if err := z.zero.Run(); err != nil || diagonal == nil {
		return err
	}
	Assign(z.value, diagonal...)
	return z.set.Run()
}

// newZeroing lists the values, and prepares the loops over them.
func (m *Matrix) newZeroing(e *nonzeros, rows entity.Range, diagonal bool, components []int) (*zeroing, error) {
	b, p := m.data.Sparsity().Block(), m.data.Sparsity().Pattern()
	var all, on []int
	rows.Each(func(element int) {
		for at := int(p.RowPtr[element]) * b.Size(); at < int(p.RowPtr[element+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { all = append(all, at+i) })
		}
		if diagonal {
			eachComponent(b.Rows, components, func(i int) { on = append(on, m.data.Sparsity().DiagonalAt(element, i)) })
		}
	})
	z := &zeroing{over: rows, components: slices.Clone(components), diagonal: diagonal}
	zero, err := entity.NewScalars(m.data.Runtime(), m.data.Scalar(), 1, "zero")
	if err != nil {
		return nil, err
	}
	if z.value, err = entity.NewScalars(m.data.Runtime(), m.data.Scalar(), 1, "diagonal"); err != nil {
		return nil, err
	}
	if z.zero, err = e.fillLoop(all, zero); err == nil && diagonal {
		z.set, err = e.fillLoop(on, z.value)
	}
	return z, err
}

// fillLoop returns a loop that sets some values to that of a global.
func (e *nonzeros) fillLoop(values []int, to *entity.Data) (*run.Loop, error) {
	subset, err := entity.NewSubsetHere(e.all.Set(), values, "rows of "+e.all.Name())
	if err != nil {
		return nil, err
	}
	return run.NewLoop(e.kernels["matFill"], subset.All(), e.all.Write(), to.Read())
}

// diagonalOnDevice runs a kernel on the device for each diagonal value and the value of a dat.
func (m *Matrix) diagonalOnDevice(kernel string, d Vector) error {
	e, err := m.asNonzeros()
	if err != nil {
		return err
	}
	if e.onto == nil {
		at := make([]int, 0, m.data.Set().Total()*m.data.Dim())
		for element := range m.data.Set().Total() {
			for i := range m.data.Dim() {
				at = append(at, m.data.Sparsity().DiagonalAt(element, i))
			}
		}
		if e.onto, err = entity.NewMapHere(m.data.Set(), e.all.Set(), m.data.Dim(), at, "diagonal of "+m.data.Name()); err != nil {
			return err
		}
	}
	nonzeros, other := e.all.Read(e.onto.Via()), d.Read()
	switch kernel {
	case "matDiagonal":
		other = d.Write()
	case "matSetDiagonal":
		nonzeros = e.all.Write(e.onto.Via())
	default:
		nonzeros = e.all.Inc(e.onto.Via())
	}
	return run.ParLoop(m.data.Runtime(), e.kernels[kernel], m.data.Set().All(), nonzeros, other)
}
