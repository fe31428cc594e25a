package op2

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
)

// dirichletLoops set values of vectors on a device.
type dirichletLoops[T Scalar] struct {
	lift, place *given.Kernel
	takes       []*core.Loop // copy each condition's values into those of all
	constants   []*Global[T] // of each condition with constant values; nil for others
	scale       *Global[T]
}

// dirichletKernels are for unknowns of dim DIM. lift runs for one value of a matrix, the others for
// an element.
const dirichletKernels = `
void dirichlet_take(TYPE *value, const int *owner, const TYPE *from, const int *place, const int *condition)
{
	for (int i = 0; i < DIM; i++)
		if (owner[i] == *condition)
			value[i] = from[place[i]];
}

void dirichlet_place(TYPE *u, const TYPE *value, const int *owner, const TYPE *scale)
{
	for (int i = 0; i < DIM; i++)
		if (owner[i] != 0)
			u[i] = *scale * value[i];
}

void dirichlet_lift(TYPE *b, const TYPE *kept, const TYPE *value, const int *component)
{
	b[component[0]] -= *kept * value[component[1]];
}
`

// loops prepares the loops that need only the conditions and not a matrix.
func (d *Dirichlet[T]) loops() (*dirichletLoops[T], error) {
	if d.there != nil {
		return d.there, nil
	}
	source := strings.NewReplacer("TYPE", d.values.scalar().C(), "DIM", fmt.Sprint(d.dim)).Replace(dirichletKernels)
	rt := d.set.Runtime()
	t := &dirichletLoops[T]{lift: given.Own("dirichlet_lift", source, nil), place: given.Own("dirichlet_place", source, nil)}
	var err error
	if t.scale, err = newGlobal(rt, []T{0}, "scale"); err != nil {
		return nil, err
	}
	take := given.Own("dirichlet_take", source, nil)
	for k, c := range d.conditions {
		place, err := newGlobal(rt, c.places(d.dim), "place")
		if err != nil {
			return nil, err
		}
		number, err := newGlobal(rt, []int32{int32(k + 1)}, "condition")
		if err != nil {
			return nil, err
		}
		var constant *Global[T]
		var from core.Arg
		if c.from != nil {
			from = c.from.data().Read()
		} else {
			if constant, err = newGlobal(rt, c.values, "constant"); err != nil {
				return nil, err
			}
			from = constant.data().Read()
		}
		l, err := core.NewLoop(take, iteration(c.on), d.values.data().RW(), d.owner.data().Read(), from, place.data().Read(), number.data().Read())
		if err != nil {
			return nil, err
		}
		t.constants, t.takes = append(t.constants, constant), append(t.takes, l)
	}
	d.there = t
	return t, nil
}

// updateThere is update on the device.
func (d *Dirichlet[T]) updateThere() error {
	t, err := d.loops()
	if err != nil {
		return err
	}
	for k, c := range d.conditions {
		if d.current(k) {
			continue
		}
		if t.constants[k] != nil {
			t.constants[k].assign(c.values...)
		}
		if err := t.takes[k].Run(); err != nil {
			return err
		}
		d.seen[k] = c.version
	}
	return nil
}

// placeThere is place on the device.
func (d *Dirichlet[T]) placeThere(u *Dat[T], scale T) error {
	t, err := d.loops()
	if err != nil {
		return err
	}
	t.scale.assign(scale)
	return d.set.Runtime().ParLoop(t.place, d.fixed.All(), u.data().RW(), d.values.data().Read(), d.owner.data().Read(), t.scale.data().Read())
}

// liftingLoops change a matrix, and what was taken out of it, on a device.
type liftingLoops[T Scalar] struct {
	keep, zero, diagonal, count *core.Loop
	scale                       *Global[T]
	nonzeros                    *Global[int64]
	fill                        *given.Kernel
	nothing                     *Global[T]

	compare, pick, restore *given.Kernel
	before, after          *Dat[T]        // the device copies of what lifted has on the host
	differences            *Global[int64] // of b from after, and of before from it

	rows, cols *core.Map   // from the couplings to the elements of the rows and the columns
	components *Dat[int32] // of the elements' values: in the row, in the column
}

const liftingKernels = `
void lifting_keep(TYPE *kept, const TYPE *entry) { *kept += *entry; }

void lifting_count(const TYPE *entry, int64_t *nonzeros)
{
	if (*entry != 0)
		*nonzeros += 1;
}

void lifting_compare(const TYPE *b, const TYPE *before, const TYPE *after, const int *component, int64_t *differences)
{
	if (!(b[component[0]] == *after))
		differences[0] += 1;
	if (!(*before == *after))
		differences[1] += 1;
}

void lifting_pick(TYPE *value, const TYPE *b, const int *component) { *value = b[component[0]]; }

void lifting_restore(TYPE *b, const TYPE *value, const int *component) { b[component[0]] = *value; }
`

// loopsOn prepares the loops on a matrix.
func (l *lifting[T]) loopsOn(m *Mat[T]) (*liftingLoops[T], error) {
	if l.there != nil {
		return l.there, nil
	}
	e, err := m.asEntries()
	if err != nil {
		return nil, err
	}
	source := strings.ReplaceAll(liftingKernels, "TYPE", m.scalar().C())
	t := &liftingLoops[T]{fill: e.kernels["mat_fill"], compare: given.Own("lifting_compare", source, nil),
		pick: given.Own("lifting_pick", source, nil), restore: given.Own("lifting_restore", source, nil)}
	if t.scale, err = newGlobal(m.rt(), []T{0}, "scale"); err != nil {
		return nil, err
	}
	if t.nothing, err = newGlobal(m.rt(), []T{0}, "zero"); err != nil {
		return nil, err
	}
	if t.nonzeros, err = newGlobal(m.rt(), []int64{0}, "nonzeros"); err != nil {
		return nil, err
	}
	places, err := core.NewMap(l.kept.set(), e.all.set(), 1, l.at, "places in "+m.name(), false)
	if err != nil {
		return nil, err
	}
	if t.keep, err = core.NewLoop(given.Own("lifting_keep", source, nil), l.kept.set().All(), l.kept.data().RW(), e.all.data().Read(places.At(0))); err != nil {
		return nil, err
	}
	zeroed, err := core.NewSubset(e.all.set().All(), l.zeroed, "rows and columns of "+m.name())
	if err != nil {
		return nil, err
	}
	if t.zero, err = core.NewLoop(t.fill, zeroed.All(), e.all.data().Write(), t.nothing.data().Read()); err != nil {
		return nil, err
	}
	if t.count, err = core.NewLoop(given.Own("lifting_count", source, nil), zeroed.All(), e.all.data().Read(), t.nonzeros.data().Inc()); err != nil {
		return nil, err
	}
	if t.diagonal, err = e.fillLoop(l.diagonal, t.scale); err != nil {
		return nil, err
	}
	l.there = t
	return t, l.couple(m, t)
}

// couple determines the vector values that belong to each coupling.
func (l *lifting[T]) couple(m *Mat[T], t *liftingLoops[T]) error {
	rows, cols, components := make([]int, len(l.at)), make([]int, len(l.at)), make([]int32, 2*len(l.at))
	for k := range l.at {
		rows[k], cols[k] = l.rows[k]/m.dim(), l.cols[k]/m.dim()
		components[2*k], components[2*k+1] = int32(l.rows[k]%m.dim()), int32(l.cols[k]%m.dim())
	}
	var err error
	if t.rows, err = core.NewMap(l.kept.set(), m.set(), 1, rows, "rows of "+m.name(), false); err != nil {
		return err
	}
	if t.cols, err = core.NewMap(l.kept.set(), m.set(), 1, cols, "columns of "+m.name(), false); err != nil {
		return err
	}
	if t.components, err = newDat(l.kept.set(), 2, components, "components"); err != nil {
		return err
	}
	if t.before, err = newDat[T](l.kept.set(), 1, nil, "before"); err != nil {
		return err
	}
	if t.after, err = newDat[T](l.kept.set(), 1, nil, "after"); err != nil {
		return err
	}
	t.differences, err = newGlobal(m.rt(), []int64{0, 0}, "differences")
	return err
}

// restoreThere is lifted.restore on the device: it transfers two numbers back.
func (l *lifting[T]) restoreThere(m *Mat[T], b *Dat[T]) error {
	t := l.there
	if err := t.differences.clear(); err != nil {
		return err
	}
	err := m.rt().ParLoop(t.compare, l.kept.set().All(), b.data().Read(t.rows.At(0)), t.before.data().Read(), t.after.data().Read(), t.components.data().Read(), t.differences.data().Inc())
	if err != nil {
		return err
	}
	n, err := t.differences.dataRO()
	if err != nil || n[0] > 0 || n[1] == 0 {
		return err
	}
	return m.rt().ParLoop(t.restore, l.kept.set().All(), b.data().RW(t.rows.At(0)), t.before.data().Read(), t.components.data().Read())
}

// constrainThere is constrainHere on the device.
func (l *lifting[T]) constrainThere(m *Mat[T], scale T) error {
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
	t.scale.assign(scale)
	return t.diagonal.Run()
}

// cleanThere is clean on the device: it transfers a number back.
func (l *lifting[T]) cleanThere(m *Mat[T]) (bool, error) {
	t, err := l.loopsOn(m)
	if err != nil {
		return false, err
	}
	t.nonzeros.assign(0)
	if err := t.count.Run(); err != nil {
		return false, err
	}
	n, err := t.nonzeros.value()
	return n == 0, err
}

// dropThere zeroes some of the kept values on the device.
func (l *lifting[T]) dropThere(m *Mat[T], hits *core.Subset) error {
	t, err := l.loopsOn(m)
	if err != nil {
		return err
	}
	return m.rt().ParLoop(t.fill, hits.All(), l.kept.data().Write(), t.nothing.data().Read())
}

// liftThere is lift on the device.
func (l *lifting[T]) liftThere(m *Mat[T], d *Dirichlet[T], b *Dat[T]) error {
	t, err := l.loopsOn(m)
	if err != nil {
		return err
	}
	if err := l.restoreThere(m, b); err != nil {
		return err
	}
	pick := func(to *Dat[T]) error {
		return m.rt().ParLoop(t.pick, l.kept.set().All(), to.data().Write(), b.data().Read(t.rows.At(0)), t.components.data().Read())
	}
	if err := pick(t.before); err != nil {
		return err
	}
	err = m.rt().ParLoop(d.there.lift, l.kept.set().All(), b.data().Inc(t.rows.At(0)), l.kept.data().Read(), d.values.data().Read(t.cols.At(0)), t.components.data().Read())
	if err != nil {
		return err
	}
	return pick(t.after)
}
