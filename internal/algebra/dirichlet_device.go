package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// dirichletLoops set values of vectors on a device.
type dirichletLoops struct {
	lift, place *userkernel.Kernel
	takes       []*run.Loop    // copy each condition's values into those of all
	constants   []*entity.Data // of each condition with constant values; nil for others
	scale       *entity.Data
}

// loops prepares the loops that need only the conditions and not a matrix.
func (d *Dirichlet) loops() (*dirichletLoops, error) {
	if d.device != nil {
		return d.device, nil
	}
	source := sourceFor(d.scalar)
	rt := d.set.Runtime()
	t := &dirichletLoops{lift: source.Instance("dirichletLift", nil), place: source.Instance("dirichletPlace", nil).Alone()}
	var err error
	if t.scale, err = entity.NewScalars(rt, d.scalar, 1, "scale"); err != nil {
		return nil, err
	}
	take := source.Instance("dirichletTake", nil).Alone()
	for k, c := range d.conditions {
		place, err := entity.NewGlobal(rt, c.places(d.dim), "place")
		if err != nil {
			return nil, err
		}
		number, err := entity.NewGlobal(rt, []int32{int32(k + 1)}, "condition")
		if err != nil {
			return nil, err
		}
		var constant *entity.Data
		var from entity.Arg
		if !c.constant() {
			from = c.from.Read()
		} else {
			if constant, err = entity.NewScalars(rt, d.scalar, c.given(), "constant"); err != nil {
				return nil, err
			}
			Assign(constant, c.values...)
			from = constant.Read()
		}
		l, err := run.NewLoop(take, c.on, d.values.RW(), d.owner.Read(), from, place.Read(), number.Read())
		if err != nil {
			return nil, err
		}
		t.constants, t.takes = append(t.constants, constant), append(t.takes, l)
	}
	d.device = t
	return t, nil
}

// updateOnDevice reads the values of the conditions on the device.
func (d *Dirichlet) updateOnDevice() error {
	t, err := d.loops()
	if err != nil {
		return err
	}
	for k, c := range d.conditions {
		if d.current(k) {
			continue
		}
		if constant := t.constants[k]; constant != nil {
			Assign(constant, c.values...)
		}
		if err := t.takes[k].Run(); err != nil {
			return err
		}
		d.seen[k] = c.version
	}
	return nil
}

// placeOnDevice sets the fixed values of a vector, times scale, on the device.
func (d *Dirichlet) placeOnDevice(u Vector, scale []byte) error {
	t, err := d.loops()
	if err != nil {
		return err
	}
	Assign(t.scale, scale...)
	return run.ParLoop(d.set.Runtime(), t.place, d.fixed.All(), u.RW(), d.values.Read(), d.owner.Read(), t.scale.Read())
}

// liftingLoops change a matrix, and what was taken out of it, on a device.
type liftingLoops struct {
	keep, zero, diagonal, count *run.Loop
	scale                       *entity.Data
	nonzeros                    *entity.Data
	fill                        *userkernel.Kernel
	nothing                     *entity.Data

	compare, pick, restore *userkernel.Kernel
	before, after          Vector       // the device copies of what lifted has on the host
	differences            *entity.Data // of b from after, and of before from it

	rows, cols *entity.Map // from the couplings to the elements of the rows and the columns
	components Vector      // of int32, of the elements' values: in the row, in the column
}

// loopsOn prepares the loops on a matrix.
func (l *lifting) loopsOn(m *Matrix) (*liftingLoops, error) {
	if l.device != nil {
		return l.device, nil
	}
	e, err := m.asNonzeros()
	if err != nil {
		return nil, err
	}
	source := sourceFor(m.data.Scalar())
	t := &liftingLoops{fill: e.kernels["matFill"], compare: source.Instance("liftingCompare", nil),
		pick: source.Instance("liftingPick", nil), restore: source.Instance("liftingRestore", nil)}
	if t.scale, err = entity.NewScalars(m.data.Runtime(), m.data.Scalar(), 1, "scale"); err != nil {
		return nil, err
	}
	if t.nothing, err = entity.NewScalars(m.data.Runtime(), m.data.Scalar(), 1, "zero"); err != nil {
		return nil, err
	}
	if t.nonzeros, err = entity.NewGlobal(m.data.Runtime(), []int64{0}, "nonzeros"); err != nil {
		return nil, err
	}
	places, err := entity.NewMapHere(l.kept.Set(), e.all.Set(), 1, l.at, "places in "+m.data.Name())
	if err != nil {
		return nil, err
	}
	if t.keep, err = run.NewLoop(source.Instance("liftingKeep", nil), l.kept.Set().All(), l.kept.RW(), e.all.Read(places.At(0))); err != nil {
		return nil, err
	}
	zeroed, err := entity.NewSubsetHere(e.all.Set(), l.zeroed, "rows and columns of "+m.data.Name())
	if err != nil {
		return nil, err
	}
	if t.zero, err = run.NewLoop(t.fill, zeroed.All(), e.all.Write(), t.nothing.Read()); err != nil {
		return nil, err
	}
	if t.count, err = run.NewLoop(source.Instance("liftingCount", nil), zeroed.All(), e.all.Read(), t.nonzeros.Inc()); err != nil {
		return nil, err
	}
	if t.diagonal, err = e.fillLoop(l.diagonal, t.scale); err != nil {
		return nil, err
	}
	l.device = t
	return t, l.couple(m, t)
}

// couple determines the vector values that belong to each coupling.
func (l *lifting) couple(m *Matrix, t *liftingLoops) error {
	rows, cols, components := make([]int, len(l.at)), make([]int, len(l.at)), make([]int32, 2*len(l.at))
	s := m.data.Sparsity()
	block := s.Block()
	for k := range l.at {
		rows[k], cols[k] = l.rows[k]/block.Rows, l.cols[k]/block.Cols
		components[2*k], components[2*k+1] = int32(l.rows[k]%block.Rows), int32(l.cols[k]%block.Cols)
	}
	var err error
	if t.rows, err = entity.NewMapHere(l.kept.Set(), s.Rows(), 1, rows, "rows of "+m.data.Name()); err != nil {
		return err
	}
	if t.cols, err = entity.NewMapHere(l.kept.Set(), s.Cols(), 1, cols, "columns of "+m.data.Name()); err != nil {
		return err
	}
	if t.components, err = NewVector(l.kept.Set(), 2, components, "components"); err != nil {
		return err
	}
	if t.before, err = newZeros(l.kept.Set(), 1, m.data.Scalar(), "before"); err != nil {
		return err
	}
	if t.after, err = newZeros(l.kept.Set(), 1, m.data.Scalar(), "after"); err != nil {
		return err
	}
	t.differences, err = entity.NewGlobal(m.data.Runtime(), []int64{0, 0}, "differences")
	return err
}

// restoreOnDevice undoes the last lifting on the device if b still contains it; it transfers two
// numbers back.
func (l *lifting) restoreOnDevice(m *Matrix, b Vector) error {
	t := l.device
	if err := t.differences.Zero(); err != nil {
		return err
	}
	err := run.ParLoop(m.data.Runtime(), t.compare, l.kept.Set().All(), b.Read(t.rows.At(0)), t.before.Read(), t.after.Read(), t.components.Read(), t.differences.Inc())
	if err != nil {
		return err
	}
	n, err := entity.Reading[int64](t.differences)
	if err != nil {
		return err
	}
	if again, err := liftedAgain(m.data.Runtime(), [2]int64(n)); err != nil || !again {
		return err
	}
	return run.ParLoop(m.data.Runtime(), t.restore, l.kept.Set().All(), b.RW(t.rows.At(0)), t.before.Read(), t.components.Read())
}

// constrainOnDevice takes the columns out of the matrix on the device.
func (l *lifting) constrainOnDevice(m *Matrix, scale []byte) error {
	t, err := l.loopsOn(m)
	if err != nil {
		return err
	}
	if err := t.keep.Run(); err != nil {
		return err
	}
	if err := t.zero.Run(); err != nil {
		return err
	}
	Assign(t.scale, scale...)
	return t.diagonal.Run()
}

// nonzerosOnDevice returns how many of the values here that were zeroed are no longer zero; it
// transfers that number back.
func (l *lifting) nonzerosOnDevice(m *Matrix) (int64, error) {
	t, err := l.loopsOn(m)
	if err != nil {
		return 0, err
	}
	Assign(t.nonzeros, int64(0))
	if err := t.count.Run(); err != nil {
		return 0, err
	}
	return Value[int64](t.nonzeros)
}

// dropOnDevice zeroes some of the kept values on the device.
func (l *lifting) dropOnDevice(m *Matrix, hits *entity.Subset) error {
	t, err := l.loopsOn(m)
	if err != nil {
		return err
	}
	return run.ParLoop(m.data.Runtime(), t.fill, hits.All(), l.kept.Write(), t.nothing.Read())
}

// liftOnDevice subtracts the columns times the fixed values on the device.
func (l *lifting) liftOnDevice(m *Matrix, d *Dirichlet, b Vector, isNew bool) error {
	t, err := l.loopsOn(m)
	if err != nil {
		return err
	}
	l.lastToDevice()
	if !isNew {
		if err := l.restoreOnDevice(m, b); err != nil {
			return err
		}
	}
	pick := func(to Vector) error {
		return run.ParLoop(m.data.Runtime(), t.pick, l.kept.Set().All(), to.Write(), b.Read(t.rows.At(0)), t.components.Read())
	}
	if err := pick(t.before); err != nil {
		return err
	}
	err = run.ParLoop(m.data.Runtime(), d.device.lift, l.kept.Set().All(), b.Inc(t.rows.At(0)), l.kept.Read(), d.values.Read(t.cols.At(0)), t.components.Read())
	if err != nil {
		return err
	}
	b.Storage().Outdate()
	return pick(t.after)
}
