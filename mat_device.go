package op2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/tune"
)

// matEntries is the view of a matrix's values for loops that set some of them in place, on a
// device.
type matEntries[T Scalar] struct {
	all     *Dat[T] // one value per element, in the order of CSR
	rows    []*zeroing[T]
	onto    *core.Map // from the elements of the rows to their diagonal values
	kernels map[string]*given.Kernel
}

// there reports whether the device has the values, and loops can change them one by one.
func (m *Mat[T]) there() bool { return m.data().There() && m.numberable() }

// asEntries returns the values as a dat.
func (m *Mat[T]) asEntries() (*matEntries[T], error) {
	if m.entries != nil {
		return m.entries, nil
	}
	d, err := m.asDat(1)
	if err != nil {
		return nil, err
	}
	e := &matEntries[T]{all: d, kernels: map[string]*given.Kernel{}}
	source := strings.NewReplacer("TYPE", m.scalar().C(), "DIM", fmt.Sprint(m.dim())).Replace(entryKernels)
	for _, name := range []string{"mat_fill", "mat_diagonal", "mat_set_diagonal", "mat_add_to_diagonal"} {
		e.kernels[name] = given.C(name, source)
	}
	m.entries = e
	return e, nil
}

// asDat returns the matrix as a dat of dim values per element, in the order of CSR.
func (m *Mat[T]) asDat(dim int) (*Dat[T], error) {
	set, err := m.rt().NewSet(core.All(m.sparsity().Blocks()*m.sparsity().Block().Size()/dim), "entries of "+m.name())
	if err != nil {
		return nil, err
	}
	d := m.data().View(set, dim)
	d.SetLayout(tune.AoS)
	return (*Dat[T])(d), nil
}

const entryKernels = `
void mat_fill(TYPE *entry, const TYPE *value) { *entry = *value; }

void mat_diagonal(const TYPE *entries[DIM], TYPE *diagonal)
{
	for (int i = 0; i < DIM; i++)
		diagonal[i] = *entries[i];
}

void mat_set_diagonal(TYPE *entries[DIM], const TYPE *diagonal)
{
	for (int i = 0; i < DIM; i++)
		*entries[i] = diagonal[i];
}

void mat_add_to_diagonal(TYPE *entries[DIM], const TYPE *diagonal)
{
	for (int i = 0; i < DIM; i++)
		*entries[i] += diagonal[i];
}
`

// zeroing sets the values of some rows to zero, and their diagonal to a value.
type zeroing[T Scalar] struct {
	over       IterationSet
	components []int
	diagonal   bool
	zero, set  *core.Loop
	value      *Global[T]
}

// manyZeroings limits the number of cached zeroings.
const manyZeroings = 8

// zeroRowsThere is ZeroRows on the device.
func (m *Mat[T]) zeroRowsThere(rows IterationSet, diagonal T, components []int) error {
	e, err := m.asEntries()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(e.rows, func(z *zeroing[T]) bool {
		return z.over == rows && slices.Equal(z.components, components) && (z.components == nil) == (components == nil) && z.diagonal == (diagonal != 0)
	})
	if at < 0 {
		z, err := m.newZeroing(e, rows, diagonal != 0, components)
		if err != nil {
			return err
		}
		if len(e.rows) == manyZeroings {
			e.rows = slices.Delete(e.rows, 0, 1)
		}
		at, e.rows = len(e.rows), append(e.rows, z)
	}
	z := e.rows[at]
	if err := z.zero.Run(); err != nil || diagonal == 0 {
		return err
	}
	z.value.assign(diagonal)
	return z.set.Run()
}

// newZeroing lists the values, and prepares the loops over them.
func (m *Mat[T]) newZeroing(e *matEntries[T], rows IterationSet, diagonal bool, components []int) (*zeroing[T], error) {
	b, p := m.sparsity().Block(), m.sparsity().Pattern()
	var all, on []int
	iteration(rows).Each(func(element int) {
		for at := int(p.RowPtr[element]) * b.Size(); at < int(p.RowPtr[element+1])*b.Size(); at += b.Rows {
			eachComponent(b.Rows, components, func(i int) { all = append(all, at+i) })
		}
		if diagonal {
			eachComponent(b.Rows, components, func(i int) { on = append(on, m.sparsity().DiagonalAt(element, i)) })
		}
	})
	z := &zeroing[T]{over: rows, components: slices.Clone(components), diagonal: diagonal}
	zero, err := newGlobal(m.rt(), []T{0}, "zero")
	if err != nil {
		return nil, err
	}
	if z.value, err = newGlobal(m.rt(), []T{0}, "diagonal"); err != nil {
		return nil, err
	}
	if z.zero, err = e.fillLoop(all, zero); err == nil && diagonal {
		z.set, err = e.fillLoop(on, z.value)
	}
	return z, err
}

// fillLoop returns a loop that sets some values to that of a global.
func (e *matEntries[T]) fillLoop(values []int, to *Global[T]) (*core.Loop, error) {
	subset, err := core.NewSubset(e.all.set().All(), values, "rows of "+e.all.name())
	if err != nil {
		return nil, err
	}
	return core.NewLoop(e.kernels["mat_fill"], subset.All(), e.all.data().Write(), to.data().Read())
}

// diagonalThere runs a kernel on the diagonal values, on the device, and on a dat.
func (m *Mat[T]) diagonalThere(kernel string, d *Dat[T]) error {
	e, err := m.asEntries()
	if err != nil {
		return err
	}
	if e.onto == nil {
		at := make([]int, 0, m.set().Total()*m.dim())
		for element := range m.set().Total() {
			for i := range m.dim() {
				at = append(at, m.sparsity().DiagonalAt(element, i))
			}
		}
		if e.onto, err = core.NewMap(m.set(), e.all.set(), m.dim(), at, "diagonal of "+m.name(), false); err != nil {
			return err
		}
	}
	entries, other := e.all.data().Read(e.onto.Via()), d.data().Read()
	switch kernel {
	case "mat_diagonal":
		other = d.data().Write()
	case "mat_set_diagonal":
		entries = e.all.data().Write(e.onto.Via())
	default:
		entries = e.all.data().Inc(e.onto.Via())
	}
	return m.rt().ParLoop(e.kernels[kernel], m.set().All(), entries, other)
}
