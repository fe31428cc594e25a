package solve

import (
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// inverter inverts a diagonal by a loop, wherever the runtime's loops run. Only a number is
// transferred back: the first row that has no inverse.
type inverter struct {
	found func(row int) error // the error for a row without an inverse
	loop  *run.Loop
	first *entity.Data
	rows  int64 // of values
}

// newInverter returns an inverter with the loop of a kernel over a set. Its arguments are the
// inverse, the values to invert, the element's number, and the first row so far that has no
// inverse.
func (e *native) newInverter(part int, k *userkernel.Kernel, over *entity.Set, inverse, diagonal entity.Arg) (*inverter, error) {
	v := &inverter{found: func(row int) error {
		if !e.solver.rt.Several() {
			row = e.space[part].Declared(row)
		}
		return e.pivotAt(part, row, false)
	}, rows: e.values[part].Whole()}
	var err error
	if v.first, err = entity.NewGlobal(e.solver.rt, []int64{0}, "solver"); err != nil {
		return nil, err
	}
	row := entity.CurrentIndex()
	if e.solver.rt.Several() {
		row = entity.Index()
	}
	v.loop, err = run.NewLoop(k, over.All(), inverse, diagonal, row, v.first.Min())
	return v, err
}

// invert runs the loop. A row without an inverse is a *badPivot.
func (v *inverter) invert() error {
	algebra.Assign(v.first, v.rows)
	if err := v.loop.Run(); err != nil {
		return err
	}
	first, err := algebra.Value[int64](v.first)
	if err == nil && first < v.rows {
		return v.found(int(first))
	}
	return err
}

// valueInverter inverts a matrix's diagonal values, one by one.
func (e *native) valueInverter(part int, m *Matrix, inverse krylov.Vector) (*inverter, error) {
	values := e.values[part]
	at := make([]int32, values.Total())
	for i := range at {
		at[i] = int32(m.Data().Sparsity().DiagonalAt(i/m.Data().Dim(), i%m.Data().Dim()))
	}
	diagonal, err := e.nonzeros(m, 1, values, at)
	if err != nil {
		return nil, err
	}
	return e.newInverter(part, kernels.invert, values, e.vectors[inverse].flat[part].Write(), diagonal)
}

// nonzeros returns a matrix as an argument that is read like a dat, dim values at a time. For each
// element of the set, at gives the index of what it reads.
func (e *native) nonzeros(m *Matrix, dim int, from *entity.Set, at []int32) (entity.Arg, error) {
	d, err := m.AsVector(dim)
	if err != nil {
		return entity.Arg{}, err
	}
	to, err := entity.NewMapHere(from, d.Set(), 1, at, "diagonal of "+m.Data().Name())
	if err != nil {
		return entity.Arg{}, err
	}
	return d.Read(to.At(0)), nil
}

// points is the preconditioner pbjacobi as loops: the inverse of each element's diagonal block.
type points struct {
	engine  *native
	part    int
	inverse Vector
	invert  *inverter
	product *userkernel.Kernel
}

// largestPoint is the dim of the largest blocks that a kernel inverts in local memory.
const largestPoint = 8

func (e *native) newPoints(part int, m *Matrix) (preconditioner, error) {
	s := e.space[part]
	invert, multiply := precondition.PointKernels(s.Dim)
	p := &points{engine: e, part: part, product: multiply.Alone()}
	var err error
	if p.inverse, err = algebra.NewVector[float64](s.Set, s.Dim*s.Dim, nil, "solver"); err != nil {
		return nil, err
	}
	at := make([]int32, s.Set.Total())
	for i := range at {
		at[i] = m.Data().Sparsity().Pattern().Find(int32(i), int32(i))
	}
	diagonal, err := e.nonzeros(m, s.Dim*s.Dim, s.Set, at)
	if err != nil {
		return nil, err
	}
	p.invert, err = e.newInverter(part, invert.Alone(), s.Set, p.inverse.Write(), diagonal)
	return p, err
}

func (p *points) update(keep bool) error {
	if keep {
		return nil
	}
	return p.invert.invert()
}

func (p *points) apply(z, r krylov.Vector) error {
	e := p.engine
	return run.ParLoop(e.solver.rt, p.product, e.space[p.part].Set.All(), e.dats(z)[p.part].Write(), p.inverse.Read(), e.dats(r)[p.part].Read())
}
